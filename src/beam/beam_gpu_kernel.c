/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "beam/beam_gpu_kernel.h"

#include <math.h>
#include <stdlib.h>

#include "beam/beam_score.h"
#include "beam/beam_thin.h"
#include "core/machine.h"
#include "gpu/kernel_text.h"
#include "pm/alloc.h"

_Static_assert(sizeof((pm_beam_run_state *)0)->count == PM_THIN_BUCKETS * sizeof(unsigned),
               "one counter for each bucket");

enum {
    CHAIN = 4096,      /* steps with at most this number of states are chained */
    CHAIN_STEPS = 128, /* steps of a launch, which then lasts about a millisecond */
    TILE = 2048        /* states of the merged list for each thread block, at least */
};

/* ---- steps ---- */

static pm_beam_step step_of(const pm_beam_edge *e, int64_t t)
{
    return (pm_beam_step){
        .v_word = e->v_bit / 64,
        .u_word = e->u_bit / 64,
        .v_mask = pm_state_bit(e->v_bit),
        .u_mask = e->u == e->v ? 0 : pm_state_bit(e->u_bit),
        .v_leaves = e->v_leaves,
        .u_leaves = e->u_leaves && e->u != e->v,
        .is_unit = e->is_unit,
        .rescales = t % PM_BEAM_RESCALE == 0,
        .factor = e->value[0],
        .limit = -1,
    };
}

static pm_status add_scores(pm_beam_kernel_data *f, const pm_beam_frontier *front, int32_t bits,
                            pm_beam_step *s, pm_error *err)
{
    int32_t n = pm_beam_find_conflicts(bits, front);
    if (PM_GROW(f->factor, f->cap_factors, f->nfactors + bits)
        || PM_GROW(f->conflict, f->cap_conflicts, f->nconflicts + n))
        return pm_fail_memory(err, "scores of a beam");
    s->bytes = bits / 8;
    s->first_factor = f->nfactors;
    s->first_conflict = f->nconflicts;
    s->nconflicts = n;
    for (int32_t b = 0; b < bits; ++b)
        f->factor[f->nfactors++] = front->factor[b];
    for (int32_t k = 0; k < n; ++k) {
        const pm_beam_conflict *c = &front->conflict[k];
        f->conflict[f->nconflicts++] =
            (pm_beam_conflict_masks){.unmatched = pm_state_bit(c->unmatched),
                                     .other = pm_state_bit(c->other),
                                     .unmatched_word = c->unmatched / 64,
                                     .other_word = c->other / 64,
                                     .is_set = c->is_set};
    }
    return PM_OK;
}

/* Lists all steps.  bound is an upper bound of the number of states; a step can thin only where it
 * exceeds the number that is allowed. */
static pm_status add_steps(const pm_beam_model *m, pm_beam_frontier *front, pm_beam_kernel_data *f,
                           pm_error *err)
{
    const pm_beam_plan *p = &m->plan;
    int32_t bits = pm_beam_key_bits(p);
    double bound = 1, kept = floor(f->keep * 18 / 17 + 1);
    f->room = 1;
    pm_beam_frontier_clear(front, bits, m->nv);
    for (int64_t t = 0; t < p->nedges; ++t) {
        const pm_beam_edge *e = &p->edges[t];
        pm_beam_step *s = &f->steps[f->nsteps++];
        double allowed = (double)pm_beam_states_allowed(m, e);
        *s = step_of(e, t);
        s->bound = (int64_t)bound;
        bound = fmin(2 * bound, e->states);
        f->room = (int64_t)fmax(bound, (double)f->room);
        pm_beam_frontier_update(front, e);
        if (bound <= allowed)
            continue;
        s->limit = (int64_t)allowed;
        bound = fmin(bound, fmax(allowed, kept));
        pm_status status = add_scores(f, front, bits, s, err);
        if (status)
            return status;
    }
    return PM_OK;
}

static pm_status frontier_make(const pm_beam_model *m, pm_beam_frontier *f, pm_error *err)
{
    int32_t bits = pm_beam_key_bits(&m->plan);
    *f = (pm_beam_frontier){.factor = pm_alloc_array(bits, sizeof *f->factor),
                            .last_neighbour = pm_alloc_array(bits, sizeof *f->last_neighbour),
                            .bit_of = pm_alloc_array(m->nv, sizeof *f->bit_of),
                            .conflict = pm_alloc_array(2 * (int64_t)bits, sizeof *f->conflict)};
    return f->factor && f->last_neighbour && f->bit_of && f->conflict
               ? PM_OK
               : pm_fail_memory(err, "a beam");
}

static void frontier_free(pm_beam_frontier *f)
{
    free(f->factor);
    free(f->last_neighbour);
    free(f->bit_of);
    free(f->conflict);
}

pm_status pm_beam_kernel_data_make(const pm_beam_model *m, pm_beam_kernel_data *out, pm_error *err)
{
    const pm_beam_plan *p = &m->plan;
    if (p->words > PM_BEAM_WORDS)
        return pm_fail(err, PM_UNABLE,
                       "beam: the frontier is too wide for a GPU, which has room for %d bits a "
                       "state, not for %d",
                       64 * PM_BEAM_WORDS, p->bits);
    if (p->nedges > INT32_MAX)
        return pm_fail(err, PM_UNABLE, "beam: too many edges for a GPU");
    pm_beam_frontier front = {0};
    pm_beam_kernel_data f = {.words = p->words, .keep = (double)m->keep, .chain = CHAIN};
    f.steps = pm_alloc_array(p->nedges, sizeof *f.steps);
    pm_status status = f.steps ? frontier_make(m, &front, err) : pm_fail_memory(err, "a beam");
    if (!status)
        status = add_steps(m, &front, &f, err);
    frontier_free(&front);
    if (status)
        pm_beam_kernel_data_free(&f);
    else
        *out = f;
    return status;
}

