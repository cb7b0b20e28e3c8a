// SPDX-License-Identifier: GPL-3.0-or-later
// warps.cuh: samples of a range, a warp a sample.  Follows a text that defines pm_dev_warp, what a warp
// works on, and
//
//   PM_FN pm_wide_product pm_warp_sample(pm_dev_warp *w, const pm_lines_launch *p, const char *base,
//                                   uint64_t sample)
//
// Given: PM_WARPS of a block.
// Grid: as many blocks as wanted, of 32 PM_WARPS threads; PM_WARPS pm_dev_warp of shared memory.
#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(32 * PM_WARPS)
    pm_lines_run(const __grid_constant__ pm_lines_launch p, const char *base, uint64_t from,
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

void pm_lines_run(const pm_lines_launch *p, const char *base, uint64_t from, int64_t count,
                  pm_wide_product *weights)
{
    static pm_dev_warp w;
    for (int64_t k = 0; k < count; ++k)
        weights[k] = pm_warp_sample(&w, p, base, from + (uint64_t)k);
}
#endif
