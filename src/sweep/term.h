/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/term.h: the terms that the sparse methods sum, by index in Gray-code order.
 *
 * For any numbers u_1 .. u_n the alternating sum over all subsets T of the columns
 *
 *   sum over T of (-1)^|T| prod_i (u_i - sum over j in T of a_ij) = per(A):
 *
 * the product is a polynomial of degree n in the n indicators of T; its n-fold difference is the
 * coefficient of the product of all indicators, and u does not occur in that coefficient.
 * Three choices of u give three forms:
 *
 *   signs     u = half the row sums: T and its complement give the same term, so the last column
 *             can be left out, with half the terms (Nijenhuis and Wilf 1978, ch. 23; Glynn 2010)
 *   subsets   u = the row sums (Ryser 1963)
 *   balanced  u_i = the most frequent sum of a subset of row i, so that x_i is 0 most often: for a
 *             0/1 row of degree d in C(d, d/2) of 2^d cases, also when d is odd.  Our own.
 *
 * x_i is the factor of row i.  Index g stands for the set T whose columns are the 1 bits of g ^ g
 * >> 1; its sign is (-1)^g. */
#ifndef PM_SWEEP_TERM_H
#define PM_SWEEP_TERM_H

#include <math.h>
#include <stdbool.h>

#include "order/column_order.h"
#include "sweep/square.h"
#include "sweep/sum.h"
#include "sweep/sweep.h"

typedef enum { PM_FORM_SIGNS, PM_FORM_SUBSETS, PM_FORM_BALANCED, PM_FORMS } pm_form;

typedef struct {
    int32_t n;     /* rows, in the order that pm_terms_make was given */
    int32_t flips; /* columns that flip, in their order: indices 0 .. 2^flips - 1 */
    bool is_exact, is_complex;
    int32_t colptr[PM_SQUARE_MAX + 1]; /* entries of the flipping columns */
    int32_t *rowind;
    int64_t *re, *im;                /* x[rowind[k]] -= entry k when its column enters T */
    uint64_t columns[PM_SQUARE_MAX]; /* of each row: bit k for the k-th flipping column */
    int64_t start_re[PM_SQUARE_MAX], start_im[PM_SQUARE_MAX]; /* u */
    int64_t bound[PM_SQUARE_MAX];                             /* of |re x_i| + |im x_i| */
    int64_t shift; /* permanent of the square's integers = 2^shift * sum of all terms */

    /* exact */
    int limbs;
    int groups; /* rows group[b] .. group[b+1]-1: their product fits 63 bits and a sign */
    int32_t group[PM_SQUARE_MAX + 1];

    /* inexact: terms are products of x_i * scale_i, at most 1 */
    double scale[PM_SQUARE_MAX];
    double inexact[PM_SQUARE_MAX]; /* of each x_i * scale_i, times PM_SPREAD_SCALE */
    bool has_spread;               /* any of them is above 0 */
} pm_terms;

/* The terms of a square in one of the forms.
 * s: made with at most 61 bits.  order: of its columns and rows; for PM_FORM_SIGNS the last column
 * does not flip.  out: set on success; the caller calls pm_terms_free.
 * Fails: PM_UNABLE n > 63 and another form than signs, PM_ENOMEM. */
pm_status pm_terms_make(const pm_square *s, pm_form form, const pm_column_order *order,
                        pm_terms *out, pm_error *err);
/* The same with given u in the balanced form: that of row i of the square is the sum of its entries in the columns
 * start[i], bit j for column j of the square.  So the terms of two roundings of one block, or of integers and their
 * residues, have the same u but for the rounding.  start: NULL, as above. */
pm_status pm_terms_make_from(const pm_square *s, pm_form form, const pm_column_order *order,
                             const uint64_t *start, pm_terms *out, pm_error *err);
void pm_terms_free(pm_terms *t);

/* These columns, as pm_terms_make has them in the balanced form.  s: at most 63 rows.  start: room for s->n sets. */
void pm_terms_starts(const pm_square *s, uint64_t *start);

static inline uint64_t pm_terms_count(const pm_terms *t)
{
    return UINT64_C(1) << t->flips;
}

/* The number of 64-bit limbs that hold per(|s|) / 2^shift and a sign, for integer squares. */
int pm_square_limbs(const pm_square *s, int64_t shift);

/* A bound of the relative error of a term whose factors are multiplied one by one, and of adding
 * it.  In units of 2^-53: 1 to round a factor and 1 to multiply it (complex: sqrt(5), Brent,
 * Percival and Zimmermann 2007); the rest is for the sums, of terms and of their absolute
 * values. */
double pm_terms_rounding(const pm_terms *t);

/* ---- row sums ---- */

typedef struct {
    int64_t re[PM_SQUARE_MAX], im[PM_SQUARE_MAX];
    uint64_t zeros; /* bit i: x_i = 0 */
} pm_row_sums;

