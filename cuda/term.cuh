// SPDX-License-Identifier: GPL-3.0-or-later
// term.cuh: row sums, products of row sums (terms), and sums of terms, for each kind of number.
//
// Row sums are exact: fixed point in PM_PARTS doubles (x; re and im; high and low; or re high, re
// low, im high, im low) or floats (x; re and im), or integers.  Integers are multiplied exactly while
// the product stays below the primes, then modulo each prime: in doubles, with primes below 2^50, or in
// words, with primes below 2^30.  In words each multiplication modulo a prime leaves a factor of 2^-32; all
// terms have the same number of these factors.
//
// The text before it defines: PM_KIND; PM_N, the number of rows; PM_EACH, 0 or 1: each term is
// added with its rounding error (1), or the terms of a chunk are first added in double (0).
// Residues: PM_PRIMES, PM_TERMS of them in braces, then their inverses (words: modulo 2^32);
// PM_CLOSES, the rows after which a product is taken modulo the primes; PM_REDUCES, rows whose sums
// may exceed the primes.

#define PM_REAL           0
#define PM_COMPLEX        1
#define PM_QUAD           2
#define PM_COMPLEX_QUAD   3
#define PM_SINGLE         4
#define PM_COMPLEX_SINGLE 5
#define PM_RESIDUES       6
#define PM_WORD_RESIDUES  7

#if PM_KIND == PM_COMPLEX || PM_KIND == PM_QUAD || PM_KIND == PM_COMPLEX_SINGLE
#define PM_PARTS 2
#elif PM_KIND == PM_COMPLEX_QUAD
#define PM_PARTS 4
#else
#define PM_PARTS 1
#endif
#define PM_WIDTH (PM_N * PM_PARTS)
#define PM_IS_COMPLEX                                                                              \
    (PM_KIND == PM_COMPLEX || PM_KIND == PM_COMPLEX_QUAD || PM_KIND == PM_COMPLEX_SINGLE)
#define PM_IS_QUAD   (PM_KIND == PM_QUAD || PM_KIND == PM_COMPLEX_QUAD)
#define PM_IS_SINGLE (PM_KIND == PM_SINGLE || PM_KIND == PM_COMPLEX_SINGLE)
#define PM_IMAGINARY (PM_IS_COMPLEX ? PM_PARTS / 2 : 0)

// ---- row sums ----

#if PM_KIND == PM_WORD_RESIDUES
typedef int pm_x;
#elif PM_IS_SINGLE
typedef float pm_x;
#else
typedef double pm_x;
#endif

#if PM_IS_SINGLE
#define PM_FMA  fmaf
#define PM_SIZE fabsf
#else
#define PM_FMA  fma
#define PM_SIZE fabs
#endif

// x + sign by, sign -1, 0 or 1
PM_FN pm_x pm_moved(pm_x sign, pm_x by, pm_x x)
{
#if PM_KIND == PM_WORD_RESIDUES
    return x + sign * by;
#else
    return PM_FMA(sign, by, x);
#endif
}

// ---- products ----

#if PM_TERMS

PM_TABLE pm_x pm_prime[2][PM_TERMS] = {PM_PRIMES};
#if PM_KIND == PM_WORD_RESIDUES
#define PM_MULTIPLY pm_montgomery
#else
#define PM_MULTIPLY pm_multiply
#endif

typedef struct {
    pm_x group, residue[PM_TERMS];
} pm_number;

PM_FN void pm_one(pm_number *p)
{
    p->group = 1;
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k)
        p->residue[k] = 1;
}

PM_FN void pm_times(pm_number *p, const pm_x *x, int i)
{
    pm_u64 before = ((pm_u64)1 << i) - 1;
#if PM_KIND != PM_WORD_RESIDUES
    if (PM_REDUCES >> i & 1) {
        PM_UNROLL
        for (int k = 0; k < PM_TERMS; ++k)
            p->residue[k] =
                pm_multiply(p->residue[k], pm_reduce(x[0], pm_prime[0][k], pm_prime[1][k]),
                            pm_prime[0][k], pm_prime[1][k]);
        return;
    }
#endif
    p->group *= x[0];
    if (!(PM_CLOSES >> i & 1))
        return;
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k)
        p->residue[k] = (PM_CLOSES | PM_REDUCES) & before
                            ? PM_MULTIPLY(p->residue[k], p->group, pm_prime[0][k], pm_prime[1][k])
                            : p->group;
    p->group = 1;
}

