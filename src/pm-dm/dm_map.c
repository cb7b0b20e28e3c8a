/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix, or graph, with a perfect matching becomes the product of its fully indecomposable blocks: its
 * permanent is the product of theirs, and entries outside of them lie in no perfect matching.  The
 * factor, the repetitions and the name of the node go to the group. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/existence_text.h"
#include "cli/tutte_text.h"
#include "general/elementary.h"
#include "pm-dm/dm_tasks.h"
#include "pm/alloc.h"

/* ---- no perfect matching ---- */

static void drop_entries(pm_matrix *a)
{
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k) {
        if (a->re)
            pm_dyadic_clear(&a->re[k]);
        if (a->im)
            pm_dyadic_clear(&a->im[k]);
    }
    memset(a->rowptr, 0, (size_t)(a->nrows + 1) * sizeof *a->rowptr);
}

/* A whole graph is written as it is, so that its other matchings can be counted later.  In a group
 * only the value counts: a matrix of the same size, field and labels without entries, whose value
 * is 0. */
static pm_status put_singular(pm_console *console, pm_node *node, const pm_map_target *at,
                              pm_error *err)
{
    bool exists;
    pm_status status = PM_OK;
    if (console->verbosity >= 1)
        status = node->general
                     ? pm_note_tutte(&node->matrix, at->run, console, at->where, &exists, err)
                     : pm_note_violator(&node->matrix, PM_MATCHING_PERFECT, console, at->where,
                                        &exists, err);
    if (status)
        return status;
    if (at->depth > 0)
        drop_entries(&node->matrix);
    return pm_writer_put(at->to, node, err);
}

/* ---- blocks ---- */

static pm_status open_group(pm_node *e, const pm_map_target *at, pm_error *err)
{
    pm_node group;
    pm_node_init(&group);
    group.kind = PM_NODE_PRODUCT;
    pm_node_take_factor(e, &group.factor, &group.factor_field, group.times);
    group.name = e->name;
    group.numbers = e->numbers;
    e->name = NULL;
    e->numbers = PM_NUMBERS_UNSAID;
    pm_status status = pm_writer_put(at->to, &group, err);
    pm_node_clear(&group);
    return status;
}

static pm_status close_group(const pm_map_target *at, pm_error *err)
{
    pm_node group;
    pm_node_init(&group);
    group.kind = PM_NODE_CLOSE;
    pm_status status = pm_writer_put(at->to, &group, err);
    pm_node_clear(&group);
    return status;
}

/* order: of the vertices of the block, or NULL; not changed.  *kept: the number of entries of the
 * block is added. */
static pm_status put_block(const pm_dm_cut *c, int64_t b, int32_t *order, const pm_map_target *at,
                           int64_t *kept, pm_error *err)
{
    pm_node e;
    pm_node_init(&e);
    e.kind = PM_NODE_MATRIX;
    pm_status status = pm_dm_cut_block(c, b, &e.matrix, err);
    if (!status) {
        *kept += pm_matrix_nnz(&e.matrix);
        e.order = order;
        e.order_len = order ? e.matrix.nrows + e.matrix.ncols : 0;
        status = pm_writer_put(at->to, &e, err);
        e.order = NULL;
    }
    pm_node_clear(&e);
    return status;
}

static pm_status put_blocks(const pm_node *e, const pm_dm *d, const pm_map_target *at,
                            int64_t *kept, pm_error *err)
{
    pm_dm_cut c = {0};
    int32_t *orders = NULL;
    pm_status status = pm_dm_cut_open(&e->matrix, d, &c, err);
    if (status)
        goto done;
    if (e->order) {
        orders = pm_alloc_array(e->order_len, sizeof *orders);
        status =
            orders ? pm_dm_cut_order(&c, e->order, orders, err) : pm_fail_memory(err, "an order");
    }
    for (int64_t b = 0; b < d->nblocks && !status; ++b)
        status = put_block(&c, b, orders ? orders + 2 * d->r[b] : NULL, at, kept, err);
done:
    pm_dm_cut_close(&c);
    free(orders);
    return status;
}

