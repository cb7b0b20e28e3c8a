/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "frontier" for general graphs: find an order, compile it, and run it with as many residues at a
 * time as the memory permits. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "frontier/frontier_passes.h"
#include "masks/mask_run.h"
#include "masks/mask_setup.h"
#include "pm/alloc.h"

enum {
    WIDEST = 32,      /* residues at a time */
    WIDEST_LARGE = 8, /* the same of a large level */
    LARGE_BITS = 17,  /* of the number of a state, from which a level is large */
    SERIAL_BITS = 12  /* up to here more threads do not make the run faster */
};

typedef struct {
    pm_mask_setup setup;
    int widest; /* residues at a time, at most */
} masks;

static void free_plan(pm_plan *plan)
{
    masks *m = plan->state;
    if (m)
        pm_mask_setup_free(&m->setup);
    free(m);
    plan->state = NULL;
}

/* ---- planning ---- */

static int widest_pass(const pm_job *job, const masks *m)
{
    int n = m->setup.program.most_bits >= LARGE_BITS ? WIDEST_LARGE : WIDEST;
    while (n > 1 && pm_mask_bytes(&m->setup.program, 8 * n) > (double)job->memory)
        n /= 2;
    return n;
}

static int pass_width(const masks *m, int left)
{
    int n = 1;
    while (2 * n <= left && 2 * n <= m->widest)
        n *= 2;
    return n;
}

/* Seconds of a transition whose weight is 1, or not; of one residue. */
static double rate_of(const pm_job *job, const double *rate, bool is_weighted)
{
    if (job->nmoduli)
        return rate[is_weighted ? PM_RATE_RANK_WEIGHTED : PM_RATE_RANK_UNIT];
    const double unit =
        rate[job->block->a.field == PM_COMPLEX ? PM_RATE_RANK_COMPLEX : PM_RATE_RANK_REAL];
    return is_weighted ? 1.5 * unit : unit;
}

/* A program has a fifth to a half of the transitions that its order says, and they take half of the nominal time or all of it. */
#define TRANSITIONS_OF_COST 0.25

/* Of the run, by an order's cost: nominal, so that the search for one does not depend on the machine. */
static double nominal_seconds(const pm_job *job)
{
    const bool is_weighted = job->block->a.field != PM_PATTERN;
    return TRANSITIONS_OF_COST * rate_of(job, pm_rates_nominal.seconds, is_weighted)
           * (job->nmoduli ? job->nmoduli : 1);
}

/* Seconds of all passes, or of the only one. */
static double predict_seconds(const pm_job *job, const masks *m)
{
    const pm_mask_program *p = &m->setup.program;
    const double *rate = job->rates->seconds;
    const double pass = (p->transitions - p->weighted) * rate_of(job, rate, false)
                        + p->weighted * rate_of(job, rate, true);
    return pass * (job->nmoduli ? job->nmoduli : 1);
}

static pm_status predict(const pm_job *job, masks *m, pm_plan *plan, pm_error *err)
{
    pm_ring *ring;
    int64_t value_bytes = 8;
    if (job->nmoduli) {
        m->widest = widest_pass(job, m);
        value_bytes = 8 * (int64_t)pass_width(m, job->nmoduli);
    } else {
        pm_status status = pm_frontier_ring(job, NULL, 0, 64, &ring, err);
        if (status)
            return status;
        value_bytes = ring->value_bytes;
        ring->free(ring);
    }
    plan->memory = pm_mask_bytes(&m->setup.program, value_bytes);
    plan->seconds = predict_seconds(job, m);
    plan->is_serial = m->setup.program.most_bits <= SERIAL_BITS;
    plan->pass = job->nmoduli ? pass_width(m, job->nmoduli) : 0;
    plan->operations = m->setup.program.transitions * (job->nmoduli ? job->nmoduli : 1);
    plan->states = exp2(m->setup.program.most_bits);
    plan->order_hash = pm_vertex_order_hash(&m->setup.order);
    return PM_OK;
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    masks *m = pm_calloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "frontier");
    out->state = m;
    pm_status status = pm_mask_setup_make(job, nominal_seconds(job), &m->setup, err);
    if (!status && !m->setup.program.is_zero)
        status = predict(job, m, out, err);
    if (status)
        free_plan(out);
    return status;
}

/* ---- running ---- */

static int lanes_of(const void *engine, int left)
{
    return pass_width(engine, left);
}

static double bytes_of(const void *engine, int64_t value_bytes)
{
    const masks *m = engine;
    return pm_mask_bytes(&m->setup.program, value_bytes);
}

static pm_status run_pass(const pm_job *job, const void *engine, int worker, const pm_ring *ring,
                          pm_frontier_pass *pass, double done, double share, void *value,
                          pm_error *err)
{
    const masks *m = engine;
    (void)worker;
    return pm_mask_run(&m->setup.program, ring, pass, job->run, done, share, value, err);
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const masks *m = plan->state;
    const pm_mask_program *p = &m->setup.program;
    pm_pass_engine passes = {.engine = m,
                             .depth = p->depth,
                             .workers = 1,
                             .memory = (double)job->memory,
                             .most_lanes = PM_STATE_MODULI,
                             .lanes = lanes_of,
                             .bytes = bytes_of,
                             .run = run_pass};
    if (p->is_zero) {
        pm_frontier_set_zero(job, residues, out);
        return PM_OK;
    }
    pm_status status = pm_mask_setup_store(job, &m->setup, &passes.states, err);
    return status ? status : pm_frontier_passes_run(job, &passes, residues, out, err);
}

const pm_algorithm pm_algorithm_masks = {
    .name = "frontier",
    .summary = "transfer-matrix method over the vertices of a general graph",
    .source = "frontier method on one set of vertices; src/masks/README.md",
    .stage = PM_STAGE_SEARCH,
    .general = true,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
