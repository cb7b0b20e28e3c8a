/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/dense_exact_packing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/log_factorial.h"

enum { MAX = PM_SQUARE_MAX, FLIPS = PM_DENSE_FLIPS };

/* ---- rows ---- */

/* The largest h for which 2^h divides the row sum for all signs: the exponent of the common power
 * of two of the entries, and one more if an even number of the quotients is odd. */
static int row_halvings(const pm_square *s, int32_t i)
{
    uint64_t any = 0, sum = 0;
    for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k) {
        any |= (uint64_t)s->re[s->in_ccs[k]];
        sum += (uint64_t)s->re[s->in_ccs[k]];
    }
    if (!any)
        return 0;
    int twos = __builtin_ctzll(any);
    return twos + !(sum >> twos & 1);
}

/* y_i = base[i] - the sum of step[j][i] over the columns j with sign -1. */
typedef struct {
    int halvings[MAX];
    int64_t base[MAX], bound[MAX];
    double bits[MAX]; /* log2 of the bound, more than 0 */
    int64_t step[MAX][MAX];
} row_sums;

static void make_row_sums(const pm_square *s, row_sums *r)
{
    memset(r, 0, sizeof *r);
    for (int32_t i = 0; i < s->n; ++i) {
        int h = row_halvings(s, i);
        int64_t unit = INT64_C(1) << h, sum = 0;
        for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k) {
            int64_t a = s->re[s->in_ccs[k]];
            sum += a;
            /* h is at most one more than the exponent of a; |2 a / 2^h| <= 2^62 * 2 only if h is
             * 0, when no entry is as large as 2^62 */
            r->step[s->colind[k]][i] = h == 0 ? 2 * a : a / (unit / 2);
        }
        r->halvings[i] = h;
        r->base[i] = sum / unit;
        r->bound[i] = s->bound[i] / unit > 1 ? s->bound[i] / unit : 1;
        r->bits[i] = log2((double)r->bound[i]) + 1e-3;
    }
}

/* ---- columns ---- */

static double column_bits(const row_sums *r, int32_t n, int32_t j, const bool *met)
{
    double bits = 0;
    for (int32_t i = 0; i < n; ++i)
        if (r->step[j][i] && !met[i])
            bits += r->bits[i];
    return bits;
}

/* The tile's columns are those with entries in the fewest rows, so that much can be folded.  The
 * fullest column is fixed.  The next fullest ones come first after the tile's: they distinguish the
 * lanes.  Of the rest, columns with fewer entries flip more often. */
static void order_columns(const pm_square *s, const row_sums *r, int32_t *order)
{
    enum { LANES = PM_DENSE_GRAIN_BITS - PM_DENSE_FLIPS };
    int32_t n = s->n, tile = n < FLIPS ? n : FLIPS, rest[MAX], nrest = 0;
    bool taken[MAX] = {false}, met[MAX] = {false};
    for (int32_t k = 0; k < tile; ++k) {
        int32_t best = -1;
        double least = INFINITY;
        for (int32_t j = 0; j < n; ++j) {
            double bits = taken[j] ? INFINITY : column_bits(r, n, j, met);
            if (bits < least) {
                least = bits;
                best = j;
            }
        }
        taken[best] = true;
        order[k] = best;
        for (int32_t i = 0; i < n; ++i)
            met[i] = met[i] || r->step[best][i];
    }
    for (int32_t j = 0; j < n; ++j) {
        if (taken[j])
            continue;
        int32_t at = nrest++, entries = s->colptr[j + 1] - s->colptr[j];
        for (; at > 0 && s->colptr[rest[at - 1] + 1] - s->colptr[rest[at - 1]] > entries; --at)
            rest[at] = rest[at - 1];
        rest[at] = j;
    }
    if (nrest > 0)
        order[n - 1] = rest[--nrest];
    for (int32_t k = tile; nrest > 0; ++k) {
        bool is_lane = k < tile + LANES;
        if (is_lane) {
            order[k] = rest[--nrest];
        } else {
            memcpy(order + k, rest, (size_t)nrest * sizeof *rest);
            nrest = 0;
        }
    }
}

static void find_order(const pm_square *s, const row_sums *r, bool keep_order, int32_t *order)
{
    for (int32_t k = 0; k < s->n; ++k)
        order[k] = k;
    if (!keep_order)
        order_columns(s, r, order);
}

