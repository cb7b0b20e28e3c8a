/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "ledger/ledger.h"
#include "ledger/ledger_records.h"
#include "pm/alloc.h"
#include "pm/settings.h"

static void lock(const pm_ledger_task *t)
{
    if (t->ledger)
        pthread_mutex_lock(&t->ledger->lock);
}

static void unlock(const pm_ledger_task *t)
{
    if (t->ledger)
        pthread_mutex_unlock(&t->ledger->lock);
}

static const pm_ledger_peers *peers_of(const pm_ledger_task *t)
{
    return t->ledger ? t->ledger->peers : NULL;
}

/* ---- begin ---- */

static bool are_done(const pm_ledger_record *r, uint64_t first, uint64_t end)
{
    pm_range gap;
    return !pm_ranges_gap(&r->done, first, end, &gap);
}

/* Where the share of a part ends. */
static uint64_t share_end(const pm_ledger_shape *shape, int part, int parts)
{
    uint64_t unit = shape->share ? shape->share : shape->grain;
    uint64_t units = (shape->count - 1) / unit + 1;
    unsigned __int128 end = (unsigned __int128)units * (unsigned)part / (unsigned)parts;
    return part == parts ? shape->count : (uint64_t)end * unit;
}

static pm_range share_of(const pm_ledger *l, const pm_ledger_shape *shape)
{
    if (l->parts < 2 || !shape->count)
        return (pm_range){0, shape->count};
    return (pm_range){share_end(shape, l->part - 1, l->parts), share_end(shape, l->part, l->parts)};
}

static pm_ledger_key key_of(const pm_ledger_scope *scope, const pm_ledger_shape *shape,
                            const void *choice, size_t choice_size)
{
    const uint64_t numbers[] = {shape->count,           shape->grain,
                                (uint64_t)shape->words, (uint64_t)shape->carries,
                                (uint64_t)shape->reals, (uint64_t)shape->largest};
    pm_ledger_key key = pm_ledger_key_of(&scope->key, shape->what, strlen(shape->what));
    key = pm_ledger_key_of(&key, numbers, sizeof numbers);
    return pm_ledger_key_of(&key, choice, choice_size);
}

static pm_status make_record(const pm_ledger_shape *shape, pm_ledger_record **out, pm_error *err)
{
    *out = pm_ledger_record_make(shape);
    return *out ? PM_OK : pm_fail_memory(err, "the sum of a task");
}

static pm_status refuse_other_plan(const char *what, pm_error *err)
{
    return pm_fail(err, PM_EDATA,
                   "the parts have no task '%s' like that of this plan: they were made with other "
                   "devices%s",
                   what, pm_hint_text(PM_HINT_PLAN));
}

/* What was taken and not put is to be done again. */
static pm_status give_back(pm_ledger_record *r, pm_error *err)
{
    pm_ranges_free(&r->taken);
    for (int64_t i = 0; i < r->done.count; ++i)
        if (!pm_ranges_add(&r->taken, r->done.range[i].first, r->done.range[i].end))
            return pm_fail_memory(err, "the ranges of a task");
    return PM_OK;
}

/* With the lock held. */
static pm_status begin_in_ledger(const pm_ledger_scope *scope, const pm_ledger_shape *shape,
                                 const pm_ledger_key *key, pm_ledger_record **out, pm_error *err)
{
    pm_ledger *l = scope->ledger;
    pm_ledger_record *r = pm_ledger_find_task(l, key);
    *out = r;
    if (l->is_sealed && shape->count && (!r || !are_done(r, 0, shape->count)))
        return refuse_other_plan(shape->what, err);
    if (r)
        return give_back(r, err);
    pm_status status = make_record(shape, &r, err);
    if (status)
        return status;
    r->key = *key;
    r->scope = scope->key;
    if (!pm_ledger_add_task(l, r)) {
        pm_ledger_record_free(r);
        return pm_fail_memory(err, "a ledger");
    }
    *out = r;
    return PM_OK;
}

