/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/copies_bound.h"

#include <math.h>
#include <stdlib.h>

#include "core/log_factorial.h"
#include "number/cnum.h"
#include "pm/alloc.h"

static int64_t times_of(const int64_t *times, int64_t i)
{
    return times ? times[i] : 1;
}

/* What is known of a row or column with multiplicities. */
typedef struct {
    double sum;    /* log2 of the sum of |entries|, each times its multiplicity; -INFINITY: none */
    double max;    /* log2 of the largest |entry| */
    double degree; /* entries with their multiplicities */
} line_size;

static void add_entry(line_size *line, double log2_value, int64_t times)
{
    double x = log2_value + log2((double)times), top = fmax(line->sum, x);
    if (times == 0)
        return;
    line->max = line->degree > 0 ? fmax(line->max, log2_value) : log2_value;
    line->sum = line->degree > 0 ? top + log2(1 + exp2(fmin(line->sum, x) - top)) : x;
    line->degree += (double)times;
}

/* log2 of a bound of the product of the sums of the lines, to the power of their multiplicities; by
 * the sums of |entries|, and by Bregman's theorem and the largest entries. */
static double bound_lines(const line_size *line, const int64_t *times, int64_t count)
{
    double sums = 0, counts = 0, size = 0;
    for (int64_t i = 0; i < count; ++i) {
        double t = (double)times_of(times, i), d = line[i].degree;
        if (t == 0)
            continue;
        if (d == 0)
            return 0;
        sums += t * line[i].sum;
        counts += t * (line[i].max + pm_log_factorial(d) / d / M_LN2);
        size += t * (fabs(line[i].sum) + fabs(line[i].max) + log2(d));
    }
    return fmin(sums, counts) + 1e-6 + 1e-8 * size;
}

static double log2_entry(const pm_matrix *a, int64_t k)
{
    pm_cnum x = {0};
    if (!a->re)
        return 0;
    x.re = a->re[k]; /* borrowed */
    if (a->im)
        x.im = a->im[k];
    return pm_cnum_log2(&x);
}

pm_status pm_copies_log2_bound(const pm_matrix *a, const int64_t *row_times,
                               const int64_t *col_times, double *bound, pm_error *err)
{
    line_size *line = pm_calloc_array(a->nrows + a->ncols, sizeof *line);
    if (!line)
        return pm_fail_memory(err, "a bound");
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            double x = log2_entry(a, k);
            add_entry(&line[i], x, times_of(col_times, a->colind[k]));
            add_entry(&line[a->nrows + a->colind[k]], x, times_of(row_times, i));
        }
    *bound = fmin(bound_lines(line, row_times, a->nrows),
                  bound_lines(line + a->nrows, col_times, a->ncols));
    free(line);
    return PM_OK;
}

/* log2 of the sum of |entries| of row i, with the copies of the columns; -INFINITY: there are none. */
static double sum_of_row(const pm_matrix *a, int64_t i, const int64_t *times)
{
    line_size line = {.sum = -INFINITY};
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        add_entry(&line, log2_entry(a, k), times ? times[a->colind[k]] : 1);
    return line.degree > 0 ? line.sum : -INFINITY;
}

static double log2_sum(double x, double y)
{
    const double more = fmax(x, y), less = fmin(x, y);
    return less == -INFINITY ? more : more + log2(1 + exp2(less - more));
}

pm_status pm_copies_log2_loop_bound(const pm_matrix *a, const int64_t *times,
                                    const pm_matrix *loops, double *bound, pm_error *err)
{
    if (!loops) {
        pm_status status = pm_copies_log2_bound(a, times, times, bound, err);
        *bound /= 2;
        return status;
    }
    double sum = 0, size = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        const double x = log2_sum(sum_of_row(a, i, times), sum_of_row(loops, i, NULL));
        sum += (double)times[i] * fmax(0, x);
        size += (double)times[i] * fmax(1, x == -INFINITY ? 0 : fabs(x));
    }
    *bound = sum + 1e-6 + 1e-8 * size;
    return PM_OK;
}
