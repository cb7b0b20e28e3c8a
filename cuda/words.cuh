// SPDX-License-Identifier: GPL-3.0-or-later
// words.cuh: integer types and macros for the texts that are C for the CPU and CUDA C++ for
// kernels. It follows prelude.cuh.
#define PM_KERNEL_TEXT
#ifdef __CUDACC__
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#define PM_MUL_HIGH(a, b) __umul64hi(a, b)
#define PM_SYNC()         __syncthreads()
#define PM_TAKE_TICKET(p) atomicAdd(p, 1ull)
// A loop over l = 0 .. n-1, divided among the threads of a thread block; in C one after the other.
#define PM_EACH(l, n) for (unsigned l = threadIdx.x; l < (n); l += blockDim.x)
// The same, divided among the 32 threads of a warp.
#define PM_LANE_EACH(l, n) for (int l = threadIdx.x & 31; l < (n); l += 32)
#define PM_WARP_SYNC()     __syncwarp()
// The compiler must assume that x has changed, so it keeps no values derived from x in registers.
#define PM_FORGET(x) asm volatile("" : "+l"(x))
#else
#include <stdbool.h>
#include <stdint.h>
#define PM_SYNC()
#define PM_TAKE_TICKET(p)  ((*(p))++)
#define PM_EACH(l, n)      for (unsigned l = 0; l < (n); ++l)
#define PM_LANE_EACH(l, n) for (int l = 0; l < (n); ++l)
#define PM_WARP_SYNC()
#define PM_FORGET(x)
#endif

// The array of this type at a byte offset from base.
#define PM_ARRAY(type, base, offset) ((const type *)((base) + (offset)))

#define PM_KEY_MATCHED (~(uint32_t)0) // key of a row or column that has been matched

// The minimum of lane[0 .. 31], returned to all threads of the warp.  Overwrites the array.
PM_FN uint32_t pm_min_of_lanes(uint32_t *lane)
{
    PM_LOOP
    for (int half = 16; half > 0; half /= 2) {
        PM_WARP_SYNC();
        PM_LANE_EACH(l, half)
        lane[l] = lane[l + half] < lane[l] ? lane[l + half] : lane[l];
    }
    PM_WARP_SYNC();
    return lane[0];
}
