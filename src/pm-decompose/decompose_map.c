/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix becomes the expression that it is expanded into.  The factor, the repetitions and the
 * name of the matrix go to the root of the expression. */
#include "config.h"

#include <inttypes.h>

#include "cli/existence_text.h"
#include "cli/tutte_text.h"
#include "integers/exact_node.h"
#include "pm-decompose/decompose_tasks.h"

typedef struct {
    const pm_decompose_task *task;
    const pm_map_target *at;
    pm_node *given; /* the matrix from the input */
    pm_expansion_figures figures;
} expansion;

/* ---- nodes ---- */

/* The root, with the factor, repetitions and name of the given matrix. */
static pm_status put_root(const expansion *x, const pm_node *node, pm_error *err)
{
    pm_node root;
    pm_node_init(&root);
    root.kind = node->kind;
    root.factor_field =
        node->factor_field > x->given->factor_field ? node->factor_field : x->given->factor_field;
    pm_fraction_mul(&root.factor, &node->factor);
    pm_fraction_mul(&root.factor, &x->given->factor);
    mpz_mul(root.times, node->times, x->given->times);
    root.numbers = x->given->numbers;
    root.general = node->general;
    root.one_set = node->one_set;
    root.name = x->given->name;
    x->given->name = NULL;
    root.matrix = node->matrix; /* owned by node */
    pm_status status = pm_writer_put(x->at->to, &root, err);
    root.matrix = (pm_matrix){0};
    pm_node_clear(&root);
    return status;
}

static pm_status put_node(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    expansion *x = context;
    pm_expansion_figures_add(&x->figures, node, at->depth);
    if (node->kind == PM_NODE_MATRIX && node->matrix.rowptr == x->given->matrix.rowptr)
        return pm_writer_put(x->at->to, x->given, err);
    return at->depth == 0 ? put_root(x, node, err) : pm_writer_put(x->at->to, node, err);
}

static pm_status put_close(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const expansion *x = context;
    (void)at;
    return pm_writer_put(x->at->to, node, err);
}

/* ---- notes ---- */

static void note(const expansion *x)
{
    const pm_expansion_figures *f = &x->figures;
    if (x->task->console->verbosity >= 1)
        pm_console_notef(x->task->console, 1,
                         "%s: n = %" PRId64 ": %" PRId64 " matrices, the largest of n = %" PRId64
                         ", and %" PRId64 " numbers in %" PRId64 " sums and %" PRId64 " products",
                         x->at->where, x->given->matrix.nrows, f->matrices, f->n_max, f->numbers,
                         f->sums, f->products);
}

static pm_status expand(const pm_decompose_task *task, pm_node *node, const pm_map_target *at,
                        pm_error *err)
{
    static const pm_visitor visitor = {.enter = put_node, .leaf = put_node, .leave = put_close};
    expansion x = {.task = task, .at = at, .given = node};
    pm_expand_options options = task->options;
    options.general = node->general;
    /* a product of a long factor and another one might be too long for a stream (pm/fraction.h) */
    options.max_depth = pm_fraction_is_long(&node->factor) ? 0 : PM_DEPTH_MAX - at->depth;
    pm_status status = pm_expand(&node->matrix, &options, at->run, &visitor, &x, err);
    if (!status)
        note(&x);
    return status;
}

/* Whether there is a perfect matching; a note says why there is none. */
static pm_status find_whether_any(const pm_decompose_task *task, const pm_node *node,
                                  const pm_map_target *at, bool *exists, pm_error *err)
{
    if (!node->general)
        return pm_note_violator(&node->matrix, PM_MATCHING_PERFECT, task->console, at->where,
                                exists, err);
    return pm_note_tutte(&node->matrix, at->run, task->console, at->where, exists, err);
}

/* A whole graph without a perfect matching is written as it is, so that its other matchings can be
 * counted later.  Sums of roots of unity are not computed with, so a matrix that has them stays as it is, too. */
static bool stays(const pm_node *node, const pm_map_target *at, bool exists)
{
    return node->matchings != PM_MATCHING_PERFECT || (!exists && at->depth == 0)
           || pm_matrix_has_roots(&node->matrix);
}

pm_status pm_decompose_map(void *context, pm_node *node, const pm_map_target *at, pm_error *err)
{
    const pm_decompose_task *task = context;
    bool exists = true;
    pm_status status = PM_OK;
    if (at->exact)
        node->numbers = pm_node_numbers(node);
    if (node->matchings == PM_MATCHING_PERFECT)
        status = find_whether_any(task, node, at, &exists, err);
    if (!status && stays(node, at, exists))
        return pm_writer_put(at->to, node, err);
    if (!status && at->exact)
        status = pm_exact_node_make_integers(node, PM_MATCHING_PERFECT, at->where, at->run, err);
    return status ? status : expand(task, node, at, err);
}