/* The task of a rank that is not the owner.  Its share may become anything, so methods that prepare for its
 * size see all indices; none of them can be taken before the owner gives some. */
static pm_status begin_apart(const pm_ledger_shape *shape, const pm_ledger_key *key,
                             pm_ledger_task *t, pm_error *err)
{
    pm_status status = make_record(shape, &t->record, err);
    if (status)
        return status;
    t->owns_record = true;
    t->share = (pm_range){0, shape->count};
    t->record->key = *key;
    if (pm_ranges_add(&t->record->taken, 0, shape->count))
        return PM_OK;
    pm_ledger_record_free(t->record);
    return pm_fail_memory(err, "the ranges of a task");
}

pm_status pm_ledger_task_begin(const pm_ledger_scope *scope, const pm_ledger_shape *shape,
                               const void *choice, size_t choice_size, pm_ledger_task *out,
                               pm_error *err)
{
    pm_ledger_task t = {.ledger = scope ? scope->ledger : NULL};
    *out = (pm_ledger_task){0};
    if (!t.ledger)
        return pm_ledger_task_begin_range(shape, 0, shape->count, out, err);
    const pm_ledger_peers *peers = peers_of(&t);
    pm_ledger_key key = key_of(scope, shape, choice, choice_size);
    pm_status status;
    if (peers && !peers->is_owner) {
        status = begin_apart(shape, &key, &t, err);
    } else {
        lock(&t);
        status = begin_in_ledger(scope, shape, &key, &t.record, err);
        t.share = share_of(t.ledger, shape);
        unlock(&t);
    }
    if (status)
        return status;
    *out = t;
    if (peers)
        peers->begin(peers->context, out);
    return PM_OK;
}

pm_status pm_ledger_task_begin_range(const pm_ledger_shape *shape, uint64_t first, uint64_t end,
                                     pm_ledger_task *out, pm_error *err)
{
    *out = (pm_ledger_task){.owns_record = true, .share = {first, end}};
    return make_record(shape, &out->record, err);
}

pm_run pm_ledger_task_run(const pm_ledger_task *t, const pm_run *run)
{
    pm_run inside = run ? *run : (pm_run){0};
    double deadline = peers_of(t) ? t->ledger->deadline : 0;
    if (deadline > 0 && (inside.deadline <= 0 || deadline < inside.deadline))
        inside.deadline = deadline;
    return inside;
}

uint64_t pm_ledger_task_recorded(const pm_ledger_scope *scope, const pm_ledger_shape *shape,
                                 const void *choice, size_t choice_size)
{
    if (!scope->ledger)
        return 0;
    pm_ledger_key key = key_of(scope, shape, choice, choice_size);
    pthread_mutex_lock(&scope->ledger->lock);
    const pm_ledger_record *r = pm_ledger_find_task(scope->ledger, &key);
    uint64_t done = r ? pm_ranges_size(&r->done) : 0;
    pthread_mutex_unlock(&scope->ledger->lock);
    return done;
}

/* ---- work ---- */

bool pm_ledger_task_take(pm_ledger_task *t, uint64_t most, pm_range *out)
{
    const pm_ledger_peers *peers = peers_of(t);
    return peers ? peers->take(peers->context, t, most, out)
                 : pm_ledger_task_take_here(t, most, out);
}

bool pm_ledger_task_take_here(pm_ledger_task *t, uint64_t most, pm_range *out)
{
    uint64_t grain = t->record->shape.grain;
    lock(t);
    bool got = pm_ranges_gap(&t->record->taken, t->share.first, t->share.end, out);
    if (got && out->end - out->first > most) { /* also where the first one is no multiple */
        uint64_t size = most > grain ? most - most % grain : grain;
        uint64_t end = out->first - out->first % size + size;
        out->end = end < out->end ? end : out->end;
    }
    got = got && pm_ranges_add(&t->record->taken, out->first, out->end);
    unlock(t);
    return got;
}

static void add_words(pm_ledger_record *r, const uint64_t *word)
{
    unsigned __int128 carry = 0;
    for (int64_t i = 0; i < r->shape.words; ++i) {
        carry += (unsigned __int128)r->word[i] + word[i];
        r->word[i] = (uint64_t)carry;
        carry = r->shape.carries ? carry >> 64 : 0;
    }
}

