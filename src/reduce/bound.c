/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "reduce/bound.h"

#include <math.h>
#include <stdlib.h>

#include "core/log_factorial.h"
#include "pm/alloc.h"
#include "pm/reduce.h"

static double log2_factorial(int64_t n)
{
    return pm_log_factorial((double)n) / M_LN2;
}

/* log2(2^a + 2^b) */
static double log2_add(double a, double b)
{
    if (isinf(a) || isinf(b))
        return fmax(a, b);
    return fmax(a, b) + log1p(exp2(-fabs(a - b))) / M_LN2;
}

void pm_line_add(pm_line *line, const pm_cnum *value, int64_t neighbour_cap)
{
    line->degree += neighbour_cap;
    if (!value || pm_cnum_is_one(value)) {
        ++line->ones;
        return;
    }
    double x = pm_cnum_log2(value);
    line->sum = line->others ? log2_add(line->sum, x) : x;
    line->max = line->others ? fmax(line->max, x) : x;
    ++line->others;
}

static void bound_term(pm_bound *b, double *total, double term)
{
    *total += term;
    if (isfinite(term))
        b->size += fabs(term);
}

void pm_bound_add(pm_bound *b, int side, const pm_line *line)
{
    double c = (double)line->cap, d = (double)line->degree;
    double max = line->others ? line->max : -INFINITY;
    double sum = line->others ? line->sum : -INFINITY;
    if (line->ones) {
        max = fmax(max, 0);
        sum = log2_add(sum, log2((double)line->ones));
    }
    if (line->ones + line->others == 0 || line->degree < line->cap) {
        b->sum[side] = -INFINITY;
        return;
    }
    bound_term(b, &b->max[side], c * max);
    if (line->degree != b->last.degree) {
        b->last.degree = line->degree;
        b->last.factorial = log2_factorial(line->degree);
    }
    bound_term(b, &b->count[side], c * b->last.factorial / d);
    if (line->cap == 1) {
        bound_term(b, &b->sum[side], sum);
        return;
    }
    double twins = log2_factorial(line->cap);
    double choices =
        log2_factorial(line->degree) - twins - log2_factorial(line->degree - line->cap);
    bound_term(b, &b->sum[side], fmin(c * sum - twins, choices + c * max));
    bound_term(b, &b->twins, twins);
}

double pm_bound_log2(const pm_bound *b)
{
    double counted = fmin(b->count[0], b->count[1]) - b->twins + fmin(b->max[0], b->max[1]);
    double least = fmin(fmin(b->sum[0], b->sum[1]), counted);
    return isinf(least) ? least : least + 1e-6 + 1e-8 * b->size;
}

double pm_permanent_log2_bound(const pm_matrix *a)
{
    pm_bound b = {0};
    pm_line *columns = pm_calloc_array(a->ncols, sizeof *columns);
    for (int64_t i = 0; i < a->nrows; ++i) {
        pm_line row = {.cap = 1};
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            pm_cnum value = {0};
            if (a->re)
                value.re = a->re[k];
            if (a->im)
                value.im = a->im[k];
            pm_line_add(&row, a->re ? &value : NULL, 1);
            if (columns)
                pm_line_add(&columns[a->colind[k]], a->re ? &value : NULL, 1);
        }
        pm_bound_add(&b, 0, &row);
    }
    for (int64_t j = 0; j < a->ncols && columns; ++j) {
        columns[j].cap = 1;
        pm_bound_add(&b, 1, &columns[j]);
    }
    if (!columns) { /* out of memory: the rows alone give a bound too */
        b.sum[1] = INFINITY;
        b.max[1] = b.count[1] = INFINITY;
    }
    free(columns);
    return pm_bound_log2(&b);
}
