/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "ledger/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger_records.h"
#include "ledger/state_store.h"
#include "pm/alloc.h"

/* Seconds: of less it is not worth keeping a record. */
#define LEAST 0.1

pm_status pm_ledger_make(pm_ledger **out, pm_error *err)
{
    pm_ledger *l = pm_calloc_array(1, sizeof *l);
    if (!l)
        return pm_fail_memory(err, "a ledger");
    pthread_mutex_init(&l->lock, NULL);
    l->least = LEAST;
    *out = l;
    return PM_OK;
}

void pm_ledger_free(pm_ledger *l)
{
    if (!l)
        return;
    for (int64_t i = 0; i < l->tasks; ++i)
        pm_ledger_record_free(l->task[i]);
    for (int64_t i = 0; i < l->computations; ++i)
        pm_ledger_computation_free(l->computation[i]);
    free(l->task);
    free(l->computation);
    free(l->item);
    pthread_mutex_destroy(&l->lock);
    free(l);
}

void pm_ledger_set_part(pm_ledger *l, int part, int parts)
{
    l->part = part;
    l->parts = parts;
}

void pm_ledger_set_least(pm_ledger *l, double seconds)
{
    l->least = seconds;
}

double pm_ledger_least(const pm_ledger *l)
{
    return l->least;
}

void pm_ledger_seal(pm_ledger *l)
{
    l->is_sealed = true;
}

void pm_ledger_set_peers(pm_ledger *l, const pm_ledger_peers *peers)
{
    l->peers = peers;
}

void pm_ledger_set_deadline(pm_ledger *l, double deadline)
{
    l->deadline = deadline;
}

void pm_ledger_set_store(pm_ledger *l, const pm_state_store *store)
{
    l->store = store;
}

const pm_state_store *pm_ledger_store(const pm_ledger_scope *s)
{
    return s->ledger ? s->ledger->store : NULL;
}

bool pm_ledger_next_state(const pm_ledger_scope *s, int *slot, pm_state_head *out)
{
    const pm_state_store *store = pm_ledger_store(s);
    while (store && *slot < store->slots)
        if (store->head(store->context, (*slot)++, out)
            && pm_ledger_key_equal(&out->scope, &s->key))
            return true;
    return false;
}

int64_t pm_ledger_items(const pm_ledger *l)
{
    return l->items;
}

int64_t pm_ledger_position(const pm_ledger *l)
{
    return l->next_item;
}

bool pm_ledger_is_whole(const pm_ledger *l)
{
    return !pm_ledger_is_part(l) && !l->is_sealed;
}

static void list_tasks(const pm_ledger *l, const pm_ledger_computation *c,
                       void (*put)(void *context, const pm_ledger_line *line), void *context)
{
    for (int64_t i = 0; i < l->tasks; ++i) {
        const pm_ledger_record *t = l->task[i];
        const pm_ledger_line line = {.method = c->method,
                                     .what = t->what,
                                     .done = pm_ranges_size(&t->done),
                                     .count = t->shape.count};
        if (pm_ledger_key_equal(&t->scope, &c->key))
            put(context, &line);
    }
}

void pm_ledger_list(const pm_ledger *l, void (*put)(void *context, const pm_ledger_line *line),
                    void *context)
{
    for (int64_t i = 0; i < l->computations; ++i) {
        const pm_ledger_computation *c = l->computation[i];
        if (c->has_value)
            put(context, &(pm_ledger_line){.method = c->method, .is_done = true});
        else
            list_tasks(l, c, put, context);
    }
}

bool pm_ledger_is_part(const pm_ledger *l)
{
    return l && l->parts > 0;
}

pm_ledger_key pm_ledger_key_of(const pm_ledger_key *before, const void *data, size_t size)
{
    pm_sha256 s;
    pm_ledger_key key;
    pm_sha256_begin(&s);
    if (before)
        pm_sha256_add(&s, before->byte, sizeof before->byte);
    pm_sha256_add(&s, data, size);
    pm_sha256_end(&s, key.byte);
    return key;
}

pm_status pm_ledger_add_item(pm_ledger *l, const pm_ledger_key *key, pm_error *err)
{
    pm_status status = PM_OK;
    pthread_mutex_lock(&l->lock);
    int64_t i = l->is_foreign ? l->next_item : l->next_item++;
    l->is_foreign |= i < l->items && !pm_ledger_key_equal(&l->item[i], key);
    if (l->is_foreign)
        status =
            pm_fail(err, PM_EDATA,
                    "graph %lld is not the one of the earlier run: the input has changed, or an "
                    "option that says how it is read, or as what",
                    (long long)l->next_item);
    else if (i >= l->items && !pm_ledger_append_item(l, key))
        status = pm_fail_memory(err, "a ledger");
    pthread_mutex_unlock(&l->lock);
    return status;
}

void pm_ledger_forget_items(pm_ledger *l)
{
    pthread_mutex_lock(&l->lock);
    l->items = 0;
    pthread_mutex_unlock(&l->lock);
}

bool pm_ledger_is_empty(pm_ledger *l)
{
    bool is_empty = true;
    pthread_mutex_lock(&l->lock);
    for (int64_t i = 0; i < l->computations; ++i)
        is_empty &= !l->computation[i]->has_value;
    for (int64_t i = 0; i < l->tasks; ++i)
        is_empty &= l->task[i]->done.count == 0;
    pthread_mutex_unlock(&l->lock);
    return is_empty;
}

