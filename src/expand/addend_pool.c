/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "expand/addend_pool.h"

#include <assert.h>
#include <stdlib.h>

#include "pm/alloc.h"

enum { LISTS = 4096 };

struct pm_pool_item {
    pm_addend addend;
    uint64_t hash; /* of contents */
    int64_t bytes;
    pm_pool_item *next_of_n, *next_of_hash;
};

static int64_t list_bytes(const pm_addend_pool *p)
{
    return (p->largest + 1 + LISTS) * (int64_t)sizeof(pm_pool_item *);
}

pm_status pm_pool_open(pm_addend_pool *p, int64_t largest, pm_allowance *allowance, pm_error *err)
{
    *p = (pm_addend_pool){.allowance = allowance, .largest = largest, .bottom = largest};
    pm_fraction_init(&p->number);
    p->of_n = pm_calloc_array(largest + 1, sizeof(pm_pool_item *));
    p->of_hash = pm_calloc_array(LISTS, sizeof(pm_pool_item *));
    allowance->bytes += list_bytes(p);
    if (p->of_n && p->of_hash)
        return PM_OK;
    pm_pool_close(p);
    return pm_fail_memory(err, "the terms of a sum");
}

void pm_pool_close(pm_addend_pool *p)
{
    if (!p->allowance)
        return;
    while (p->count > 0) {
        pm_addend t;
        pm_pool_take(p, &t);
        pm_addend_clear(&t);
    }
    p->allowance->bytes -= list_bytes(p);
    free(p->of_n);
    free(p->of_hash);
    pm_fraction_clear(&p->number);
    *p = (pm_addend_pool){0};
}

static pm_pool_item *find(const pm_addend_pool *p, const pm_addend *t, uint64_t hash)
{
    pm_pool_item *w = p->of_hash[hash % LISTS];
    while (w && (w->hash != hash || !pm_addend_same_blocks(&w->addend, t)))
        w = w->next_of_hash;
    return w;
}

static void insert(pm_addend_pool *p, pm_pool_item *w)
{
    int64_t n = w->addend.n;
    pm_pool_item **same_hash = &p->of_hash[w->hash % LISTS];
    assert(n <= p->largest);
    w->next_of_n = p->of_n[n];
    p->of_n[n] = w;
    w->next_of_hash = *same_hash;
    *same_hash = w;
    p->top = n > p->top ? n : p->top;
    p->bottom = n < p->bottom ? n : p->bottom;
    p->allowance->bytes += w->bytes;
    ++p->count;
}

pm_status pm_pool_add(pm_addend_pool *p, pm_addend *t, bool *is_new, pm_error *err)
{
    *is_new = false;
    if (pm_fraction_is_zero(&t->factor))
        return PM_OK;
    if (t->nblocks == 0) {
        pm_fraction_add(&p->number, &t->factor);
        return PM_OK;
    }
    uint64_t hash = pm_addend_hash(t);
    pm_pool_item *w = find(p, t, hash);
    if (w) {
        pm_fraction_add(&w->addend.factor, &t->factor);
        return PM_OK;
    }
    w = pm_alloc_array(1, sizeof *w);
    if (!w)
        return pm_fail_memory(err, "a term");
    *w = (pm_pool_item){.addend = *t, .hash = hash, .bytes = pm_addend_bytes(t)};
    pm_addend_init(t);
    insert(p, w);
    *is_new = true;
    return PM_OK;
}

static void forget_hash(pm_addend_pool *p, const pm_pool_item *w)
{
    pm_pool_item **at = &p->of_hash[w->hash % LISTS];
    while (*at != w)
        at = &(*at)->next_of_hash;
    *at = w->next_of_hash;
}

void pm_pool_take(pm_addend_pool *p, pm_addend *out)
{
    assert(p->count > 0);
    while (!p->of_n[p->top])
        --p->top;
    while (!p->of_n[p->bottom])
        ++p->bottom;
    int64_t n = pm_allowance_is_short(p->allowance) ? p->bottom : p->top;
    pm_pool_item *w = p->of_n[n];
    p->of_n[n] = w->next_of_n;
    forget_hash(p, w);
    p->allowance->bytes -= w->bytes;
    --p->count;
    *out = w->addend;
    free(w);
}
