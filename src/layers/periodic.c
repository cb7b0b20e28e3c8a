/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The algorithm "periodic", for blocks in which a sequence of layers is repeated. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "layers/find_layers.h"
#include "layers/layers_count.h"
#include "number/prime.h"
#include "pm/alloc.h"

typedef struct {
    pm_layered g;
    pm_layers layers;
    pm_layers_way way;
} periodic;

static void free_plan(pm_plan *plan)
{
    periodic *x = plan->state;
    if (!x)
        return;
    pm_layers_free(&x->layers);
    pm_layered_free(&x->g);
    free(x);
}

static bool has_classes(const pm_block *b)
{
    for (int64_t i = 0; i < b->a.nrows; ++i)
        if (b->row_cap[i] != 1)
            return true;
    for (int64_t j = 0; j < b->a.ncols; ++j)
        if (b->col_cap[j] != 1)
            return true;
    return false;
}

/* Several moduli are those of an exact count, all primes. */
static bool are_primes(const pm_job *job)
{
    return job->nmoduli > 1 || pm_is_prime(job->moduli[0]);
}

/* Moduli that a run takes at a time, where they have no work in common. */
enum { PASS = 64 };

static pm_status plan(const pm_job *job, pm_plan *plan, pm_error *err)
{
    const pm_block *b = job->block;
    double bytes;
    if (b->a.field > PM_INTEGER || job->order || has_classes(b))
        return pm_fail(err, PM_UNABLE,
                       "periodic counts graphs with integer entries in which layers are repeated");
    periodic *x = pm_calloc_array(1, sizeof *x);
    if (!x)
        return pm_fail_memory(err, "layers");
    plan->state = x;
    pm_status status = pm_layered_find(&b->a, job->run, &x->g, err);
    if (!status)
        status = pm_layers_make(&x->g, job->memory, job->run, &x->layers, err);
    if (status) {
        free_plan(plan);
        plan->state = NULL;
        return status;
    }
    x->way = pm_layers_choose(&x->layers, job->nmoduli, are_primes(job), &plan->seconds, &bytes);
    plan->operations = plan->seconds / PM_LAYERS_TRANSITION_SECONDS;
    plan->memory = bytes * pm_run_threads(job->run) + pm_layers_bytes(&x->layers);
    plan->states = (double)x->layers.t.states;
    plan->is_serial = job->nmoduli == 1;
    plan->pass = x->way == PM_LAYERS_INTEGER ? 0 : PASS;
    return PM_OK;
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const periodic *x = plan->state;
    (void)out;
    const pm_layers_sink sink = {job->found, job->found_context};
    return pm_layers_residues(&x->layers, x->way, job->moduli, job->nmoduli, job->run, sink,
                              residues, err);
}

const pm_algorithm pm_algorithm_periodic = {
    .name = "periodic",
    .summary = "transfer matrix of layers that are repeated, and its linear recurrence",
    .source = "Massey 1969; Bostan and Mori 2021",
    .stage = PM_STAGE_SPECIAL,
    .planning_entry = PM_LAYERS_ENTRY_SECONDS,
    .backend = PM_BACKEND_CPU,
    .plan = plan,
    .run = run,
    .free_plan = free_plan};