/* ---- values ---- */

bool pm_ledger_get_value(const pm_ledger_scope *s, pm_value *out)
{
    if (!s->ledger)
        return false;
    pthread_mutex_lock(&s->ledger->lock);
    const pm_ledger_computation *c = pm_ledger_find_computation(s->ledger, &s->key);
    bool is_known = c && c->has_value;
    if (is_known)
        pm_value_set(out, &c->value);
    pthread_mutex_unlock(&s->ledger->lock);
    return is_known;
}

static void remove_tasks(pm_ledger *l, const pm_ledger_key *scope)
{
    int64_t kept = 0;
    for (int64_t i = 0; i < l->tasks; ++i) {
        if (pm_ledger_key_equal(&l->task[i]->scope, scope))
            pm_ledger_record_free(l->task[i]);
        else
            l->task[kept++] = l->task[i];
    }
    l->tasks = kept;
}

void pm_ledger_forget(const pm_ledger_scope *s)
{
    pm_ledger *l = s->ledger;
    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    remove_tasks(l, &s->key);
    pm_ledger_remove_computation(l, &s->key);
    pthread_mutex_unlock(&l->lock);
}

static void set_method(pm_ledger_computation *c, const char *method)
{
    snprintf(c->method, sizeof c->method, "%s", method);
}

pm_status pm_ledger_put_value(const pm_ledger_scope *s, const char *method, const pm_value *v,
                              pm_error *err)
{
    if (!s->ledger)
        return PM_OK;
    pthread_mutex_lock(&s->ledger->lock);
    pm_ledger_computation *c = pm_ledger_add_computation(s->ledger, &s->key);
    if (c) {
        set_method(c, method);
        pm_value_set(&c->value, v);
        c->has_value = true;
        remove_tasks(s->ledger, &s->key);
    }
    pthread_mutex_unlock(&s->ledger->lock);
    return c ? PM_OK : pm_fail_memory(err, "a ledger");
}

bool pm_ledger_get_method(const pm_ledger_scope *s, char method[PM_LEDGER_METHOD])
{
    if (!s->ledger)
        return false;
    pthread_mutex_lock(&s->ledger->lock);
    const pm_ledger_computation *c = pm_ledger_find_computation(s->ledger, &s->key);
    if (c)
        memcpy(method, c->method, sizeof c->method);
    pthread_mutex_unlock(&s->ledger->lock);
    return c;
}

double pm_ledger_share_done(const pm_ledger_scope *s)
{
    double done = 0, all = 0;
    if (!s->ledger)
        return 0;
    pthread_mutex_lock(&s->ledger->lock);
    for (int64_t i = 0; i < s->ledger->tasks; ++i) {
        const pm_ledger_record *r = s->ledger->task[i];
        if (pm_ledger_key_equal(&r->scope, &s->key)) {
            done += (double)pm_ranges_size(&r->done);
            all += (double)r->shape.count;
        }
    }
    pthread_mutex_unlock(&s->ledger->lock);
    return all > 0 ? done / all : 0;
}

bool pm_ledger_has_work(const pm_ledger_scope *s)
{
    bool has_any = false;
    if (!s->ledger)
        return false;
    pthread_mutex_lock(&s->ledger->lock);
    for (int64_t i = 0; i < s->ledger->tasks; ++i)
        has_any |= pm_ledger_key_equal(&s->ledger->task[i]->scope, &s->key)
                   && s->ledger->task[i]->done.count > 0;
    pthread_mutex_unlock(&s->ledger->lock);
    return has_any;
}

pm_status pm_ledger_put_method(const pm_ledger_scope *s, const char *method, pm_error *err)
{
    if (!s->ledger)
        return PM_OK;
    pthread_mutex_lock(&s->ledger->lock);
    pm_ledger_computation *c = pm_ledger_add_computation(s->ledger, &s->key);
    if (c)
        set_method(c, method);
    pthread_mutex_unlock(&s->ledger->lock);
    return c ? PM_OK : pm_fail_memory(err, "a ledger");
}

bool pm_ledger_get_plan(const pm_ledger_scope *s, pm_ledger_plan *out)
{
    if (!s->ledger)
        return false;
    pthread_mutex_lock(&s->ledger->lock);
    const pm_ledger_computation *c = pm_ledger_find_computation(s->ledger, &s->key);
    bool has_plan = c && c->plan;
    if (has_plan)
        *out = *c->plan;
    pthread_mutex_unlock(&s->ledger->lock);
    return has_plan;
}

pm_status pm_ledger_put_plan(const pm_ledger_scope *s, const pm_ledger_plan *plan, pm_error *err)
{
    if (!s->ledger)
        return PM_OK;
    pthread_mutex_lock(&s->ledger->lock);
    pm_ledger_computation *c = pm_ledger_add_computation(s->ledger, &s->key);
    if (c && !c->plan)
        c->plan = pm_alloc_array(1, sizeof *c->plan);
    bool is_noted = c && c->plan;
    if (is_noted)
        *c->plan = *plan;
    pthread_mutex_unlock(&s->ledger->lock);
    return is_noted ? PM_OK : pm_fail_memory(err, "a ledger");
}