pm_status pm_ledger_task_put_ranges(pm_ledger_task *t, const pm_range *range, int64_t count,
                                    const pm_ledger_sum *sum, pm_error *err)
{
    pm_ledger_record *r = t->record;
    lock(t);
    bool is_noted = pm_largest_add(&r->largest, sum->key, sum->keys);
    for (int64_t i = 0; i < count && is_noted; ++i)
        is_noted = pm_ranges_add(&r->done, range[i].first, range[i].end);
    if (is_noted) {
        add_words(r, sum->word);
        for (int i = 0; i < r->shape.reals; ++i)
            pm_exact_sum_merge(&r->real[i], &sum->real[i]);
    }
    unlock(t);
    return is_noted ? PM_OK : pm_fail_memory(err, "the sum of a task");
}

pm_status pm_ledger_task_put(pm_ledger_task *t, uint64_t first, uint64_t end, const uint64_t *word,
                             pm_exact_sum *real, pm_error *err)
{
    const pm_ledger_sum sum = {.word = word, .real = real};
    return pm_ledger_task_put_ranges(t, &(pm_range){first, end}, 1, &sum, err);
}

pm_status pm_ledger_task_put_listed(pm_ledger_task *t, uint64_t first, uint64_t end,
                                    const uint64_t *word, const pm_wide_key *key, int64_t keys,
                                    pm_error *err)
{
    const pm_ledger_sum sum = {.word = word, .key = key, .keys = keys};
    return pm_ledger_task_put_ranges(t, &(pm_range){first, end}, 1, &sum, err);
}

/* How many indices of the share are in the set. */
static uint64_t size_in_share(const pm_ledger_task *t, const pm_ranges *s)
{
    uint64_t size = 0;
    for (int64_t i = 0; i < s->count; ++i) {
        uint64_t first = s->range[i].first, end = s->range[i].end;
        first = first > t->share.first ? first : t->share.first;
        end = end < t->share.end ? end : t->share.end;
        size += first < end ? end - first : 0;
    }
    return size;
}

uint64_t pm_ledger_task_done(const pm_ledger_task *t)
{
    lock(t);
    uint64_t done = size_in_share(t, &t->record->done);
    unlock(t);
    return done;
}

uint64_t pm_ledger_task_left(const pm_ledger_task *t)
{
    lock(t);
    uint64_t taken = size_in_share(t, &t->record->taken);
    unlock(t);
    return t->share.end - t->share.first - taken;
}

/* ---- end ---- */

bool pm_ledger_task_is_complete(const pm_ledger_task *t)
{
    lock(t);
    bool it_is = are_done(t->record, 0, t->record->shape.count);
    unlock(t);
    return it_is;
}

bool pm_ledger_task_share_is_done(const pm_ledger_task *t)
{
    lock(t);
    bool it_is = are_done(t->record, t->share.first, t->share.end);
    unlock(t);
    return it_is;
}

void pm_ledger_task_empty(pm_ledger_task *t)
{
    pm_ledger_record *r = t->record;
    lock(t);
    pm_ranges_free(&r->done);
    memset(r->word, 0, (size_t)r->shape.words * sizeof *r->word);
    memset(r->real, 0, (size_t)r->shape.reals * sizeof *r->real);
    pm_largest_free(&r->largest);
    unlock(t);
}

pm_status pm_ledger_task_set_sum(pm_ledger_task *t, const pm_ledger_sum *sum, pm_error *err)
{
    pm_ledger_record *r = t->record;
    pm_ledger_task_empty(t);
    lock(t);
    bool is_set = pm_largest_add(&r->largest, sum->key, sum->keys);
    if (is_set && r->shape.words)
        memcpy(r->word, sum->word, (size_t)r->shape.words * sizeof *r->word);
    if (is_set && r->shape.reals)
        memcpy(r->real, sum->real, (size_t)r->shape.reals * sizeof *r->real);
    unlock(t);
    return is_set ? PM_OK : pm_fail_memory(err, "the sum of a task");
}

