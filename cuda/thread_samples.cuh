// SPDX-License-Identifier: GPL-3.0-or-later
// thread_samples.cuh: draws batches of samples of a pattern of up to 64 rows, one sample a thread.
//
// A thread block draws one batch.  Each of its threads is one lane of cuda/lanes.h and draws the
// samples of its lane one after another.  The lanes are then merged in the same order as on the
// CPU. A step matches one row in every thread, so the threads of a warp stay at the same step; a
// thread that has reached a dead end, which happens late in a sample, waits for the others.
//
// It follows a text that defines one sample:
//
//   PM_FN pm_wide_product pm_dev_sample(const pm_thread_launch *p, const uint64_t *row,
//                                       const uint64_t *column, const uint32_t *table,
//                                       pm_sample_sequence *s)
//
// row, column and table are copies of the arrays of *p in shared memory, where threads may read
// different elements at the same time.
// Given: PM_N rows; PM_BATCH samples, a multiple of PM_SUM_LANES.
// Grid: one block of PM_SUM_LANES threads a batch; about 8 KB of static shared memory.
// Digits: those of pm_dev_sample.

typedef struct {
    uint64_t row[PM_N], column[PM_N];
    uint32_t table[PM_N + 1];
    pm_lane_sums lane[PM_SUM_LANES], group[PM_SUM_GROUPS];
} pm_dev_samples_block;

// Appends *w to the large weights if it is above the threshold and there is room.
PM_FN void pm_return_if_large(const pm_thread_launch *p, const pm_wide_product *w,
                              pm_large_weights *large)
{
    if (w->m > 0 && (w->e > p->threshold.e || (w->e == p->threshold.e && w->m > p->threshold.m))) {
        uint64_t at = PM_TAKE_TICKET(&large->count);
        if (at < large->room)
            ((pm_wide_product *)(large + 1))[at] = *w;
    }
}

// Draws the samples of lane l of the batch that begins with sample `first`.
PM_FN void pm_draw_lane(const pm_thread_launch *p, pm_dev_samples_block *b, uint64_t first,
                        unsigned l, pm_large_weights *large)
{
    pm_lane_sums sums;
    pm_lane_sums_clear(&sums);
    PM_LOOP
    for (unsigned k = l; k < PM_BATCH; k += PM_SUM_LANES) {
        pm_sample_sequence s = pm_sample_sequence_of(p->seed, p->block, first + k);
        pm_wide_product w = pm_dev_sample(p, b->row, b->column, b->table, &s);
        w.e += p->exponent;
        pm_wide_product_normalise(&w);
        pm_lane_sums_add(&sums, w.m, w.e);
        pm_return_if_large(p, &w, large);
    }
    b->lane[l] = sums;
}

// Merges lane l + half into lane l for all l < half; for half = from, from / 2, ..., to.
PM_FN void pm_merge_lanes(pm_dev_samples_block *b, unsigned from, unsigned to)
{
    PM_LOOP
    for (unsigned half = from; half >= to; half /= 2) {
        PM_SYNC();
        PM_EACH(l, half)
        pm_lane_sums_merge(&b->lane[l], &b->lane[l + half]);
    }
    PM_SYNC();
}

// One thread block: draws a batch and writes its sums.
PM_FN void pm_draw_batch(const pm_thread_launch *p, pm_dev_samples_block *b, uint64_t batch,
                         pm_batch_sums *sums, pm_large_weights *large)
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
    pm_draw_lane(p, b, batch * PM_BATCH, l, large);
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
    pm_thread_samples_run(const __grid_constant__ pm_thread_launch p, uint64_t first,
                          pm_batch_sums *sums, pm_large_weights *large)
{
    __shared__ pm_dev_samples_block b;
    pm_draw_batch(&p, &b, first + blockIdx.x, sums + blockIdx.x, large);
}
#else
void pm_thread_samples_run(const pm_thread_launch *p, uint64_t first, int64_t blocks,
                           pm_batch_sums *sums, pm_large_weights *large)
{
    static pm_dev_samples_block b;
    for (int64_t i = 0; i < blocks; ++i)
        pm_draw_batch(p, &b, first + (uint64_t)i, sums + i, large);
}
#endif
