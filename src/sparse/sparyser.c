/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "core/machine.h"
#include "sparse/skip.h"
#include "sparse/skipper.h"
#include "sparse/sparse_ryser.h"
#include "sweep/plan_numbers.h"
#include "sweep/ryser_driver.h"
#include "sweep/ryser_setup.h"
#include "sweep/square.h"

enum { POPULATION = 64 };
/* No sample is taken where terms without any sample take so many times the best other plan. */
#define HOPELESS 16

/* The mean number of row sums that change from one term to the next. */
static pm_status find_changes(const pm_square *s, bool keep_order, double *out, pm_error *err)
{
    pm_pattern pattern = pm_square_pattern(s);
    pm_column_order order;
    pm_status status =
        keep_order ? PM_OK : pm_column_order_sort(&pattern, order.cols, order.rows, err);
    *out = status ? 0 : pm_column_order_updates(&pattern, keep_order ? NULL : order.cols);
    return status;
}

/* The work of a term that changes d row sums, in units of PM_RATE_SPARYSER; fitted to measured runs
 * of all fields, n = 14 .. 26, densities .05 to .45 (within 35 %). */
static double term_work(const pm_square *s, double d, const pm_skip_estimate *e)
{
    double n = s->n, alive = ldexp(e->terms, -e->flips), spread = 0;
    if (e->samples > 0)
        spread = 0.9 * n * pm_sparse_ryser_sampled(s->n);
    if (s->field == PM_COMPLEX)
        return 7 + 1.8 * d + spread;
    if (s->field == PM_REAL)
        return 5 + d + spread;
    double limbs = e->limbs > 2 ? 0.25 * n * e->limbs : 0;
    return 0.9 * (1 + d) + alive * (0.27 * n + limbs);
}

/* term_work where one row sum changes. */
static double least_seconds(const pm_job *job)
{
    const pm_field field = job->block->a.field;
    const double work = field == PM_COMPLEX ? 7 : field == PM_REAL ? 5 : 0.9;
    return job->block->n > PM_SQUARE_MAX
               ? INFINITY
               : ldexp(work, (int)job->block->n - 1) * job->rates->seconds[PM_RATE_SPARYSER];
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    (void)prime, (void)count;
    pm_sparse_choice *c = choice;
    pm_skip_choice skip = {.form = PM_FORM_SIGNS};
    pm_skip_estimate e = {0};
    double changes, rate = job->rates->seconds[PM_RATE_SPARYSER];
    c->keep_order = job->order;
    pm_status status = find_changes(s, c->keep_order, &changes, err);
    double least = status ? 0 : ldexp(term_work(s, changes, &e), s->n - 1) * rate;
    if (!status && least > HOPELESS * pm_job_best(job))
        status = pm_fail(err, PM_UNABLE, "sparyser would take more than %.2g seconds", least);
    if (!status)
        status = pm_skip_predict(s, &skip, POPULATION, &e, err);
    if (status)
        return status;
    plan->operations = ldexp(1, s->n - 1);
    plan->seconds = plan->operations * term_work(s, changes, &e) * rate;
    plan->memory = 1e6;
    return PM_OK;
}

static pm_status restore(const pm_job *job, const pm_square *s, const int64_t *number, int count,
                         void *choice, pm_error *err)
{
    (void)s, (void)number;
    *(pm_sparse_choice *)choice = (pm_sparse_choice){
        .keep_order = job->order, .any_range = pm_ryser_is_large(job, &pm_sparyser_method)};
    return pm_plan_numbers_check("sparyser", count, 0, err);
}

const pm_sweep_method pm_sparyser_method = {.name = "sparyser",
                                            .bits = 61,
                                            .in_double = true,
                                            .may_transpose = true,
                                            .choice_size = sizeof(pm_sparse_choice),
                                            .measure = measure,
                                            .prepare = pm_sparse_ryser_prepare,
                                            .restore = restore,
                                            .sum_bits = pm_sparse_ryser_sum_bits};

const pm_algorithm pm_algorithm_sparyser = {
    .name = "sparyser",
    .summary = "all signs in Gray-code order by sparse columns, with a running product",
    .source = "Yaglioglu 2021, algorithm 5; Kaya 2019",
    .stage = PM_STAGE_SAMPLED,
    .planning_entry = PM_SPARYSER_PLANNING_SECONDS,
    .least_seconds = least_seconds,
    .cancels = true,
    PM_RYSER_FAMILY(&pm_sparyser_method, &pm_sparyser_method)};
