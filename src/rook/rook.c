/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "rook", for blocks that have one value nearly everywhere: the permanent from the
 * rook numbers of the other cells (rook/rook_board.h).  The time depends on the frontier of these
 * cells only, not on the size of the block. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "rook/rook_numbers.h"

#define SEARCH_GAIN 16 /* factor by which a long search shortens a run, at best */
enum {
    WORTH_THREADS = 12, /* bits of a state */
    PASS = 16           /* moduli that a run takes at a time */
};

/* The board has every twin as a line of its own, so the result must be divided by the factor of the
 * twins, modulo m.  The part of the factor that has primes in common with m has no inverse.  The
 * residue is therefore found modulo m times this part, then divided by it. */
typedef struct {
    uint64_t common;  /* the part that has primes in common with m */
    uint64_t inverse; /* of the rest, modulo m */
} twin_division;

typedef struct {
    pm_rook_board board;
    pm_rook_program program;
    uint64_t *modulus;    /* job->nmoduli entries: the job's modulus times twins[i].common */
    twin_division *twins; /* job->nmoduli entries */
} rook;

static void free_state(rook *state)
{
    pm_rook_board_free(&state->board);
    pm_rook_program_free(&state->program);
    free(state->modulus);
    free(state->twins);
    free(state);
}

static void free_plan(pm_plan *plan)
{
    if (plan->state)
        free_state(plan->state);
}

/* ---- planning ---- */

/* Seconds to add a coefficient to another one, modulo all moduli. */
static double addition_seconds(const pm_job *job, const pm_block_graph *g)
{
    return job->nmoduli * job->rates->seconds[PM_RATE_ROOK]
           * (1 + PM_ROOK_WEIGHTED_WORK * g->weighted);
}

static pm_status compile(const pm_job *job, const pm_block_graph *g, const pm_vertex_order *o,
                         rook *state, pm_plan *plan, pm_error *err)
{
    pm_rook_program_free(&state->program);
    pm_status status = pm_rook_program_make(g, o, &state->program, err);
    if (status)
        return status;
    plan->operations = state->program.operations;
    plan->seconds = state->program.operations * addition_seconds(job, g);
    plan->memory = pm_rook_program_bytes(&state->program);
    plan->states = ldexp(1, state->program.width);
    plan->order_hash = pm_vertex_order_hash(o);
    plan->is_serial = state->program.width < WORTH_THREADS;
    plan->pass = PASS;
    return PM_OK;
}

/* Whether a search for a better order may make the run shorter than the best other algorithm, and
 * allowed.  first: the plan with the order of a short search. */
static bool is_search_useful(const pm_job *job, const pm_plan *first)
{
    double limit = job->run && job->run->max_cost > 0 ? job->run->max_cost : INFINITY;
    double seconds = fmin(pm_job_rival(job), limit * pm_run_threads(job->run));
    return first->seconds < SEARCH_GAIN * seconds
           && first->memory < SEARCH_GAIN * (double)job->memory;
}

/* A program from a short search, then, where it is useful, from one as long as the run deserves. */
static pm_status find_program(const pm_job *job, const pm_block_graph *g, rook *state,
                              pm_plan *plan, pm_error *err)
{
    pm_vertex_order o = {0};
    pm_search_limits limits = {
        .rival = pm_job_rival(job), .left = pm_job_search_seconds(job), .most = PM_GLANCE_SECONDS};
    pm_status status = pm_vertex_order_search(g, job->seed, 1, limits, job->run, &o, err);
    pm_job_searched(job, o.searched);
    if (!status)
        status = compile(job, g, &o, state, plan, err);
    if (!status && is_search_useful(job, plan)) {
        double each = plan->seconds / o.cost;
        limits.most = INFINITY;
        limits.left -= o.searched;
        pm_vertex_order_free(&o);
        status = pm_vertex_order_search(g, job->seed, each, limits, job->run, &o, err);
        pm_job_searched(job, o.searched);
        if (!status)
            status = compile(job, g, &o, state, plan, err);
    }
    pm_vertex_order_free(&o);
    return status;
}

static pm_status plan_board(const pm_job *job, rook *state, pm_plan *plan, pm_error *err)
{
    pm_block_graph g = {0};
    pm_vertex_order none = {0};
    pm_status status = pm_block_graph_make(&state->board.b, &g, err);
    g.is_partial = true;
    if (!status)
        status = g.nv ? find_program(job, &g, state, plan, err)
                      : compile(job, &g, &none, state, plan, err);
    pm_block_graph_free(&g);
    return status;
}