void pm_beam_kernel_data_free(pm_beam_kernel_data *f)
{
    free(f->steps);
    free(f->factor);
    free(f->conflict);
    *f = (pm_beam_kernel_data){0};
}

/* ---- memory, text ---- */

double pm_beam_kernel_data_bytes(const pm_beam_kernel_data *f)
{
    return (double)f->nsteps * sizeof *f->steps + (double)f->nfactors * sizeof *f->factor
           + (double)f->nconflicts * sizeof *f->conflict;
}

double pm_beam_run_bytes(const pm_beam_kernel_data *f)
{
    double lists = (double)f->room * (2 * f->words + 3) * 8;
    return lists + (double)f->nsteps * 8 + sizeof(pm_beam_run_state)
           + (double)PM_BEAM_BLOCKS * sizeof(pm_beam_fixed);
}

char *pm_beam_text(int32_t words)
{
    return pm_kernel_text_make(
        "#define PM_THREADS %d\n#define PM_TERMS 0\n#define PM_WORDS %d\n%s%s%s%s", PM_BEAM_THREADS,
        (int)words, pm_text_prelude, pm_text_thin_rule, pm_text_beam_step, pm_text_beam);
}

/* ---- launches ---- */

typedef struct {
    const pm_beam_kernel_data *f;
    pm_beam_launcher *launch;
    void *context;
    int runs, max_blocks; /* concurrent runs; thread blocks of a run */
    int parity;
} launches;

static pm_status launch_one(launches *c, const char *kernel, int64_t step, int64_t steps,
                            int blocks, double seconds, pm_error *err)
{
    const pm_beam_launch l = {kernel, (int)step, (int)steps, c->parity, blocks};
    return c->launch(c->context, &l, seconds, err);
}

/* Number of steps from step t on that one launch of pm_beam_chain makes; 0: step t has too many
 * states for one thread block. */
static int64_t chain_length(const pm_beam_kernel_data *f, int64_t t)
{
    int64_t n = 0;
    while (n < CHAIN_STEPS && t + n < f->nsteps && f->steps[t + n].bound <= f->chain)
        ++n;
    return n;
}

static pm_status run_chain(launches *c, int64_t t, int64_t steps, pm_error *err)
{
    pm_status status =
        launch_one(c, "pm_beam_chain", t, steps, 1, (double)steps * PM_GPU_CHAIN_SECONDS, err);
    for (int64_t k = t; k < t + steps; ++k)
        c->parity ^= c->f->steps[k].limit < 0;
    return status;
}

static pm_status run_step(launches *c, int64_t t, pm_error *err)
{
    const pm_beam_step *s = &c->f->steps[t];
    int64_t tiles = 2 * s->bound / TILE + 1;
    int blocks = tiles < c->max_blocks ? (int)tiles : c->max_blocks;
    double bytes = (double)s->bound * c->runs * 8 * (c->f->words + 1);
    pm_status status = launch_one(c, "pm_beam_count", t, 1, blocks,
                                  bytes * PM_GPU_BEAM_BYTE_SECONDS * 8 + PM_GPU_STEP_SECONDS, err);
    if (!status)
        status = launch_one(c, "pm_beam_merge", t, 1, blocks, 0, err);
    c->parity ^= 1;
    if (!status && s->limit >= 0) {
        status = launch_one(c, "pm_beam_histogram", t, 1, blocks, 0, err);
        if (!status)
            status = launch_one(c, "pm_beam_sums", t, 1, blocks, 0, err);
        if (!status)
            status = launch_one(c, "pm_beam_thin", t, 1, blocks, 0, err);
        c->parity ^= 1;
    }
    if (!status && s->rescales) {
        status = launch_one(c, "pm_beam_largest", t, 1, blocks, 0, err);
        if (!status)
            status = launch_one(c, "pm_beam_rescale", t, 1, blocks, 0, err);
    }
    return status;
}

pm_status pm_beam_launch_all(const pm_beam_kernel_data *f, int runs, int resident,
                             pm_beam_launcher *launch, void *context, int *parity, pm_error *err)
{
    launches c = {.f = f, .launch = launch, .context = context, .runs = runs};
    c.max_blocks = resident / runs > 1 ? resident / runs : 1;
    c.max_blocks = c.max_blocks < PM_BEAM_BLOCKS ? c.max_blocks : PM_BEAM_BLOCKS;
    pm_status status = launch_one(&c, "pm_beam_begin", 0, 1, 1, 0, err);
    for (int64_t t = 0; t < f->nsteps && !status;) {
        int64_t steps = chain_length(f, t);
        status = steps ? run_chain(&c, t, steps, err) : run_step(&c, t, err);
        t += steps ? steps : 1;
    }
    if (!status)
        status = launch_one(&c, "pm_beam_end", 0, 1, 1, 0, err);
    *parity = c.parity;
    return status;
}
