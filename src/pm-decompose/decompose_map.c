/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix becomes the tree of its expansion.  The factor, repetitions and name that it comes with
 * go to the root. */
#include "config.h"

#include <inttypes.h>

#include "cli/obstruction.h"
#include "io/formats.h"
#include "number/fraction.h"
#include "pm-decompose/decompose_tasks.h"

typedef struct {
    const pm_decompose_task *task;
    const pm_map_site *at;
    pm_event *given; /* the matrix as it came */
    pm_field field;  /* of its numbers: at least PM_INTEGER */
    pm_tree_figures figures;
} planting;

/* ---- nodes ---- */

static bool is_one(const pm_node *node)
{
    return mpq_cmp_ui(node->re, 1, 1) == 0 && mpq_sgn(node->im) == 0;
}

/* A matrix or a group is of the field already; a factor 1 says nothing more. */
static void set_factor(const planting *x, const pm_node *node, pm_factor *f)
{
    f->field = node->kind != PM_NODE_NUMBER && is_one(node) ? PM_INTEGER : x->field;
    mpq_set(f->re, node->re);
    mpq_set(f->im, node->im);
}

static void multiply_given(pm_factor *f, const pm_factor *given)
{
    pm_fraction product;
    pm_fraction_init(&product);
    mpq_swap(product.re, f->re);
    mpq_swap(product.im, f->im);
    pm_fraction_mul(&product, given->re, given->im);
    mpq_swap(product.re, f->re);
    mpq_swap(product.im, f->im);
    pm_fraction_clear(&product);
    f->field = given->field > f->field ? given->field : f->field;
}

static void move_to_root(pm_event *root, pm_event *given)
{
    multiply_given(&root->factor, &given->factor);
    mpz_mul(root->times, root->times, given->times);
    root->name = given->name;
    given->name = NULL;
}

static pm_status put_node(planting *x, const pm_node *node, bool is_root, pm_error *err)
{
    static const pm_event_kind kinds[] = {
        [PM_NODE_NUMBER] = PM_EV_FACTOR,   [PM_NODE_MATRIX] = PM_EV_MATRIX,
        [PM_NODE_PRODUCT] = PM_EV_PRODUCT, [PM_NODE_SUM] = PM_EV_SUM,
        [PM_NODE_CLOSE] = PM_EV_CLOSE,
    };
    pm_event e;
    pm_event_init(&e);
    e.kind = kinds[node->kind];
    if (e.kind != PM_EV_CLOSE) {
        set_factor(x, node, &e.factor);
        mpz_set_si(e.times, (long)node->times);
    }
    if (is_root)
        move_to_root(&e, x->given);
    if (e.kind == PM_EV_MATRIX)
        e.matrix = *node->matrix; /* lent */
    pm_status s = pm_writer_put(x->at->to, &e, err);
    e.matrix = (pm_matrix){0};
    pm_event_clear(&e);
    return s;
}

static pm_status plant(void *context, const pm_node *node, pm_error *err)
{
    planting *x = context;
    bool is_root = x->figures.open == 0 && node->kind != PM_NODE_CLOSE;
    pm_tree_meet(&x->figures, node);
    if (node->matrix == &x->given->matrix)
        return pm_writer_put(x->at->to, x->given, err);
    return put_node(x, node, is_root, err);
}

/* ---- notes ---- */

static pm_status note_obstruction(const planting *x, pm_error *err)
{
    pm_obstruction o = {0};
    pm_status s = pm_obstruction_find(&x->given->matrix, &o, err);
    if (s == PM_OK && !o.exists)
        s = pm_obstruction_note(&o, &x->given->matrix, x->task->console, x->at->where, err);
    pm_obstruction_free(&o);
    return s;
}

static pm_status note(const planting *x, pm_error *err)
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

/* Multiplied once more it might not fit a stream (number/fraction.h). */
static bool is_factor_long(const pm_event *e)
{
    return pm_rational_is_long(e->factor.re) || pm_rational_is_long(e->factor.im);
}

pm_status pm_decompose_map(void *context, pm_event *e, const pm_map_site *at, pm_error *err)
{
    const pm_decompose_task *task = context;
    pm_field field = e->matrix.field;
    planting x = {task, at, e, field > PM_INTEGER ? field : PM_INTEGER, {0}};
    pm_expand_options how = task->how;
    how.max_depth = is_factor_long(e) ? 0 : PM_STREAM_DEPTH - at->depth;
    const pm_node_sink sink = {plant, &x};
    pm_status s = pm_expand(&e->matrix, &how, task->run, &sink, err);
    return s == PM_OK ? note(&x, err) : s;
}
