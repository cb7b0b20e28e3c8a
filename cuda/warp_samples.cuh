// SPDX-License-Identifier: GPL-3.0-or-later
// warp_samples.cuh: draws a range of samples, one sample a warp.  It follows a text that defines
// the type pm_dev_warp, the working memory of a warp, and the function
//
//   PM_FN pm_wide_product pm_warp_sample(pm_dev_warp *w, const pm_warp_launch *p, const char *base,
//                                        uint64_t sample)
//
// base: the buffer that the offsets in *p refer to.
// Given: PM_WARPS warps of a thread block.
// Grid: any number of blocks of 32 PM_WARPS threads; PM_WARPS pm_dev_warp of dynamic shared memory.
// Digits: those of pm_warp_sample.
#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(32 * PM_WARPS)
    pm_warp_samples_run(const __grid_constant__ pm_warp_launch p, const char *base, uint64_t from,
                        int64_t count, pm_wide_product *weights)
{
    extern __shared__ double pm_warps[];
    pm_dev_warp *w = (pm_dev_warp *)pm_warps + threadIdx.x / 32;
    int64_t k = (int64_t)blockIdx.x * PM_WARPS + threadIdx.x / 32;
    if (k >= count)
        return;
    pm_wide_product weight = pm_warp_sample(w, &p, base, from + (uint64_t)k);
    if (threadIdx.x % 32 == 0)
        weights[k] = weight;
}
#else
uint64_t pm_warp_bytes(void)
{
    return sizeof(pm_dev_warp);
}

void pm_warp_samples_run(const pm_warp_launch *p, const char *base, uint64_t from, int64_t count,
                         pm_wide_product *weights)
{
    static pm_dev_warp w;
    for (int64_t k = 0; k < count; ++k)
        weights[k] = pm_warp_sample(&w, p, base, from + (uint64_t)k);
}
#endif
