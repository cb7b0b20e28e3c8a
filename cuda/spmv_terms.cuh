// SPDX-License-Identifier: GPL-3.0-or-later
// spmv_terms.cuh: what the kernels for y = A x share: the semiring, the terms of a sum, and how the
// phases of a thread block are written.  It follows prelude.cuh and spmv_arrays.h.
//
// Given: PM_THREADS of a thread block, of which PM_BLOCKS fit on a multiprocessor; PM_SINGLE: values are floats, otherwise doubles; PM_HAS_VALUES: entries have values,
// otherwise all are the semiring's one; PM_SEMIRING: one of
//   0  sum:  y_i = sum over j of a_ij x_j
//   1  max:  y_i = max over j of a_ij + x_j
//   2  log:  y_i = log sum over j of exp(a_ij + x_j)
// A sum without terms is PM_EMPTY: 0 or minus infinity.
//
// A kernel is a sequence of phases, with barriers between them.  PM_DO(statements) is executed by all
// threads of a block, each with its number `self`.  PM_OWN(type, name) declares a variable of each
// thread, PM_MY(name) is this thread's.  In C the threads take turns, in any order.

#ifdef __CUDACC__
#define PM_DO(...)                                                                                 \
    {                                                                                              \
        const unsigned self = threadIdx.x;                                                         \
        __VA_ARGS__;                                                                               \
    }
#define PM_BARRIER() __syncthreads()
// Goes on with the loop around it in warps where this is false: it is the same in all threads of a
// warp, and what is left out must have no effect there.
#define PM_WARP_NEEDS(condition)                                                                   \
    {                                                                                              \
        const unsigned self = threadIdx.x;                                                         \
        if (!(condition))                                                                          \
            continue;                                                                              \
    }
#define PM_OWN(type, name)       type name
#define PM_MY(name)              name
#define PM_OF_EACH(type, name)   type &name
#define PM_SHARED(type, name, n) __shared__ type name[n]
// to = the variable `from` of the thread `by` numbers before in the warp; undefined for the first
// threads.  With all threads of the block.
#define PM_FROM_BEFORE(to, from, by) to = __shfl_up_sync(0xffffffffu, from, by)
#define PM_FROM_AFTER(to, from, by)  to = __shfl_down_sync(0xffffffffu, from, by)
#define PM_READ_ONCE(p)              __ldcs(p) // makes room for x in the caches
#define PM_INFINITY                  __longlong_as_double(0x7ff0000000000000ll)
#else
#include <math.h>
#include <stdbool.h>
unsigned pm_odd = 1, pm_offset; // order of the turns: any odd number, any number
#define PM_DO(...)                                                                                 \
    for (unsigned turn = 0; turn < PM_THREADS; ++turn) {                                           \
        const unsigned self = (turn * pm_odd + pm_offset) % PM_THREADS;                            \
        __VA_ARGS__;                                                                               \
    }
#define PM_BARRIER()
#define PM_WARP_NEEDS(condition)
#define PM_OWN(type, name)       type name[PM_THREADS]
#define PM_MY(name)              name[self]
#define PM_OF_EACH(type, name)   type *name
#define PM_SHARED(type, name, n) static __thread type name[n]
#define PM_FROM_BEFORE(to, from, by)                                                               \
    PM_DO(PM_MY(to) = from[self % 32 < (by) ? self : self - (unsigned)(by)])
#define PM_FROM_AFTER(to, from, by)                                                                \
    PM_DO(PM_MY(to) = from[self % 32 + (by) > 31 ? self : self + (unsigned)(by)])
#define PM_READ_ONCE(p) (*(p))
#define PM_INFINITY     INFINITY
#endif

#if PM_SINGLE
typedef float pm_dev_value;
typedef unsigned pm_value_bits;
#else
typedef double pm_dev_value;
typedef pm_u64 pm_value_bits;
#endif

#if PM_SEMIRING == 0
#define PM_EMPTY ((pm_dev_value)0)
#else
#define PM_EMPTY ((pm_dev_value)-PM_INFINITY)
#endif

