// SPDX-License-Identifier: GPL-3.0-or-later
// masks.cuh: the kernels that run one step of a mask program (mask_step.h) on levels in device memory.  A thread
// computes elements of the new level, adjacent threads adjacent elements.
//
// This text follows mask_step.h and one that defines the values (residues.cuh or numbers.cuh): pm_dev_element, PM_LANES of
// which are a value of PM_WORDS pm_dev_word, pm_dev_ring with pm_ring_load and pm_ring_sum.
//
// Grid: any number of thread blocks of PM_THREADS threads.  No shared memory.  The result depends on the step only.

// Element e of the new level.
PM_FN void pm_mask_pull_one(const pm_mask_flat *s, const pm_u64 *constants, pm_i64 e,
                            const pm_dev_element *old, pm_dev_element *out)
{
    pm_i64 src[PM_MASK_SOURCES], delta[PM_MASK_SOURCES];
    int found[PM_MASK_SOURCES], weight[PM_MASK_SOURCES];
    const int lane = (int)(e % PM_LANES);
    pm_dev_ring ring;
    const int n = pm_mask_sources(s, (pm_u64)(e / PM_LANES), src, found);
    // numbers are added from the last one down, on the CPU from the first one up
    for (int k = 0; k < n; ++k) {
        delta[n - 1 - k] = src[k] * PM_LANES + lane;
        weight[n - 1 - k] = found[k];
    }
    pm_ring_load(&ring, constants, (unsigned)lane);
    pm_ring_sum(&ring, old, delta, weight, 1, n, s->is_weighted, out + e);
}

// The words of state i of a permuted level.
PM_FN void pm_mask_move_one(const pm_mask_flat *s, pm_i64 i, const pm_dev_word *old,
                            pm_dev_word *out)
{
    const pm_i64 from = (pm_i64)pm_mask_moved(s, (pm_u64)i) * PM_WORDS;
    const int is_dropped = pm_mask_is_dropped(s, (pm_u64)i);
    PM_UNROLL
    for (int k = 0; k < PM_WORDS; ++k)
        out[i * PM_WORDS + k] = is_dropped ? 0 : PM_LOAD_ONCE(old + from + k);
}

#define PM_MASK_ARGUMENTS                                                                          \
    const pm_mask_flat *step, const pm_u64 *constants, const void *old, void *out, pm_i64 first,   \
        pm_i64 past

// `number` goes through first .. past - 1.
#ifdef __CUDACC__
#define PM_KERNEL    extern "C" __global__ void __launch_bounds__(PM_THREADS)
#define PM_MASK_LIST PM_MASK_ARGUMENTS
#define PM_EACH(...)                                                                               \
    const pm_i64 number = first + (pm_i64)blockIdx.x * PM_THREADS + threadIdx.x;                   \
    if (number < past)                                                                             \
    __VA_ARGS__
#else
#define PM_KERNEL    void
#define PM_MASK_LIST PM_MASK_ARGUMENTS, pm_i64 blocks
#define PM_EACH(...)                                                                               \
    for (pm_i64 number = first; number < past && number < first + blocks * PM_THREADS; ++number)   \
    __VA_ARGS__
#endif

PM_KERNEL pm_mask_pull(PM_MASK_LIST)
{
    PM_EACH(pm_mask_pull_one(step, constants, number, (const pm_dev_element *)old,
                             (pm_dev_element *)out);)
}

PM_KERNEL pm_mask_permute(PM_MASK_LIST)
{
    PM_EACH(pm_mask_move_one(step, number, (const pm_dev_word *)old, (pm_dev_word *)out);)
}
