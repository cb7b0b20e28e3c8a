/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Algorithm 5 of Yaglioglu 2021 maintains the product of the nonzero row sums, by division and
 * multiplication, and the number of zero row sums.  Here with two changes.
 *
 * Real and complex: zeros are found on integers, so they are exact.  The product has rounding
 * errors, so it is computed anew every 2^PM_SPARSE_REFRESH terms, and whenever it is so small that
 * a part of it may have left the range of a double.
 *
 * Integers: the product of n row sums does not fit a word, and dividing numbers of several words
 * costs more than multiplying again.  So the rows are divided into groups of at most GROUP, in the
 * order in which columns first change them.  The product of a group is computed only when no row
 * sum is 0 and one of its rows has changed. */
#include "config.h"

#include "sparse/sparse_ryser.h"

#include <stdlib.h>

#include "core/machine.h"
#include "pm/alloc.h"
#include "sweep/gpu_sweep.h"
#include "sweep/sum_bits.h"

enum { GROUP = 4, REFRESH = 1 << PM_SPARSE_REFRESH, PIECE_BITS = 17 };
enum { SMALL_BITS = 18, SAMPLE_BITS = 8 };

typedef struct {
    pm_terms terms;
    int sample_bits;
    int groups;
    int32_t group[PM_SQUARE_MAX + 1]; /* rows group[b] .. group[b+1]-1 */
    /* of each flipping column: the set of groups that it changes */
    uint64_t touches[PM_SQUARE_MAX];
} problem;

/* ---- integers ---- */

static void make_groups(problem *p)
{
    const pm_terms *t = &p->terms;
    int of_row[PM_SQUARE_MAX];
    double bits = 0;
    for (int32_t i = 0; i < t->n; ++i) {
        double more = log2(fmax((double)t->bound[i], 1));
        if (i == 0 || bits + more > 62.9 || i - p->group[p->groups - 1] == GROUP) {
            p->group[p->groups++] = i;
            bits = 0;
        }
        bits += more;
        of_row[i] = p->groups - 1;
    }
    p->group[p->groups] = t->n;
    for (int32_t k = 0; k < t->flips; ++k)
        for (int32_t e = t->colptr[k]; e < t->colptr[k + 1]; ++e)
            p->touches[k] |= UINT64_C(1) << of_row[t->rowind[e]];
}

static int64_t group_product(const problem *p, int b, const int64_t *x)
{
    int64_t product = x[p->group[b]];
    for (int32_t i = p->group[b] + 1; i < p->group[b + 1]; ++i)
        product *= x[i];
    return product;
}

static void integer_range(const problem *p, uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_terms *t = &p->terms;
    pm_row_sums x;
    int64_t product[PM_SQUARE_MAX] = {0};
    uint64_t stale = UINT64_MAX >> (64 - p->groups);
    pm_row_sums_at(t, first, &x);
    for (uint64_t g = first;;) {
        if (!x.zeros) {
            for (; stale; stale &= stale - 1) {
                int b = __builtin_ctzll(stale);
                product[b] = group_product(p, b, x.re);
            }
            pm_terms_add_factors(product, p->groups, t->limbs, g & 1, sum);
        }
        if (++g >= end)
            break;
        int k = __builtin_ctzll(g);
        pm_row_sums_flip(t, k, (g ^ g >> 1) >> k & 1, &x);
        stale |= p->touches[k];
    }
}

/* ---- real and complex ---- */

typedef struct {
    pm_row_sums x;
    double y[PM_SQUARE_MAX][2]; /* scaled; 1 instead of 0 */
    double product[2];          /* of all y */
} running;

static double size_of(const double *z)
{
    return fabs(z[0]) + fabs(z[1]);
}

static void scaled_row(const pm_terms *t, const pm_row_sums *x, int32_t i, double *y)
{
    bool zero = x->zeros >> i & 1;
    y[0] = zero ? 1 : (double)x->re[i] * t->scale[i];
    y[1] = t->is_complex ? (double)x->im[i] * t->scale[i] : 0;
}

/* product *= after / before; |before| is at least PM_SPARSE_TINY as the product is, and no y
 * exceeds 1. */
static void divide_out(bool is_complex, double *product, const double *before, const double *after)
{
    if (is_complex) {
        double norm = before[0] * before[0] + before[1] * before[1];
        double q[2] = {after[0], after[1]};
        pm_terms_multiply(q, before[0], -before[1]);
        pm_terms_multiply(product, q[0] / norm, q[1] / norm);
    } else {
        product[0] *= after[0] / before[0];
    }
}

