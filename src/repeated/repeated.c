/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent of a block with equal rows and columns, by repeated_digits.h. */
#include "config.h"

#include <math.h>

#include "core/machine.h"
#include "repeated/repeated.h"
#include "repeated/repeated_exact.h"
#include "repeated/repeated_float.h"
#include "repeated/repeated_float_entries.h"
#include "sweep/gpu_arithmetic.h"
#include "sweep/plan_numbers.h"
#include "sweep/ryser_driver.h"

pm_status pm_repeated_read_precision(const int64_t *number, int count, pm_precision *out,
                                     pm_error *err)
{
    pm_status status = pm_plan_numbers_check("repeated", count, 1, err);
    if (status)
        return status;
    if (number[0] > PM_SINGLE)
        return pm_fail(err, PM_UNABLE, "the recorded plan has no precision");
    *out = (pm_precision)number[0];
    return PM_OK;
}

/* work: vector operations */
static void predict(const pm_job *job, const pm_repeated_digits *d, double work, pm_plan *plan)
{
    plan->operations = (double)d->tiles * (double)d->patterns;
    plan->seconds = work * job->rates->seconds[PM_RATE_REPEATED] + PM_REPEATED_SETUP_SECONDS;
    plan->memory = 1e6 + 2 * sizeof(double) * pm_repeated_values(d);
}

static pm_status measure_exact(const pm_job *job, const pm_square *s, const uint64_t *prime,
                               int count, void *choice, pm_plan *plan, pm_error *err)
{
    pm_repeated_digits d;
    (void)prime, (void)count, (void)choice;
    pm_status status = pm_repeated_exact_digits(s, &d, err);
    if (!status)
        predict(job, &d, pm_repeated_exact_work(s, &d), plan);
    return status;
}

/* Short sums are in double-double: they cost little, and their errors are proved. */
static pm_status measure_inexact(const pm_job *job, const pm_square *s, const uint64_t *prime,
                                 int count, void *choice, pm_plan *plan, pm_error *err)
{
    pm_repeated_digits d;
    (void)prime, (void)count;
    pm_precision *precision = choice;
    *precision = PM_QUAD;
    pm_status status = pm_repeated_float_digits(s, *precision, &d, err);
    if (status)
        return status;
    predict(job, &d, pm_repeated_float_work(s, &d, *precision), plan);
    plan->is_precise = pm_repeated_rows(s) <= PM_REPEATED_PRECISE_MAX;
    if (job->precision == PM_QUAD
        || (job->precision == PM_KAHAN && plan->seconds <= PM_REPEATED_QUAD_SECONDS))
        return PM_OK;
    *precision = job->precision;
    plan->is_precise = false;
    status = pm_repeated_float_digits(s, *precision, &d, err);
    if (!status)
        predict(job, &d, pm_repeated_float_work(s, &d, *precision), plan);
    return status;
}

static int describe_inexact(const void *choice, int64_t *number)
{
    number[0] = *(const pm_precision *)choice;
    return 1;
}

static pm_status restore_inexact(const pm_job *job, const pm_square *s, const int64_t *number,
                                 int count, void *choice, pm_error *err)
{
    (void)job, (void)s;
    return pm_repeated_read_precision(number, count, choice, err);
}

/* The digits follow from the square. */
static pm_status restore_exact(const pm_job *job, const pm_square *s, const int64_t *number,
                               int count, void *choice, pm_error *err)
{
    (void)job, (void)s, (void)number, (void)choice;
    return pm_plan_numbers_check("repeated", count, 0, err);
}

/* Whether two of n numbers, at most PM_SQUARE_MAX, are equal. */
static bool has_equal(const uint64_t *x, int64_t n)
{
    for (int64_t i = 1; i < n; ++i)
        for (int64_t j = 0; j < i; ++j)
            if (x[i] == x[j])
                return true;
    return false;
}

/* False only if all rows have different entries that are not 0, and all columns; n is at most PM_SQUARE_MAX. */
static bool may_have_classes(const pm_block *b)
{
    uint64_t row[PM_SQUARE_MAX] = {0}, col[PM_SQUARE_MAX] = {0};
    if (b->written_out || b->a.nrows < b->n || b->a.ncols < b->n)
        return true;
    for (int64_t i = 0; i < b->n; ++i)
        for (int64_t k = b->a.rowptr[i]; k < b->a.rowptr[i + 1]; ++k) {
            row[i] |= UINT64_C(1) << b->a.colind[k];
            col[b->a.colind[k]] |= UINT64_C(1) << i;
        }
    return has_equal(row, b->n) || has_equal(col, b->n);
}

/* Without classes a term has an addition and a multiplication for each row. */
static double least_seconds(const pm_job *job)
{
    const int64_t n = job->block->n;
    if (n > PM_SQUARE_MAX || may_have_classes(job->block))
        return 0;
    const int lanes = job->precision == PM_SINGLE ? 2 * PM_REPEATED_LANES : PM_REPEATED_LANES;
    return ldexp((double)n, (int)n - 1) * 2 / lanes * job->rates->seconds[PM_RATE_REPEATED];
}

/* As many bits as on GPUs, so that both take the same entries modulo primes. */
const pm_sweep_method pm_repeated_exact_method = {.name = "repeated",
                                                  .bits = PM_GPU_BITS,
                                                  .may_transpose = true,
                                                  .classes = true,
                                                  .primes = 1,
                                                  .prime_max = PM_REPEATED_PRIME_MAX,
                                                  .measure = measure_exact,
                                                  .prepare_modular = pm_repeated_exact_prepare,
                                                  .residue = pm_repeated_exact_residue,
                                                  .restore = restore_exact};
const pm_sweep_method pm_repeated_inexact_method = {.name = "repeated",
                                                    .bits = 62,
                                                    .may_transpose = true,
                                                    .classes = true,
                                                    .choice_size = sizeof(pm_precision),
                                                    .measure = measure_inexact,
                                                    .prepare = pm_repeated_float_prepare,
                                                    .describe = describe_inexact,
                                                    .restore = restore_inexact};

const pm_algorithm pm_algorithm_repeated = {
    .name = "repeated",
    .summary = "Glynn's form with binomial weights; for repeated rows and columns",
    .source = "Glynn 2010, theorem 2.1, with equal terms joined",
    .stage = PM_STAGE_FIRST,
    .planning_entry = PM_REPEATED_PLANNING_SECONDS,
    .least_seconds = least_seconds,
    .cancels = true,
    .classes = true,
    PM_RYSER_FAMILY(&pm_repeated_exact_method, &pm_repeated_inexact_method)};
