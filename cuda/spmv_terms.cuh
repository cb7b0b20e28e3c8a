// SPDX-License-Identifier: GPL-3.0-or-later
// spmv_terms.cuh: what the kernels for y = A x share: the terms of a sum.  It follows semiring.cuh and
// spmv_arrays.h.
//
// Given: PM_THREADS of a thread block, of which PM_BLOCKS fit on a multiprocessor; PM_HAS_VALUES: entries
// have values, otherwise all are the semiring's one.

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

#define PM_KERNEL(name, ...)                                                                       \
    PM_KERNEL_OF(pm_spmv_arrays, (PM_THREADS, PM_BLOCKS), name, __VA_ARGS__)
