// SPDX-License-Identifier: GPL-3.0-or-later
// block.cuh: the kernel of a sweep.  A thread block sums PM_THREADS segments, one in each thread,
// and adds their records by a fixed binary tree, so that the digits depend on nothing else.
// Follows a text that defines
//
//   PM_FN void pm_dev_segment(pm_u64 segment, PM_CELL *shared, pm_record *out)
//
// shared: the first of PM_SHARED_CELLS cells of this thread in shared memory, at a distance of
// PM_THREADS. If the text defines PM_FILLS_SHARED, all threads first fill that memory together:
//
//   PM_FN void pm_dev_fill_shared(PM_CELL *shared, unsigned self)
//
// Grid: any number of thread blocks of PM_THREADS threads.  Shared memory of a thread: a record of
// 64 bytes or more (static) and PM_SHARED_CELLS * sizeof(PM_CELL) bytes (dynamic).  Registers: so
// that at least PM_BLOCKS thread blocks run on a multiprocessor.

PM_FN void pm_record_add(pm_record *a, const pm_record *b)
{
#if PM_TERMS
    for (int k = 0; k < PM_TERMS; ++k) {
        a->high[k] += b->high[k];
        a->low[k] += b->low[k];
    }
#else
    pm_dd_add(a->re, b->re);
    pm_dd_add(a->im, b->im);
    a->size += b->size;
    a->sampled += b->sampled;
    a->absolute += b->absolute;
    a->spread += b->spread;
#endif
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(PM_THREADS, PM_BLOCKS)
    pm_block_sweep(pm_u64 first, pm_record *records)
{
    extern __shared__ PM_CELL pm_shared_cells[];
    __shared__ pm_record part[PM_THREADS];
    unsigned self = threadIdx.x;
    pm_record mine;
#ifdef PM_FILLS_SHARED
    pm_dev_fill_shared(pm_shared_cells, self);
    __syncthreads();
#endif
    pm_dev_segment((first + blockIdx.x) * PM_THREADS + self, pm_shared_cells + self, &mine);
    part[self] = mine;
    PM_LOOP
    for (unsigned half = PM_THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (self < half)
            pm_record_add(&part[self], &part[self + half]);
    }
    if (self == 0)
        records[blockIdx.x] = part[0];
}
#else
void pm_block_sweep(pm_u64 first, pm_i64 blocks, pm_record *records)
{
    static PM_CELL shared[PM_SHARED_CELLS * PM_THREADS + 1];
    static pm_record part[PM_THREADS];
    for (pm_i64 b = 0; b < blocks; ++b) {
#ifdef PM_FILLS_SHARED
        for (unsigned self = 0; self < PM_THREADS; ++self)
            pm_dev_fill_shared(shared, self);
#endif
        for (unsigned self = 0; self < PM_THREADS; ++self)
            pm_dev_segment((first + (pm_u64)b) * PM_THREADS + self, shared + self, &part[self]);
        for (unsigned half = PM_THREADS / 2; half > 0; half /= 2)
            for (unsigned self = 0; self < half; ++self)
                pm_record_add(&part[self], &part[self + half]);
        records[b] = part[0];
    }
}
#endif
