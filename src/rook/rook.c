/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that have one value nearly everywhere: the permanent from the rook numbers of the cells
 * that differ (rook/rook_board.h), which take as long as those cells are wide, however many lines
 * are full. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "rook/rook_numbers.h"

#define SEARCH_GAIN 16 /* times less than at a glance, at best, that a search makes a run take */
enum { WORTH_THREADS = 12 /* bits of a state */ };

/* The twins are written out, so their factor is to be taken off modulo m.  What of it has primes in
 * common with m has no inverse: it multiplies the modulus until it is divided by. */
typedef struct {
    uint64_t common, inverse; /* of the rest, modulo m */
} twin_division;

typedef struct {
    pm_rook_board board;
    pm_rook_program program;
    uint64_t *modulus; /* times what twins have in common with it; job->nmoduli of each */
    twin_division *twins;
} rook;

static void free_rook(rook *s)
{
    pm_rook_board_free(&s->board);
    pm_rook_program_free(&s->program);
    free(s->modulus);
    free(s->twins);
    free(s);
}

static void free_plan(pm_plan *plan)
{
    if (plan->state)
        free_rook(plan->state);
}

/* ---- planning ---- */

/* Of a coefficient that is added to another one, modulo all moduli. */
static double addition_seconds(const pm_job *job, const pm_block_graph *g)
{
    return job->nmoduli * job->rates->seconds[PM_RATE_ROOK]
           * (1 + PM_ROOK_WEIGHTED_WORK * g->weighted);
}

static pm_status compile(const pm_job *job, const pm_block_graph *g, const pm_vertex_order *o,
                         rook *s, pm_plan *plan, pm_error *err)
{
    pm_rook_program_free(&s->program);
    pm_status rc = pm_rook_program_make(g, o, &s->program, err);
    if (rc)
        return rc;
    plan->operations = s->program.operations;
    plan->seconds = s->program.operations * addition_seconds(job, g);
    plan->memory = pm_rook_program_bytes(&s->program);
    plan->states = ldexp(1, s->program.width);
    plan->order_hash = pm_vertex_order_hash(o);
    plan->is_serial = s->program.width < WORTH_THREADS;
    return PM_OK;
}

/* Can a search bring it down to what is allowed, and to what another way takes? */
static bool is_worth_a_search(const pm_job *job, const pm_plan *glance)
{
    double limit = job->run && job->run->max_cost > 0 ? job->run->max_cost : INFINITY;
    double seconds = fmin(job->rival > 0 ? job->rival : INFINITY, limit * pm_run_threads(job->run));
    return glance->seconds < SEARCH_GAIN * seconds
           && glance->memory < SEARCH_GAIN * (double)job->memory;
}

/* At a glance, then with what time the run is worth. */
static pm_status find_program(const pm_job *job, const pm_block_graph *g, rook *s, pm_plan *plan,
                              pm_error *err)
{
    pm_vertex_order o = {0};
    double rival = job->rival > 0 ? job->rival : INFINITY;
    pm_status rc = pm_vertex_order_search(g, job->seed, 0, 0, job->run, &o, err);
    if (!rc)
        rc = compile(job, g, &o, s, plan, err);
    if (!rc && is_worth_a_search(job, plan)) {
        double each = plan->seconds / o.cost;
        pm_vertex_order_free(&o);
        rc = pm_vertex_order_search(g, job->seed, each, rival, job->run, &o, err);
        if (!rc)
            rc = compile(job, g, &o, s, plan, err);
    }
    pm_vertex_order_free(&o);
    return rc;
}

static pm_status plan_board(const pm_job *job, rook *s, pm_plan *plan, pm_error *err)
{
    pm_block_graph g = {0};
    pm_vertex_order none = {0};
    pm_status rc = pm_block_graph_make(&s->board.b, &g, err);
    g.is_partial = true;
    if (!rc)
        rc = g.nv ? find_program(job, &g, s, plan, err) : compile(job, &g, &none, s, plan, err);
    pm_block_graph_free(&g);
    return rc;
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

static pm_status set_moduli(const pm_job *job, rook *s, pm_error *err)
{
    pm_status rc = PM_OK;
    mpz_t twins;
    s->modulus = pm_alloc_array(job->nmoduli, sizeof *s->modulus);
    s->twins = pm_alloc_array(job->nmoduli, sizeof *s->twins);
    if (!s->modulus || !s->twins)
        return pm_fail_memory(err, "moduli");
    mpz_init(twins);
    pm_block_twin_factor(job->block, twins);
    for (int i = 0; i < job->nmoduli && !rc; ++i) {
        rc = divide_twins(twins, job->moduli[i], &s->twins[i], err);
        s->modulus[i] = job->moduli[i] * s->twins[i].common;
    }
    mpz_clear(twins);
    return rc;
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    if (job->nmoduli == 0)
        return pm_fail(err, PM_UNABLE, "rook counts exactly: patterns and integer matrices");
    if (job->order)
        return pm_fail(err, PM_UNABLE, "rook goes by an order of its own, not by a given one");
    rook *s = pm_calloc_array(1, sizeof *s);
    if (!s)
        return pm_fail_memory(err, "rook");
    pm_status rc = pm_rook_board_make(job->block, &s->board, err);
    if (!rc)
        rc = set_moduli(job, s, err);
    if (!rc)
        rc = plan_board(job, s, out, err);
    if (rc)
        free_rook(s);
    else
        out->state = s;
    return rc;
}

/* ---- running ---- */

/* sum of (-1)^k c^(n-k) (n-k)! r_k, from the last k on */
static uint64_t sum_placements(const rook *s, const uint64_t *r, uint64_t m)
{
    uint64_t c = pm_dyadic_mod(&s->board.c, m), free_rows = 1 % m, sum = 0;
    int64_t n = s->board.n, most = s->program.most;
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

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const rook *s = plan->state;
    int64_t numbers = s->program.most + 1;
    (void)out;
    uint64_t *r = pm_alloc_array(job->nmoduli * numbers, sizeof *r);
    if (!r)
        return pm_fail_memory(err, "rook numbers");
    pm_status rc = pm_rook_numbers_find(&s->program, &s->board.b.a, s->modulus, job->nmoduli,
                                        job->run, r, err);
    for (int i = 0; i < job->nmoduli && !rc; ++i) {
        uint64_t all = sum_placements(s, r + i * numbers, s->modulus[i]), m = job->moduli[i];
        residues[i] = pm_mod_mul(all / s->twins[i].common % m, s->twins[i].inverse, m);
    }
    free(r);
    return rc;
}

const pm_algorithm pm_algorithm_rook = {
    .name = "rook",
    .summary = "rook numbers of the other cells, for blocks that have one value nearly everywhere",
    .source = "Kaplansky and Riordan 1946",
    .occasion = PM_LATER,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
