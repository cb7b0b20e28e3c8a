/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/lanes.h: the moments of a batch of weights, summed by the CPU and by kernels in the same
 * order and therefore to the same bits.  The text is C for the CPU and CUDA C++ for kernels
 * (cuda/philox_block.h).
 *
 * Sample k belongs to lane k mod 128.  Each lane adds its weights one after another.  Then lane
 * l + 64 is merged into lane l, lane l + 32 into lane l, and lane l + 16 into lane l; lane l < 16
 * now holds the samples k = l mod 16, which form group l.  Groups are merged in the same way.
 *
 * The sums are central moments (Welford 1962; Pebay 2008): equal weights have variance 0 exactly,
 * and a small variance keeps its digits. */
#ifndef PM_SUM_LANES_H
#define PM_SUM_LANES_H

#ifndef PM_KERNEL_TEXT
#include "cuda/philox_block.h"
#endif

#define PM_SUM_LANES  128
#define PM_SUM_GROUPS 16

/* Moments of the weights w of one lane, or of several merged lanes. */
typedef struct {
    int64_t count, dead; /* weights; zeros among them */
    int64_t exp;         /* the mean is mean 2^exp, sums of powers are central[k - 2] 2^(k exp) */
    double mean;         /* 0 .. 1 */
    double central[2];   /* sums of (w - mean)^2 and of (w - mean)^3 */
} pm_lane_sums;

/* Moments of one batch, or of several batches. */
typedef struct {
    pm_lane_sums all;
    double sum[PM_SUM_GROUPS]; /* the weights of each group sum to sum[] 2^all.exp */
    int64_t count[PM_SUM_GROUPS];
} pm_batch_sums;

/* x 2^e for e <= 0; 0 for e < -1000. */
PM_FN double pm_scaled_down(double x, int64_t e)
{
    union {
        uint64_t bits;
        double value;
    } power;
    if (e < -1000)
        return 0;
    power.bits = (uint64_t)(1023 + e) << 52;
    return x * power.value;
}

PM_FN void pm_lane_sums_clear(pm_lane_sums *p)
{
    p->count = p->dead = p->exp = 0;
    p->mean = p->central[0] = p->central[1] = 0;
}

/* Raises p->exp to e at least, so that weights below 2^e can be added. */
PM_FN void pm_lane_sums_raise_exponent(pm_lane_sums *p, int64_t e)
{
    int64_t down = p->exp - e;
    if (p->dead == p->count) {
        p->exp = e;
    } else if (down < 0) {
        p->mean = pm_scaled_down(p->mean, down);
        p->central[0] = pm_scaled_down(p->central[0], 2 * down);
        p->central[1] = pm_scaled_down(p->central[1], 3 * down);
        p->exp = e;
    }
}

/* Adds the weight m 2^e, 0.5 <= m < 1 or m = 0. */
PM_FN void pm_lane_sums_add(pm_lane_sums *p, double m, int64_t e)
{
    double x = 0;
    if (m > 0) {
        pm_lane_sums_raise_exponent(p, e);
        x = pm_scaled_down(m, e - p->exp);
    }
    double before = (double)p->count, n = before + 1;
    double delta = x - p->mean, part = delta / n, term = delta * part * before;
    p->central[1] += term * part * (n - 2) - 3 * part * p->central[0];
    p->central[0] += term;
    p->mean += part;
    ++p->count;
    p->dead += !(m > 0);
}

/* Adds the weights of *b to *a. */
PM_FN void pm_lane_sums_merge(pm_lane_sums *a, const pm_lane_sums *b)
{
    if (b->count == 0)
        return;
    if (a->count == 0) {
        *a = *b;
        return;
    }
    if (b->dead < b->count)
        pm_lane_sums_raise_exponent(a, b->exp);
    int64_t down = b->dead < b->count ? b->exp - a->exp : 0;
    double na = (double)a->count, nb = (double)b->count, n = na + nb, ra = na / n, rb = nb / n;
    double d = pm_scaled_down(b->mean, down) - a->mean, d2 = d * d;
    double y2 = pm_scaled_down(b->central[0], 2 * down),
           y3 = pm_scaled_down(b->central[1], 3 * down);
    a->central[1] += y3 + d2 * d * na * rb * (ra - rb) + 3 * d * (ra * y2 - rb * a->central[0]);
    a->central[0] += y2 + d2 * na * rb;
    a->mean += d * rb;
    a->count += b->count;
    a->dead += b->dead;
}

/* The sum of the weights is this times 2^p->exp. */
PM_FN double pm_lane_sums_total(const pm_lane_sums *p)
{
    return p->mean * (double)p->count;
}

/* The sum x with x 2^to = sum 2^exp; sum >= 0, and to >= exp unless sum is 0. */
PM_FN double pm_sum_at_exponent(double sum, int64_t exp, int64_t to)
{
    return sum > 0 ? pm_scaled_down(sum, exp - to) : 0;
}

#endif
