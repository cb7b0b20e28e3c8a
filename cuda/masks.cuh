// SPDX-License-Identifier: GPL-3.0-or-later
// masks.cuh: the kernels that run one step of a mask program (mask_step.h) on the states in device memory, in place.  A thread
// computes one element, adjacent threads adjacent elements.
//
// This text follows mask_step.h and one that defines the values (residues.cuh or numbers.cuh): pm_dev_element, PM_LANES of
// which are a value, pm_dev_ring with pm_ring_load, and sums of terms, pm_ring_add.
//
// Grid: any number of thread blocks of PM_THREADS threads.  No shared memory.  The result depends on the step only.

// Element e of those that a sum writes.
PM_FN void pm_mask_sum_one(const pm_mask_flat *s, const pm_u64 *constants, pm_i64 e,
                           pm_dev_element *states)
{
    const int lane = (int)(e % PM_LANES);
    const pm_u64 number = pm_mask_number(s, (pm_u64)(e / PM_LANES));
    pm_dev_element *of_lane = states + lane, sum;
    pm_dev_ring ring;
    if (!pm_mask_is_written(s, number))
        return;
    pm_ring_load(&ring, constants, (unsigned)lane);
    pm_ring_begin_sum(&sum);
    if (s->keeps)
        pm_ring_add(&ring, &sum, of_lane + (pm_i64)number * PM_LANES, -1);
    for (int k = 0; k < s->sources; ++k) {
        const pm_mask_source *t = &s->source[k];
        if (pm_mask_has(s, t, number))
            pm_ring_add(&ring, &sum, of_lane + (pm_i64)(number ^ t->flip) * PM_LANES, t->weight);
    }
    pm_ring_end_sum(&ring, &sum);
    of_lane[(pm_i64)number * PM_LANES] = sum;
}

// Element e of those that an exchange looks at: the first one of a pair does it.
PM_FN void pm_mask_exchange_one(const pm_mask_flat *s, pm_i64 e, pm_dev_element *states)
{
    const int lane = (int)(e % PM_LANES);
    const pm_u64 number = pm_mask_number(s, (pm_u64)(e / PM_LANES));
    const pm_u64 other = pm_mask_partner(s, number);
    if (other <= number)
        return;
    pm_dev_element *a = states + (pm_i64)number * PM_LANES + lane;
    pm_dev_element *b = states + (pm_i64)other * PM_LANES + lane;
    const pm_dev_element x = *a;
    *a = *b;
    *b = x;
}

#define PM_MASK_ARGUMENTS                                                                          \
    const pm_mask_flat *step, const pm_u64 *constants, void *states, pm_i64 first, pm_i64 past

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

PM_KERNEL pm_mask_sum(PM_MASK_LIST)
{
    PM_EACH(pm_mask_sum_one(step, constants, number, (pm_dev_element *)states);)
}

PM_KERNEL pm_mask_exchange(PM_MASK_LIST)
{
    PM_EACH(pm_mask_exchange_one(step, number, (pm_dev_element *)states);)
}