static pm_status divide_twins(mpz_t twins, uint64_t m, twin_division *out, pm_error *err)
{
    mpz_t rest;
    mpz_init_set(rest, twins);
    *out = (twin_division){.common = 1};
    for (uint64_t g; (g = mpz_gcd_ui(NULL, rest, m)) > 1 && out->common < PM_MODULUS_MAX / m / g;) {
        mpz_divexact_ui(rest, rest, g);
        out->common *= g;
    }
    out->inverse = pm_mod_inverse(mpz_fdiv_ui(rest, m), m);
    mpz_clear(rest);
    if (m > 1 && !out->inverse)
        return pm_fail(err, PM_UNABLE, "rook: too many twins for the modulus %llu%s",
                       (unsigned long long)m, pm_hint_text(PM_HINT_TWINS));
    return PM_OK;
}

/* Those of the job, which may have some of the moduli of the plan. */
static pm_status set_moduli(const pm_job *job, rook *state, pm_error *err)
{
    pm_status status = PM_OK;
    mpz_t twins;
    state->modulus = pm_alloc_array(job->nmoduli, sizeof *state->modulus);
    state->twins = pm_alloc_array(job->nmoduli, sizeof *state->twins);
    if (!state->modulus || !state->twins)
        return pm_fail_memory(err, "moduli");
    mpz_init(twins);
    pm_block_twin_factor(job->block, twins);
    for (int i = 0; i < job->nmoduli && !status; ++i) {
        status = divide_twins(twins, job->moduli[i], &state->twins[i], err);
        state->modulus[i] = job->moduli[i] * state->twins[i].common;
    }
    mpz_clear(twins);
    return status;
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    if (job->nmoduli == 0)
        return pm_fail(err, PM_UNABLE, "rook counts 0/1 and integer matrices only");
    if (job->order)
        return pm_fail(err, PM_UNABLE, "rook has its own order and cannot use a given one");
    rook *state = pm_calloc_array(1, sizeof *state);
    if (!state)
        return pm_fail_memory(err, "rook");
    pm_status status = pm_rook_board_make(job->block, &state->board, err);
    if (!status)
        status = set_moduli(job, state, err);
    if (!status)
        status = plan_board(job, state, out, err);
    if (status)
        free_state(state);
    else
        out->state = state;
    return status;
}

/* ---- running ---- */

/* The sum of (-1)^k c^(n-k) (n-k)! r_k over k, from the last k to 0. */
static uint64_t sum_placements(const rook *state, const uint64_t *r, uint64_t m)
{
    uint64_t c = pm_dyadic_mod(&state->board.c, m), free_rows = 1 % m, sum = 0;
    int64_t n = state->board.n, most = state->program.max_rooks;
    for (int64_t lines = 1; lines <= n - most; ++lines)
        free_rows = pm_mod_mul(pm_mod_mul(free_rows, (uint64_t)lines % m, m), c, m);
    for (int64_t k = most; k >= 0; --k) {
        uint64_t term = pm_mod_mul(free_rows, r[k], m);
        sum = k % 2 ? sum + (m - term) : sum + term;
        sum = sum < m ? sum : sum - m;
        free_rows = pm_mod_mul(pm_mod_mul(free_rows, (uint64_t)(n - k + 1) % m, m), c, m);
    }
    return sum;
}

/* Residue i of the job.  r: room for all rook numbers. */
static pm_status run_modulus(const pm_job *job, const rook *state, int i, uint64_t *r,
                             uint64_t *residue, pm_error *err)
{
    pm_run_part part;
    const pm_run *run =
        pm_run_part_of(&part, job->run, (double)i / job->nmoduli, 1. / job->nmoduli);
    uint64_t m = job->moduli[i];
    pm_status status = pm_rook_numbers_find(&state->program, &state->board.b.a, &state->modulus[i],
                                            1, run, r, err);
    if (status)
        return status;
    uint64_t all = sum_placements(state, r, state->modulus[i]);
    *residue = pm_mod_mul(all / state->twins[i].common % m, state->twins[i].inverse, m);
    return job->found ? job->found(job->found_context, i, 1, residue, err) : PM_OK;
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    rook state = *(const rook *)plan->state;
    (void)out;
    pm_status status = set_moduli(job, &state, err);
    uint64_t *r = pm_alloc_array(state.program.max_rooks + 1, sizeof *r);
    if (!status && !r)
        status = pm_fail_memory(err, "rook numbers");
    for (int i = 0; i < job->nmoduli && !status; ++i)
        status = run_modulus(job, &state, i, r, &residues[i], err);
    free(r);
    free(state.modulus);
    free(state.twins);
    return status;
}

const pm_algorithm pm_algorithm_rook = {
    .name = "rook",
    .summary = "rook numbers of the other cells, for blocks that have one value nearly everywhere",
    .source = "Kaplansky and Riordan 1946",
    .stage = PM_STAGE_SPECIAL,
    .planning_entry = PM_ROOK_PLANNING_SECONDS,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
