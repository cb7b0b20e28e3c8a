/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "count/swept.h"
#include "pm/alloc.h"
#include "sweep/skip.h"
#include "sweep/sparse_ryser.h"

enum { POPULATION = 64 };

static const pm_sweep_method method = {"sparyser", 61, pm_sparse_ryser_prepare};

/* Row sums that change from one term to the next, on average. */
static double changes(const pm_square *s)
{
    pm_pattern pattern = pm_square_pattern(s);
    pm_column_order order;
    double sum = 0;
    pm_order_sort(&pattern, &order);
    for (int32_t k = 0; k < s->n - 1; ++k) {
        int32_t j = order.cols[k];
        sum += ldexp(s->colptr[j + 1] - s->colptr[j], -k - 1);
    }
    return sum;
}

/* Of a term, in units of PM_RATE_SPARYSER; fitted to measured runs of all fields, n = 14 .. 26,
 * densities .05 to .45 (within 35 %). */
static double term_work(const pm_square *s, const pm_skip_estimate *e)
{
    double d = changes(s), n = s->n, alive = ldexp(e->terms, -e->flips);
    if (s->field == PM_COMPLEX)
        return 7 + 1.8 * d;
    if (s->field == PM_REAL)
        return 5 + d;
    double limbs = e->limbs > 2 ? 0.25 * n * e->limbs : 0;
    return 0.9 * (1 + d) + alive * (0.27 * n + limbs);
}

/* With rows and columns as they are or exchanged. */
static pm_status measure(const pm_job *job, bool transposed, double *work, pm_error *err)
{
    pm_square s = {0};
    pm_skip_choice choice = {.form = PM_FORM_SIGNS};
    pm_skip_estimate e;
    pm_status rc = pm_square_make(job->block, transposed, method.bits,
                                  pm_swept_modulus(job, &method), &s, err);
    if (!rc)
        rc = pm_skip_predict(&s, &choice, POPULATION, &e, err);
    if (!rc)
        *work = term_work(&s, &e);
    pm_square_free(&s);
    return rc;
}

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    double straight, turned;
    bool *transposed;
    if (job->block->a.field > PM_INTEGER && job->precision == PM_QUAD)
        return pm_fail(err, PM_UNABLE, "sparyser works in double");
    pm_status rc = measure(job, false, &straight, err);
    if (!rc)
        rc = measure(job, true, &turned, err);
    if (rc)
        return rc;
    transposed = pm_calloc_array(1, sizeof *transposed);
    if (!transposed)
        return pm_fail_memory(err, "plan");
    *transposed = turned < straight;
    plan->operations = ldexp(1, (int)job->block->n - 1) * pm_swept_passes(job, &method);
    plan->seconds =
        plan->operations * fmin(straight, turned) * job->rates->seconds[PM_RATE_SPARYSER];
    if (plan->seconds > 1e-3)
        plan->seconds = pm_shared_seconds(plan->seconds, pm_run_threads(job->run));
    plan->memory = 1e6;
    plan->state = transposed;
    return PM_OK;
}

static void free_plan(pm_plan *plan)
{
    free(plan->state);
    plan->state = NULL;
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    (void)residues;
    return pm_swept_permanent(job, &method, NULL, *(const bool *)plan->state, out, err);
}

const pm_algorithm pm_algorithm_sparyser = {
    .name = "sparyser",
    .summary = "all signs in Gray-code order by sparse columns, with a running product",
    .source = "Yaglioglu 2021, algorithm 5; Kaya 2019",
    .occasion = PM_LATER,
    .integers = true,
    .cancels = true,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
