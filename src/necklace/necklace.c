/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "necklace", for blocks with a cyclic symmetry modulo the moduli of the job (necklace/necklace_job.h), on the CPU. */
#include "config.h"

#include <math.h>

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "necklace/necklace_job.h"
#include "necklace/necklace_sum.h"

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    pm_necklace_terms t;
    pm_status status = pm_necklace_check(job, PM_NECKLACE_MOST, &t, err);
    if (status)
        return status;
    const double words = pm_necklace_candidates(&t, pm_necklace_prefix(&t, PM_NECKLACE_FREE));
    plan->operations = job->nmoduli * pm_necklace_count(&t);
    plan->seconds = plan->operations * (double)t.n * PM_NECKLACE_PRODUCT_SECONDS
                    + job->nmoduli * words * PM_NECKLACE_WORD_SECONDS;
    plan->memory = 1e6;
    pm_necklace_terms_free(&t);
    return PM_OK;
}

static pm_status count(const pm_job *job, const pm_necklace_terms *t, const pm_run *run,
                       uint64_t *out, pm_error *err)
{
    (void)job;
    return pm_necklace_terms_sum(t, run, out, err);
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    (void)plan, (void)out;
    return pm_necklace_residues(job, count, residues, err);
}

const pm_algorithm pm_algorithm_necklace = {
    .name = "necklace",
    .summary = "one set of columns for each orbit under shifts, for blocks with this symmetry "
               "modulo primes",
    .source = "Ryser 1963; Fredricksen, Kessler and Maiorana 1978 for necklaces",
    .stage = PM_STAGE_SPECIAL,
    .planning_entry = PM_NECKLACE_PLANNING_SECONDS,
    .plan = plan,
    .run = run};