static void note_blocks(pm_console *console, const pm_node *e, const pm_dm *d, int64_t kept,
                        const pm_map_target *at)
{
    int64_t largest = 0, nnz = pm_matrix_nnz(&e->matrix);
    for (int64_t b = 0; b < d->nblocks; ++b)
        if (d->r[b + 1] - d->r[b] > largest)
            largest = d->r[b + 1] - d->r[b];
    pm_console_notef(console, 1,
                     "%s: n = %" PRId64 ": %" PRId64 " blocks, the largest of n = %" PRId64
                     "; of %" PRId64 " edges %" PRId64 " kept, %" PRId64 " dropped",
                     at->where, d->nrows, d->nblocks, largest, nnz, kept, nnz - kept);
}

/* A matrix that is one block, or has no rows, is written as it is.  Inside a group it gets no group
 * of its own, so that a stream that was decomposed before does not change. */
static pm_status put_product(pm_console *console, pm_node *e, const pm_dm *d,
                             const pm_map_target *at, pm_error *err)
{
    int64_t kept = 0;
    pm_status status = PM_OK;
    bool is_block = d->nblocks <= 1, has_group = d->nrows > 0 && !(is_block && at->depth > 0);
    if (has_group)
        status = open_group(e, at, err);
    if (!status && is_block) {
        kept = pm_matrix_nnz(&e->matrix);
        status = pm_writer_put(at->to, e, err);
    } else if (!status) {
        status = put_blocks(e, d, at, &kept, err);
    }
    if (!status && has_group)
        status = close_group(at, err);
    if (!status)
        note_blocks(console, e, d, kept, at);
    return status;
}

/* ---- graphs on one set of vertices ---- */

static pm_status put_part(const pm_elementary *x, const pm_matrix *a, int64_t c,
                          const pm_map_target *at, int64_t *largest, pm_error *err)
{
    pm_node e;
    pm_node_init(&e);
    e.kind = PM_NODE_MATRIX;
    pm_status status = pm_elementary_part(x, a, c, &e.matrix, &e.general, err);
    e.one_set = e.general;
    if (!status)
        status = pm_writer_put(at->to, &e, err);
    const int64_t size = x->start[c + 1] - x->start[c];
    *largest = size > *largest ? size : *largest;
    pm_node_clear(&e);
    return status;
}

/* A graph that is one part, without anything dropped, is written as it is, as put_product does. */
static pm_status put_parts(pm_console *console, pm_node *e, const pm_elementary *x,
                           const pm_map_target *at, pm_error *err)
{
    const bool is_part = x->count <= 1 && x->dropped == 0;
    const bool has_group = x->n > 0 && !(is_part && at->depth > 0);
    int64_t largest = is_part ? x->n : 0;
    pm_status status = has_group ? open_group(e, at, err) : PM_OK;
    if (!status && is_part)
        status = pm_writer_put(at->to, e, err);
    for (int64_t c = 0; c < x->count && !is_part && !status; ++c)
        status = put_part(x, &e->matrix, c, at, &largest, err);
    if (!status && has_group)
        status = close_group(at, err);
    if (!status)
        pm_console_notef(console, 1,
                         "%s: %" PRId64 " vertices: %" PRId64 " blocks, the largest of %" PRId64
                         " vertices; of %" PRId64 " edges %" PRId64 " kept, %" PRId64 " dropped",
                         at->where, x->n, x->count, largest, x->kept + x->dropped, x->kept,
                         x->dropped);
    return status;
}

static pm_status map_general(pm_console *console, pm_node *e, const pm_map_target *at,
                             pm_error *err)
{
    pm_elementary x = {0};
    pm_status status = pm_elementary_find(&e->matrix, at->run, &x, err);
    if (!status)
        status = x.exists ? put_parts(console, e, &x, at, err) : put_singular(console, e, at, err);
    pm_elementary_free(&x);
    return status;
}

pm_status pm_dm_map(void *context, pm_node *e, const pm_map_target *at, pm_error *err)
{
    pm_console *console = context;
    pm_dm d = {0};
    if (at->exact)
        e->numbers = pm_node_numbers(e);
    if (e->matchings != PM_MATCHING_PERFECT)
        return pm_writer_put(at->to, e, err);
    if (e->general)
        return map_general(console, e, at, err);
    if (e->matrix.nrows != e->matrix.ncols)
        return put_singular(console, e, at, err);
    pm_status status = pm_dm_decompose(&e->matrix, at->run, &d, err);
    if (!status)
        status = pm_dm_has_perfect_matching(&d) ? put_product(console, e, &d, at, err)
                                                : put_singular(console, e, at, err);
    pm_dm_free(&d);
    return status;
}
