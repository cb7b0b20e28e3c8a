/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of an expansion, and the predicted seconds of counting the matrix as it is and all
 * matrices of the expansion: on one core, at the nominal rates of pm-count, after a brief search for orders. */
#include "config.h"

#include <math.h>

#include "algorithm/rates.h"
#include "cli/graph_limit.h"
#include "core/isa.h"
#include "pm-decompose/decompose_tasks.h"
#include "pm/algorithms.h"
#include "pm/count.h"

#define BRIEF 0.1 /* seconds */

typedef struct {
    pm_expansion_figures expansion;
    double cost_before, cost_after; /* seconds; infinite when no method can count */
} figures;

/* ---- measuring ---- */

/* The seconds of the cheapest method for one block.  Each method searches for an order, or measures
 * itself, no longer than for a block that is counted in BRIEF seconds.  Infinite when no method can
 * count the block. */
static pm_status predict(const pm_node *node, const pm_run *run, double *seconds, pm_error *err)
{
    const pm_run brief = {.threads = 1,
                          .max_cost = BRIEF,
                          .stop = run ? run->stop : NULL,
                          .deadline = run ? run->deadline : 0};
    pm_count_options opt = pm_count_defaults();
    pm_value value;
    pm_status status = PM_OK;
    opt.plan_only = true;
    opt.integer_rates = pm_rates_nominal_of(pm_isa_best()); /* as pm-count */
    opt.general = node->general;
    pm_value_init(&value);
    *seconds = INFINITY;
    for (int i = 0; !status && (opt.algorithm = pm_algorithm_name(i)); ++i) {
        pm_count_report report = {0};
        if (pm_algorithm_backend(i) != opt.backend || pm_algorithm_is_general(i) != node->general)
            continue;
        status = pm_count(&node->matrix, &opt, &brief, &value, &report, err);
        if (!status)
            *seconds = fmin(*seconds, report.seconds);
        status = status == PM_UNABLE ? PM_OK : status;
        pm_count_report_free(&report);
    }
    pm_value_clear(&value);
    return status;
}

typedef struct {
    const pm_run *run;
    bool counts_repetitions; /* the cost of a matrix is multiplied by its repetitions */
    pm_expansion_figures expansion;
    double cost;
} measuring;

static pm_status measure_node(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    measuring *m = context;
    double seconds = 0;
    pm_expansion_figures_add(&m->expansion, node, at->depth);
    pm_status status = PM_OK;
    if (node->kind == PM_NODE_MATRIX)
        status = predict(node, m->run, &seconds, err);
    m->cost += m->counts_repetitions ? seconds * mpz_get_d(node->times) : seconds;
    return status;
}

static pm_status measure(const pm_decompose_task *task, const pm_node *node, figures *out,
                         pm_error *err)
{
    measuring before = {.run = task->run, .counts_repetitions = true}, after = {.run = task->run};
    static const pm_visitor visitor = {.enter = measure_node, .leaf = measure_node};
    pm_expand_options options = task->options;
    options.general = node->general;
    pm_expand_options reductions = options; /* those that counting begins with */
    reductions.max_terms = 1;
    pm_status status = pm_expand(&node->matrix, &reductions, task->run, &visitor, &before, err);
    if (!status)
        status = pm_expand(&node->matrix, &options, task->run, &visitor, &after, err);
    *out = (figures){after.expansion, before.cost, after.cost};
    return status;
}

/* ---- the answer ---- */

static pm_cell mean(const char *name, int64_t total, int64_t count)
{
    return pm_cell_significant(name, count > 0 ? (double)total / (double)count : 0, 4);
}

static pm_cell cost(const char *name, double seconds)
{
    return isfinite(seconds) ? pm_cell_significant(name, seconds, 4) : pm_cell_text(name, NULL);
}

static void put(const pm_matrix *a, const figures *x, pm_emitter *e)
{
    const pm_expansion_figures *f = &x->expansion;
    const pm_cell cells[] = {
        pm_only_json(pm_cell_text("field", pm_field_name(a->field))),
        pm_cell_int("rows", a->nrows),
        pm_cell_int("cols", a->ncols),
        pm_cell_int("nnz", pm_matrix_nnz(a)),
        pm_cell_int("matrices", f->matrices),
        pm_cell_int("numbers", f->numbers),
        pm_cell_int("sums", f->sums),
        pm_cell_int("products", f->products),
        pm_cell_int("depth", f->depth),
        pm_cell_int("n_min", f->n_min),
        mean("n_mean", f->n_total, f->matrices),
        pm_cell_int("n_max", f->n_max),
        pm_cell_int("nnz_min", f->nnz_min),
        mean("nnz_mean", f->nnz_total, f->matrices),
        pm_cell_int("nnz_max", f->nnz_max),
        cost("cost_before", x->cost_before),
        cost("cost_after", x->cost_after),
    };
    pm_emit_titled_record(e, cells, PM_COUNT_OF(cells));
}

static pm_status answer(const void *context, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    pm_decompose_task task = *(const pm_decompose_task *)context;
    const pm_graph_limit limit = pm_graph_limit_begin(task.run, task.seconds_each);
    figures x;
    task.run = &limit.run;
    pm_status status = measure(&task, e, &x, err);
    if (status)
        return pm_graph_limit_skip(&limit, status, e, input, task.console, out, err);
    pm_emitter *emitter = pm_answers_begin(out, err);
    if (!emitter)
        return PM_ENOMEM;
    put(&e->matrix, &x, emitter);
    return pm_answers_end(out, e->name, false, err);
}

pm_status pm_decompose_stats(const void *task, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_query_matrices(answer, task, r, out, err);
}
