/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "count/swept.h"
#include "pm/alloc.h"
#include "sweep/term.h"
#include "sweep/transversals.h"

static const pm_sweep_method method = {"enumerate", 61, pm_transversals_prepare};

#define MOST_NODES 0x1p40

/* In units of PM_RATE_ENUMERATE; fitted to measured runs of all fields, n = 14 .. 35, densities
 * .03 to .45. */
static double work_of(const pm_transversals_estimate *e, int limbs, double n)
{
    double listed = fmin(e->nodes, 9000), product = limbs > 1 ? 0.12 * limbs * limbs : 0;
    return e->nodes * (0.75 + 0.045 * n) + e->transversals * product + 3 * listed;
}

static pm_status predict(const pm_job *job, pm_transversals_estimate *e, double *work,
                         pm_error *err)
{
    pm_square s = {0};
    pm_status rc = pm_square_make(job->block, false, method.bits, pm_swept_modulus(job, &method),
                                  &s, err);
    if (!rc)
        rc = pm_transversals_predict(&s, e, err);
    if (!rc)
        *work = work_of(e, s.field <= PM_INTEGER ? pm_square_limbs(&s, 0) : 0, s.n);
    pm_square_free(&s);
    return rc;
}

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    double work;
    if (job->block->a.field > PM_INTEGER && job->precision == PM_QUAD)
        return pm_fail(err, PM_UNABLE, "enumerate works in double");
    pm_transversals_estimate *e = pm_calloc_array(1, sizeof *e);
    if (!e)
        return pm_fail_memory(err, "plan");
    pm_status rc = predict(job, e, &work, err);
    if (!rc && e->nodes > MOST_NODES)
        rc = pm_fail(err, PM_UNABLE, "enumerate would meet about %.2g partial transversals",
                     e->nodes);
    if (!rc && e->bytes > (double)job->memory)
        rc = pm_fail(err, PM_UNABLE, "enumerate needs %.3g GiB of memory (--max-memory)",
                     e->bytes / 0x1p30);
    if (rc) {
        free(e);
        return rc;
    }
    plan->operations = e->nodes * pm_swept_passes(job, &method);
    plan->seconds = work * pm_swept_passes(job, &method) * job->rates->seconds[PM_RATE_ENUMERATE];
    if (plan->seconds > 1e-3)
        plan->seconds = pm_shared_seconds(plan->seconds, pm_run_threads(job->run));
    plan->memory = e->bytes;
    plan->state = e;
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
    return pm_swept_permanent(job, &method, plan->state, false, out, err);
}

const pm_algorithm pm_algorithm_enumerate = {
    .name = "enumerate",
    .summary = "all transversals, depth first with forced moves; for very sparse blocks",
    .source = "the definition of the permanent",
    .occasion = PM_LATER,
    .integers = true,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
