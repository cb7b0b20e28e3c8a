// SPDX-License-Identifier: GPL-3.0-or-later
// narrow.cuh: the arithmetic of the frontier method (frontier/ring.h) for values that are PM_LANES
// residues of 32 bits side by side, as in frontier/ring_narrow.c.  Moduli are below 2^31, so the sum
// of two residues is below 2^32.  An element is one residue.
//
// PM_LANES must be defined.
// Constants, of 64 bits: number of weights (entries * lanes), moduli, weights, their Shoup
// companions floor(weight 2^32 / modulus).
typedef unsigned pm_dev_element;
typedef unsigned pm_dev_word;
#define PM_WORDS PM_LANES // of a value

typedef struct {
    unsigned m;
    const pm_u64 *weight, *shoup;
} pm_dev_ring;

PM_FN void pm_ring_load(pm_dev_ring *r, const pm_u64 *constants, unsigned lane)
{
    r->m = (unsigned)constants[1 + lane];
    r->weight = constants + 1 + PM_LANES + lane;
    r->shoup = r->weight + constants[0];
}

// a modulo m, for a < 2 m
PM_FN unsigned pm_once_less(const pm_dev_ring *r, unsigned a)
{
    unsigned b = a - r->m;
    return a < b ? a : b;
}

// Elements that a thread computes at a time, at a distance of PM_ROW.
#define PM_ROWS 4

// The sum of n sources of weight 1; four loads are under way at a time.
PM_FN unsigned pm_sum_units(const pm_dev_ring *r, const pm_dev_element *old, const pm_i64 *delta,
                            int stride, int n)
{
    unsigned sum = 0; // below m
    for (int k = 0; k < n; k += 4) {
        unsigned a = PM_LOAD_ONCE(old + delta[k * stride]), b = 0, c = 0, d = 0;
        if (k + 1 < n)
            b = PM_LOAD_ONCE(old + delta[(k + 1) * stride]);
        if (k + 2 < n)
            c = PM_LOAD_ONCE(old + delta[(k + 2) * stride]);
        if (k + 3 < n)
            d = PM_LOAD_ONCE(old + delta[(k + 3) * stride]);
        a = pm_once_less(r, pm_once_less(r, a + b) + pm_once_less(r, c + d));
        sum = pm_once_less(r, sum + a);
    }
    return sum;
}

// weight x modulo m, for x < 2^32.  Shoup's product is below 2 m.
PM_FN unsigned pm_weigh(const pm_dev_ring *r, unsigned x, int weight)
{
    pm_i64 w = (pm_i64)weight * PM_LANES;
    if (weight < 0)
        return x;
    unsigned high = (unsigned)(((pm_u64)(unsigned)PM_TABLE_AT(r->shoup + w) * x) >> 32);
    return pm_once_less(r, (unsigned)PM_TABLE_AT(r->weight + w) * x - high * r->m);
}

// *out = sum over k < n of old[delta[k * stride]], times weight[k * stride] if is_weighted.
PM_FN void pm_ring_sum(const pm_dev_ring *r, const pm_dev_element *old, const pm_i64 *delta,
                       const int *weight, int stride, int n, int is_weighted, pm_dev_element *out)
{
    unsigned sum = 0;
    if (!is_weighted) {
        *out = pm_sum_units(r, old, delta, stride, n);
        return;
    }
    for (int k = 0; k < n; ++k) {
        unsigned x = PM_LOAD_ONCE(old + delta[k * stride]);
        sum = pm_once_less(r, sum + pm_weigh(r, x, weight[k * stride]));
    }
    *out = sum;
}

// The same for PM_ROWS elements; two sources at a time, so that as many bytes are under way as
// with residues of 64 bits.
PM_FN void pm_ring_sum_rows(const pm_dev_ring *r, const pm_dev_element *old, const pm_i64 *delta,
                            const int *weight, int stride, int n, int is_weighted,
                            pm_dev_element *out)
{
    unsigned sum[PM_ROWS] = {0};
    PM_LOOP
    for (int k = 0; k < n; k += 2) {
        unsigned x[PM_ROWS], y[PM_ROWS] = {0};
        const pm_dev_element *from = old + delta[k * stride];
        PM_UNROLL
        for (int i = 0; i < PM_ROWS; ++i)
            x[i] = PM_LOAD_ONCE(from + i * PM_ROW);
        if (k + 1 < n) {
            from = old + delta[(k + 1) * stride];
            PM_UNROLL
            for (int i = 0; i < PM_ROWS; ++i)
                y[i] = PM_LOAD_ONCE(from + i * PM_ROW);
        }
        PM_UNROLL
        for (int i = 0; i < PM_ROWS; ++i) {
            if (is_weighted) {
                x[i] = pm_weigh(r, x[i], weight[k * stride]);
                y[i] = k + 1 < n ? pm_weigh(r, y[i], weight[(k + 1) * stride]) : 0;
            }
            sum[i] = pm_once_less(r, sum[i] + pm_once_less(r, x[i] + y[i]));
        }
    }
    PM_UNROLL
    for (int i = 0; i < PM_ROWS; ++i)
        out[i * PM_ROW] = sum[i];
}
