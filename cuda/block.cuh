// SPDX-License-Identifier: GPL-3.0-or-later
// block.cuh: a block sums its streams, PM_THREADS of them, always in the same tree, so that the
// digits depend on nothing else.  Follows a text that defines
//
//   PM_FN void pm_stream(pm_u64 stream, PM_CELL *cold, pm_record *out)
//
// cold: for values seldom used, PM_COLD of them at PM_THREADS from each other.  Defines PM_SHARED
// where that memory is to be filled first, by all threads together:
//
//   PM_FN void pm_share(PM_CELL *shared, unsigned self)
//
// Grid: as many blocks as wanted, of PM_THREADS; 64 bytes of shared memory a thread, and
// PM_COLD * sizeof(PM_CELL); registers as the compiler needs them, at least PM_BLOCKS blocks at a time.

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
    pm_sweep(pm_u64 first, pm_record *records)
{
    extern __shared__ PM_CELL pm_cold[];
    __shared__ pm_record part[PM_THREADS];
    unsigned self = threadIdx.x;
    pm_record mine;
#ifdef PM_SHARED
    pm_share(pm_cold, self);
    __syncthreads();
#endif
    pm_stream((first + blockIdx.x) * PM_THREADS + self, pm_cold + self, &mine);
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
void pm_sweep(pm_u64 first, pm_i64 blocks, pm_record *records)
{
    static PM_CELL cold[PM_COLD * PM_THREADS + 1];
    static pm_record part[PM_THREADS];
    for (pm_i64 b = 0; b < blocks; ++b) {
#ifdef PM_SHARED
        for (unsigned self = 0; self < PM_THREADS; ++self)
            pm_share(cold, self);
#endif
        for (unsigned self = 0; self < PM_THREADS; ++self)
            pm_stream((first + (pm_u64)b) * PM_THREADS + self, cold + self, &part[self]);
        for (unsigned half = PM_THREADS / 2; half > 0; half /= 2)
            for (unsigned self = 0; self < half; ++self)
                pm_record_add(&part[self], &part[self + half]);
        records[b] = part[0];
    }
}
#endif
