/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "beam/beam.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "beam/beam_gpu.h"
#include "beam/beam_model.h"
#include "beam/beam_score.h"
#include "beam/beam_thin.h"
#include "beam/state_lists.h"
#include "core/machine.h"
#include "core/size.h"
#include "cuda/beam_step.h"
#include "cuda/sample_sequence.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "sampler/weight.h"

#define NOMINAL_SECONDS 0.2 /* default of K: seconds of a run */
#define EXACT_SECONDS   2   /* but all states if a run then takes at most this */
enum {
    MIN_STATES = 1000, /* default of K, at least */
    MIN_RUNS = 16,     /* for an interval: weights of runs are nearly normally distributed */
    MAX_STATES = 1 << 29,
    MEMORY_DIVISOR = 16, /* by default a run needs at most this part of the memory */
    ALIGNMENT = 64
};

/* ---- memory of a run ---- */

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Returns `used` plus the bytes of an array of count elements; sets *to to the array, which begins
 * `used` bytes after `at`, unless at is NULL. */
static size_t carve(void **to, char *at, size_t used, int64_t count, size_t size)
{
    if (at)
        *to = at + used;
    return used + aligned((size_t)count * size);
}

static size_t carve_states(pm_states *s, char *at, size_t used, int64_t room, int32_t words)
{
    *s = (pm_states){0};
    used = carve((void **)&s->keys, at, used, room * words, sizeof *s->keys);
    return carve((void **)&s->hi, at, used, room, sizeof *s->hi);
}

typedef struct {
    pm_thin_histogram *histogram;
    pm_beam_frontier front;
    pm_states now, next, take, skip;
} workspace;

/* Returns the bytes of the working memory of a run; sets the arrays of *w unless at is NULL. */
static size_t lay_out(const pm_beam_model *b, char *at, workspace *w)
{
    size_t used = carve((void **)&w->histogram, at, 0, 1, sizeof *w->histogram);
    int64_t bits = pm_beam_key_bits(&b->plan);
    pm_beam_frontier *f = &w->front;
    used = carve((void **)&f->factor, at, used, bits, sizeof *f->factor);
    used = carve((void **)&f->last_neighbour, at, used, bits, sizeof *f->last_neighbour);
    used = carve((void **)&f->bit_of, at, used, b->nv, sizeof *f->bit_of);
    used = carve((void **)&f->byte_factor, at, used, 32 * bits, sizeof *f->byte_factor);
    used = carve((void **)&f->conflict, at, used, 2 * bits, sizeof *f->conflict);
    used = carve_states(&w->now, at, used, 2 * b->limit, b->plan.words);
    used = carve_states(&w->next, at, used, 2 * b->limit, b->plan.words);
    used = carve_states(&w->take, at, used, b->limit, b->plan.words);
    return carve_states(&w->skip, at, used, b->limit, b->plan.words);
}

/* ---- a run ---- */

uint64_t pm_beam_thin_offset_of(const pm_sampler *s, uint64_t sample, int64_t edge)
{
    pm_sample_sequence sequence = pm_sample_sequence_of(s->seed, s->block, sample);
    sequence.counter[0] = (uint32_t)edge;
    return pm_beam_thin_offset(pm_sample_sequence_unit(&sequence));
}

/* Multiplies all weights by 2^-e so that the largest is near 1; returns e, or 0 where it is near 1.
 * */
static int64_t rescale(pm_states *s)
{
    int e = 0;
    double largest = pm_beam_largest(s->hi, s->n);
    if (largest > 0)
        frexp(largest, &e);
    if (e > -PM_BEAM_RESCALE && e < PM_BEAM_RESCALE)
        return 0;
    double factor = ldexp(1, -e);
    for (int64_t i = 0; i < s->n; ++i)
        s->hi[i] *= factor;
    return e;
}

static void thin(const pm_sampler *s, uint64_t sample, int64_t t, workspace *w)
{
    const pm_beam_model *b = s->model;
    const pm_beam_plan *p = &b->plan;
    double *score = w->next.hi; /* free between two edges */
    pm_beam_score(&w->now, p->words, p->bits, &w->front, score);
    pm_beam_thin(&w->now, p->words, b->keep, score, pm_beam_thin_offset_of(s, sample, t),
                 w->histogram);
}

static pm_weight beam_draw(const pm_sampler *s, void *scratch, uint64_t sample)
{
    const pm_beam_model *b = s->model;
    const pm_beam_plan *p = &b->plan;
    workspace w;
    int64_t exp = p->exp;
    lay_out(b, scratch, &w);
    for (int32_t k = 0; k < p->words; ++k)
        w.now.keys[k] = 0;
    w.now.hi[0] = 1;
    w.now.n = 1;
    pm_beam_frontier_clear(&w.front, pm_beam_key_bits(p), b->nv);
    for (int64_t t = 0; t < p->nedges && w.now.n; ++t) {
        const pm_beam_edge *e = &p->edges[t];
        pm_states_edge(&w.now, e, p->words, &w.take, &w.skip, &w.next);
        pm_states swap = w.now;
        w.now = w.next;
        w.next = swap;
        pm_beam_frontier_update(&w.front, e);
        if (w.now.n > pm_beam_states_allowed(b, e))
            thin(s, sample, t, &w);
        assert(w.now.n <= b->limit);
        if (t % PM_BEAM_RESCALE == 0)
            exp += rescale(&w.now);
    }
    if (p->has_empty_line || w.now.n == 0 || w.now.hi[0] <= 0)
        return (pm_weight){0};
    assert(w.now.n == 1);
    return pm_weight_make(w.now.hi[0], exp);
}

