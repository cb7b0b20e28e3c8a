/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/term.h"

#include <stdlib.h>
#include <string.h>

#include "core/log_factorial.h"
#include "core/rng.h"
#include "pm/alloc.h"

void pm_terms_free(pm_terms *t)
{
    free(t->rowind);
    free(t->re);
    free(t->im);
    *t = (pm_terms){0};
}

double pm_terms_rounding(const pm_terms *t)
{
    return (1 + 0x1p-10) * 0x1p-53 * ((t->is_complex ? 3.25 : 2) * t->n + 2);
}

/* ---- the most frequent subset sum of a row ---- */

enum { MOST_SUMS = 512 };

typedef struct {
    int64_t re, im;
    double subsets;   /* how many have this sum */
    uint64_t columns; /* one of them */
} subset_sum;

static bool precedes(const subset_sum *a, const subset_sum *b)
{
    return a->re != b->re ? a->re < b->re : a->im < b->im;
}

/* to = from and from with one more column, whose entry is (re, im), both in ascending order, equal sums joined. */
static int merge_sums(const subset_sum *from, int count, int64_t re, int64_t im, uint64_t column,
                      subset_sum *to)
{
    int a = 0, b = 0, out = 0;
    while (a < count || b < count) {
        subset_sum moved = {0};
        if (b < count)
            moved = (subset_sum){from[b].re + re, from[b].im + im, from[b].subsets,
                                 from[b].columns | column};
        if (b == count || (a < count && precedes(&from[a], &moved))) {
            to[out++] = from[a++];
        } else if (a == count || precedes(&moved, &from[a])) {
            to[out++] = moved;
            ++b;
        } else {
            to[out] = from[a++];
            to[out++].subsets += moved.subsets;
            ++b;
        }
    }
    return out;
}

/* *best: the most frequent subset sum of row i; of several the one nearest to half the row sum.
 * Returns false, with *best unchanged, for a row with many different sums: it is rarely 0 whatever
 * is chosen. */
static bool most_frequent_sum(const pm_square *s, int32_t i, subset_sum *best)
{
    subset_sum sums[2][2 * MOST_SUMS] = {{{0, 0, 1, 0}}};
    int count = 1, at = 0;
    double total[2] = {0};
    for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k) {
        int64_t re = s->re[s->in_ccs[k]], im = s->im ? s->im[s->in_ccs[k]] : 0;
        if (count > MOST_SUMS)
            return false;
        count = merge_sums(sums[at], count, re, im, UINT64_C(1) << s->colind[k], sums[!at]);
        at = !at;
        total[0] += (double)re;
        total[1] += (double)im;
    }
    double most = 1, nearest = INFINITY;
    for (int c = 0; c < count; ++c) {
        const subset_sum *x = &sums[at][c];
        double off = fabs((double)x->re - total[0] / 2) + fabs((double)x->im - total[1] / 2);
        if (x->subsets > most || (x->subsets == most && most > 1 && off < nearest)) {
            *best = *x;
            most = x->subsets;
            nearest = off;
        }
    }
    return most > 1;
}

/* ---- making terms ---- */

/* Integers: an upper bound of log2 per(|A|), the least of four: by the row sums, by the column
 * sums, and for rows and for columns by the largest entries and Bregman's theorem. */
static double permanent_bound(const pm_square *s)
{
    double sums[2] = {0}, largest[2] = {0};
    for (int side = 0; side < 2; ++side) {
        const int32_t *ptr = side ? s->colptr : s->rowptr;
        for (int32_t i = 0; i < s->n; ++i) {
            double sum = 0, most = 0, d = ptr[i + 1] - ptr[i];
            for (int32_t k = ptr[i]; k < ptr[i + 1]; ++k) {
                double v = fabs((double)s->re[side ? k : s->in_ccs[k]]);
                sum += v;
                most = fmax(most, v);
            }
            sums[side] += log2(fmax(sum, 1));
            largest[side] += log2(fmax(most, 1)) + (d > 0 ? pm_log_factorial(d) / d / log(2) : 0);
        }
    }
    return fmin(fmin(sums[0], sums[1]), fmin(largest[0], largest[1]));
}

int pm_square_limbs(const pm_square *s, int64_t shift)
{
    /* 3 bits: the rounding of the bound, a sign, and one more */
    int limbs = 1 + (int)((fmax(permanent_bound(s) - (double)shift, 0) + 3) / 64);
    return limbs < PM_SUM_LIMBS ? limbs : PM_SUM_LIMBS;
}