#else

typedef struct {
    pm_x v[PM_PARTS];
} pm_number;

PM_FN void pm_one(pm_number *p)
{
    PM_UNROLL
    for (int k = 0; k < PM_PARTS; ++k)
        p->v[k] = k == 0;
}

#if PM_IS_QUAD
// Normalises a row sum: |low| <= 2^-53 |high|.
PM_FN void pm_settle(const double *x, double *y)
{
    PM_UNROLL
    for (int k = 0; k < PM_PARTS; k += 2)
        pm_fast_two_sum(x[k], x[k + 1], &y[k], &y[k + 1]);
}

// a x + sign b y of double-doubles, sign 1 or -1, compensated: the low part collects all errors of
// first order and is never moved to the high part (dense/dense_float_tile.h).
PM_FN void pm_cross(const double *a, const double *x, const double *b, const double *y, double sign,
                    double *out)
{
    double p = a[0] * x[0], q = sign * b[0] * y[0], s, t;
    double e = fma(a[0], x[0], -p), f = fma(sign * b[0], y[0], -q);
    pm_two_sum(p, q, &s, &t);
    double from_x = fma(a[0], x[1], sign * b[0] * y[1]);
    double from_p = fma(a[1], x[0], sign * b[1] * y[0]);
    out[0] = s;
    out[1] = ((e + f) + t) + (from_x + from_p);
}
#endif

// p *= y; double-doubles: normalised, or products.
PM_FN void pm_times_settled(pm_number *p, const pm_x *y)
{
#if PM_KIND == PM_REAL || PM_KIND == PM_SINGLE
    p->v[0] *= y[0];
#elif !PM_IS_QUAD
    const pm_x re = PM_FMA(p->v[0], y[0], -(p->v[1] * y[1]));
    p->v[1] = PM_FMA(p->v[0], y[1], p->v[1] * y[0]);
    p->v[0] = re;
#elif PM_KIND == PM_QUAD
    double h = p->v[0] * y[0], e = fma(p->v[0], y[0], -h);
    p->v[1] = fma(p->v[1], y[0], fma(p->v[0], y[1], e));
    p->v[0] = h;
#else
    double re[2], im[2];
    pm_cross(p->v, y, p->v + 2, y + 2, -1, re);
    pm_cross(p->v, y + 2, p->v + 2, y, 1, im);
    p->v[0] = re[0], p->v[1] = re[1], p->v[2] = im[0], p->v[3] = im[1];
#endif
}

PM_FN void pm_times(pm_number *p, const pm_x *x, int i)
{
    (void)i;
#if PM_IS_QUAD
    double y[PM_PARTS];
    pm_settle(x, y);
    pm_times_settled(p, y);
#else
    pm_times_settled(p, x);
#endif
}

#endif

// ---- sums ----

// sum + term, or sum - term if minus; the first term of a chunk replaces the sum.
PM_FN pm_x pm_dev_sum(pm_x sum, pm_x term, int minus, int is_first)
{
    if (is_first)
        return minus ? -term : term;
    return minus ? sum - term : sum + term;
}

#if PM_TERMS

#if PM_KIND == PM_WORD_RESIDUES
typedef pm_i64 pm_partial;
#else
typedef double pm_partial;
#endif

typedef struct {
    pm_partial sum[PM_TERMS];
} pm_total;

PM_FN void pm_begin(pm_total *t, pm_record *out)
{
    for (int k = 0; k < PM_TERMS; ++k)
        t->sum[k] = 0, out->high[k] = out->low[k] = 0;
}

PM_FN void pm_add(pm_total *t, const pm_number *p, int minus, int is_first)
{
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k)
        t->sum[k] = is_first ? (minus ? -p->residue[k] : p->residue[k])
                    : minus  ? t->sum[k] - p->residue[k]
                             : t->sum[k] + p->residue[k];
}

