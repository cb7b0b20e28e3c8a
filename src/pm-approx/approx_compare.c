/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The number of perfect matchings beside those of random graphs with the same degrees. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "estimate/log_count.h"
#include "network/configuration.h"
#include "network/switching.h"
#include "pm-approx/approx_item.h"

enum { DIGITS = 6 };

/* Of the samples. */
typedef struct {
    int64_t count, matched; /* matched: those with a perfect matching */
    int64_t at_least;       /* those with at least as many as the graph */
    double sum, squares; /* of the logarithms of those that are matched, less that of the graph */
} samples;

static void add_sample(samples *s, double log10, double graph)
{
    const double base = isfinite(graph) ? graph : 0;
    ++s->count;
    s->at_least += log10 >= graph;
    if (!isfinite(log10))
        return;
    ++s->matched;
    s->sum += log10 - base;
    s->squares += (log10 - base) * (log10 - base);
}

static double mean_of(const samples *s)
{
    return s->matched > 0 ? s->sum / (double)s->matched : NAN;
}

static double deviation_of(const samples *s)
{
    const double n = (double)s->matched, mean = mean_of(s);
    return n > 1 ? sqrt(fmax(s->squares - n * mean * mean, 0) / (n - 1)) : NAN;
}

/* Where the graph was too large to be counted, it is not tried with graphs of the same size. */
static pm_status draw(const pm_approx_context *c, const pm_matrix *a, const pm_log_count *graph,
                      samples *s, pm_error *err)
{
    pm_estimate_options how = c->estimate;
    pm_run part = *c->run; /* the progress is that of all graphs */
    part.progress = NULL;
    if (!graph->is_exact)
        how.exact_seconds = how.planar_seconds = 0;
    const double attempts = pm_switching_attempts(a, PM_SWITCHES_OF_EDGE);
    pm_status status = PM_OK;
    for (int64_t k = 0; k < c->compare && !status; ++k) {
        pm_matrix other = {0};
        pm_log_count x;
        int64_t done;
        pm_random random = {.seed = c->estimate.seed, .sequence = (uint64_t)k};
        pm_run_progress(c->run, (double)k / (double)c->compare, "random graphs");
        status = pm_matrix_copy(a, &other, err);
        if (!status)
            status = pm_switching_run(&other, attempts, &random, &part, &done, err);
        if (!status)
            status = pm_log_count_make(&other, &how, &part, &x, err);
        pm_matrix_free(&other);
        if (!status)
            add_sample(s, x.log10, graph->log10);
        else if (status == PM_ESTOPPED)
            pm_fail(err, status, "stopped after %" PRId64 " of %" PRId64 " random graphs", k,
                    c->compare);
    }
    return status;
}

/* NAN and infinite numbers are null in JSON. */
static pm_cell number(const char *name, double x)
{
    return pm_cell_decimal(name, x, DIGITS);
}

static void put(pm_emitter *e, const pm_log_count *graph, const pm_configuration *model,
                const samples *s)
{
    const double base = isfinite(graph->log10) ? graph->log10 : 0, deviation = deviation_of(s);
    const double typical = (model->simple_expected - model->simple_variance / 2) * M_LOG10E;
    const double spread = sqrt(model->simple_variance) * M_LOG10E;
    const pm_cell cells[] = {
        number("count_log10", graph->log10),
        pm_cell_text("method", graph->is_exact ? "exact" : "bethe"),
        number("expected_log10", model->expected * M_LOG10E),
        number("simple_log10", model->simple_expected * M_LOG10E),
        number("model_z",
               isfinite(graph->log10) && spread > 0 ? (graph->log10 - typical) / spread : NAN),
        pm_cell_int("samples", s->count),
        pm_cell_int("unmatched", s->count - s->matched),
        number("mean_log10", base + mean_of(s)),
        number("sd_log10", deviation),
        number("z", isfinite(graph->log10) && deviation > 0 ? -mean_of(s) / deviation : NAN),
        number("at_least", (double)(s->at_least + 1) / (double)(s->count + 1)),
    };
    pm_emit_titled_record(e, cells, PM_COUNT_OF(cells));
}

static pm_status check(const pm_node *event, pm_error *err)
{
    const pm_matrix *a = &event->matrix;
    if (a->nrows != a->ncols)
        return pm_fail(err, PM_UNABLE,
                       "expected as many rows as columns to compare perfect matchings, not %" PRId64
                       " and %" PRId64,
                       a->nrows, a->ncols);
    if (a->re)
        return pm_fail(err, PM_UNABLE,
                       "expected a graph without weights to compare with random graphs; --pattern "
                       "leaves the weights out");
    if (event->matchings)
        return pm_fail(err, PM_UNABLE,
                       "--compare is about perfect matchings, but the stream asks for others");
    return PM_OK;
}

static pm_status compare(const pm_approx_context *c, const pm_node *event, pm_emitter *e,
                         pm_log_count *graph, pm_error *err)
{
    pm_configuration model;
    samples s = {0};
    pm_status status = check(event, err);
    if (!status)
        status = pm_configuration_make(&event->matrix, &model, err);
    if (!status)
        status = pm_log_count_make(&event->matrix, &c->estimate, c->run, graph, err);
    if (!status)
        status = draw(c, &event->matrix, graph, &s, err);
    if (!status)
        put(e, graph, &model, &s);
    return status;
}

static pm_status answer(const void *context, const pm_node *event, const char *input,
                        pm_answers *out, pm_error *err)
{
    const pm_approx_context *c = context;
    pm_log_count graph;
    pm_error why;
    pm_emitter *e = pm_answers_begin(out, err);
    if (!e)
        return PM_ENOMEM;
    pm_status status = compare(c, event, e, &graph, &why);
    return status ? pm_approx_matrix_fails(c, event, input, status, &why, out, err)
                  : pm_answers_end(out, event->name, graph.log10 == -INFINITY, err);
}

pm_status pm_approx_compare(const void *context, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_approx_matrices(context, answer, r, out, err);
}