static void group_rows(pm_terms *t)
{
    double bits = 0;
    t->groups = 0;
    for (int32_t i = 0; i < t->n; ++i) {
        double more = log2(fmax((double)t->bound[i], 1));
        if (i == 0 || bits + more > 62.9) {
            t->group[t->groups++] = i;
            bits = 0;
        }
        bits += more;
    }
    t->group[t->groups] = t->n;
}

/* The sum of the entries of row i in these columns. */
static subset_sum sum_of(const pm_square *s, int32_t i, uint64_t columns)
{
    subset_sum u = {0, 0, 1, columns};
    for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k) {
        if (!(columns >> s->colind[k] & 1))
            continue;
        u.re += s->re[s->in_ccs[k]];
        u.im += s->im ? s->im[s->in_ccs[k]] : 0;
    }
    return u;
}

void pm_terms_starts(const pm_square *s, uint64_t *start)
{
    for (int32_t i = 0; i < s->n; ++i) {
        subset_sum u = {.columns = UINT64_MAX};
        most_frequent_sum(s, i, &u);
        start[i] = u.columns;
    }
}

/* Sets u of row i of the terms, which is row `from` of s.  Returns the factor for the entries of
 * the row.  Signs: if the row sum is even, u is half of it and the factor is 1; else all is
 * doubled.  start: of that row, as pm_terms_starts has it; NULL: to be found. */
static int64_t start_row(const pm_square *s, pm_form form, int32_t from, const uint64_t *start,
                         pm_terms *t, int32_t i)
{
    subset_sum u = sum_of(s, from, UINT64_MAX);
    int64_t unit = 1;
    if (form == PM_FORM_SIGNS && u.re % 2 == 0 && u.im % 2 == 0) {
        u.re /= 2;
        u.im /= 2;
    } else if (form == PM_FORM_SIGNS) {
        unit = 2;
        --t->shift;
    } else if (form == PM_FORM_BALANCED && start) {
        u = sum_of(s, from, *start);
    } else if (form == PM_FORM_BALANCED) {
        most_frequent_sum(s, from, &u);
    }
    t->start_re[i] = u.re;
    t->start_im[i] = u.im;
    return unit;
}

/* Every part of x_i lies between u - (positive entries) and u - (negative ones). */
static void bound_rows(pm_terms *t)
{
    for (int part = 0; part < (t->is_complex ? 2 : 1); ++part) {
        int64_t low[PM_SQUARE_MAX], high[PM_SQUARE_MAX];
        const int64_t *entry = part ? t->im : t->re, *start = part ? t->start_im : t->start_re;
        memcpy(low, start, sizeof low);
        memcpy(high, start, sizeof high);
        for (int32_t k = 0; k < t->colptr[t->flips]; ++k)
            *(entry[k] > 0 ? &low[t->rowind[k]] : &high[t->rowind[k]]) -= entry[k];
        for (int32_t i = 0; i < t->n; ++i)
            t->bound[i] += -low[i] > high[i] ? -low[i] : high[i];
    }
}

/* The error of x_i is that of its row; with signs it is half of it, because x_i is half a signed
 * sum. */
static void scale_rows(const pm_square *s, pm_form form, const pm_column_order *order,
                       const int64_t *unit, pm_terms *t)
{
    for (int32_t i = 0; i < t->n; ++i) {
        int e;
        frexp((double)t->bound[i], &e);
        double lost = s->inexact[order->rows[i]];
        if (form == PM_FORM_SIGNS)
            lost *= (double)unit[i] / 2;
        t->scale[i] = ldexp(1, -e);
        t->shift += e;
        t->inexact[i] = lost * t->scale[i] * PM_SPREAD_SCALE;
        t->has_spread |= lost > 0;
    }
}

static void take_columns(const pm_square *s, const pm_column_order *order, const int64_t *unit,
                         pm_terms *t)
{
    int32_t position[PM_SQUARE_MAX], count = 0;
    for (int32_t i = 0; i < t->n; ++i)
        position[order->rows[i]] = i;
    for (int32_t c = 0; c < t->flips; ++c) {
        int32_t j = order->cols[c];
        for (int32_t k = s->colptr[j]; k < s->colptr[j + 1]; ++k) {
            int32_t i = position[s->rowind[k]];
            t->columns[i] |= UINT64_C(1) << c;
            t->rowind[count] = i;
            t->re[count] = unit[i] * s->re[k];
            if (t->is_complex)
                t->im[count] = unit[i] * s->im[k];
            ++count;
        }
        t->colptr[c + 1] = count;
    }
}

pm_status pm_terms_make(const pm_square *s, pm_form form, const pm_column_order *order,
                        pm_terms *out, pm_error *err)
{
    return pm_terms_make_from(s, form, order, NULL, out, err);
}

