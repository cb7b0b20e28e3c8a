/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/linear_step.h"

#include "cuda/linear_entry.h"
#include "spmv/workspace_gpu.h"

static void step_on_host(pm_csr *x, const double *u, const double *w, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < x->nrows; ++i)
        for (int64_t k = x->rowptr[i]; k < x->rowptr[i + 1]; ++k) {
            const double d = u[i] - w[x->colind[k]];
            if (x->narrow)
                x->narrow[k] = (float)pm_linear_entry(x->narrow[k], d);
            else
                x->value[k] = pm_linear_entry(x->value[k], d);
        }
}

static void step_on_gpu(pm_workspace_gpu *g, int u, int w)
{
    pm_entry_arrays e = g->entries;
    e.x = pm_workspace_gpu_vector(g, u);
    e.z = pm_workspace_gpu_vector(g, w);
    e.blocks = (int)pm_workspace_gpu_blocks(e.nnz);
    pm_workspace_gpu_launch(g, "pm_entries_step", e.blocks, &e);
}

void pm_linear_step(pm_workspace *on, int u, int w)
{
    if (on->gpu)
        step_on_gpu(on->gpu, u, w);
    else
        step_on_host(&on->x.a, on->vector[u], on->vector[w], on->threads);
}
