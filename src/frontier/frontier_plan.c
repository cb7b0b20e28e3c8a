/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "core/size.h"
#include "frontier/frontier_state.h"
#include "pm/alloc.h"
#include "pm/settings.h"

pm_status pm_frontier_ring(const pm_job *job, const uint64_t *moduli, int n, int bits,
                           pm_ring **out, pm_error *err)
{
    if (job->nmoduli && bits == 32)
        return pm_ring_narrow(job->block, moduli, n, out, err);
    if (job->nmoduli)
        return pm_ring_residues(job->block, moduli, n, out, err);
    if (job->block->a.field == PM_COMPLEX)
        return pm_ring_complex(job->block, out, err);
    return pm_ring_real(job->block, out, err);
}

pm_status pm_frontier_refuse(const pm_job *job, double seconds, const char *bound, double bytes,
                             double allowed, pm_error *err)
{
    return pm_fail_cost(
        err, seconds,
        "refused: block of n = %lld with %lld entries: the frontier would take about "
        "%.2g seconds and %s%s; allowed are %s%s",
        (long long)job->block->n, (long long)pm_matrix_nnz(&job->block->a), seconds, bound,
        pm_size(bytes).s, pm_size(allowed).s, pm_hint_text(PM_HINT_MEMORY));
}

/* ---- the order ---- */

static pm_status given_order(const int32_t *order, int64_t len, const pm_block_graph *g,
                             pm_vertex_order *o, pm_error *err)
{
    pm_status status = pm_vertex_order_alloc(g, o, err);
    if (status)
        return status;
    for (int32_t v = 0; v < g->nv; ++v)
        o->pos[v] = INT32_MAX;
    for (int64_t i = 0; i < len; ++i) {
        int32_t v = order[i];
        if (g->cap[v] > 1 || o->pos[v] != INT32_MAX)
            continue;
        o->pos[v] = o->len;
        o->seq[o->len++] = v;
    }
    /* vertices that it leaves out come last, ascending */
    for (int32_t v = 0; v < g->nv; ++v)
        if (g->cap[v] == 1 && o->pos[v] == INT32_MAX) {
            o->pos[v] = o->len;
            o->seq[o->len++] = v;
        }
    return pm_vertex_order_cost_all(g, o, err);
}

/* Set the cost of the order: exactly for graphs without twins, else by an estimate. */
static pm_status set_cost(const pm_block_graph *g, pm_vertex_order *o, pm_error *err)
{
    if (!g->all_single)
        return pm_vertex_order_cost_all(g, o, err);
    if (!o->len)
        return PM_OK;
    pm_vertex_order_step *step = pm_alloc_array(o->len, sizeof *step);
    if (!step)
        return pm_fail_memory(err, "frontier cost");
    pm_status status = pm_vertex_order_cost_steps(g, o, step, &o->cost, err);
    free(step);
    return status;
}

/* Whether this is a first, short look at a block. */
static bool is_glance(const pm_job *job)
{
    return job->search_most < INFINITY;
}

/* A first look ends before a program is compiled where the order takes FAR_BEHIND times as long as another
 * algorithm, and earlier where a greedy order takes HOPELESS times as long.  A verification may want the second
 * best plan. */
enum { FAR_BEHIND = 2, HOPELESS = 8 };

static bool is_decided(const pm_job *job)
{
    return is_glance(job) && !job->order && !job->independent && pm_job_best(job) < INFINITY;
}

static bool is_far_behind(const pm_job *job, double seconds)
{
    return is_decided(job) && seconds > FAR_BEHIND * pm_job_best(job);
}

pm_status pm_frontier_order(const pm_job *job, double seconds, const pm_block_graph *g,
                            pm_vertex_order *o, pm_error *err)
{
    /* the first orders gain most; annealing for a short time hardly makes one HOPELESS times as good */
    const pm_search_limits limits = {.rival = job->rival,
                                     .left = pm_job_search_seconds(job),
                                     .most = job->search_most,
                                     .share = is_glance(job) ? PM_PLANNING_SHARE : 0,
                                     .longest = is_decided(job) ? HOPELESS * pm_job_best(job) : 0};
    int32_t *recorded;
    int64_t len = 0;
    pm_status status = pm_frontier_recorded_order(job, g, &recorded, &len, err);
    if (status)
        return status;
    status = job->order ? given_order(job->order, job->order_len, g, o, err)
             : recorded ? given_order(recorded, len, g, o, err)
                        : pm_vertex_order_search(g, job->seed, seconds, limits, job->run, o, err);
    free(recorded);
    if (!status)
        status = set_cost(g, o, err);
    return status;
}

void pm_frontier_setup_free(pm_frontier_setup *w)
{
    pm_frontier_program_free(&w->program);
    pm_vertex_order_free(&w->order);
    pm_block_graph_free(&w->graph);
    *w = (pm_frontier_setup){0};
}

double pm_frontier_transition_seconds(const pm_job *job)
{
    const double residue = job->block->a.re ? PM_ORDER_RESIDUE_SECONDS : PM_ORDER_UNIT_SECONDS;
    return job->nmoduli ? residue * job->nmoduli : PM_ORDER_INEXACT_SECONDS;
}

int64_t pm_frontier_value_bytes(const pm_job *job)
{
    return job->nmoduli ? 8 * (job->nmoduli < 8 ? job->nmoduli : 8) : 48;
}

pm_status pm_frontier_setup_make(const pm_job *job, double seconds, pm_frontier_setup *out,
                                 pm_error *err)
{
    pm_frontier_setup w = {0};
    pm_status status = pm_block_graph_make(job->block, &w.graph, err);
    if (!status)
        status = pm_frontier_order(job, seconds, &w.graph, &w.order, err);
    if (!status)
        pm_job_searched(job, w.order.searched);
    if (!status && is_far_behind(job, w.order.cost * seconds))
        status = pm_fail_cost(err, w.order.cost * seconds,
                              "the frontier takes longer than another algorithm");
    if (!status) {
        pm_job_searched(job, PM_FRONTIER_COMPILE_SECONDS * (double)pm_matrix_nnz(&job->block->a));
        status = pm_frontier_program_compile(&w.graph, &w.order, pm_frontier_value_bytes(job),
                                             false, &w.program, err);
        if (status == PM_UNABLE) { /* 2^62 states of 8 bytes */
            pm_plan p = {.seconds = w.order.cost * seconds};
            status = pm_frontier_refuse(job, pm_plan_elapsed(&p, job->run), "more than ", 0x1p65,
                                        (double)job->memory, err);
        }
    }
    if (status)
        pm_frontier_setup_free(&w);
    else
        *out = w;
    return status;
}

bool pm_frontier_has_room(const pm_job *job, const pm_frontier_setup *w, double bytes,
                          double allowed)
{
    return !job->nmoduli || w->program.is_zero || (double)w->program.room * bytes <= allowed;
}

pm_status pm_frontier_setup_in_place(const pm_job *job, const pm_frontier_setup *w,
                                     pm_frontier_program *out, pm_error *err)
{
    return pm_frontier_program_compile(&w->graph, &w->order, pm_frontier_value_bytes(job), true,
                                       out, err);
}

void pm_frontier_set_zero(const pm_job *job, uint64_t *residues, pm_value *out)
{
    if (job->nmoduli)
        memset(residues, 0, (size_t)job->nmoduli * sizeof *residues);
    pm_value_set_si(out, 0);
}
