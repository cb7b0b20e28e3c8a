/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Blocks that have one value nearly everywhere: the permanent from the rook numbers of the cells
 * that differ (count/rook_board.h), which take as long as those cells are wide, however many lines
 * are full. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "core/size.h"
#include "count/algorithm.h"
#include "count/prime.h"
#include "count/rook_numbers.h"
#include "pm/alloc.h"

#define SEARCH_GAIN                                                                                \
    100              /* times less than at first glance, at best, that a search makes a run take */
#define WEIGHTED 1.5 /* as long again for a cell that is multiplied by */
enum { WORTH_THREADS = 12 /* bits of a state */ };

typedef struct {
    pm_rook_board board;
    pm_rook_program program;
    mpz_t twins; /* the factor of the twins, which are written out */
} rook;

static void free_rook(rook *s)
{
    pm_rook_board_free(&s->board);
    pm_rook_program_free(&s->program);
    mpz_clear(s->twins);
    free(s);
}

static void free_plan(pm_plan *plan)
{
    if (plan->state)
        free_rook(plan->state);
}

/* ---- planning ---- */

/* Of a coefficient that is added to another one, modulo all moduli. */
static double addition_seconds(const pm_job *job, const pm_frontier_graph *g)
{
    return job->nmoduli * job->rates->seconds[PM_RATE_ROOK] * (1 + WEIGHTED * g->weighted);
}

static pm_status compile(const pm_job *job, const pm_frontier_graph *g, const pm_frontier_order *o,
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
    plan->is_serial = s->program.width < WORTH_THREADS;
    return PM_OK;
}

/* Would a search bring it down to what is allowed, and to what another way takes? */
static bool is_hopeless(const pm_job *job, const pm_plan *glance)
{
    double limit = job->run && job->run->max_cost > 0 ? job->run->max_cost : INFINITY;
    double seconds = fmin(job->rival > 0 ? job->rival : INFINITY, limit * pm_run_threads(job->run));
    return glance->seconds > SEARCH_GAIN * seconds
           || glance->memory > SEARCH_GAIN * (double)job->memory;
}

/* At a glance, then with what time the run is worth. */
static pm_status find_program(const pm_job *job, const pm_frontier_graph *g, rook *s, pm_plan *plan,
                              pm_error *err)
{
    pm_frontier_order o = {0};
    double rival = job->rival > 0 ? job->rival : INFINITY;
    pm_status rc = pm_frontier_search(g, job->seed, 0, 0, job->run, &o, err);
    if (!rc)
        rc = compile(job, g, &o, s, plan, err);
    if (!rc && is_hopeless(job, plan))
        rc = pm_fail(err, PM_UNABLE,
                     "refused: block of n = %lld: rook would take about %.2g seconds and %s",
                     (long long)job->block->n, plan->seconds, pm_size(plan->memory).s);
    double each = rc ? 0 : plan->seconds / o.cost;
    pm_frontier_order_free(&o);
    if (!rc)
        rc = pm_frontier_search(g, job->seed, each, rival, job->run, &o, err);
    if (!rc)
        rc = compile(job, g, &o, s, plan, err);
    pm_frontier_order_free(&o);
    return rc;
}

static pm_status plan_board(const pm_job *job, rook *s, pm_plan *plan, pm_error *err)
{
    pm_frontier_graph g = {0};
    pm_frontier_order none = {0};
    pm_status rc = pm_frontier_graph_make(&s->board.b, &g, err);
    g.is_partial = true;
    if (!rc)
        rc = g.nv ? find_program(job, &g, s, plan, err) : compile(job, &g, &none, s, plan, err);
    pm_frontier_graph_free(&g);
    return rc;
}

/* Where the answer is divided by what is no unit modulo a modulus, it is lost. */
static pm_status check_twins(const pm_job *job, rook *s, pm_error *err)
{
    pm_block_twin_factor(job->block, s->twins);
    for (int i = 0; i < job->nmoduli; ++i)
        if (mpz_cmp_ui(s->twins, 1) > 0
            && !pm_mod_inverse(mpz_fdiv_ui(s->twins, job->moduli[i]), job->moduli[i]))
            return pm_fail(err, PM_UNABLE, "rook: the factorials of twins have no inverse mod %llu",
                           (unsigned long long)job->moduli[i]);
    return PM_OK;
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
    mpz_init(s->twins);
    pm_status rc = pm_rook_board_make(job->block, &s->board, err);
    if (!rc)
        rc = check_twins(job, s, err);
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
    pm_status rc = pm_rook_numbers_find(&s->program, &s->board.b.a, job->moduli, job->nmoduli,
                                        job->run, r, err);
    for (int i = 0; i < job->nmoduli && !rc; ++i) {
        uint64_t m = job->moduli[i];
        residues[i] = sum_placements(s, r + i * numbers, m);
        if (mpz_cmp_ui(s->twins, 1) > 0)
            residues[i] = pm_mod_mul(residues[i], pm_mod_inverse(mpz_fdiv_ui(s->twins, m), m), m);
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
