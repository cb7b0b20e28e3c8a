/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/block.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

pm_status pm_approx_block_make(pm_matrix *a, uint32_t index, pm_approx_block **out, pm_error *err)
{
    pm_approx_block *b = pm_alloc_array(1, sizeof *b);
    if (!b)
        return pm_fail_memory(err, "a block");
    *b = (pm_approx_block){.a = *a, .index = index, .share = 1};
    *a = (pm_matrix){0};
    *out = b;
    return PM_OK;
}

void pm_approx_block_free(pm_approx_block *b)
{
    if (!b)
        return;
    if (b->samples) {
        pm_sampler_free(&b->samples->sampler);
        free(b->samples->moments);
    }
    free(b->samples);
    if (b->value)
        pm_value_clear(b->value);
    free(b->value);
    pm_matrix_free(&b->a);
    free(b);
}

pm_xreal pm_weight_xreal(pm_weight w)
{
    return pm_xreal_make(w.m, 0, w.e);
}

double pm_xreal_log10(pm_xreal a)
{
    return a.hi > 0 ? pm_xreal_log10_abs(a) : -INFINITY;
}

double pm_approx_block_log10(const pm_approx_block *b)
{
    return pm_xreal_log10(pm_approx_block_real(b));
}

/* A weight is a sum of products of positive numbers, so its relative error is at most the number of
 * operations on the way, here a bound with every entry and every row and column, times a rounding
 * unit. */
static double rounding_of(const pm_approx_block *b)
{
    double operations = 4 * ((double)pm_matrix_nnz(&b->a) + 4 * (double)b->a.nrows);
    bool is_single = b->samples->by_gpu && b->samples->sampler.on_gpu->is_single_precision;
    return operations * (is_single ? 0x1p-23 : 0x1p-53);
}

pm_status pm_approx_block_hold(pm_approx_block *b, pm_error *err)
{
    if (b->value)
        return PM_OK;
    b->value = pm_alloc_array(1, sizeof *b->value);
    if (!b->value)
        return pm_fail_memory(err, "the value of a block");
    pm_value_init(b->value);
    return PM_OK;
}

void pm_approx_block_get(const pm_approx_block *b, pm_value *out)
{
    if (b->value)
        pm_value_set(out, b->value);
    else
        pm_value_set_one(out);
}

pm_xreal pm_approx_block_real(const pm_approx_block *b)
{
    return b->value ? pm_value_real(b->value) : pm_xreal_make(1, 0, 0);
}

pm_status pm_approx_block_list(pm_approx_block *b, pm_error *err)
{
    if (!b->samples)
        b->samples = pm_calloc_array(1, sizeof *b->samples);
    return b->samples ? pm_approx_block_hold(b, err)
                      : pm_fail_memory(err, "the samples of a block");
}

pm_status pm_approx_block_begin(pm_approx_block *b, pm_error *err)
{
    if (b->samples->moments)
        return PM_OK;
    b->samples->moments = pm_alloc_array(1, sizeof *b->samples->moments);
    if (!b->samples->moments)
        return pm_fail_memory(err, "the moments of a block");
    pm_moments_clear(b->samples->moments);
    return PM_OK;
}

void pm_approx_block_update(pm_approx_block *b)
{
    const pm_moments *m = b->samples->moments;
    b->samples->reached = m->count;
    b->samples->by_gpu = m->by_gpu > 0;
    b->samples->by_cpu = m->by_gpu < m->count;
    pm_moments_summary(m, &b->samples->summary);
    b->samples->spread = pm_spread_of(&b->samples->summary, b->samples->sampler.branches);
    if (b->samples->sampler.is_exact)
        b->samples->spread =
            (pm_spread){.freedom = INFINITY, .tail_k = NAN, .rounding = rounding_of(b)};
    pm_value_set_real(b->value, PM_REAL, pm_weight_xreal(b->samples->summary.mean), (pm_xreal){0},
                      (pm_xreal){0});
}

pm_status pm_approx_block_draw(pm_approx_block *b, int64_t count, const pm_run *run, pm_error *err)
{
    pm_status status = pm_approx_block_begin(b, err);
    int64_t from = b->samples->reached;
    if (status || count <= from)
        return status;
    int64_t before = b->samples->moments->count;
    status = pm_moments_draw(&b->samples->sampler, (uint64_t)from, count - from, run,
                             b->samples->moments, err);
    if (status == PM_PARTIAL) {
        b->is_partial = true;
        status = PM_OK;
    }
    if (b->is_partial)
        b->samples->reached = status ? from : count;
    else if (b->samples->moments->count > before)
        pm_approx_block_update(b);
    return status;
}
