/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A matrix becomes the product of its fully indecomposable blocks: the permanent is theirs
 * multiplied, and entries outside them lie in no perfect matching.  The node's factor, repetitions
 * and name go to the group. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/obstruction.h"
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

/* The value is 0; size, field and labels tell of what. */
static pm_status put_empty(pm_console *console, pm_node *e, const pm_map_site *at, pm_error *err)
{
    pm_matrix *a = &e->matrix;
    if (console->verbosity >= 1) {
        pm_obstruction o = {0};
        pm_status s = pm_obstruction_find(a, &o, err);
        if (s == PM_OK)
            s = pm_obstruction_note(&o, a, console, at->where, err);
        pm_obstruction_free(&o);
        if (s != PM_OK)
            return s;
    }
    drop_entries(a);
    return pm_writer_put(at->to, e, err);
}

/* ---- blocks ---- */

static pm_status open_group(pm_node *e, const pm_map_site *at, pm_error *err)
{
    pm_node group;
    pm_node_init(&group);
    group.kind = PM_NODE_PRODUCT;
    pm_node_take_factor(e, &group.factor, &group.factor_field, group.times);
    group.name = e->name;
    e->name = NULL;
    pm_status s = pm_writer_put(at->to, &group, err);
    pm_node_clear(&group);
    return s;
}

static pm_status close_group(const pm_map_site *at, pm_error *err)
{
    pm_node group;
    pm_node_init(&group);
    group.kind = PM_NODE_CLOSE;
    pm_status s = pm_writer_put(at->to, &group, err);
    pm_node_clear(&group);
    return s;
}

/* order: of the block, lent, or NULL.  *kept grows by the entries of the block. */
static pm_status put_block(const pm_dm_cut *c, int64_t b, int32_t *order, const pm_map_site *at,
                           int64_t *kept, pm_error *err)
{
    pm_node e;
    pm_node_init(&e);
    e.kind = PM_NODE_MATRIX;
    pm_status s = pm_dm_cut_block(c, b, &e.matrix, err);
    if (s == PM_OK) {
        *kept += pm_matrix_nnz(&e.matrix);
        e.order = order;
        e.order_len = order ? e.matrix.nrows + e.matrix.ncols : 0;
        s = pm_writer_put(at->to, &e, err);
        e.order = NULL;
    }
    pm_node_clear(&e);
    return s;
}

static pm_status put_blocks(const pm_node *e, const pm_dm *d, const pm_map_site *at, int64_t *kept,
                            pm_error *err)
{
    pm_dm_cut c = {0};
    int32_t *orders = NULL;
    pm_status s = pm_dm_cut_open(&e->matrix, d, &c, err);
    if (s != PM_OK)
        goto done;
    if (e->order) {
        orders = pm_alloc_array(e->order_len, sizeof *orders);
        s = orders ? pm_dm_cut_order(&c, e->order, orders, err) : pm_fail_memory(err, "an order");
    }
    for (int64_t b = 0; b < d->nblocks && s == PM_OK; ++b)
        s = put_block(&c, b, orders ? orders + 2 * d->r[b] : NULL, at, kept, err);
done:
    pm_dm_cut_close(&c);
    free(orders);
    return s;
}

static void note_blocks(pm_console *console, const pm_node *e, const pm_dm *d, int64_t kept,
                        const pm_map_site *at)
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

/* A matrix that is one block, or has no rows, is its own product; inside a group it needs no group
 * of its own, so that what was decomposed before comes out as it went in. */
static pm_status put_product(pm_console *console, pm_node *e, const pm_dm *d, const pm_map_site *at,
                             pm_error *err)
{
    int64_t kept = 0;
    pm_status s = PM_OK;
    bool is_block = d->nblocks <= 1, has_group = d->nrows > 0 && !(is_block && at->depth > 0);
    if (has_group)
        s = open_group(e, at, err);
    if (s == PM_OK && is_block) {
        kept = pm_matrix_nnz(&e->matrix);
        s = pm_writer_put(at->to, e, err);
    } else if (s == PM_OK) {
        s = put_blocks(e, d, at, &kept, err);
    }
    if (s == PM_OK && has_group)
        s = close_group(at, err);
    if (s == PM_OK)
        note_blocks(console, e, d, kept, at);
    return s;
}

pm_status pm_dm_map(void *context, pm_node *e, const pm_map_site *at, pm_error *err)
{
    pm_console *console = context;
    pm_dm d = {0};
    if (e->matrix.nrows != e->matrix.ncols)
        return put_empty(console, e, at, err);
    pm_status s = pm_dm_decompose(&e->matrix, &d, err);
    if (s == PM_OK)
        s = pm_dm_has_perfect_matching(&d) ? put_product(console, e, &d, at, err)
                                           : put_empty(console, e, at, err);
    pm_dm_free(&d);
    return s;
}
