/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/dense_float_entries.h"

#include <math.h>

#include "core/power_of_two.h"

/* The unit of the low parts is 2^-48 of that of the high parts, for squares of up to 64 columns.
 * Each low part is at most half a unit of the high parts, so the sum of 64 is at most 2^53 units of
 * its own.  A high part may differ by 1 from the rounded integer by which the unit was chosen,
 * together by 128.  For more columns, with multiplicities, the unit is coarser. */
enum { DOUBLE_BITS = 53, SINGLE_BITS = 24, LOW_BITS = 48, LOW_COLUMNS = 64 };

static uint64_t size_of(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* v rounded to a multiple of 2^k, in units of 2^k. */
static int64_t rounded(int64_t v, int k)
{
    uint64_t whole = k ? (size_of(v) + (UINT64_C(1) << (k - 1))) >> k : size_of(v);
    return v < 0 ? -(int64_t)whole : (int64_t)whole;
}

/* Columns with their multiplicities. */
static uint64_t columns_of(const pm_square *s)
{
    uint64_t count = 0;
    for (int32_t j = 0; j < s->n; ++j)
        count += (uint64_t)s->col_times[j];
    return count;
}

static int low_bits_of(const pm_square *s)
{
    int bits = LOW_BITS;
    for (uint64_t count = LOW_COLUMNS; count < columns_of(s); count *= 2)
        --bits;
    return bits;
}

/* The sum of the magnitudes of row i, with multiplicities, in units of 2^k. */
static uint64_t rounded_sum(const pm_square *s, int32_t i, int k)
{
    uint64_t sum = 0;
    for (int32_t at = s->rowptr[i]; at < s->rowptr[i + 1]; ++at) {
        uint64_t size = size_of(rounded(s->re[s->in_ccs[at]], k));
        if (s->im)
            size += size_of(rounded(s->im[s->in_ccs[at]], k));
        sum += size * (uint64_t)s->col_times[s->colind[at]];
    }
    return sum;
}

/* The smallest k for which sums of multiples of 2^k in row i are exact in a double, or in a float. */
static int unit_of_row(const pm_square *s, int32_t i, pm_dense_kind kind)
{
    const int bits = pm_dense_is_single(kind) ? SINGLE_BITS : DOUBLE_BITS;
    int k = 0;
    /* rounding changes the sum by less than half of it */
    while (s->bound[i] >> k > INT64_C(1) << (bits + 1))
        ++k;
    uint64_t most = (UINT64_C(1) << bits) - (pm_dense_is_quad(kind) ? 2 * columns_of(s) : 0);
    while (rounded_sum(s, i, k) > most)
        ++k;
    return k;
}

/* The two functions set the rounded entry times 2^-top and add the rounding error, in units of the
 * square, to the error of the row. */

static void put_double(int64_t v, int k, int top, double *out, double *lost)
{
    int64_t whole = rounded(v, k);
    *out = pm_times_power_of_two((double)whole, k - top);
    *lost += (double)size_of(v - whole * (INT64_C(1) << k)) * (1 + 0x1p-40);
}

static void put_dd(const double dd[2], int k, int low_bits, int top, double *out, double *lost)
{
    double high = nearbyint(pm_times_power_of_two(dd[0], -k));
    double rest =
        pm_times_power_of_two(pm_times_power_of_two(dd[0], -k) - high, low_bits); /* both exact */
    double more = pm_times_power_of_two(dd[1], low_bits - k), low = nearbyint(rest + more);
    out[0] = pm_times_power_of_two(high, k - top);
    out[1] = pm_times_power_of_two(low, k - low_bits - top);
    *lost += pm_times_power_of_two(fabs((rest - low) + more) * (1 + 0x1p-40), k - low_bits);
}

int64_t pm_dense_float_entries(const pm_square *s, pm_dense_kind kind, int32_t n, double *entry,
                               double *inexact)
{
    int64_t shift = 0;
    int components = pm_dense_components(kind), low_bits = low_bits_of(s);
    bool is_quad = pm_dense_is_quad(kind);
    for (int32_t i = 0; i < s->n; ++i) {
        int k = unit_of_row(s, i, kind), top;
        frexp((double)rounded_sum(s, i, k), &top);
        top += k + is_quad; /* room for the low parts */
        double lost = is_quad ? s->inexact_dd[i] : s->inexact[i];
        for (int32_t at = s->rowptr[i]; at < s->rowptr[i + 1]; ++at) {
            int32_t from = s->in_ccs[at];
            double *to = entry + ((int64_t)i * n + s->colind[at]) * components;
            double lost_here = 0;
            for (int part = 0; part < (s->im ? 2 : 1); ++part) {
                if (is_quad)
                    put_dd(s->dd[from] + 2 * part, k, low_bits, top, to + 2 * part, &lost_here);
                else
                    put_double(part ? s->im[from] : s->re[from], k, top, to + part, &lost_here);
            }
            lost += lost_here * s->col_times[s->colind[at]];
        }
        inexact[i] = ldexp(lost, -top);
        shift += (int64_t)top * s->row_times[i];
    }
    for (int32_t i = s->n; i < n; ++i)
        entry[((int64_t)i * n + i) * components] = 1;
    return shift;
}

int64_t pm_dense_float_lift(pm_dense_kind kind, int32_t n, double *entry, double *inexact)
{
    enum { LIFT = 60 }; /* squares of complex row sums do not overflow */
    if (!pm_dense_is_single(kind))
        return 0;
    for (int64_t k = 0; k < (int64_t)n * pm_dense_components(kind); ++k)
        entry[k] = pm_times_power_of_two(entry[k], LIFT);
    inexact[0] = pm_times_power_of_two(inexact[0], LIFT);
    return -LIFT;
}
