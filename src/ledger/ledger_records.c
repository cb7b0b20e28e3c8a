/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ledger/ledger_records.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

bool pm_ledger_key_equal(const pm_ledger_key *a, const pm_ledger_key *b)
{
    return memcmp(a->byte, b->byte, sizeof a->byte) == 0;
}

pm_ledger_record *pm_ledger_find_task(const pm_ledger *l, const pm_ledger_key *key)
{
    for (int64_t i = l->tasks - 1; i >= 0; --i) /* the latest is wanted most often */
        if (pm_ledger_key_equal(&l->task[i]->key, key))
            return l->task[i];
    return NULL;
}

pm_ledger_computation *pm_ledger_find_computation(const pm_ledger *l, const pm_ledger_key *key)
{
    for (int64_t i = 0; i < l->computations; ++i)
        if (pm_ledger_key_equal(&l->computation[i]->key, key))
            return l->computation[i];
    return NULL;
}

void pm_ledger_record_free(pm_ledger_record *r)
{
    if (!r)
        return;
    pm_ranges_free(&r->taken);
    pm_ranges_free(&r->done);
    free(r->what);
    free(r->word);
    free(r->real);
    pm_largest_free(&r->largest);
    free(r);
}

pm_ledger_record *pm_ledger_record_make(const pm_ledger_shape *shape)
{
    pm_ledger_record *r = pm_calloc_array(1, sizeof *r);
    if (!r)
        return NULL;
    r->shape = *shape;
    r->shape.what = r->what = pm_copy_text(shape->what);
    for (char *c = r->what; c && *c; ++c)
        *c = *c == ' ' ? '-' : *c;
    r->word = pm_calloc_array(shape->words, sizeof *r->word);
    r->real = pm_calloc_array(shape->reals, sizeof *r->real);
    r->largest.most = shape->largest;
    if (r->what && r->word && r->real)
        return r;
    pm_ledger_record_free(r);
    return NULL;
}

bool pm_ledger_add_task(pm_ledger *l, pm_ledger_record *r)
{
    if (PM_GROW(l->task, l->cap_tasks, l->tasks + 1))
        return false;
    l->task[l->tasks++] = r;
    return true;
}

pm_ledger_computation *pm_ledger_add_computation(pm_ledger *l, const pm_ledger_key *key)
{
    pm_ledger_computation *c = pm_ledger_find_computation(l, key);
    if (c)
        return c;
    if (PM_GROW(l->computation, l->cap_computations, l->computations + 1)
        || !(c = pm_calloc_array(1, sizeof *c)))
        return NULL;
    c->key = *key;
    pm_value_init(&c->value);
    l->computation[l->computations++] = c;
    return c;
}

void pm_ledger_computation_free(pm_ledger_computation *c)
{
    pm_value_clear(&c->value);
    free(c->plan);
    free(c);
}

void pm_ledger_remove_computation(pm_ledger *l, const pm_ledger_key *key)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < l->computations; ++i) {
        pm_ledger_computation *c = l->computation[i];
        if (pm_ledger_key_equal(&c->key, key))
            pm_ledger_computation_free(c);
        else
            l->computation[kept++] = c;
    }
    l->computations = kept;
}

bool pm_ledger_append_item(pm_ledger *l, const pm_ledger_key *key)
{
    if (PM_GROW(l->item, l->cap_items, l->items + 1))
        return false;
    l->item[l->items++] = *key;
    return true;
}