/* The row sums at an index. */
void pm_row_sums_at(const pm_terms *t, uint64_t index, pm_row_sums *x);

/* Updates the row sums when column k enters T or leaves it. */
static inline void pm_row_sums_flip(const pm_terms *t, int k, bool enters, pm_row_sums *x)
{
    for (int32_t e = t->colptr[k]; e < t->colptr[k + 1]; ++e) {
        int32_t i = t->rowind[e];
        uint64_t any = 0;
        x->re[i] -= enters ? t->re[e] : -t->re[e];
        if (t->is_complex) {
            x->im[i] -= enters ? t->im[e] : -t->im[e];
            any = (uint64_t)x->im[i];
        }
        any |= (uint64_t)x->re[i];
        x->zeros = (x->zeros & ~(UINT64_C(1) << i)) | (uint64_t)(any == 0) << i;
    }
}

/* Updates the row sums from one index to another. */
static inline void pm_row_sums_move(const pm_terms *t, uint64_t from, uint64_t to, pm_row_sums *x)
{
    uint64_t gray = to ^ to >> 1;
    for (uint64_t change = gray ^ from ^ from >> 1; change; change &= change - 1) {
        int k = __builtin_ctzll(change);
        pm_row_sums_flip(t, k, gray >> k & 1, x);
    }
}

/* ---- adding a term ---- */

/* Inexact sums: until pm_terms_settle is called, at the end of a range, sum->re and sum->im are a
 * high part and a sum of low parts; then they are double-doubles. */
static inline void pm_terms_collect(double *sum, double term)
{
    double low;
    pm_two_sum(sum[0], term, &sum[0], &low);
    sum[1] += low;
}
void pm_terms_settle(pm_sum *sum);

static inline void pm_terms_add_real(double term, bool minus, pm_sum *sum)
{
    pm_terms_collect(sum->re, minus ? -term : term);
    sum->absolute += fabs(term);
}

static inline void pm_terms_add_complex(const double *term, bool minus, pm_sum *sum)
{
    pm_terms_collect(sum->re, minus ? -term[0] : term[0]);
    pm_terms_collect(sum->im, minus ? -term[1] : term[1]);
    sum->absolute += fabs(term[0]) + fabs(term[1]);
}

/* Adds or subtracts the product of the factors.  Each factor has 63 bits and a sign; with limbs ==
 * 1 factors are taken modulo 2^64. */
static inline void pm_terms_add_factors(const int64_t *factor, int count, int limbs, bool minus,
                                        pm_sum *sum)
{
    if (limbs == 1) {
        uint64_t product = 1;
        for (int i = 0; i < count; ++i)
            product *= (uint64_t)factor[i];
        sum->limb[0] += minus ? 0 - product : product;
    } else if (limbs == 2) {
        unsigned __int128 product = (unsigned __int128)(__int128)factor[0];
        for (int i = 1; i < count; ++i)
            product *= (unsigned __int128)(__int128)factor[i];
        unsigned __int128 s = (unsigned __int128)sum->limb[1] << 64 | sum->limb[0];
        s = minus ? s - product : s + product;
        sum->limb[0] = (uint64_t)s;
        sum->limb[1] = (uint64_t)(s >> 64);
    } else {
        pm_sum_add_product(sum, limbs, factor, count, minus);
    }
}

/* z *= x, complex */
static inline void pm_terms_multiply(double *z, double re, double im)
{
    double t = z[0] * re - z[1] * im;
    z[1] = z[0] * im + z[1] * re;
    z[0] = t;
}

/* z: the product of the scaled x_i that are not 0, real and imaginary part. */
static inline void pm_terms_product(const pm_terms *t, const pm_row_sums *x, double *z)
{
    z[0] = 1;
    z[1] = 0;
    if (t->is_complex) {
        for (int32_t i = 0; i < t->n; ++i)
            if (!(x->zeros >> i & 1))
                pm_terms_multiply(z, (double)x->re[i] * t->scale[i],
                                  (double)x->im[i] * t->scale[i]);
    } else {
        for (int32_t i = 0; i < t->n; ++i)
            if (!(x->zeros >> i & 1))
                z[0] *= (double)x->re[i] * t->scale[i];
    }
}

/* Adds the term of these row sums to the sum, or subtracts it. */
void pm_terms_add(const pm_terms *t, const pm_row_sums *x, bool minus, pm_sum *sum);

/* ---- the spread (sweep/sweep.h) ---- */

/* Adds an estimate of the spread of the indices first .. end - 1 to sum->spread: one index in each
 * run of 2^bits, chosen by a hash, times 2^bits.  first and end are multiples of 2^bits; end may be
 * the end of all indices. */
void pm_terms_spread(const pm_terms *t, int bits, uint64_t first, uint64_t end, pm_sum *sum);

#endif
