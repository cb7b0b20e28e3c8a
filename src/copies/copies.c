/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "repeated" of general graphs: by the sum of copies_problem.h or by the walks of walks_problem.h. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/algorithm.h"
#include "copies/copies_problem.h"
#include "copies/copies_sweep.h"
#include "copies/walks.h"
#include "core/machine.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "repeated/repeated_exact.h"

/* How a plan counts. */
typedef struct {
    int kind;
    bool by_walks; /* walks_problem.h, not copies_problem.h */
    pm_vertex_classes classes;
} state;

/* Without loops an odd number of vertices has no perfect matching. */
static bool is_possible(const pm_vertex_classes *x)
{
    return x->has_loops || x->total % 2 == 0;
}

/* ---- primes ---- */

static uint64_t prime_top(const pm_job *job)
{
    return job->independent ? PM_REPEATED_PRIME_MAX / 2 : PM_REPEATED_PRIME_MAX;
}

/* A thousand primes lie within 2^-10 of the top, all of them above half of it. */
static int count_primes(const pm_job *job)
{
    const double bits = fmax(job->block->log2_bound, 0) + 2, top = log2((double)prime_top(job));
    return (int)ceil(bits / (bits < 4e4 ? top - 0x1p-10 : top - 1));
}

/* ---- planning ---- */

static double seconds_of(const pm_job *job, const pm_copies_cost *c)
{
    return c->work * job->rates->seconds[PM_RATE_REPEATED] + PM_REPEATED_SETUP_SECONDS;
}

/* Terms of sums and weights of either sign cancel, so that double-double is the rule: few digits are left in double from some 25
 * vertices on. */
static int kind_of(const pm_job *job)
{
    const bool is_double =
        job->precision == PM_DOUBLE || job->precision == PM_DQ || job->precision == PM_SINGLE;
    switch (job->block->a.field) {
    case PM_REAL: return is_double ? PM_DENSE_REAL : PM_DENSE_QUAD;
    case PM_COMPLEX: return is_double ? PM_DENSE_COMPLEX : PM_DENSE_COMPLEX_QUAD;
    default: return PM_COPIES_RESIDUE;
    }
}

/* The number of vertices, with their copies, up to which an answer has digits to spare for what cancels.  Walks only lose what the
 * signs of the entries cancel, like the algorithm `hafnian`. */
static int64_t precise_max(const state *x)
{
    const bool is_quad = x->kind >= PM_DENSE_QUAD;
    if (x->by_walks)
        return is_quad ? PM_COPIES_FLOAT_MAX : PM_WALKS_DOUBLE_MAX;
    return is_quad ? PM_COPIES_PRECISE_MAX : 0;
}

/* The cheaper one of both methods. */
static pm_status find_cost(state *x, pm_copies_cost *out, pm_error *err)
{
    pm_copies_cost walks;
    const pm_status status = pm_copies_cost_of(&x->classes, x->kind, out, err);
    x->by_walks = is_possible(&x->classes) && !pm_walks_cost_of(&x->classes, x->kind, &walks, NULL)
                  && (status || walks.work < out->work);
    if (!x->by_walks)
        return status;
    *out = walks;
    return PM_OK;
}

static pm_status make_plan(const pm_job *job, state *x, pm_plan *out, pm_error *err)
{
    pm_copies_cost cost;
    pm_status status = pm_vertex_classes_find(job->block, &x->classes, err);
    x->kind = kind_of(job);
    if (!status)
        status = find_cost(x, &cost, err);
    if (status || !is_possible(&x->classes))
        return status;
    const int sweeps = x->kind == PM_COPIES_RESIDUE ? count_primes(job) : 1;
    if (sweeps > 1 << 16)
        return pm_fail(err, PM_UNABLE, "repeated: the answer has too many digits");
    out->operations = sweeps * cost.terms;
    out->seconds = sweeps * seconds_of(job, &cost);
    out->memory = cost.memory;
    out->is_precise = x->classes.total <= precise_max(x);
    out->is_serial = x->by_walks && cost.work < PM_WALKS_SHORT_WORK;
    out->residues = x->kind == PM_COPIES_RESIDUE ? sweeps : 0;
    return PM_OK;
}

static pm_status plan(const pm_job *job, pm_plan *out, pm_error *err)
{
    if (job->order && !job->block->written_out)
        return pm_fail(err, PM_UNABLE, "repeated does not use an order of vertices");
    state *x = pm_alloc_array(1, sizeof *x);
    if (!x)
        return pm_fail_memory(err, "plan");
    pm_status status = make_plan(job, x, out, err);
    if (status)
        free(x);
    else
        out->state = x;
    return status;
}

