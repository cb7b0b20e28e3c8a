// SPDX-License-Identifier: GPL-3.0-or-later
// residues.cuh: the arithmetic of the frontier method (frontier/ring.h) for values that are
// PM_LANES residues side by side, as in frontier/ring_residues.c.  An element is one residue.
//
// PM_LANES must be defined.
// Constants: number of weights (entries * lanes), moduli, weights, their Shoup companions.
typedef pm_u64 pm_dev_element;
typedef pm_u64 pm_dev_word;
#define PM_WORDS PM_LANES // of a value

#ifdef __CUDACC__
#define PM_MUL_HIGH(a, b) __umul64hi(a, b)
#else
#define PM_MUL_HIGH(a, b) ((pm_u64)((unsigned __int128)(a) * (b) >> 64))
#endif

typedef struct {
    pm_u64 m, m2;
    const pm_u64 *weight, *shoup;
} pm_dev_ring;

PM_FN void pm_ring_load(pm_dev_ring *r, const pm_u64 *constants, unsigned lane)
{
    r->m = constants[1 + lane];
    r->m2 = 2 * r->m;
    r->weight = constants + 1 + PM_LANES + lane;
    r->shoup = r->weight + constants[0];
}

PM_FN pm_u64 pm_least(pm_u64 a, pm_u64 b)
{
    return a < b ? a : b;
}

// Elements that a thread computes at a time, at a distance of PM_ROW.
#define PM_ROWS 4

// The sum of n sources of weight 1, four at a time: the sum of four residues is below 2^64.
PM_FN pm_u64 pm_sum_units(const pm_dev_ring *r, const pm_dev_element *old, const pm_i64 *delta,
                          int stride, int n)
{
    pm_u64 sum = 0; // below m
    for (int k = 0; k < n; k += 4) {
        pm_u64 a = PM_LOAD_ONCE(old + delta[k * stride]), b = 0, c = 0, d = 0;
        if (k + 1 < n)
            b = PM_LOAD_ONCE(old + delta[(k + 1) * stride]);
        if (k + 2 < n)
            c = PM_LOAD_ONCE(old + delta[(k + 2) * stride]);
        if (k + 3 < n)
            d = PM_LOAD_ONCE(old + delta[(k + 3) * stride]);
        a += b + c + d;
        a = pm_least(a, a - r->m2);
        a = pm_least(a, a - r->m) + sum;
        sum = pm_least(a, a - r->m);
    }
    return sum;
}

// sum + weight x.  sum, Shoup's product and the result are below 2 m.
PM_FN pm_u64 pm_add_product(const pm_dev_ring *r, pm_u64 sum, pm_u64 x, int weight)
{
    pm_i64 w = (pm_i64)weight * PM_LANES;
    if (weight >= 0)
        x = PM_TABLE_AT(r->weight + w) * x - PM_MUL_HIGH(PM_TABLE_AT(r->shoup + w), x) * r->m;
    sum += x;
    return pm_least(sum, sum - r->m2);
}

// A sum of terms that come one after another: begins with 0; *sum += weight *from; ends.
PM_FN void pm_ring_begin_sum(pm_dev_element *sum)
{
    *sum = 0;
}

PM_FN void pm_ring_add(const pm_dev_ring *r, pm_dev_element *sum, const pm_dev_element *from,
                       int weight)
{
    *sum = pm_add_product(r, *sum, PM_LOAD_ONCE(from), weight);
}

PM_FN void pm_ring_end_sum(const pm_dev_ring *r, pm_dev_element *sum)
{
    *sum = pm_least(*sum, *sum - r->m);
}

// *out = sum over k < n of old[delta[k * stride]], times weight[k * stride] if is_weighted.
PM_FN void pm_ring_sum(const pm_dev_ring *r, const pm_dev_element *old, const pm_i64 *delta,
                       const int *weight, int stride, int n, int is_weighted, pm_dev_element *out)
{
    pm_u64 sum = 0;
    if (!is_weighted) {
        *out = pm_sum_units(r, old, delta, stride, n);
        return;
    }
    for (int k = 0; k < n; ++k)
        sum = pm_add_product(r, sum, PM_LOAD_ONCE(old + delta[k * stride]), weight[k * stride]);
    *out = pm_least(sum, sum - r->m);
}

// The same for PM_ROWS elements.
PM_FN void pm_ring_sum_rows(const pm_dev_ring *r, const pm_dev_element *old, const pm_i64 *delta,
                            const int *weight, int stride, int n, int is_weighted,
                            pm_dev_element *out)
{
    pm_u64 sum[PM_ROWS] = {0};
    PM_LOOP
    for (int k = 0; k < n; ++k) {
        pm_u64 x[PM_ROWS];
        const pm_dev_element *from = old + delta[k * stride];
        PM_UNROLL
        for (int i = 0; i < PM_ROWS; ++i)
            x[i] = PM_LOAD_ONCE(from + i * PM_ROW);
        PM_UNROLL
        for (int i = 0; i < PM_ROWS; ++i)
            if (is_weighted) {
                sum[i] = pm_add_product(r, sum[i], x[i], weight[k * stride]);
            } else {
                sum[i] += x[i];
                sum[i] = pm_least(sum[i], sum[i] - r->m);
            }
    }
    PM_UNROLL
    for (int i = 0; i < PM_ROWS; ++i)
        out[i * PM_ROW] = pm_least(sum[i], sum[i] - r->m);
}
