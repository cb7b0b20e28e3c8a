// SPDX-License-Identifier: GPL-3.0-or-later
// words.cuh: what headers need that are compiled for processors too.  Follows prelude.cuh.
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
// All l below n, shared out among the threads of a block; for C one after the other.
#define PM_EACH(l, n) for (unsigned l = threadIdx.x; l < (n); l += blockDim.x)
// The same for the lanes of a warp.
#define PM_LANE_EACH(l, n) for (int l = threadIdx.x & 31; l < (n); l += 32)
#define PM_WARP_SYNC()     __syncwarp()
// The compiler knows nothing of the word x any more: what followed from it is not kept.
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

#define PM_PLACE(type, base, offset) ((const type *)((base) + (offset)))

#define PM_GONE (~(uint32_t)0) // key of a line that has left

// The least of the numbers of the 32 lanes of a warp, for all of them; they are used up.
PM_FN uint32_t pm_least_of_lanes(uint32_t *lane)
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