PM_FN pm_dev_value pm_add(pm_dev_value a, pm_dev_value b)
{
#if PM_SEMIRING == 0
    return a + b;
#elif PM_SEMIRING == 1
    return a > b ? a : b;
#else
    pm_dev_value most = a > b ? a : b, least = a > b ? b : a;
    return least == PM_EMPTY ? most : most + (pm_dev_value)log1p(exp(least - most));
#endif
}

PM_FN pm_dev_value pm_times(pm_dev_value entry, pm_dev_value x)
{
#if PM_SEMIRING == 0
    return entry * x;
#else
    return entry + x;
#endif
}

PM_FN pm_dev_value pm_term(const pm_spmv_arrays *a, pm_u64 k)
{
    pm_dev_value x =
        PM_TABLE_AT((const pm_dev_value *)a->x + PM_READ_ONCE((const int *)a->column + k));
#if PM_HAS_VALUES
    return pm_times(PM_READ_ONCE((const pm_dev_value *)a->value + k), x);
#else
    return x;
#endif
}

// sum becomes the sum over this and earlier threads of the warp with the same row; rows ascend.
#ifdef __CUDACC__
#define PM_SCAN_WARP(sum, row)                                                                     \
    for (unsigned by = 1; by < 32; by *= 2) {                                                      \
        pm_dev_value other;                                                                        \
        int other_row;                                                                             \
        PM_FROM_BEFORE(other, sum, by);                                                            \
        PM_FROM_BEFORE(other_row, row, by);                                                        \
        if (threadIdx.x % 32 >= by && other_row == row)                                            \
            sum = pm_add(other, sum);                                                              \
    }
#else
#define PM_SCAN_WARP(sum, row)                                                                     \
    for (unsigned by = 1; by < 32; by *= 2) {                                                      \
        PM_OWN(pm_dev_value, other);                                                               \
        PM_OWN(int, other_row);                                                                    \
        PM_FROM_BEFORE(other, sum, by);                                                            \
        PM_FROM_BEFORE(other_row, row, by);                                                        \
        PM_DO(if (self % 32 >= by && PM_MY(other_row) == PM_MY(row)) PM_MY(sum) =                  \
                  pm_add(PM_MY(other), PM_MY(sum)))                                                \
    }
#endif

// *p = *p + x, also when other threads do the same at the same time.
PM_FN void pm_add_to(pm_dev_value *p, pm_dev_value x)
{
#ifndef __CUDACC__
    *p = pm_add(*p, x);
#elif PM_SEMIRING == 0
    atomicAdd(p, x);
#else
    union {
        pm_dev_value value;
        pm_value_bits bits;
    } before, after;
    pm_value_bits seen;
    before.value = *(volatile pm_dev_value *)p;
    do {
        after.value = pm_add(before.value, x);
        if (after.value == before.value)
            return;
        seen = before.bits;
        before.bits = atomicCAS((pm_value_bits *)p, seen, after.bits);
    } while (before.bits != seen);
#endif
}

// A kernel with one argument of this type, which has the number of thread blocks; bounds: of the launch, in
// parentheses.
#ifdef __CUDACC__
#define PM_KERNEL_OF(type, bounds, name, ...)                                                      \
    extern "C" __global__ void __launch_bounds__ bounds name(                                      \
        const __grid_constant__ type argument)                                                     \
    {                                                                                              \
        const type *a = &argument;                                                                 \
        const pm_u64 block = blockIdx.x;                                                           \
        __VA_ARGS__;                                                                               \
    }
#else
#define PM_KERNEL_OF(type, bounds, name, ...)                                                      \
    void name(type argument)                                                                       \
    {                                                                                              \
        const type *a = &argument;                                                                 \
        for (pm_u64 block = (pm_u64)a->blocks; block-- > 0;) {                                     \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
    }
#endif
#define PM_KERNEL(name, ...)                                                                       \
    PM_KERNEL_OF(pm_spmv_arrays, (PM_THREADS, PM_BLOCKS), name, __VA_ARGS__)