static inline __attribute__((always_inline)) void advance(const pm_terms *t, bool is_complex,
                                                          uint64_t g, running *r)
{
    int k = __builtin_ctzll(g);
    double before[2] = {1, 0}, after[2] = {1, 0};
    pm_row_sums_flip(t, k, (g ^ g >> 1) >> k & 1, &r->x);
    for (int32_t e = t->colptr[k]; e < t->colptr[k + 1]; ++e) {
        double *y = r->y[t->rowind[e]];
        if (is_complex)
            pm_terms_multiply(before, y[0], y[1]);
        else
            before[0] *= y[0];
        scaled_row(t, &r->x, t->rowind[e], y);
        if (is_complex)
            pm_terms_multiply(after, y[0], y[1]);
        else
            after[0] *= y[0];
    }
    if (g % REFRESH && size_of(r->product) >= PM_SPARSE_TINY)
        divide_out(is_complex, r->product, before, after);
    else
        r->product[0] = r->product[1] = 0;
    if (size_of(r->product) < PM_SPARSE_TINY)
        pm_terms_product(t, &r->x, r->product);
}

static inline __attribute__((always_inline)) void
inexact_range(const pm_terms *t, bool is_complex, uint64_t first, uint64_t end, pm_sum *sum)
{
    running r;
    pm_row_sums_at(t, first, &r.x);
    for (int32_t i = 0; i < t->n; ++i)
        scaled_row(t, &r.x, i, r.y[i]);
    pm_terms_product(t, &r.x, r.product);
    for (uint64_t g = first;;) {
        if (r.x.zeros)
            ;
        else if (is_complex)
            pm_terms_add_complex(r.product, g & 1, sum);
        else
            pm_terms_add_real(r.product[0], g & 1, sum);
        if (++g >= end)
            break;
        advance(t, is_complex, g, &r);
    }
    pm_terms_settle(sum);
}

/* Between two computations of the product column k flips 2^(PM_SPARSE_REFRESH - 1 - k) times; each
 * flip multiplies the old and the new row sums of its d entries, divides and multiplies once. */
double pm_sparse_ryser_drift(const pm_terms *t)
{
    double units = 0;
    for (int k = 0; k < PM_SPARSE_REFRESH && k < t->flips; ++k) {
        double d = t->colptr[k + 1] - t->colptr[k];
        units += (REFRESH >> (k + 1)) * (t->is_complex ? 4.5 * d + 3 : 2 * d);
    }
    return units * 0x1p-53;
}

/* ---- the sweep ---- */

static void range(const void *of, uint64_t first, uint64_t end, pm_sum *sum)
{
    const problem *p = of;
    if (p->terms.is_exact)
        integer_range(p, first, end, sum);
    else if (p->terms.is_complex)
        inexact_range(&p->terms, true, first, end, sum);
    else
        inexact_range(&p->terms, false, first, end, sum);
    pm_terms_spread(&p->terms, p->sample_bits, first, end, sum);
}

static void free_problem(void *of)
{
    problem *p = of;
    if (p)
        pm_terms_free(&p->terms);
    free(p);
}

static int sample_bits(int32_t flips)
{
    return flips > SMALL_BITS ? SAMPLE_BITS : 0;
}

double pm_sparse_ryser_sampled(int32_t n)
{
    return ldexp(1, -sample_bits(n - 1));
}

pm_status pm_sparse_ryser_terms(const pm_square *s, const pm_sparse_choice *choice, pm_terms *out,
                                pm_error *err)
{
    pm_pattern pattern = pm_square_pattern(s);
    pm_column_order order;
    pm_status status = PM_OK;
    if (choice && choice->keep_order)
        pm_column_order_given(s->n, &order);
    else
        status = pm_column_order_sort(&pattern, order.cols, order.rows, err);
    return status ? status : pm_terms_make(s, PM_FORM_SIGNS, &order, out, err);
}

pm_status pm_sparse_ryser_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                  pm_error *err)
{
    problem *p = pm_calloc_array(1, sizeof *p);
    if (!p)
        return pm_fail_memory(err, "sparyser");
    pm_status status = pm_sparse_ryser_terms(s, choice, &p->terms, err);
    if (status) {
        free_problem(p);
        return status;
    }
    const pm_terms *t = &p->terms;
    const bool any_range = choice && ((const pm_sparse_choice *)choice)->any_range;
    const uint64_t piece = UINT64_C(1) << PIECE_BITS;
    if (any_range)
        p->terms.limbs = pm_terms_any_range_limbs(t);
    p->sample_bits = sample_bits(t->flips);
    if (t->is_exact)
        make_groups(p);
    *out = (pm_sweep){
        .what = "sparyser",
        .count = pm_terms_count(t),
        .grain = UINT64_C(1) << p->sample_bits,
        .piece = piece,
        .share = t->is_exact ? 0 : pm_gpu_sweep_share(t->flips, PM_GPU_SPARSE_INDEX_WORK, piece),
        .limbs = t->is_exact ? t->limbs : 0,
        .rounding = t->is_exact ? 0 : pm_terms_rounding(t) + pm_sparse_ryser_drift(t),
        .sampled = t->has_spread && p->sample_bits > 0,
        .shift = t->shift,
        .problem = p,
        .range = range,
        .free_problem = free_problem};
    return PM_OK;
}

double pm_sparse_ryser_sum_bits(const pm_sweep *s)
{
    return pm_terms_sum_bits(&((const problem *)s->problem)->terms);
}
