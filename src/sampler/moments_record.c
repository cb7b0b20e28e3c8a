/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples are drawn in chunks of whole batches.  The sums of a chunk do not depend on those of other
 * chunks, so a chunk is one index of a ledger task, with its own words; when all are there, they are
 * added in their order. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "pm/alloc.h"
#include "sampler/batch_sink.h"

#define SETTLE_SECONDS 1.0 /* nominal, of the chunks that enter the ledger together */
enum {
    CHUNK_WORDS = sizeof(pm_batch_sums) / sizeof(uint64_t),
    FIRST_WORD = 1,    /* of the chunks; word 0: samples that were drawn by calls with GPUs */
    TAKES = 64,        /* of a task, at least, where it has so many chunks */
    BATCHES_EACH = 16, /* of a thread, at least, for one take */
    WHAT = 32
};

_Static_assert(sizeof(pm_batch_sums) % sizeof(uint64_t) == 0, "the sums of a chunk are words");

/* ---- chunks ---- */

typedef struct {
    const pm_sampler *sampler;
    uint64_t from, end, first_batch;
    int64_t batches, per, count; /* batches; those of a chunk; chunks */
    pm_batch_sums *sums;         /* [count] */
} chunks;

static pm_status chunks_make(const pm_sampler *s, uint64_t from, int64_t count, chunks *out,
                             pm_error *err)
{
    uint64_t batch = (uint64_t)s->batch;
    chunks c = {.sampler = s, .from = from, .end = from + (uint64_t)count};
    c.first_batch = from / batch;
    c.batches = (int64_t)((c.end - 1) / batch - c.first_batch) + 1;
    c.per = (c.batches + PM_CHUNKS_MOST - 1) / PM_CHUNKS_MOST;
    c.count = (c.batches + c.per - 1) / c.per;
    c.sums = pm_calloc_array(c.count, sizeof *c.sums);
    *out = c;
    return c.sums ? PM_OK : pm_fail_memory(err, "sums of batches");
}

/* The first sample of chunk k; the end of all for k = count. */
static uint64_t chunk_start(const chunks *c, int64_t k)
{
    uint64_t start = (c->first_batch + (uint64_t)(k * c->per)) * (uint64_t)c->sampler->batch;
    return start < c->from ? c->from : start < c->end ? start : c->end;
}

static int64_t samples_between(const chunks *c, int64_t first, int64_t end)
{
    return (int64_t)(chunk_start(c, end) - chunk_start(c, first));
}

/* Adds chunks up to the first one that is not complete, with what is there of it. */
static void add_chunks(const chunks *c, pm_moments *m)
{
    for (int64_t k = 0; k < c->count && c->sums[k].all.count > 0; ++k) {
        pm_moments_add_batch(m, &c->sums[k]);
        if (c->sums[k].all.count < samples_between(c, k, k + 1))
            break;
    }
}

void pm_batch_sink_add(pm_batch_sink *sink, const pm_batch_sums *batch)
{
    pm_batch_sums_merge(&sink->chunk[sink->added / sink->per], batch);
    ++sink->added;
}

/* ---- the largest weights as keys ---- */

#define SIGN (UINT64_C(1) << 63)

/* Weights > 0 and their keys have the same order. */
static pm_wide_key key_of(pm_weight w)
{
    pm_wide_key key = {.high = (uint64_t)w.e ^ SIGN};
    memcpy(&key.low, &w.m, sizeof key.low);
    return key;
}

static pm_weight weight_of(const pm_wide_key *key)
{
    pm_weight w = {.e = (int64_t)(key->high ^ SIGN)};
    memcpy(&w.m, &key->low, sizeof w.m);
    return w;
}

void pm_moments_keep_keys(pm_moments *m, const pm_largest *l)
{
    for (int64_t i = 0; i < l->count; ++i) {
        const pm_weight w = weight_of(&l->key[i]);
        pm_moments_keep_largest(m, &w, 1);
    }
}

int64_t pm_moments_keys(const pm_moments *m, pm_wide_key *out)
{
    for (int64_t i = 0; i < m->ntail; ++i)
        out[i] = key_of(m->tail[i]);
    return m->ntail;
}

/* ---- a task ---- */