/* ---- running ---- */

/* Each prime is a task of its own. */
static pm_status sums(const pm_job *job, const state *x, const uint64_t *prime, int n,
                      uint64_t *residue, pm_error *err)
{
    bool is_partial = false;
    pm_status status = PM_OK;
    for (int i = 0; i < n && !status; ++i) {
        pm_run_part part;
        status = pm_copies_residue(&x->classes, prime[i], pm_isa_best(), &job->scope,
                                   pm_run_part_of(&part, job->run, (double)i / n, 1. / n),
                                   &residue[i], err);
        is_partial |= status == PM_PARTIAL;
        status = status == PM_PARTIAL ? PM_OK : status;
    }
    return !status && is_partial ? PM_PARTIAL : status;
}

/* The primes are the indices of one task. */
static pm_status run_walks(const state *x, const uint64_t *prime, int n, pm_ledger_task *task,
                           const pm_run *run, uint64_t *residue, pm_error *err)
{
    pm_range at;
    pm_status status = PM_OK;
    while (!status && pm_ledger_task_take(task, 1, &at)) {
        pm_run_part part;
        memset(residue, 0, (size_t)n * sizeof *residue);
        status = pm_walks_residue(&x->classes, prime[at.first], pm_isa_best(),
                                  pm_run_part_of(&part, run, (double)at.first / n, 1. / n),
                                  &residue[at.first], err);
        if (!status)
            status = pm_ledger_task_put(task, at.first, at.end, residue, NULL, err);
    }
    return status;
}

static pm_status walks(const pm_job *job, const state *x, const uint64_t *prime, int n,
                       uint64_t *residue, pm_error *err)
{
    const pm_ledger_shape shape = {.what = "walks", .count = (uint64_t)n, .grain = 1, .words = n};
    pm_ledger_task task;
    pm_status status =
        pm_ledger_task_begin(&job->scope, &shape, prime, (size_t)n * sizeof *prime, &task, err);
    if (status)
        return status;
    const pm_run inside = pm_ledger_task_run(&task, job->run);
    return pm_ledger_task_end(&task, run_walks(x, prime, n, &task, &inside, residue, err), residue,
                              NULL, err);
}

static pm_status run_primes(const pm_job *job, const state *x, int n, pm_value *out, pm_error *err)
{
    uint64_t *prime = pm_alloc_array(n, sizeof *prime), *residue = pm_alloc_array(n, sizeof *prime);
    pm_status status = prime && residue ? PM_OK : pm_fail_memory(err, "primes");
    for (int i = 0; i < n && !status; ++i)
        prime[i] = pm_prime_below(i ? prime[i - 1] : prime_top(job));
    if (!status)
        status = (x->by_walks ? walks : sums)(job, x, prime, n, residue, err);
    if (!status) {
        mpz_t z;
        mpz_init(z);
        pm_crt(z, residue, prime, n, true);
        pm_value_set_mpz(out, z);
        mpz_clear(z);
    }
    free(prime);
    free(residue);
    return status;
}

static void set_zero(const pm_job *job, pm_value *out)
{
    const pm_xreal zero = {.hi = 0};
    if (job->block->a.field <= PM_INTEGER)
        pm_value_set_si(out, 0);
    else
        pm_value_set_real(out, job->block->a.field, zero, zero, zero);
}

static pm_status run(const pm_job *job, const pm_plan *p, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const state *x = p->state;
    (void)residues;
    if (!is_possible(&x->classes)) {
        set_zero(job, out);
        return PM_OK;
    }
    if (x->kind == PM_COPIES_RESIDUE)
        return run_primes(job, x, p->residues, out, err);
    return x->by_walks ? pm_walks_float(&x->classes, x->kind, pm_isa_best(), job->run, out, err)
                       : pm_copies_float(&x->classes, x->kind, pm_isa_best(), &job->scope, job->run,
                                         out, err);
}

const pm_algorithm pm_algorithm_repeated_general = {
    .name = "repeated",
    .summary = "walks over pairs, or polarization; for repeated vertices of general graphs",
    .source = "Bjorklund 2012; Kan 2008, theorem 1; Bulmer and others 2022",
    .stage = PM_STAGE_FIRST,
    .backend = PM_BACKEND_CPU,
    .integers = true,
    .general = true,
    .cancels = true,
    .classes = true,
    .plan = plan,
    .run = run};