void pm_dense_exact_order(const pm_square *s, bool keep_order, int32_t *order)
{
    row_sums r;
    make_row_sums(s, &r);
    find_order(s, &r, keep_order, order);
}

/* ---- the plan ---- */

static int row_flips(const row_sums *r, const int32_t *order, int32_t n, int32_t i)
{
    for (int k = 0; k < FLIPS && k < n; ++k)
        if (r->step[order[k]][i])
            return FLIPS - k;
    return 0;
}

static void sort_items(const row_sums *r, const int32_t *order, int32_t n, pm_dense_row *item)
{
    for (int32_t i = 0; i < n; ++i) {
        int64_t b = r->bound[i];
        pm_dense_row x = {i, row_flips(r, order, n, i), pm_dense_row_width(b), b};
        int32_t k = i;
        for (; k > 0
               && (item[k - 1].flips < x.flips
                   || (item[k - 1].flips == x.flips && item[k - 1].bound < x.bound));
             --k)
            item[k] = item[k - 1];
        item[k] = x;
    }
}

/* An upper bound of log2 |per|: the product over the rows of the lesser of sum |a| and max |a|
 * (d!)^(1/d), for d entries.  Proof: expand along the rows where the sum is less; for the remaining
 * rows, divided by their largest entries, Bregman's theorem holds. */
static double permanent_bits(const pm_square *s)
{
    double bits = 0;
    for (int32_t i = 0; i < s->n; ++i) {
        double most = 0, d = s->rowptr[i + 1] - s->rowptr[i];
        for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k)
            most = fmax(most, fabs((double)s->re[s->in_ccs[k]]));
        if (most == 0)
            return 0;
        bits += fmin(log2((double)s->bound[i]), log2(most) + pm_log_factorial(d) / log(2) / d);
    }
    return bits + 0.01;
}

/* The limbs of a sum below 2^(permanent_bits - shift), with its sign. */
static int sum_limbs(const pm_square *s, int64_t shift)
{
    double bits = permanent_bits(s) + (shift < 0 ? (double)-shift : 0) + 2;
    return (int)(bits / 64) + 1;
}

static void copy_rows(const row_sums *r, const int32_t *order, const pm_dense_row *sorted,
                      int32_t n, pm_dense_plan *out)
{
    for (int32_t k = 0; k < n; ++k) {
        out->base[k] = r->base[sorted[k].row];
        out->width[k] = (uint8_t)sorted[k].width;
    }
    for (int32_t j = 0; j < n; ++j) {
        out->column[j] = order[j];
        for (int32_t k = 0; k < n; ++k) {
            out->step[j][k] = r->step[order[j]][sorted[k].row];
            if (out->step[j][k])
                out->touched[j][out->ntouched[j]++] = (uint8_t)k;
        }
    }
}

/* Makes the groups; false if there are too many or the square is too small. */
static bool make_groups(const pm_dense_row *item, double touched, pm_dense_plan *out,
                        pm_dense_row *sorted)
{
    pm_dense_demand d = {item, out->n, out->tail, out->limbs, touched};
    if (out->n <= PM_DENSE_GRAIN_BITS)
        return false;
    out->work = pm_dense_pack(&d, out, sorted);
    if (isnan(out->work) && d.tail == PM_DENSE_IFMA) {
        out->tail = d.tail = PM_DENSE_LIMBS;
        out->work = pm_dense_pack(&d, out, sorted);
    }
    return !isnan(out->work);
}

void pm_dense_plan_make(const pm_square *s, pm_dense_tail tail, bool keep_order, pm_dense_plan *out)
{
    row_sums r;
    pm_dense_row item[MAX], sorted[MAX];
    int32_t order[MAX];
    memset(out, 0, sizeof *out);
    make_row_sums(s, &r);
    find_order(s, &r, keep_order, order);
    sort_items(&r, order, s->n, item);
    out->n = s->n;
    out->tail = tail;
    out->shift = 1 - s->n;
    for (int32_t i = 0; i < s->n; ++i)
        out->shift += r.halvings[i];
    out->limbs = sum_limbs(s, out->shift);
    if (make_groups(item, (double)pm_square_nnz(s) / s->n, out, sorted)) {
        copy_rows(&r, order, sorted, s->n, out);
    } else {
        /* one term after another: a multiplication for each limb of the product so far */
        out->work = out->products = 48 + 1.9 * s->n * out->limbs;
        copy_rows(&r, order, item, s->n, out);
    }
}
