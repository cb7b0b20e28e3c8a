// SPDX-License-Identifier: GPL-3.0-or-later
// phases.cuh: how the phases of a thread block are written, so that the text is CUDA C++ and C.  It follows
// prelude.cuh.
//
// Given: PM_THREADS of a thread block.
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
#define PM_BARRIER()      __syncthreads()
#define PM_WARP_BARRIER() __syncwarp()
// Goes on with the loop around it in warps where this is false: it is the same in all threads of a
// warp, and what is left out must have no effect there.
#define PM_WARP_NEEDS(condition)                                                                   \
    {                                                                                              \
        const unsigned self = threadIdx.x;                                                         \
        if (!(condition))                                                                          \
            continue;                                                                              \
    }
#define PM_OWN(type, name)     type name
#define PM_MY(name)            name
#define PM_OF_EACH(type, name) type &name
// Several variables of each thread: PM_MY(name[k]), k < n.
#define PM_OWN_FEW(type, name, n)     type name[n]
#define PM_FEW_OF_EACH(type, name, n) type(&name)[n]
#define PM_SHARED(type, name, n)      __shared__ type name[n]
// to = the variable `from` of the thread `by` numbers before in the warp; undefined for the first
// threads.  With all threads of the block.
#define PM_FROM_BEFORE(to, from, by) to = __shfl_up_sync(0xffffffffu, from, by)
#define PM_FROM_AFTER(to, from, by)  to = __shfl_down_sync(0xffffffffu, from, by)
// to = the variable `from` of the thread self ^ by
#define PM_FROM_PARTNER(to, from, by) to = __shfl_xor_sync(0xffffffffu, from, by)
#define PM_READ_ONCE(p)               __ldcs(p) // makes room for x in the caches
#define PM_INFINITY                   __longlong_as_double(0x7ff0000000000000ll)
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
#define PM_WARP_BARRIER()
#define PM_WARP_NEEDS(condition)
#define PM_OWN(type, name)            type name[PM_THREADS]
#define PM_MY(name)                   name[self]
#define PM_OF_EACH(type, name)        type *name
#define PM_OWN_FEW(type, name, n)     type name[n][PM_THREADS]
#define PM_FEW_OF_EACH(type, name, n) type(*name)[PM_THREADS]
#define PM_SHARED(type, name, n)      static __thread type name[n]
#define PM_FROM_BEFORE(to, from, by)                                                               \
    PM_DO(PM_MY(to) = from[self % 32 < (by) ? self : self - (unsigned)(by)])
#define PM_FROM_AFTER(to, from, by)                                                                \
    PM_DO(PM_MY(to) = from[self % 32 + (by) > 31 ? self : self + (unsigned)(by)])
#define PM_FROM_PARTNER(to, from, by) PM_DO(PM_MY(to) = from[self ^ (unsigned)(by)])
#define PM_READ_ONCE(p)               (*(p))
#define PM_INFINITY                   INFINITY
#endif

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

// The value before an addition by one of several threads at the same time.
PM_FN unsigned pm_fetch_add(unsigned *p, unsigned x)
{
#ifdef __CUDACC__
    return atomicAdd(p, x);
#else
    return (*p += x) - x;
#endif
}

PM_FN pm_u64 pm_fetch_add_long(pm_u64 *p, pm_u64 x)
{
#ifdef __CUDACC__
    return atomicAdd(p, x);
#else
    return (*p += x) - x;
#endif
}

// The value before bits are set by one of several threads at the same time.
PM_FN unsigned pm_fetch_or(unsigned *p, unsigned bits)
{
#ifdef __CUDACC__
    return atomicOr(p, bits);
#else
    const unsigned before = *p;
    *p |= bits;
    return before;
#endif
}
