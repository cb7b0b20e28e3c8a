/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tree of a matrix is made of, and the predicted seconds of counting the matrix and all
 * matrices of the tree: on one core, at the planner's nominal rates, after a brief search. */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "cli/ask.h"
#include "cli/json.h"
#include "pm-decompose/decompose_tasks.h"
#include "pm/count.h"

#define SOON 0.1

/* The columns of the table, which are the keys of the object too. */
#define FIGURES(FIRST, INTEGER, NUMBER)                                                            \
    FIRST(rows)                                                                                    \
    INTEGER(cols)                                                                                  \
    INTEGER(nnz)                                                                                   \
    INTEGER(matrices)                                                                              \
    INTEGER(numbers)                                                                               \
    INTEGER(sums)                                                                                  \
    INTEGER(products)                                                                              \
    INTEGER(depth)                                                                                 \
    INTEGER(n_min)                                                                                 \
    NUMBER(n_mean)                                                                                 \
    INTEGER(n_max)                                                                                 \
    INTEGER(nnz_min)                                                                               \
    NUMBER(nnz_mean)                                                                               \
    INTEGER(nnz_max)                                                                               \
    NUMBER(cost_before)                                                                            \
    NUMBER(cost_after)

#define INTEGER_MEMBER(name) int64_t name;
#define NUMBER_MEMBER(name)  double name;
typedef struct {
    FIGURES(INTEGER_MEMBER, INTEGER_MEMBER, NUMBER_MEMBER)
} figures;

/* ---- measuring ---- */

/* Of one block: the cheapest of the methods, each of which searches for an order, or tries itself
 * out, no longer than it would for a block counted in SOON seconds.  Infinite when none can. */
static pm_status predict(const pm_matrix *a, const pm_run *run, double *seconds, pm_error *err)
{
    const pm_run brief = {.threads = 1, .max_cost = SOON, .stop = run ? run->stop : NULL};
    pm_count_options opt = pm_count_defaults();
    pm_value value;
    pm_status s = PM_OK;
    opt.plan_only = true;
    pm_value_init(&value);
    *seconds = INFINITY;
    for (int i = 0; s == PM_OK && (opt.algorithm = pm_algorithm_name(i)); ++i) {
        pm_count_report report = {0};
        if (pm_algorithm_backend(i) != opt.backend)
            continue;
        s = pm_count(a, &opt, &brief, &value, &report, err);
        if (s == PM_OK)
            *seconds = fmin(*seconds, report.seconds);
        s = s == PM_UNABLE ? PM_OK : s;
        pm_count_report_free(&report);
    }
    pm_value_clear(&value);
    return s;
}

typedef struct {
    const pm_run *run;
    bool repeats; /* a matrix counts as often as it stands there */
    pm_tree_figures tree;
    double cost;
} measuring;

static pm_status measure_node(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    measuring *m = context;
    double seconds = 0;
    pm_tree_count(&m->tree, node, at->depth);
    pm_status s = PM_OK;
    if (node->kind == PM_NODE_MATRIX)
        s = predict(&node->matrix, m->run, &seconds, err);
    m->cost += m->repeats ? seconds * mpz_get_d(node->times) : seconds;
    return s;
}

static double mean(int64_t total, int64_t count)
{
    return count > 0 ? (double)total / (double)count : 0;
}

static pm_status measure(const pm_decompose_task *task, const pm_matrix *a, figures *out,
                         pm_error *err)
{
    measuring before = {.run = task->run, .repeats = true}, after = {.run = task->run};
    static const pm_visitor visitor = {.enter = measure_node, .leaf = measure_node};
    pm_expand_options reductions = task->how; /* which counting begins with */
    reductions.max_terms = 1;
    pm_status s = pm_expand(a, &reductions, task->run, &visitor, &before, err);
    if (s == PM_OK)
        s = pm_expand(a, &task->how, task->run, &visitor, &after, err);
    const pm_tree_figures *t = &after.tree;
    *out = (figures){
        .rows = a->nrows,
        .cols = a->ncols,
        .nnz = pm_matrix_nnz(a),
        .matrices = t->matrices,
        .numbers = t->numbers,
        .sums = t->sums,
        .products = t->products,
        .depth = t->depth,
        .n_min = t->n_min,
        .n_mean = mean(t->n_total, t->matrices),
        .n_max = t->n_max,
        .nnz_min = t->nnz_min,
        .nnz_mean = mean(t->nnz_total, t->matrices),
        .nnz_max = t->nnz_max,
        .cost_before = before.cost,
        .cost_after = after.cost,
    };
    return s;
}

/* ---- printing ---- */

#define FIRST_COLUMN(name) "# " #name
#define NEXT_COLUMN(name)  "\t" #name
const char pm_decompose_stats_header[] = FIGURES(FIRST_COLUMN, NEXT_COLUMN, NEXT_COLUMN);

static void print_number(double x, FILE *f)
{
    if (isfinite(x))
        fprintf(f, "\t%.4g", x);
    else
        fputs("\t-", f);
}

static void print_text(const figures *x, FILE *f)
{
#define PRINT_FIRST(name)   fprintf(f, "%" PRId64, x->name);
#define PRINT_INTEGER(name) fprintf(f, "\t%" PRId64, x->name);
#define PRINT_NUMBER(name)  print_number(x->name, f);
    FIGURES(PRINT_FIRST, PRINT_INTEGER, PRINT_NUMBER)
}

static void print_json(const figures *x, pm_field field, FILE *f)
{
    pm_json j = {.f = f};
    pm_json_string(&j, "field", pm_field_name(field));
#define JSON_INTEGER(name) pm_json_int(&j, #name, x->name);
#define JSON_NUMBER(name)  pm_json_double(&j, #name, x->name);
    FIGURES(JSON_INTEGER, JSON_INTEGER, JSON_NUMBER)
}

static pm_status answer(const void *context, const pm_node *e, const char *input, pm_answers *out,
                        pm_error *err)
{
    (void)input;
    const pm_decompose_task *task = context;
    figures x;
    pm_status s = measure(task, &e->matrix, &x, err);
    if (s != PM_OK)
        return s;
    FILE *f = pm_answers_begin(out);
    if (!f)
        return pm_fail_memory(err, "an answer");
    if (task->json)
        print_json(&x, e->matrix.field, f);
    else
        print_text(&x, f);
    return pm_answers_end(out, e->name, false, err);
}

pm_status pm_decompose_stats(const void *task, pm_reader *r, pm_answers *out, pm_error *err)
{
    return pm_ask_matrices(answer, task, r, out, err);
}
