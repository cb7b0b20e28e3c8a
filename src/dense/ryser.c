/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent of a full block in Glynn's form, in Gray-code order:
 *
 *   per(A) = 2^(1-n) * sum over signs d with d_1 = 1 of (prod_k d_k) prod_i (sum_j d_j a_ij).
 *
 * Kernels: dense/dense_exact.h for integers, dense/dense_float.h for real and complex numbers.
 * Source: Glynn 2010, theorem 2.1; Nijenhuis and Wilf 1978, chapter 23, for the Gray code. */
#include "config.h"

#include <math.h>

#include "dense/dense_exact.h"
#include "dense/dense_float.h"
#include "dense/ryser.h"
#include "sweep/float_kind.h"
#include "sweep/plan_numbers.h"
#include "sweep/ryser_driver.h"
#include "sweep/ryser_setup.h"

/* Of primes modulo which large entries are taken: row sums are below 2^51, one limb of dense_exact_ifma.h. */
enum { LARGE_BITS = 45 };

static pm_status measure_exact(const pm_job *job, const pm_square *s, const uint64_t *prime,
                               int count, void *choice, pm_plan *plan, pm_error *err)
{
    (void)prime, (void)count, (void)err;
    pm_dense_exact_choice *c = choice;
    c->keep_order = job->order;
    plan->operations = ldexp(1, s->n - 1);
    plan->seconds = plan->operations * pm_dense_exact_work(s, c->keep_order, job->rates->isa)
                    * job->rates->seconds[PM_RATE_DENSE_EXACT];
    plan->memory = 1e6;
    return PM_OK;
}

/* The factor for the time of the spread: it is evaluated on all terms of small sums and on many
 * terms of medium-sized ones. */
static double share_of_spread(int32_t n, pm_dense_kind kind)
{
    return pm_dense_is_quad(kind) || n > 20 ? 1 : n > 18 ? 1.4 : 4;
}

static pm_status measure_inexact(const pm_job *job, const pm_square *s, const uint64_t *prime,
                                 int count, void *choice, pm_plan *plan, pm_error *err)
{
    (void)prime, (void)count, (void)err;
    static const pm_rate rate_of[PM_DENSE_KINDS] = {
        PM_RATE_DENSE_DOUBLE,       PM_RATE_DENSE_COMPLEX, PM_RATE_DENSE_QUAD,
        PM_RATE_DENSE_COMPLEX_QUAD, PM_RATE_DENSE_SINGLE,  PM_RATE_DENSE_COMPLEX_SINGLE};
    const pm_dense_kind kind = pm_dense_kind_of(job->precision, s->field == PM_COMPLEX);
    *(pm_precision *)choice = job->precision;
    plan->operations = ldexp(1, s->n - 1);
    plan->seconds =
        plan->operations * s->n * job->rates->seconds[rate_of[kind]] * share_of_spread(s->n, kind);
    plan->memory = 1e6;
    return PM_OK;
}

static pm_status restore_exact(const pm_job *job, const pm_square *s, const int64_t *number,
                               int count, void *choice, pm_error *err)
{
    (void)s, (void)number;
    *(pm_dense_exact_choice *)choice = (pm_dense_exact_choice){
        .keep_order = job->order, .any_range = pm_ryser_is_large(job, &pm_ryser_exact)};
    return pm_plan_numbers_check("ryser", count, 0, err);
}

static pm_status restore_inexact(const pm_job *job, const pm_square *s, const int64_t *number,
                                 int count, void *choice, pm_error *err)
{
    (void)s, (void)number;
    *(pm_precision *)choice = job->precision;
    return pm_plan_numbers_check("ryser", count, 0, err);
}

/* A vector of 64 bytes has 32 products of 16 bits; rows that are equal in some columns share up to half of them. */
static double least_seconds(const pm_job *job)
{
    const int64_t n = job->block->n;
    if (n > PM_SQUARE_MAX)
        return INFINITY;
    const pm_rate rate = pm_ryser_is_exact(job)        ? PM_RATE_DENSE_EXACT
                         : job->precision == PM_SINGLE ? PM_RATE_DENSE_SINGLE
                                                       : PM_RATE_DENSE_DOUBLE;
    const double unit = job->rates->seconds[rate] / (rate == PM_RATE_DENSE_EXACT ? 64 : 1);
    return ldexp((double)n, (int)n - 1) * unit;
}

/* There would be fewer primes of 56 bits.  With AVX-512 IFMA they take six times as long in all, with AVX2 0.85 of the time. */
const pm_sweep_method pm_ryser_exact = {.name = "ryser",
                                        .bits = 62,
                                        .large_bits = LARGE_BITS,
                                        .may_transpose = true,
                                        .choice_size = sizeof(pm_dense_exact_choice),
                                        .measure = measure_exact,
                                        .prepare = pm_dense_exact_prepare,
                                        .restore = restore_exact};
const pm_sweep_method pm_ryser_inexact = {.name = "ryser",
                                          .bits = 62,
                                          .choice_size = sizeof(pm_precision),
                                          .measure = measure_inexact,
                                          .prepare = pm_dense_float_prepare,
                                          .restore = restore_inexact};

const pm_algorithm pm_algorithm_ryser = {
    .name = "ryser",
    .summary = "all signs in Gray-code order (Glynn's form), vectorised; for full blocks",
    .source = "Glynn 2010, theorem 2.1",
    .stage = PM_STAGE_FIRST,
    .planning_entry = PM_RYSER_PLANNING_SECONDS,
    .least_seconds = least_seconds,
    .cancels = true,
    PM_RYSER_FAMILY(&pm_ryser_exact, &pm_ryser_inexact)};
