/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "core/machine.h"
#include "sparse/transversals.h"
#include "sweep/ryser_driver.h"
#include "sweep/term.h"

#define MOST_NODES 0x1p40

/* The nodes of a first sample, which ends where the search would take so many times the best other plan. */
#define ROUGH    32
#define HOPELESS 64

/* The work in units of PM_RATE_ENUMERATE; fitted to measured runs of all fields, n = 14 .. 35,
 * densities .03 to .45.  First of one node. */
static double node_work(double n)
{
    return 0.75 + 0.045 * n;
}

static double work_of(const pm_transversals_estimate *e, int limbs, double n)
{
    double listed = fmin(e->nodes, 9000), product = limbs > 1 ? 0.12 * limbs * limbs : 0;
    return e->nodes * node_work(n) + e->transversals * product + 3 * listed;
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    (void)prime, (void)count;
    pm_transversals_estimate *e = choice;
    if (job->order)
        return pm_fail(err, PM_UNABLE, "enumerate has its own order and cannot use a given one");
    double rate = job->rates->seconds[PM_RATE_ENUMERATE];
    double most = HOPELESS * pm_job_best(job) / (node_work(s->n) * rate);
    double fine = PM_ENUMERATE_FINE_SECONDS * (double)pm_matrix_nnz(&job->block->a);
    pm_status status = pm_transversals_predict(s, ROUGH, most, e, err);
    if (!status && e->nodes > most)
        status = pm_fail(err, PM_UNABLE, "enumerate would take more than %.2g seconds",
                         HOPELESS * pm_job_best(job));
    if (!status && fine <= pm_job_search_seconds(job)) {
        status = pm_transversals_predict(s, PM_TRANSVERSALS_SAMPLE, INFINITY, e, err);
        pm_job_searched(job, fine);
    }
    if (status)
        return status;
    double work = work_of(e, s->field <= PM_INTEGER ? pm_square_limbs(s, 0) : 0, s->n);
    plan->operations = e->nodes;
    plan->seconds = work * rate;
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
    .stage = PM_STAGE_SAMPLED,
    .planning_entry = PM_ENUMERATE_PLANNING_SECONDS,
    PM_RYSER_FAMILY(&method, &method)};
