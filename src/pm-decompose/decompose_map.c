/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix becomes the tree of its expansion.  The factor, repetitions and name that it comes with
 * go to the root. */
#include "config.h"

#include <inttypes.h>

#include "cli/obstruction.h"
#include "pm-decompose/decompose_tasks.h"

typedef struct {
    const pm_decompose_task *task;
    const pm_map_site *at;
    pm_node *given; /* the matrix as it came */
    pm_tree_figures figures;
} expansion;

/* ---- nodes ---- */

/* The root of the tree, with what the given matrix came with. */
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
    root.name = x->given->name;
    x->given->name = NULL;
    root.matrix = node->matrix; /* borrowed */
    pm_status s = pm_writer_put(x->at->to, &root, err);
    root.matrix = (pm_matrix){0};
    pm_node_clear(&root);
    return s;
}

static pm_status put_node(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    expansion *x = context;
    pm_tree_count(&x->figures, node, at->depth);
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

static pm_status note_obstruction(const expansion *x, pm_error *err)
{
    pm_obstruction o = {0};
    pm_status s = pm_obstruction_find(&x->given->matrix, &o, err);
    if (s == PM_OK && !o.exists)
        s = pm_obstruction_note(&o, &x->given->matrix, x->task->console, x->at->where, err);
    pm_obstruction_free(&o);
    return s;
}

static pm_status note(const expansion *x, pm_error *err)
{
    const pm_tree_figures *f = &x->figures;
    if (x->task->console->verbosity < 1)
        return PM_OK;
    pm_console_notef(x->task->console, 1,
                     "%s: n = %" PRId64 ": %" PRId64 " matrices, the largest of n = %" PRId64
                     ", and %" PRId64 " numbers in %" PRId64 " sums and %" PRId64 " products",
                     x->at->where, x->given->matrix.nrows, f->matrices, f->n_max, f->numbers,
                     f->sums, f->products);
    return f->matrices == 0 ? note_obstruction(x, err) : PM_OK;
}

pm_status pm_decompose_map(void *context, pm_node *node, const pm_map_site *at, pm_error *err)
{
    static const pm_visitor visitor = {.enter = put_node, .leaf = put_node, .leave = put_close};
    const pm_decompose_task *task = context;
    expansion x = {.task = task, .at = at, .given = node};
    pm_expand_options how = task->how;
    /* a long factor that is multiplied once more might not fit a stream (pm/fraction.h) */
    how.max_depth = pm_fraction_is_long(&node->factor) ? 0 : PM_DEPTH_MAX - at->depth;
    pm_status s = pm_expand(&node->matrix, &how, task->run, &visitor, &x, err);
    return s == PM_OK ? note(&x, err) : s;
}
