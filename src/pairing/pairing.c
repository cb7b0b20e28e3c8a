/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The methods blossom and blossom+: a matching is drawn vertex by vertex (pairing/pairing_state.h). */
#include "config.h"

#include <stdlib.h>

#include "core/machine.h"
#include "cuda/sample_sequence.h"
#include "general/blossom.h"
#include "pairing/pairing_state.h"
#include "pm/alloc.h"
#include "sampler/weight.h"

enum { SWEEPS = 3 /* by default */ };

typedef pm_pairing_plan model;

static void free_model(pm_sampler *s)
{
    model *m = s->model;
    if (!m)
        return;
    pm_pairing_graph_free(&m->g);
    free(m->matching);
    free(m->factor);
    free(m);
}

/* Fitted to measured runs.  A search ends when it has the neighbours of one vertex: soon where there are many edges. */
static double seconds_of(const pm_sampler *s, const model *m)
{
    const double n = (double)s->a->nrows, nnz = (double)pm_matrix_nnz(s->a);
    const double sweeps = m->factor ? n / 2 * m->sweeps / m->interval : 0;
    return PM_SAMPLE_UNIT_SECONDS
           * (60 * nnz + 0.2 * n * nnz + 5 * n * n + sweeps * (0.7 * nnz + 6 * n));
}

static pm_status find_matching(const pm_sampler *s, model *m, const pm_run *run, pm_error *err)
{
    int64_t size;
    m->matching = pm_alloc_array(m->g.n, sizeof *m->matching);
    if (!m->matching)
        return pm_fail_memory(err, "a perfect matching");
    pm_status status = pm_blossom_matching(s->a, run, m->matching, &size, err);
    if (!status && 2 * size < s->a->nrows)
        return pm_fail(err, PM_UNABLE, "expected a graph with a perfect matching for an estimate");
    return status;
}

static pm_status make_model(pm_sampler *s, const pm_sampler_options *o, bool scales,
                            const pm_run *run, pm_error *err)
{
    model *m = pm_calloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "a sampler");
    s->model = m;
    m->interval = o->scale_interval ? o->scale_interval : 1;
    m->sweeps = o->scale_sweeps ? o->scale_sweeps : SWEEPS;
    pm_status status = pm_pairing_graph_make(s->a, run, &m->g, err);
    if (!status)
        status = find_matching(s, m, run, err);
    if (!status && scales)
        status = pm_pairing_scale(m, err);
    if (status)
        return status;
    s->scratch = pm_pairing_state_bytes(m);
    s->seconds = seconds_of(s, m);
    s->batch = pm_sampler_batch_size(s->seconds);
    return PM_OK;
}

static pm_status make_by_degrees(pm_sampler *s, const pm_sampler_options *o, const pm_run *run,
                                 pm_error *err)
{
    return make_model(s, o, false, run, err);
}

static pm_status make_by_scaling(pm_sampler *s, const pm_sampler_options *o, const pm_run *run,
                                 pm_error *err)
{
    return make_model(s, o, true, run, err);
}

static int32_t choose(const pm_pairing_state *s, pm_sample_sequence *random)
{
    int32_t k = 0;
    for (double at = pm_sample_sequence_unit(random) * s->total; k < s->choices - 1; ++k) {
        if (at < s->share[k])
            break;
        at -= s->share[k];
    }
    return k;
}

static pm_weight draw(const pm_sampler *sampler, void *scratch, uint64_t sample)
{
    const model *m = sampler->model;
    pm_sample_sequence random = pm_sample_sequence_of(sampler->seed, sampler->block, sample);
    pm_wide_product w = {1, 0};
    pm_pairing_state s;
    pm_pairing_start(m, scratch, &s);
    for (int32_t left = m->g.n; left > 0; left -= 2) {
        const int32_t u = pm_pairing_turn(&s), k = s.choices > 1 ? choose(&s, &random) : 0;
        if (s.choices > 1)
            pm_wide_product_multiply(&w, s.total / s.share[k]);
        if (m->g.value)
            pm_wide_product_multiply(&w, m->g.value[s.entry[k]]);
        pm_pairing_match(&s, u, k);
    }
    return pm_weight_make(w.m, w.e + m->g.exponent);
}

const pm_sampler_method pm_sampler_blossom = {
    .name = "blossom",
    .summary = "graphs with odd cycles: the vertex with the fewest neighbours left, by edges that"
               " leave a perfect matching: no dead ends",
    .source = "Rasmussen 1994; Edmonds 1965; src/pairing/pairing_state.h",
    .is_general = true,
    .make = make_by_degrees,
    .draw = draw,
    .free_model = free_model};

const pm_sampler_method pm_sampler_blossom_plus = {
    .name = "blossom+",
    .summary = "as blossom, the partner by a scaled matrix",
    .source = "Knight and Ruiz 2013; src/pairing/pairing_state.h",
    .takes = PM_TAKES_SCALINGS,
    .is_general = true,
    .make = make_by_scaling,
    .draw = draw,
    .free_model = free_model};