// Called after at most eight terms, so that sums of residues below 2^50 stay exact.
PM_FN void pm_flush(pm_total *t, pm_record *out)
{
    PM_UNROLL
    for (int k = 0; k < PM_TERMS; ++k) {
        pm_i64 sum = (pm_i64)t->sum[k];
        out->high[k] += sum >> 32;
        out->low[k] += sum & 0xffffffff;
    }
}

PM_FN void pm_finish(pm_total *t, pm_u64 slow, double spread, pm_record *out)
{
    pm_i64 sign = PM_POPCOUNT(slow) & 1 ? -1 : 1;
    (void)t, (void)spread;
    for (int k = 0; k < PM_TERMS; ++k)
        out->high[k] *= sign, out->low[k] *= sign;
}

#else

#if PM_IS_SINGLE
// high + low += a, exact except for the rounding of low
PM_FN void pm_collect_single(float *high, float *low, float a)
{
    float sum = *high + a, t = sum - *high;
    *low += (*high - (sum - t)) + (a - t);
    *high = sum;
}
#define PM_COLLECT pm_collect_single
#else
#define PM_COLLECT pm_collect
#endif

// In single precision the size of each chunk is collected too: a segment has more terms than a float
// counts.
typedef struct {
    pm_x sum[2], high[2], low[2], size, chunk_size, size_low;
} pm_total;

PM_FN void pm_begin(pm_total *t, pm_record *out)
{
    (void)out;
    t->size = t->chunk_size = t->size_low = 0;
    for (int part = 0; part < 2; ++part)
        t->sum[part] = t->high[part] = t->low[part] = 0;
}

PM_FN void pm_add(pm_total *t, const pm_number *p, int minus, int is_first)
{
    PM_UNROLL
    for (int part = 0; part <= PM_IS_COMPLEX; ++part) {
        const pm_x *v = p->v + part * PM_IMAGINARY;
#if PM_IS_QUAD
        double s, e;
        pm_two_sum(t->high[part], minus ? -v[0] : v[0], &s, &e);
        pm_fast_two_sum(s, (minus ? t->low[part] - v[1] : t->low[part] + v[1]) + e, &t->high[part],
                        &t->low[part]);
#elif PM_EACH
        pm_collect(&t->high[part], &t->low[part], minus ? -v[0] : v[0]);
#else
        t->sum[part] = pm_dev_sum(t->sum[part], v[0], minus, is_first);
#endif
#if PM_IS_SINGLE
        t->chunk_size = pm_dev_sum(t->chunk_size, PM_SIZE(v[0]), 0, is_first && part == 0);
#else
        t->size += fabs(v[0]);
#endif
    }
}

// Called at the end of a chunk.
PM_FN void pm_flush(pm_total *t, pm_record *out)
{
    (void)out;
#if !PM_EACH && !PM_IS_QUAD
    PM_UNROLL
    for (int part = 0; part <= PM_IS_COMPLEX; ++part)
        PM_COLLECT(&t->high[part], &t->low[part], t->sum[part]);
#endif
#if PM_IS_SINGLE
    PM_COLLECT(&t->size, &t->size_low, t->chunk_size);
#endif
}

PM_FN void pm_finish(pm_total *t, pm_u64 slow, double spread, pm_record *out)
{
    double sign = PM_POPCOUNT(slow) & 1 ? -1 : 1;
    pm_fast_two_sum(sign * t->high[0], sign * t->low[0], &out->re[0], &out->re[1]);
    pm_fast_two_sum(sign * t->high[1], sign * t->low[1], &out->im[0], &out->im[1]);
    out->size = out->sampled = out->absolute = (double)t->size + t->size_low;
    out->spread = spread;
}

#endif

// ---- the spread of a term (sweep/sweep.h) ----

typedef struct {
    double low, high; // prod |x_i|, prod (|x_i| + raised_i)
} pm_raised;

PM_FN void pm_raise(pm_raised *r, const pm_x *x, double raised)
{
    double size = fabs((double)x[0]);
    if (PM_IS_COMPLEX)
        size += fabs((double)x[PM_IMAGINARY]);
    r->low *= size;
    r->high *= size + raised;
}

// The difference, plus a bound of its rounding error.
PM_FN double pm_gained(const pm_raised *r)
{
    return (r->high - r->low) + r->high * 0x1p-44;
}
