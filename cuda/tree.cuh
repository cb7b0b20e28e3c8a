// SPDX-License-Identifier: GPL-3.0-or-later
// tree.cuh: what the generated code of a product tree calls (product_tree/tree_gpu_text.c).
// Follows prelude.cuh.

// The slow columns that have the sign -, as bits.  The low bits of a segment are the signs of the last PM_LANES
// columns, as the lanes of the CPU are; the others are numbered by a Gray code, as its positions are.
PM_FN pm_u64 pm_tree_slow_columns(pm_u64 segment)
{
    const pm_u64 lane = segment & ((1u << PM_LANES) - 1);
    return pm_slow_columns(segment >> PM_LANES) | lane << (PM_SLOW - PM_LANES);
}

#if PM_TERMS
// A partial sum goes into the record, high 2^32 + low, and starts again at 0.
PM_FN void pm_tree_flush(pm_i64 *total, pm_i64 *high, pm_i64 *low)
{
    *high += *total >> 32;
    *low += *total & 0xffffffff;
    *total = 0;
}

// The sign of a segment: -1 for each slow column that has the sign minus.
PM_FN void pm_tree_finish(pm_u64 segment, pm_record *out)
{
    pm_i64 sign = PM_POPCOUNT(pm_tree_slow_columns(segment)) & 1 ? -1 : 1;
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k) {
        out->high[k] *= sign;
        out->low[k] *= sign;
    }
}
#else
// re, im: high and low part of the compensated sums.
PM_FN void pm_tree_finish(pm_u64 segment, const double *re, const double *im, pm_record *out)
{
    double sign = PM_POPCOUNT(pm_tree_slow_columns(segment)) & 1 ? -1 : 1;
    pm_fast_two_sum(sign * re[0], sign * re[1], &out->re[0], &out->re[1]);
    pm_fast_two_sum(sign * im[0], sign * im[1], &out->im[0], &out->im[1]);
}
#endif
