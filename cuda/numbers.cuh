// SPDX-License-Identifier: GPL-3.0-or-later
// numbers.cuh: the arithmetic of the frontier method (frontier/ring.h) for real or complex numbers
// with exponent and magnitude.  The operations are those of frontier/ring_float.c in the same
// sequence, so the results are the same.
//
// PM_PARTS must be 1 (real) or 2 (complex), PM_LANES 1.
// Constants: the weights, as numbers.
#define PM_RADIX     0x1p512
#define PM_RADIX_INV 0x1p-512
#define PM_TOP       0x1p256
#define PM_BOTTOM    0x1p-256
#define PM_ROWS      1

#ifdef __CUDACC__
#define PM_ALIGNED __align__(16) // pairs of words move at once
#else
#define PM_ALIGNED
#endif

typedef struct PM_ALIGNED {
    double mag;
    pm_i64 e;
    double part[2 * PM_PARTS];
} pm_dev_element;
typedef pm_u64 pm_dev_word;
#define PM_WORDS (2 + 2 * PM_PARTS) // of a value

typedef struct {
    const pm_dev_element *weight;
} pm_dev_ring;

PM_FN void pm_ring_load(pm_dev_ring *r, const pm_u64 *constants, unsigned lane)
{
    (void)lane;
    r->weight = (const pm_dev_element *)constants;
}

// z = x y, double-doubles (number/dd.h)
PM_FN void pm_dd_mul(double *z, const double *x, const double *y)
{
    double p = x[0] * y[0];
    double e = fma(x[0], y[0], -p);
    e = fma(x[1], y[0], fma(x[0], y[1], e));
    pm_fast_two_sum(p, e, &z[0], &z[1]);
}

PM_FN void pm_scale(pm_dev_element *x, double by, int step)
{
    x->mag *= by;
    x->e += step;
    PM_UNROLL
    for (int i = 0; i < 2 * PM_PARTS; ++i)
        x->part[i] *= by;
}

PM_FN void pm_normalise(pm_dev_element *x)
{
    if (x->mag >= PM_TOP)
        pm_scale(x, PM_RADIX_INV, 1);
    else if (x->mag < PM_BOTTOM && x->mag > 0)
        pm_scale(x, PM_RADIX, -1);
}

PM_FN void pm_add(pm_dev_element *x, const pm_dev_element *y)
{
    if (y->mag == 0)
        return;
    if (x->mag == 0 || x->e < y->e - 1) {
        *x = *y;
        return;
    }
    if (y->e < x->e - 1)
        return;
    pm_dev_element z = *y;
    if (y->e < x->e)
        pm_scale(&z, PM_RADIX_INV, 0);
    else if (y->e > x->e)
        pm_scale(x, PM_RADIX_INV, 1);
    x->mag += z.mag;
    PM_UNROLL
    for (int i = 0; i < PM_PARTS; ++i)
        pm_dd_add(x->part + 2 * i, z.part + 2 * i);
    pm_normalise(x);
}

// x *= w
PM_FN void pm_times(pm_dev_element *x, const pm_dev_element *w)
{
    pm_dev_element z;
    if (x->mag == 0 || w->mag == 0) {
        x->mag = 0;
        return;
    }
    z.mag = x->mag * w->mag;
    z.e = x->e + w->e;
#if PM_PARTS == 1
    pm_dd_mul(z.part, x->part, w->part);
#else
    double q[2];
    pm_dd_mul(z.part, x->part, w->part);
    pm_dd_mul(q, x->part + 2, w->part + 2);
    q[0] = -q[0];
    q[1] = -q[1];
    pm_dd_add(z.part, q);
    pm_dd_mul(z.part + 2, x->part, w->part + 2);
    pm_dd_mul(q, x->part + 2, w->part);
    pm_dd_add(z.part + 2, q);
#endif
    pm_normalise(&z);
    *x = z;
}

// *x = *from, read in pairs of words through the nearest cache.
PM_FN void pm_load_number(pm_dev_element *x, const pm_dev_element *from)
{
#ifdef __CUDACC__
    const double2 *pair = (const double2 *)from;
    double2 head = __ldg(pair);
    x->mag = head.x;
    x->e = __double_as_longlong(head.y);
    PM_UNROLL
    for (int i = 0; i < PM_PARTS; ++i) {
        double2 part = __ldg(pair + 1 + i);
        x->part[2 * i] = part.x;
        x->part[2 * i + 1] = part.y;
    }
#else
    *x = *from;
#endif
}

// A sum of terms that come one after another: begins with 0; *sum += weight *from; ends.
PM_FN void pm_ring_begin_sum(pm_dev_element *sum)
{
    sum->mag = 0;
    sum->e = 0;
    PM_UNROLL
    for (int i = 0; i < 2 * PM_PARTS; ++i)
        sum->part[i] = 0;
}

PM_FN void pm_ring_add(const pm_dev_ring *r, pm_dev_element *sum, const pm_dev_element *from,
                       int weight)
{
    pm_dev_element x;
    pm_load_number(&x, from);
    if (weight >= 0)
        pm_times(&x, r->weight + weight);
    pm_add(sum, &x);
}

PM_FN void pm_ring_end_sum(const pm_dev_ring *r, pm_dev_element *sum)
{
    (void)r;
    (void)sum;
}

// *out = sum over k < n of old[delta[k * stride]], times weight[k * stride] if is_weighted, added
// in the sequence of frontier/frontier_rank.c: from k = n - 1 down.
PM_FN void pm_ring_sum(const pm_dev_ring *r, const pm_dev_element *old, const pm_i64 *delta,
                       const int *weight, int stride, int n, int is_weighted, pm_dev_element *out)
{
    pm_dev_element sum;
    pm_ring_begin_sum(&sum);
    for (int k = n - 1; k >= 0; --k)
        pm_ring_add(r, &sum, old + delta[k * stride], is_weighted ? weight[k * stride] : -1);
    *out = sum;
}

#define pm_ring_sum_rows pm_ring_sum
