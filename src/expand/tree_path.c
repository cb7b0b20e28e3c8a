/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "expand/tree_path.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "reduce/block_edit.h"

/* ---- nodes ---- */

/* A matrix or a group has the field of the input already, so a factor 1 does not name it again. */
static pm_field factor_field(const pm_tree_path *p, const pm_node *node)
{
    bool says_nothing = node->kind != PM_NODE_NUMBER && pm_fraction_is_one(&node->factor);
    return says_nothing || p->field <= PM_INTEGER ? PM_INTEGER : p->field;
}

static pm_status visit(pm_tree_path *p, pm_node *node, pm_error *err)
{
    pm_status status = pm_walk_put(&p->walk, node, err);
    p->allowance->groups = p->walk.groups.depth;
    return status;
}

/* Completes and visits a node that has its kind, and its matrix if it is one.  The factor and the arrays of the
 * matrix are borrowed. */
static pm_status put_as(pm_tree_path *p, pm_node node, const pm_fraction *f, int64_t times,
                        pm_error *err)
{
    node.factor = *f;
    node.factor_field = factor_field(p, &node);
    mpz_init_set_si(node.times, (long)times);
    pm_status status = visit(p, &node, err);
    mpz_clear(node.times);
    return status;
}

static pm_status put(pm_tree_path *p, pm_node_kind kind, const pm_fraction *f, int64_t times,
                     pm_error *err)
{
    return put_as(p, (pm_node){.kind = kind}, f, times, err);
}

static pm_status put_matrix(pm_tree_path *p, const pm_matrix *a, bool general, const pm_fraction *f,
                            int64_t times, pm_error *err)
{
    const pm_node node = {
        .kind = PM_NODE_MATRIX, .matrix = *a, .general = general, .one_set = general};
    return put_as(p, node, f, times, err);
}

static pm_status put_close(pm_tree_path *p, pm_error *err)
{
    pm_node node;
    pm_node_init(&node);
    node.kind = PM_NODE_CLOSE;
    pm_status status = visit(p, &node, err);
    pm_node_clear(&node);
    return status;
}

pm_status pm_path_put_given(pm_tree_path *p, const pm_matrix *a, bool general, pm_error *err)
{
    pm_fraction one;
    pm_fraction_init_one(&one);
    pm_status status = put_matrix(p, a, general, &one, 1, err);
    pm_fraction_clear(&one);
    return status;
}

/* f is divided by the factorials by which writing out the classes of twins multiplies. */
pm_status pm_path_put_block(pm_tree_path *p, const pm_block *b, pm_fraction *f, int64_t times,
                            pm_error *err)
{
    pm_matrix a = {0};
    mpz_t factorials;
    mpz_init(factorials);
    pm_field field = p->field <= PM_INTEGER ? b->a.field : p->field;
    pm_status status = pm_block_write_out(b, field, &a, factorials, err);
    if (!status) {
        pm_fraction_div_z(f, factorials);
        status = put_matrix(p, &a, b->general, f, times, err);
    }
    pm_matrix_free(&a);
    mpz_clear(factorials);
    return status;
}

/* ---- the path ---- */

pm_tree_path pm_path_make(const pm_visitor *visitor, void *context, pm_field field,
                          pm_allowance *allowance)
{
    return (pm_tree_path){.walk = pm_walk_make(visitor, context),
                          .field = field,
                          .allowance = allowance,
                          .groups = {.frame_size = sizeof(pm_group)}};
}

void pm_path_free(pm_tree_path *p)
{
    while (pm_path_last(p))
        pm_path_pop(p);
    pm_groups_free(&p->groups);
    pm_walk_free(&p->walk);
}

pm_group *pm_path_last(const pm_tree_path *p)
{
    return pm_groups_innermost(&p->groups);
}

static pm_status push(pm_tree_path *p, bool is_sum, int64_t times, int64_t limit, pm_group **out,
                      pm_error *err)
{
    pm_status status = pm_groups_open(&p->groups, err);
    if (status)
        return status;
    pm_group *g = *out = pm_path_last(p);
    *g = (pm_group){.is_sum = is_sum, .limit = limit, .times = times};
    pm_addend_init(&g->addend);
    return PM_OK;
}

void pm_path_pop(pm_tree_path *p)
{
    pm_group *g = pm_path_last(p);
    p->allowance->bytes -= g->bytes;
    pm_addend_clear(&g->addend);
    pm_pool_close(&g->pool);
    pm_groups_close(&p->groups);
}

/* ---- products ---- */

/* The number of blocks from b[0] on that are equal to it. */
static int64_t count_equal(const pm_block *b, int64_t nblocks)
{
    int64_t count = 1;
    while (count < nblocks && pm_block_equal(b, &b[count]))
        ++count;
    return count;
}

