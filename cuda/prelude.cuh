// SPDX-License-Identifier: GPL-3.0-or-later
// prelude.cuh: what all kernels share.  It includes nothing.  The text is CUDA C++ and also C:
// tests compile it for the host and compare the sums.
//
// The text before it defines: PM_THREADS, the threads of a thread block, a power of two; PM_TERMS,
// the number of accumulators of an exact sum, 0 for an inexact sum; PM_CELL, the type of the cells
// in shared memory, if it is not double.
//
// PM_FN: a function of the device.  PM_APART: a function that runs rarely and is not inlined, so
// that it takes no registers from others.
#ifdef __CUDACC__
#define PM_FN           static __device__ __forceinline__
#define PM_APART        static __device__ __noinline__
#define PM_TABLE        __constant__
#define PM_GLOBAL       __device__
#define PM_UNROLL       _Pragma("unroll")
#define PM_LOOP         _Pragma("unroll 1")
#define PM_UNROLL_FOUR  _Pragma("unroll 4")
#define PM_POPCOUNT(x)  __popcll(x)
#define PM_LOW_BIT(x)   (__ffs((int)(x)) - 1)
#define PM_FIRST_BIT(x) (__ffsll((pm_i64)(x)) - 1)
#define PM_TABLE_AT(p)  __ldg(p)  // for data that is read repeatedly: through the nearest cache
#define PM_LOAD_ONCE(p) __ldcg(p) // for data that is read once: not through that cache
#else
#define PM_FN    static inline
#define PM_APART static
#define PM_TABLE
#define PM_GLOBAL
#define PM_UNROLL
#define PM_LOOP
#define PM_UNROLL_FOUR
#define PM_POPCOUNT(x)  __builtin_popcountll(x)
#define PM_LOW_BIT(x)   __builtin_ctz(x)
#define PM_FIRST_BIT(x) __builtin_ctzll(x)
#define PM_TABLE_AT(p)  (*(p))
#define PM_LOAD_ONCE(p) (*(p))
#endif

#ifndef PM_CELL
#define PM_CELL double
#endif

typedef unsigned long long pm_u64;
typedef long long pm_i64;

// The sum of a segment or of a thread block.  All members have eight bytes.
#if PM_TERMS
typedef struct {
    pm_i64 high[PM_TERMS], low[PM_TERMS]; // 2^32 high + low
} pm_record;
#else
typedef struct {
    double re[2], im[2];                    // double-doubles
    double size, sampled, absolute, spread; // pm_tree_magnitudes of product_tree/tree.h
} pm_record;
#endif

// a + b = *s + *e
PM_FN void pm_two_sum(double a, double b, double *s, double *e)
{
    double sum = a + b, t = sum - a;
    *e = (a - (sum - t)) + (b - t);
    *s = sum;
}

PM_FN void pm_fast_two_sum(double a, double b, double *s, double *e)
{
    double sum = a + b;
    *e = b - (sum - a);
    *s = sum;
}

// high + low += a, exact except for the rounding of low
PM_FN void pm_collect(double *high, double *low, double a)
{
    double e;
    pm_two_sum(*high, a, high, &e);
    *low += e;
}

// x += y, double-doubles (number/dd.h)
PM_FN void pm_dd_add(double *x, const double *y)
{
    double s, e, t, f;
    pm_two_sum(x[0], y[0], &s, &e);
    pm_two_sum(x[1], y[1], &t, &f);
    pm_fast_two_sum(s, e + t, &s, &e);
    pm_fast_two_sum(s, e + f, &x[0], &x[1]);
}

// Adding and subtracting this rounds a double below 2^51 to an integer.
#define PM_MAGIC 0x1.8p52

// a b modulo p, |a|, |b| <= p < 2^50: h = a b rounded, l = a b - h, q = h / p rounded to an
// integer.  |h - q p| <= 5/8 p or so and an integer below 2^53, hence exact
// (product_tree/tree_body.h).
PM_FN double pm_multiply(double a, double b, double p, double inverse)
{
    double h = a * b, l = fma(a, b, -h);
    double q = fma(h, inverse, PM_MAGIC) - PM_MAGIC;
    return fma(-q, p, h) + l;
}

PM_FN double pm_reduce(double a, double p, double inverse)
{
    double q = fma(a, inverse, PM_MAGIC) - PM_MAGIC;
    return fma(-q, p, a);
}

// The same in words of 32 bits, for devices that are slow with doubles: a b 2^-32 modulo p < 2^30,
// where |a b| < 2^31 p; inverse: p^-1 modulo 2^32.  |result| < p.  (Montgomery 1985, with signs:
// the low words of a b and t p are equal.)
PM_FN int pm_montgomery(int a, int b, int p, int inverse)
{
    pm_i64 h = (pm_i64)a * b;
    int t = (int)((unsigned)h * (unsigned)inverse);
    return (int)(h >> 32) - (int)((pm_i64)t * p >> 32);
}

// a modulo p, for |a| < 2 p; |result| < p
PM_FN int pm_within(int a, int p)
{
    a = a >= p ? a - p : a;
    return a <= -p ? a + p : a;
}

// z *= x, complex
PM_FN void pm_multiply_complex(double *re, double *im, double x, double y)
{
    double r = fma(*re, x, -(*im * y));
    *im = fma(*re, y, *im * x);
    *re = r;
}

// The slow columns that have the sign -, as bits.  The numbers of segments are Gray codes too: so segments
// one after another have the indices of one Gray code over all columns, as on the CPU.
PM_FN pm_u64 pm_slow_columns(pm_u64 segment)
{
    return segment ^ segment >> 1;
}

// The sampled one of the 2^flips positions of a segment; it differs from segment to segment.
PM_FN pm_u64 pm_sampled_position(pm_u64 segment, int flips)
{
    pm_u64 mixed = (segment + 1) * 0x9e3779b97f4a7c15ull;
    return flips ? mixed >> (64 - flips) : 0;
}