typedef struct {
    chunks *c;
    pm_ledger_task task;
    int64_t words;
    uint64_t *word;      /* what is put next: 0 but for chunks that are not settled */
    pm_moments *largest; /* of the chunks that are not settled */
    pm_wide_key *key;    /* buffer */
    int64_t group;       /* chunks that are settled together */
    int64_t first;       /* of the range that was taken */
    int64_t settled;     /* chunks before this one are in the ledger */
    pm_status status;
    pm_error *err;
} recording;

/* Puts the chunks settled .. end - 1 into the task. */
static void settle_until(recording *r, int64_t end)
{
    const chunks *c = r->c;
    if (r->status || end <= r->settled)
        return;
    uint64_t *at = r->word + FIRST_WORD + r->settled * CHUNK_WORDS;
    size_t size = (size_t)(end - r->settled) * sizeof *c->sums;
    r->word[0] = c->sampler->gpu ? (uint64_t)samples_between(c, r->settled, end) : 0;
    memcpy(at, c->sums + r->settled, size);
    r->status = pm_ledger_task_put_listed(&r->task, (uint64_t)r->settled, (uint64_t)end, r->word,
                                          r->key, pm_moments_keys(r->largest, r->key), r->err);
    memset(at, 0, size);
    pm_moments_clear(r->largest);
    r->settled = end;
}

/* The chunks of the range that are complete, when `added` of its batches are there. */
static int64_t complete_end(const recording *r, int64_t added)
{
    const chunks *c = r->c;
    bool is_end = r->first * c->per + added == c->batches;
    return is_end ? c->count : r->first + added / c->per;
}

/* Only at the end of a chunk, since the largest weights are those of whole chunks. */
static void settle(pm_batch_sink *sink)
{
    recording *r = sink->context;
    int64_t end = complete_end(r, sink->added);
    if (sink->added % r->c->per == 0 && end - r->settled >= r->group)
        settle_until(r, end);
}

static pm_status draw_range(recording *r, const pm_range *range, const pm_run *run, pm_error *err)
{
    chunks *c = r->c;
    int64_t end = (int64_t)range->end;
    r->first = r->settled = (int64_t)range->first;
    pm_batch_sink sink = {.per = c->per,
                          .chunk = c->sums + r->first,
                          .largest = r->largest,
                          .settle = settle,
                          .context = r};
    pm_moments_clear(r->largest);
    pm_status status = pm_batches_draw(c->sampler, chunk_start(c, r->first),
                                       samples_between(c, r->first, end), run, &sink, err);
    if (!status)
        settle_until(r, end);
    return status ? status : r->status;
}

static int64_t at_least_one(double x)
{
    return x > 1 ? (int64_t)fmin(ceil(x), 0x1p62) : 1;
}

/* Chunks of the next range: enough to keep the threads busy, or the GPUs, and few enough for others to
 * do theirs. */
static uint64_t chunks_of_take(const recording *r, const pm_run *run)
{
    const chunks *c = r->c;
    const pm_sampler *s = c->sampler;
    double busy = (double)BATCHES_EACH * pm_run_threads(run) / (double)c->per;
    if (s->gpu)
        busy = SETTLE_SECONDS * PM_GPU_THREAD_SAMPLES_CORES
               / (s->seconds * (double)s->batch * (double)c->per);
    return (uint64_t)at_least_one(fmax(busy, (double)c->count / TAKES));
}

static pm_status draw_all(recording *r, const pm_run *run, pm_error *err)
{
    pm_range range;
    pm_status status = PM_OK;
    const pm_range share = r->task.share;
    double size = (double)(share.end - share.first);
    while (!status && pm_ledger_task_take(&r->task, chunks_of_take(r, run), &range)) {
        pm_run_part part;
        const pm_run *here = pm_run_part_of(&part, run, (double)(range.first - share.first) / size,
                                            (double)(range.end - range.first) / size);
        status = draw_range(r, &range, here, err);
    }
    return status;
}

/* Adds what the task has, and what was drawn since, of samples before the first one that is missing.
 * word: the sum of the task, [r->words]. */
static void add_sum(recording *r, const uint64_t *word, const pm_largest *largest, pm_moments *m)
{
    chunks *c = r->c;
    if (pm_ledger_has_peers(c->sampler->scope.ledger)) /* all ranks have the same moments */
        memset(c->sums, 0, (size_t)c->count * sizeof *c->sums);
    for (int64_t k = 0; k < c->count; ++k) {
        pm_batch_sums done;
        memcpy(&done, word + FIRST_WORD + k * CHUNK_WORDS, sizeof done);
        if (done.all.count > 0)
            c->sums[k] = done;
    }
    int64_t before = m->count;
    add_chunks(c, m);
    pm_moments_keep_keys(m, largest);
    int64_t added = m->count - before, by_gpu = (int64_t)word[0];
    m->by_gpu += by_gpu < added ? by_gpu : added;
}

