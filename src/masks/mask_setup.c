/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "masks/mask_setup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "frontier/frontier_plan.h"
#include "masks/mask_key.h"
#include "pm/alloc.h"

/* For each vertex the entry of its loop, as pm_mask_program_compile takes it. */
static int64_t *find_loops(const pm_matrix *a)
{
    int64_t *loop = pm_alloc_array(a->nrows, sizeof *loop);
    for (int64_t v = 0; loop && v < a->nrows; ++v) {
        loop[v] = PM_MASK_NO_LOOP;
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (a->colind[k] == v)
                loop[v] = pm_block_graph_entry(a, k);
    }
    return loop;
}

static pm_status compile(const pm_job *job, double seconds, pm_mask_setup *m, pm_error *err)
{
    int64_t *loop = find_loops(&job->block->a);
    if (!loop)
        return pm_fail_memory(err, "loops");
    pm_status status = pm_mask_program_compile(&m->graph, loop, &m->order, &m->program, err);
    free(loop);
    if (status != PM_UNABLE)
        return status;
    pm_plan p = {.seconds = m->order.cost * seconds};
    return pm_frontier_refuse(job, pm_plan_elapsed(&p, job->run), "more than ", exp2(PM_MASK_SLOTS),
                              (double)job->memory, err);
}

pm_status pm_mask_setup_make(const pm_job *job, double seconds, pm_mask_setup *out, pm_error *err)
{
    pm_mask_setup m = {0};
    if (pm_matrix_nnz(&job->block->a) > INT32_MAX)
        return pm_fail(err, PM_UNABLE, "too many entries for the frontier");
    pm_status status = pm_block_graph_make(job->block, &m.graph, err);
    if (!status)
        status = pm_frontier_order(job, seconds, &m.graph, &m.order, err);
    if (!status) {
        pm_job_searched(job,
                        m.order.searched
                            + PM_FRONTIER_COMPILE_SECONDS * (double)pm_matrix_nnz(&job->block->a));
        status = compile(job, seconds, &m, err);
    }
    if (status)
        pm_mask_setup_free(&m);
    else
        *out = m;
    return status;
}

pm_status pm_mask_setup_store(const pm_job *job, const pm_mask_setup *m, pm_frontier_states *out,
                              pm_error *err)
{
    *out = pm_frontier_states_new(job, m->program.nsteps);
    if (!out->store)
        return PM_OK;
    out->engine = pm_mask_key(&m->program);
    return pm_frontier_record_order(job, &m->graph, &m->order, err);
}

void pm_mask_setup_free(pm_mask_setup *m)
{
    pm_mask_program_free(&m->program);
    pm_vertex_order_free(&m->order);
    pm_block_graph_free(&m->graph);
    *m = (pm_mask_setup){0};
}