pm_status pm_terms_make_from(const pm_square *s, pm_form form, const pm_column_order *order,
                             const uint64_t *start, pm_terms *out, pm_error *err)
{
    int32_t flips = form == PM_FORM_SIGNS ? s->n - 1 : s->n;
    pm_terms t = {
        .n = s->n, .flips = flips, .is_exact = s->field <= PM_INTEGER, .is_complex = s->im != NULL};
    int64_t unit[PM_SQUARE_MAX];
    if (flips > 63)
        return pm_fail(err, PM_UNABLE, "this form counts blocks of up to 63 rows, not %d", s->n);
    t.rowind = pm_alloc_array(pm_square_nnz(s), sizeof *t.rowind);
    t.re = pm_alloc_array(pm_square_nnz(s), sizeof *t.re);
    t.im = t.is_complex ? pm_alloc_array(pm_square_nnz(s), sizeof *t.im) : NULL;
    if (!t.rowind || !t.re || (t.is_complex && !t.im)) {
        pm_terms_free(&t);
        return pm_fail_memory(err, "terms");
    }
    t.shift = form == PM_FORM_SIGNS ? 1 : 0;
    for (int32_t i = 0; i < t.n; ++i)
        unit[i] = start_row(s, form, order->rows[i], start ? start + order->rows[i] : NULL, &t, i);
    take_columns(s, order, unit, &t);
    bound_rows(&t);
    if (t.is_exact) {
        t.limbs = pm_square_limbs(s, t.shift);
        group_rows(&t);
    } else {
        scale_rows(s, form, order, unit, &t);
    }
    *out = t;
    return PM_OK;
}

/* ---- terms ---- */

void pm_row_sums_at(const pm_terms *t, uint64_t index, pm_row_sums *x)
{
    memcpy(x->re, t->start_re, sizeof x->re);
    memcpy(x->im, t->start_im, sizeof x->im);
    x->zeros = 0;
    for (int32_t i = 0; i < t->n; ++i)
        x->zeros |= (uint64_t)(x->re[i] == 0 && x->im[i] == 0) << i;
    pm_row_sums_move(t, 0, index, x);
}

void pm_terms_settle(pm_sum *sum)
{
    pm_two_sum(sum->re[0], sum->re[1], &sum->re[0], &sum->re[1]);
    pm_two_sum(sum->im[0], sum->im[1], &sum->im[0], &sum->im[1]);
}

void pm_terms_add(const pm_terms *t, const pm_row_sums *x, bool minus, pm_sum *sum)
{
    if (x->zeros)
        return;
    if (!t->is_exact) {
        double z[2];
        pm_terms_product(t, x, z);
        if (t->is_complex)
            pm_terms_add_complex(z, minus, sum);
        else
            pm_terms_add_real(z[0], minus, sum);
    } else if (t->limbs == 1) {
        pm_terms_add_factors(x->re, t->n, 1, minus, sum);
    } else {
        int64_t factor[PM_SQUARE_MAX] = {1};
        for (int b = 0; b < t->groups; ++b) {
            factor[b] = x->re[t->group[b]];
            for (int32_t i = t->group[b] + 1; i < t->group[b + 1]; ++i)
                factor[b] *= x->re[i];
        }
        pm_terms_add_factors(factor, t->groups, t->limbs, minus, sum);
    }
}

/* ---- the spread ---- */

static double spread_of_term(const pm_terms *t, const pm_row_sums *x)
{
    double with = 1, without = 1;
    for (int32_t i = 0; i < t->n; ++i) {
        double m = fabs((double)x->re[i]) + (t->is_complex ? fabs((double)x->im[i]) : 0);
        m *= t->scale[i];
        with *= m + t->inexact[i];
        without *= m;
    }
    /* a bound of the rounding error of the difference */
    double rounding = 0x1p-53 * 6 * t->n * with;
    return (with - without + rounding) / PM_SPREAD_SCALE;
}

void pm_terms_spread(const pm_terms *t, int bits, uint64_t first, uint64_t end, pm_sum *sum)
{
    if (!t->has_spread)
        return;
    pm_row_sums x;
    uint64_t at = first, mask = (UINT64_C(1) << bits) - 1;
    double spread = 0;
    pm_row_sums_at(t, at, &x);
    for (uint64_t block = first >> bits; block << bits < end; ++block) {
        uint64_t hash = block, index = block << bits | (pm_rng_next(&hash) & mask);
        pm_row_sums_move(t, at, index, &x);
        at = index;
        spread += spread_of_term(t, &x);
    }
    sum->spread += ldexp(spread, bits);
}