static pm_status end_recording(recording *r, pm_status status, pm_moments *m, pm_error *err)
{
    pm_largest largest = {.most = PM_MOMENTS_TAIL};
    status = pm_ledger_task_end_listed(&r->task, status, r->word, &largest, err);
    if (!status || status == PM_ESTOPPED)
        add_sum(r, r->word, &largest, m);
    if (status == PM_ESTOPPED && !pm_ledger_has_peers(r->c->sampler->scope.ledger))
        pm_moments_keep_largest(m, r->largest->tail, r->largest->ntail);
    pm_largest_free(&largest);
    return status;
}

/* What the weights depend on, beside the scope. */
static int describe(const chunks *c, char *text, size_t size)
{
    const pm_sampler *s = c->sampler;
    return snprintf(text, size,
                    "%s %" PRIu64 " %" PRIu32 " %" PRIu64 " %" PRIu64 " %d %a %" PRId64 " %zu",
                    s->method->name, s->seed, s->block, c->from, c->end, s->batch, s->seconds,
                    s->branches, s->scratch);
}

static pm_status record(recording *r, const pm_run *run, pm_moments *m, pm_error *err)
{
    const chunks *c = r->c;
    const pm_sampler *s = c->sampler;
    char what[WHAT], choice[256];
    snprintf(what, sizeof what, "block-%" PRIu32, s->block + 1);
    const pm_ledger_shape shape = {.what = what,
                                   .count = (uint64_t)c->count,
                                   .grain = 1,
                                   .words = r->words,
                                   .largest = PM_MOMENTS_TAIL};
    int length = describe(c, choice, sizeof choice);
    pm_status status = pm_ledger_put_method(&s->scope, "samples", err);
    if (!status)
        status = pm_ledger_task_begin(&s->scope, &shape, choice, (size_t)length, &r->task, err);
    if (status)
        return status;
    status = draw_all(r, run, err);
    return end_recording(r, status, m, err);
}

static pm_status draw_recorded(chunks *c, const pm_run *run, pm_moments *m, pm_error *err)
{
    const pm_sampler *s = c->sampler;
    recording r = {.c = c, .words = FIRST_WORD + c->count * CHUNK_WORDS, .err = err};
    r.group = at_least_one(SETTLE_SECONDS / (s->seconds * (double)s->batch * (double)c->per));
    r.word = pm_calloc_array(r.words, sizeof *r.word);
    r.largest = pm_alloc_array(1, sizeof *r.largest);
    r.key = pm_alloc_array(PM_MOMENTS_TAIL, sizeof *r.key);
    pm_status status = r.word && r.largest && r.key ? record(&r, run, m, err)
                                                    : pm_fail_memory(err, "sums of batches");
    free(r.word);
    free(r.largest);
    free(r.key);
    return status;
}

/* ---- with or without a ledger ---- */

static pm_status draw_unrecorded(chunks *c, const pm_run *run, pm_moments *m, pm_error *err)
{
    pm_batch_sink sink = {.per = c->per, .chunk = c->sums, .largest = m};
    int64_t before = m->count;
    pm_run whole;
    if (run && pm_ledger_has_peers(c->sampler->scope.ledger)) { /* all of them draw the same */
        whole = *run;
        whole.deadline = 0;
        run = &whole;
    }
    pm_status status =
        pm_batches_draw(c->sampler, c->from, samples_between(c, 0, c->count), run, &sink, err);
    add_chunks(c, m);
    if (c->sampler->gpu)
        m->by_gpu += m->count - before;
    return status;
}

pm_status pm_moments_draw(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                          pm_moments *m, pm_error *err)
{
    if (count <= 0)
        return PM_OK;
    chunks c;
    const pm_ledger *l = s->scope.ledger;
    pm_status status = chunks_make(s, from, count, &c, err);
    if (!status && l && s->seconds * (double)count >= pm_ledger_least(l))
        status = draw_recorded(&c, run, m, err);
    else if (!status)
        status = draw_unrecorded(&c, run, m, err);
    free(c.sums);
    return status;
}
