// SPDX-License-Identifier: GPL-3.0-or-later
// samples.cuh: batches of samples of up to 64 rows of ones.  A block draws a batch: each thread is a
// lane of cuda/lanes.h and draws its samples one after another; lanes are merged in the tree
// that the CPU has.  All threads of a warp take their steps together, since a step leaves one row
// less to each; those at a dead end wait, which comes late in a sample.
//
// Follows a text that defines one sample:
//
//   PM_FN pm_wide_product pm_dev_sample(const pm_samples_launch *p, const uint64_t *row,
//                              const uint64_t *column, const uint32_t *table, pm_sample_sequence *s)
//
// row, column, table: those of *p, where threads can look up different ones.
// Given: PM_N rows; PM_BATCH samples, a multiple of PM_SUM_LANES.
//
// Grid: a block of PM_SUM_LANES threads a batch; about 8 KB of shared memory.
// Digits: those of pm_dev_sample.

typedef struct {
    uint64_t row[PM_N], column[PM_N];
    uint32_t table[PM_N + 1];
    pm_lane_sums lane[PM_SUM_LANES], group[PM_SUM_GROUPS];
} pm_samples_block;

PM_FN void pm_tell(const pm_samples_launch *p, const pm_wide_product *w, pm_samples_told *told)
{
    if (w->m > 0 && (w->e > p->least.e || (w->e == p->least.e && w->m > p->least.m))) {
        uint64_t at = PM_TAKE_TICKET(&told->count);
        if (at < told->room)
            ((pm_wide_product *)(told + 1))[at] = *w;
    }
}

PM_FN void pm_samples_lane(const pm_samples_launch *p, pm_samples_block *b, uint64_t first,
                           unsigned l, pm_samples_told *told)
{
    pm_lane_sums part;
    pm_lane_sums_clear(&part);
    PM_LOOP
    for (unsigned k = l; k < PM_BATCH; k += PM_SUM_LANES) {
        pm_sample_sequence s = pm_sample_sequence_of(p->seed, p->block, first + k);
        pm_wide_product w = pm_dev_sample(p, b->row, b->column, b->table, &s);
        w.e += p->exponent;
        pm_wide_product_normalise(&w);
        pm_lane_sums_add(&part, w.m, w.e);
        pm_tell(p, &w, told);
    }
    b->lane[l] = part;
}

// Lanes l and l + half, for l < half.
PM_FN void pm_merge_lanes(pm_samples_block *b, unsigned from, unsigned to)
{
    PM_LOOP
    for (unsigned half = from; half >= to; half /= 2) {
        PM_SYNC();
        PM_EACH(l, half)
        pm_lane_sums_merge(&b->lane[l], &b->lane[l + half]);
    }
    PM_SYNC();
}

PM_FN void pm_samples_batch(const pm_samples_launch *p, pm_samples_block *b, uint64_t batch,
                            pm_batch_sums *sums, pm_samples_told *told)
{
    PM_EACH(i, PM_N)
    {
        b->row[i] = p->row[i];
        b->column[i] = p->column[i];
    }
    PM_EACH(c, PM_N + 1)
    b->table[c] = p->table[c];
    PM_SYNC();
    PM_EACH(l, PM_SUM_LANES)
    pm_samples_lane(p, b, batch * PM_BATCH, l, told);
    pm_merge_lanes(b, PM_SUM_LANES / 2, PM_SUM_GROUPS);
    PM_EACH(l, PM_SUM_GROUPS)
    b->group[l] = b->lane[l];
    pm_merge_lanes(b, PM_SUM_GROUPS / 2, 1);
    PM_EACH(l, PM_SUM_GROUPS)
    {
        sums->sum[l] =
            pm_sum_at_exponent(pm_lane_sums_total(&b->group[l]), b->group[l].exp, b->lane[0].exp);
        sums->count[l] = b->group[l].count;
        if (l == 0)
            sums->all = b->lane[0];
    }
}

#ifdef __CUDACC__
extern "C" __global__ void __launch_bounds__(PM_SUM_LANES)
    pm_samples_run(const __grid_constant__ pm_samples_launch p, uint64_t first, pm_batch_sums *sums,
                   pm_samples_told *told)
{
    __shared__ pm_samples_block b;
    pm_samples_batch(&p, &b, first + blockIdx.x, sums + blockIdx.x, told);
}
#else
void pm_samples_run(const pm_samples_launch *p, uint64_t first, int64_t blocks, pm_batch_sums *sums,
                    pm_samples_told *told)
{
    static pm_samples_block b;
    for (int64_t i = 0; i < blocks; ++i)
        pm_samples_batch(p, &b, first + (uint64_t)i, sums + i, told);
}
#endif
