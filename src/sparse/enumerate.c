/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "sparse/transversals.h"
#include "sweep/ryser_driver.h"
#include "sweep/term.h"

#define MOST_NODES 0x1p40

/* The work in units of PM_RATE_ENUMERATE; fitted to measured runs of all fields, n = 14 .. 35,
 * densities .03 to .45. */
static double work_of(const pm_transversals_estimate *e, int limbs, double n)
{
    double listed = fmin(e->nodes, 9000), product = limbs > 1 ? 0.12 * limbs * limbs : 0;
    return e->nodes * (0.75 + 0.045 * n) + e->transversals * product + 3 * listed;
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    (void)prime, (void)count;
    pm_transversals_estimate *e = choice;
    if (job->order)
        return pm_fail(err, PM_UNABLE, "enumerate has its own order and cannot use a given one");
    pm_status status = pm_transversals_predict(s, e, err);
    if (status)
        return status;
    double work = work_of(e, s->field <= PM_INTEGER ? pm_square_limbs(s, 0) : 0, s->n);
    plan->operations = e->nodes;
    plan->seconds = work * job->rates->seconds[PM_RATE_ENUMERATE];
    plan->memory = e->bytes;
    if (e->nodes > MOST_NODES)
        return pm_fail(err, PM_UNABLE,
                       "refused: block of n = %d with %d entries: enumerate would take about %.2g "
                       "partial matchings and %.2g seconds; allowed are %.2g partial matchings",
                       (int)s->n, (int)pm_square_nnz(s), e->nodes, plan->seconds, MOST_NODES);
    return PM_OK;
}

static const pm_sweep_method method = {.name = "enumerate",
                                       .bits = 61,
                                       .in_double = true,
                                       .choice_size = sizeof(pm_transversals_estimate),
                                       .measure = measure,
                                       .prepare = pm_transversals_prepare};

const pm_algorithm pm_algorithm_enumerate = {
    .name = "enumerate",
    .summary = "all transversals, depth first with forced moves; for very sparse blocks",
    .source = "the definition of the permanent",
    .stage = PM_STAGE_LATER,
    PM_RYSER_FAMILY(&method, &method)};
