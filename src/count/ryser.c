/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent of a full block in Glynn's form, in Gray-code order:
 *
 *   per(A) = 2^(1-n) * sum over signs d with d_1 = 1 of (prod_k d_k) prod_i (sum_j d_j a_ij).
 *
 * Kernels: sweep/dense_exact.h for integers, sweep/dense_float.h for real and complex numbers.
 * Source: Glynn 2010, theorem 2.1; Nijenhuis and Wilf 1978, chapter 23, for the Gray code. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "count/swept.h"
#include "pm/alloc.h"
#include "sweep/dense_exact.h"
#include "sweep/dense_float.h"

static const pm_sweep_method exact = {"ryser", 62, pm_dense_exact_prepare};
static const pm_sweep_method inexact = {"ryser", 62, pm_dense_float_prepare};

static const pm_sweep_method *method_for(const pm_job *job)
{
    return job->block->a.field <= PM_INTEGER ? &exact : &inexact;
}

/* Vector instructions of one term, with rows and columns as they are or exchanged. */
static pm_status exact_work(const pm_job *job, bool transposed, double *work, pm_error *err)
{
    pm_square s = {0};
    pm_status rc =
        pm_square_make(job->block, transposed, exact.bits, pm_swept_modulus(job, &exact), &s, err);
    if (!rc)
        *work = pm_dense_exact_work(&s);
    pm_square_free(&s);
    return rc;
}

static pm_status plan_exact(const pm_job *job, double *seconds, bool *transposed, pm_error *err)
{
    double straight, turned;
    pm_status rc = exact_work(job, false, &straight, err);
    if (!rc)
        rc = exact_work(job, true, &turned, err);
    if (rc)
        return rc;
    *transposed = turned < straight;
    *seconds = fmin(straight, turned) * job->rates->seconds[PM_RATE_DENSE_EXACT]
               * pm_swept_passes(job, &exact);
    return PM_OK;
}

static double inexact_seconds(const pm_job *job)
{
    bool is_complex = job->block->a.field == PM_COMPLEX, quad = job->precision == PM_QUAD;
    pm_rate rate = is_complex ? quad ? PM_RATE_DENSE_COMPLEX_QUAD : PM_RATE_DENSE_COMPLEX
                   : quad     ? PM_RATE_DENSE_QUAD
                              : PM_RATE_DENSE_DOUBLE;
    double spread = 1; /* evaluated on all terms, or on some that still weigh */
    if (!quad)
        spread = job->block->n <= 18 ? 4 : job->block->n <= 20 ? 1.4 : 1;
    return job->rates->seconds[rate] * (double)job->block->n * spread;
}

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    int64_t n = job->block->n;
    double term;
    bool *transposed = NULL;
    pm_status rc = PM_OK;
    if (n > PM_SQUARE_MAX)
        return pm_fail(err, PM_UNABLE, "ryser takes blocks up to n = %d, not %lld", PM_SQUARE_MAX,
                       (long long)n);
    transposed = pm_calloc_array(1, sizeof *transposed);
    if (!transposed)
        return pm_fail_memory(err, "plan");
    if (job->block->a.field <= PM_INTEGER)
        rc = plan_exact(job, &term, transposed, err);
    else
        term = inexact_seconds(job);
    if (rc) {
        free(transposed);
        return rc;
    }
    plan->operations = ldexp(1, (int)n - 1);
    plan->seconds = plan->operations * term;
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
    return pm_swept_permanent(job, method_for(job), &job->precision, *(const bool *)plan->state,
                              out, err);
}

const pm_algorithm pm_algorithm_ryser = {
    .name = "ryser",
    .summary = "all signs in Gray-code order (Glynn's form), vectorised; for full blocks",
    .source = "Glynn 2010, theorem 2.1",
    .occasion = PM_AT_ONCE,
    .integers = true,
    .cancels = true,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
