/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "count/swept.h"
#include "sweep/skip.h"
#include "sweep/sparse_ryser.h"

enum { POPULATION = 64 };

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
    double d = changes(s), n = s->n, alive = ldexp(e->terms, -e->flips), spread = 0;
    if (e->samples > 0)
        spread = 0.9 * n * pm_sparse_ryser_sampled(s->n);
    if (s->field == PM_COMPLEX)
        return 7 + 1.8 * d + spread;
    if (s->field == PM_REAL)
        return 5 + d + spread;
    double limbs = e->limbs > 2 ? 0.25 * n * e->limbs : 0;
    return 0.9 * (1 + d) + alive * (0.27 * n + limbs);
}

static pm_status measure(const pm_job *job, const pm_square *s, const uint64_t *prime, int count,
                         void *choice, pm_plan *plan, pm_error *err)
{
    (void)prime, (void)count, (void)choice;
    pm_skip_choice skip = {.form = PM_FORM_SIGNS};
    pm_skip_estimate e;
    pm_status rc = pm_skip_predict(s, &skip, POPULATION, &e, err);
    if (rc)
        return rc;
    plan->operations = ldexp(1, s->n - 1);
    plan->seconds = plan->operations * term_work(s, &e) * job->rates->seconds[PM_RATE_SPARYSER];
    plan->memory = 1e6;
    return PM_OK;
}

static const pm_sweep_method method = {.name = "sparyser",
                                       .bits = 61,
                                       .in_double = true,
                                       .turns = true,
                                       .choice_size = sizeof(pm_sparse_choice),
                                       .measure = measure,
                                       .prepare = pm_sparse_ryser_prepare};

const pm_algorithm pm_algorithm_sparyser = {
    .name = "sparyser",
    .summary = "all signs in Gray-code order by sparse columns, with a running product",
    .source = "Yaglioglu 2021, algorithm 5; Kaya 2019",
    .occasion = PM_LATER,
    .integers = true,
    .cancels = true,
    .exact = &method,
    .inexact = &method,
    .plan = pm_swept_plan,
    .run = pm_swept_run};
