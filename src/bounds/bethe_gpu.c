/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/bethe_gpu.h"

#include "spmv/workspace_gpu.h"

enum { SUM_OF_ROW, SUM_OF_COL }; /* vectors of the workspace */

/* The messages to columns are the entries of the transpose, so that their sums are a product with ones;
 * those to rows are the entries of another matrix. */
static pm_message_arrays arrays_of(const pm_workspace_gpu *g, double least_share)
{
    const int64_t blocks = (g->entries.nnz + 1023) / 1024;
    return (pm_message_arrays){
        .row = g->entries.row,
        .column = g->entries.column,
        .place = g->entries.place,
        .value = g->entries.value,
        .to_row = g->work[0],
        .to_col = g->entries.other,
        .probability = g->work[1],
        .sum_of_row = pm_workspace_gpu_vector(g, SUM_OF_ROW),
        .sum_of_col = pm_workspace_gpu_vector(g, SUM_OF_COL),
        .partial = g->partial,
        .least_share = least_share,
        .nnz = g->entries.nnz,
        .blocks = blocks < PM_WORKSPACE_BLOCKS ? (int)blocks : PM_WORKSPACE_BLOCKS,
    };
}

/* Returns the largest change of a probability. */
static double sweep(pm_workspace_gpu *g, const pm_message_arrays *a)
{
    pm_message_arrays all = *a;
    all.blocks = (int)pm_workspace_gpu_blocks(a->nnz);
    pm_workspace_gpu_multiply_by(g, false, a->to_row, g->ones, SUM_OF_ROW);
    pm_workspace_gpu_launch(g, "pm_messages_to_columns", all.blocks, &all);
    pm_workspace_gpu_multiply_by(g, true, a->to_col, g->ones, SUM_OF_COL);
    all.blocks = a->blocks;
    pm_workspace_gpu_launch(g, "pm_messages_to_rows", all.blocks, &all);
    return pm_workspace_gpu_largest(g, all.blocks);
}

/* Sweeps until the probabilities change little; scratch: [nnz] on the host, used only where there are values. */
static pm_status run_sweeps(pm_workspace *on, double (*value)[2], const pm_bethe_limits *limits,
                            const pm_run *run, const pm_message_arrays *a, double *scratch,
                            pm_error *err)
{
    pm_workspace_gpu *g = on->gpu;
#pragma omp parallel for num_threads(on->threads) if (on->threads > 1)
    for (int64_t k = 0; k < (value ? a->nnz : 0); ++k)
        scratch[k] = value[k][0];
    if (value)
        pm_workspace_gpu_put_entries(g, a->value, scratch);
    else
        pm_workspace_gpu_map_entries(g, PM_MAP_FILL, 1, a->value, a->value);
    pm_workspace_gpu_map_entries(g, PM_MAP_COPY, 0, a->value, a->to_row);
    pm_workspace_gpu_map_entries(g, PM_MAP_FILL, 0, a->probability, a->probability);
    for (int count = 0; count < limits->sweeps && sweep(g, a) > limits->tolerance; ++count)
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped during belief propagation");
    return PM_OK;
}

pm_status pm_bethe_gpu_make(pm_workspace *on, double (*value)[2], const pm_bethe_limits *limits,
                            const pm_run *run, pm_bethe *out, pm_error *err)
{
    pm_workspace_gpu *g = on->gpu;
    const pm_message_arrays a = arrays_of(g, limits->least_share);
    pm_status status = run_sweeps(on, value, limits, run, &a, out->to_row, err);
    if (status)
        return status;
    pm_workspace_gpu_get_entries(g, a.to_col, out->probability); /* in the order of the columns */
    pm_csr_pair_by_rows(&on->x, out->probability, out->to_col);
    pm_workspace_gpu_get_entries(g, a.to_row, out->to_row);
    pm_workspace_gpu_get_entries(g, a.probability, out->probability);
    return pm_workspace_check(on, err);
}

pm_status pm_bethe_gpu_probabilities(pm_workspace *on, double (*value)[2],
                                     const pm_bethe_limits *limits, const pm_run *run,
                                     double *sum_to_col, pm_error *err)
{
    const pm_message_arrays a = arrays_of(on->gpu, limits->least_share);
    pm_status status = run_sweeps(on, value, limits, run, &a, on->x.a.value, err);
    if (status)
        return status;
    pm_workspace_get(on, SUM_OF_COL, sum_to_col);
    pm_workspace_gpu_get_entries(on->gpu, a.probability, on->x.a.value);
    return pm_workspace_check(on, err);
}