/* ---- how many states ---- */

static double seconds_per_state(const pm_beam_plan *p)
{
    return (double)p->nedges * (PM_BEAM_EDGE_SECONDS + PM_BEAM_WORD_SECONDS * (p->words - 1));
}

static double exact_seconds(const pm_beam_plan *p)
{
    return p->total / (double)p->nvertices * seconds_per_state(p);
}

/* K = keep; the lists need room for all possible states at most. */
static void set_states(pm_beam_model *b, int64_t keep)
{
    b->keep = keep;
    b->limit = b->plan.most < 2 * (double)keep ? (int64_t)b->plan.most + 1 : 2 * keep;
}

static size_t bytes_of(pm_beam_model *b, int64_t keep)
{
    workspace w;
    set_states(b, keep);
    return lay_out(b, NULL, &w);
}

static int64_t choose_states(pm_beam_model *b, int64_t memory)
{
    const pm_beam_plan *p = &b->plan;
    double all = fmax(p->most_ended, ceil(p->most / 2));
    double keep = fmax(NOMINAL_SECONDS / seconds_per_state(p), MIN_STATES);
    if (exact_seconds(p) <= EXACT_SECONDS || all < keep)
        keep = all;
    int64_t k = keep < MAX_STATES ? (int64_t)keep : MAX_STATES;
    while (k > 1 && bytes_of(b, k) > (size_t)memory / MEMORY_DIVISOR)
        k /= 2;
    return k;
}

static void beam_free_model(pm_sampler *s)
{
    pm_beam_model *b = s->model;
    if (b)
        pm_beam_plan_free(&b->plan);
    free(b);
    s->model = NULL;
}

/* Estimate of the number of states whose descendants are still represented at the end of a run with
 * K
 * states and T thinnings: K / (1 + T).  The number of descendants of one state changes at each
 * thinning like a random walk that ends at 0; about 1 / T of such walks survive T steps. */
static int64_t branches_of(const pm_beam_model *b)
{
    int64_t thinnings = 0;
    for (int64_t t = 0; t < b->plan.nedges; ++t)
        thinnings += b->plan.edges[t].states > (double)pm_beam_states_allowed(b, &b->plan.edges[t]);
    int64_t out = b->keep / (1 + thinnings);
    return out > 1 ? out : 1;
}

static pm_status beam_make(pm_sampler *s, const pm_sampler_options *o, const pm_run *run,
                           pm_error *err)
{
    int64_t memory = pm_run_memory(run);
    pm_beam_model *b = pm_calloc_array(1, sizeof *b);
    if (!b)
        return pm_fail_memory(err, "beam");
    pm_status status = pm_beam_plan_make(s->a, s->method->is_general, s->seed, run, &b->plan, err);
    if (status)
        goto done;
    b->nv = (int32_t)(s->a->nrows + s->a->ncols);
    int64_t keep = o->states > 0 ? o->states : choose_states(b, memory);
    if (keep > MAX_STATES)
        keep = MAX_STATES;
    s->scratch = bytes_of(b, keep);
    if (s->scratch > (size_t)memory) {
        status = pm_fail(err, PM_UNABLE,
                         "refused: beam with %lld states would need %s; allowed are %s%s",
                         (long long)keep, pm_size((double)s->scratch).s, pm_size((double)memory).s,
                         pm_hint_text(PM_HINT_STATES));
        goto done;
    }
    s->is_exact = b->plan.most_ended <= (double)b->keep && b->plan.most <= (double)b->limit;
    s->batch = 1;
    s->min_samples = s->is_exact ? 1 : MIN_RUNS;
    s->branches = branches_of(b);
    s->seconds = fmin(exact_seconds(&b->plan), (double)keep * seconds_per_state(&b->plan));
    s->on_gpu = &pm_beam_gpu;
    s->model = b;
    b = NULL;
done:
    if (b) {
        pm_beam_plan_free(&b->plan);
        free(b);
    }
    return status;
}

static const pm_sampler_method beam_of_general = {
    .name = "beam",
    .takes = PM_TAKES_STATES,
    .is_general = true,
    .make = beam_make,
    .draw = beam_draw,
    .free_model = beam_free_model,
};

const pm_sampler_method pm_sampler_beam = {
    .name = "beam",
    .summary = "the frontier method with a limited number of states, thinned without bias;"
               " graphs with odd cycles, too, and loops",
    .source = "Fearnhead and Clifford 2003 (thinning); pmkit",
    .takes = PM_TAKES_STATES,
    .make = beam_make,
    .draw = beam_draw,
    .free_model = beam_free_model,
    .gpu_limits = "1024 vertices in the frontier",
    .of_general = &beam_of_general,
};