static void copy_total(const pm_ledger_record *r, uint64_t *word, pm_exact_sum *real)
{
    if (word && r->shape.words)
        memcpy(word, r->word, (size_t)r->shape.words * sizeof *word);
    if (real && r->shape.reals)
        memcpy(real, r->real, (size_t)r->shape.reals * sizeof *real);
}

static pm_status copy_largest(const pm_ledger_record *r, pm_largest *largest, pm_error *err)
{
    return !largest || pm_largest_add(largest, r->largest.key, r->largest.count)
               ? PM_OK
               : pm_fail_memory(err, "the sum of a task");
}

static pm_status end_task(pm_ledger_task *t, pm_status status, uint64_t *word, pm_exact_sum *real,
                          pm_largest *largest, pm_error *err)
{
    pm_ledger_record *r = t->record;
    if (!r)
        return status;
    const pm_ledger_peers *peers = peers_of(t);
    if (peers)
        status = peers->end(peers->context, t, status, err);
    lock(t);
    const bool is_apart = peers && t->owns_record; /* the owner has looked */
    if (!status && !is_apart && !are_done(r, t->share.first, t->share.end))
        status = pm_fail_memory(err, "the ranges of a task"); /* one could not be noted */
    else if (!status && !t->owns_record && !are_done(r, 0, r->shape.count))
        status = pm_fail(err, PM_PARTIAL, "%s: the other parts are missing", r->what);
    if (!status || status == PM_ESTOPPED) {
        pm_status copied = copy_largest(r, largest, status ? NULL : err);
        status = status ? status : copied;
        copy_total(r, word, real);
    }
    unlock(t);
    if (t->owns_record)
        pm_ledger_record_free(r);
    *t = (pm_ledger_task){0};
    return status;
}

pm_status pm_ledger_task_end(pm_ledger_task *t, pm_status status, uint64_t *word,
                             pm_exact_sum *real, pm_error *err)
{
    return end_task(t, status, word, real, NULL, err);
}

pm_status pm_ledger_task_end_listed(pm_ledger_task *t, pm_status status, uint64_t *word,
                                    pm_largest *largest, pm_error *err)
{
    return end_task(t, status, word, NULL, largest, err);
}

/* ---- ranks that must do the same ---- */

bool pm_ledger_has_peers(const pm_ledger *l)
{
    return l && l->peers;
}

/* A task of one index, which is in no ledger.  Whoever takes the index says what all get. */
pm_status pm_ledger_agree(pm_ledger *l, const char *what, pm_status status, uint64_t *word,
                          int64_t words, pm_error *err)
{
    const pm_ledger_scope scope = {.ledger = l};
    const pm_ledger_shape shape = {.what = what, .count = 1, .grain = 1, .words = words};
    pm_ledger_task t = {.ledger = l, .share = {0, 1}};
    pm_range range;
    if (!pm_ledger_has_peers(l))
        return status;
    const pm_ledger_key key = key_of(&scope, &shape, "", 0);
    if (begin_apart(&shape, &key, &t, status ? NULL : err))
        return status ? status : PM_ENOMEM;
    if (l->peers->is_owner)
        pm_ranges_free(&t.record->taken);
    l->peers->begin(l->peers->context, &t);
    if (!status && pm_ledger_task_take(&t, 1, &range))
        status = pm_ledger_task_put(&t, 0, 1, word, NULL, err);
    return pm_ledger_task_end(&t, status, word, NULL, err);
}

pm_status pm_ledger_agree_to_go_on(pm_ledger *l, pm_error *err)
{
    if (!pm_ledger_has_peers(l) || l->deadline <= 0)
        return PM_OK;
    uint64_t is_late = pm_clock() >= l->deadline;
    pm_status status = pm_ledger_agree(l, "time of the graph", PM_OK, &is_late, 1, err);
    return !status && is_late ? pm_fail(err, PM_ESTOPPED, "stopped") : status;
}