/* The contents are moved out of t. */
static pm_status begin_product(pm_tree_path *p, pm_addend *t, int64_t times, int64_t limit,
                               pm_error *err)
{
    pm_group *g;
    pm_status status = put(p, PM_NODE_PRODUCT, &t->factor, times, err);
    if (!status)
        status = push(p, false, times, limit, &g, err);
    if (status)
        return status;
    pm_addend empty = g->addend;
    g->addend = *t;
    *t = empty;
    g->bytes = pm_addend_bytes(&g->addend);
    p->allowance->bytes += g->bytes;
    for (int64_t b = 0; b < g->addend.nblocks; ++g->kinds)
        b += count_equal(&g->addend.blocks[b], g->addend.nblocks - b);
    return PM_OK;
}

void pm_path_take_block(pm_tree_path *p, pm_block *b, int64_t *times, int64_t *limit)
{
    pm_group *g = pm_path_last(p);
    pm_addend *t = &g->addend;
    *b = t->blocks[g->next];
    *times = count_equal(&t->blocks[g->next], t->nblocks - g->next);
    *limit = pm_allowance_share(p->allowance, g->limit, g->kinds);
    t->blocks[g->next] = (pm_block){0};
    g->next += *times;
    --g->kinds;
}

pm_status pm_path_close_product(pm_tree_path *p, pm_error *err)
{
    pm_path_pop(p);
    return put_close(p, err);
}

pm_status pm_path_put_addend(pm_tree_path *p, pm_addend *t, int64_t times, int64_t limit,
                             pm_error *err)
{
    if (t->nblocks == 0)
        return put(p, PM_NODE_NUMBER, &t->factor, times, err);
    if (t->nblocks == 1)
        return pm_path_put_block(p, &t->blocks[0], &t->factor, times, err);
    return begin_product(p, t, times, limit, err);
}

/* ---- sums ---- */

pm_status pm_path_open_sum(pm_tree_path *p, pm_block *b, const pm_fraction *f, int64_t times,
                           int64_t limit, pm_error *err)
{
    bool is_new;
    pm_addend t;
    pm_group *g;
    pm_status status = push(p, true, times, limit, &g, err);
    if (status)
        return status;
    pm_fraction_mul(&g->addend.factor, f);
    status = pm_pool_open(&g->pool, b->n, p->allowance, err);
    if (status)
        return status;
    pm_addend_init(&t);
    t.blocks = pm_alloc_array(1, sizeof *t.blocks);
    if (t.blocks) {
        t.nblocks = 1;
        t.n = b->n;
        t.blocks[0] = *b;
        *b = (pm_block){0};
        status = pm_pool_add(&g->pool, &t, &is_new, err);
    } else {
        status = pm_fail_memory(err, "a term");
    }
    pm_addend_clear(&t);
    return status;
}

/* The innermost group, a sum, has a single term, which replaces it. */
static pm_status replace_sum(pm_tree_path *p, pm_addend *t, pm_error *err)
{
    pm_group *g = pm_path_last(p);
    int64_t times = g->times, limit = g->limit;
    pm_fraction_mul(&t->factor, &g->addend.factor);
    pm_path_pop(p);
    return pm_path_put_addend(p, t, times, limit, err);
}

pm_status pm_path_put_in_sum(pm_tree_path *p, pm_addend *t, pm_error *err)
{
    pm_group *g = pm_path_last(p);
    if (!g->is_begun && g->pool.count == 0 && pm_fraction_is_zero(&g->pool.number))
        return replace_sum(p, t, err);
    pm_status status = PM_OK;
    if (!g->is_begun)
        status = put(p, PM_NODE_SUM, &g->addend.factor, g->times, err);
    g->is_begun = true;
    int64_t limit = pm_allowance_share(p->allowance, g->limit, g->pool.count + 1);
    return status ? status : pm_path_put_addend(p, t, 1, limit, err);
}

pm_status pm_path_close_sum(pm_tree_path *p, pm_error *err)
{
    pm_group *g = pm_path_last(p);
    bool has_number = !g->is_begun || !pm_fraction_is_zero(&g->pool.number);
    pm_status status = PM_OK;
    if (has_number && !g->is_begun) {
        pm_fraction_mul(&g->addend.factor, &g->pool.number);
        status = put(p, PM_NODE_NUMBER, &g->addend.factor, g->times, err);
    } else if (has_number) {
        status = put(p, PM_NODE_NUMBER, &g->pool.number, 1, err);
    }
    if (!status && g->is_begun)
        status = put_close(p, err);
    pm_path_pop(p);
    return status;
}
