/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/moments.h"

#include <math.h>
#include <string.h>

#include "sampler/pareto.h"
#include "sampler/weight.h"

void pm_moments_clear(pm_moments *m)
{
    memset(m, 0, offsetof(pm_moments, tail));
}

/* ---- the largest weights ---- */

/* Restores the heap after heap[at] has been replaced by a larger weight. */
static void sift_down(pm_weight *heap, int64_t n, int64_t at)
{
    pm_weight w = heap[at];
    for (int64_t child = 2 * at + 1; child < n; child = 2 * at + 1) {
        if (child + 1 < n && pm_weight_compare(heap[child + 1], heap[child]) < 0)
            ++child;
        if (pm_weight_compare(w, heap[child]) <= 0)
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = w;
}

static void keep_if_large(pm_moments *m, pm_weight w)
{
    if (m->ntail < PM_MOMENTS_TAIL) {
        m->tail[m->ntail++] = w;
        if (m->ntail == PM_MOMENTS_TAIL)
            for (int64_t i = PM_MOMENTS_TAIL / 2; i-- > 0;)
                sift_down(m->tail, PM_MOMENTS_TAIL, i);
    } else if (pm_weight_compare(w, m->tail[0]) > 0) {
        m->tail[0] = w;
        sift_down(m->tail, PM_MOMENTS_TAIL, 0);
    }
}

void pm_moments_keep_largest(pm_moments *m, const pm_weight *weight, int64_t count)
{
    for (int64_t i = 0; i < count; ++i)
        if (weight[i].m > 0)
            keep_if_large(m, weight[i]);
}

/* ---- moments ---- */

/* Merges lane l + half into lane l for all l < half; for half = from, from / 2, ..., to. */
static void merge_lanes(pm_lane_sums *lane, int from, int to)
{
    for (int half = from; half >= to; half /= 2)
        for (int l = 0; l < half; ++l)
            pm_lane_sums_merge(&lane[l], &lane[l + half]);
}

void pm_batch_sums_of(uint64_t from, const pm_weight *weight, int64_t count, pm_batch_sums *out)
{
    pm_lane_sums lane[PM_SUM_LANES], group[PM_SUM_GROUPS];
    for (int l = 0; l < PM_SUM_LANES; ++l)
        pm_lane_sums_clear(&lane[l]);
    for (int64_t i = 0; i < count; ++i)
        pm_lane_sums_add(&lane[(from + (uint64_t)i) % PM_SUM_LANES], weight[i].m, weight[i].e);
    merge_lanes(lane, PM_SUM_LANES / 2, PM_SUM_GROUPS);
    memcpy(group, lane, sizeof group);
    merge_lanes(lane, PM_SUM_GROUPS / 2, 1);
    out->all = lane[0];
    for (int l = 0; l < PM_SUM_GROUPS; ++l) {
        out->sum[l] = pm_sum_at_exponent(pm_lane_sums_total(&group[l]), group[l].exp, out->all.exp);
        out->count[l] = group[l].count;
    }
}

void pm_batch_sums_merge(pm_batch_sums *s, const pm_batch_sums *batch)
{
    int64_t before = s->all.exp;
    pm_lane_sums_merge(&s->all, &batch->all);
    for (int l = 0; l < PM_SUM_GROUPS; ++l) {
        s->sum[l] = pm_sum_at_exponent(s->sum[l], before, s->all.exp)
                    + pm_sum_at_exponent(batch->sum[l], batch->all.exp, s->all.exp);
        s->count[l] += batch->count[l];
    }
}

void pm_moments_add_batch(pm_moments *m, const pm_batch_sums *batch)
{
    const pm_batch_sums *s = &m->sums;
    pm_batch_sums_merge(&m->sums, batch);
    m->count = s->all.count;
    m->dead = s->all.dead;
}

/* ---- summary ---- */

static void summarise_groups(const pm_batch_sums *s, pm_sample_summary *out)
{
    double least = INFINITY;
    for (int l = 0; l < PM_SUM_GROUPS; ++l)
        if (s->count[l] > 0) {
            least = fmin(least, s->sum[l] / (double)s->count[l]);
            ++out->batches;
        }
    out->least_batch = s->all.mean > 0 ? fmin(least / s->all.mean, 1) : 0;
}

void pm_moments_summary(const pm_moments *m, pm_sample_summary *out)
{
    const pm_lane_sums *all = &m->sums.all;
    double n = (double)m->count, mean = all->mean, square = all->central[0];
    *out = (pm_sample_summary){.mean = pm_weight_make(mean, all->exp),
                               .relative_variance = INFINITY,
                               .tail_k = pm_pareto_tail(m),
                               .count = m->count,
                               .dead = m->dead};
    summarise_groups(&m->sums, out);
    if (!(mean > 0))
        return;
    out->effective = n / (1 + square / (n * mean * mean));
    if (m->count > 1)
        out->relative_variance = square / (n * (n - 1) * mean * mean);
    if (square > 0)
        out->skewness = all->central[1] / n / pow(square / n, 1.5);
}
