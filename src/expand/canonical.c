/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "expand/canonical.h"

#include <stdlib.h>

#include "core/rng.h"
#include "number/cnum.h"
#include "pm/alloc.h"
#include "reduce/block_edit.h"

enum { PASSES = 64 };

typedef struct {
    uint64_t colour;
    int32_t vertex;
} coloured;

typedef struct {
    const pm_block *b;
    const pm_run *run;
    uint64_t *value;  /* of each entry, hashed */
    uint64_t *colour; /* of each row, then of each column */
    uint64_t *next;
    coloured *sorted; /* rows, then columns; each side ascending */
    int64_t nrows, nvertices, distinct;
    int passes;
    bool is_stopped;
} colouring;

uint64_t pm_hash_pair(uint64_t x, uint64_t y)
{
    uint64_t state = x ^ (y << 32 | y >> 32);
    state = pm_rng_next(&state) + y;
    return pm_rng_next(&state);
}

/* ---- colours ---- */

static uint64_t hash_value(const pm_matrix *a, int64_t k)
{
    if (!a->re)
        return 1;
    /* borrowed, not copied */
    pm_cnum x = {.re = a->re[k]};
    if (a->im)
        x.im = a->im[k];
    pm_residue r = pm_cnum_residue(&x);
    return pm_hash_pair(r.re, r.im);
}

static int by_colour(const void *x, const void *y)
{
    const coloured *a = x, *b = y;
    if (a->colour != b->colour)
        return a->colour < b->colour ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static int64_t count_distinct(const coloured *list, int64_t n)
{
    int64_t count = n > 0;
    for (int64_t k = 1; k < n; ++k)
        count += list[k].colour != list[k - 1].colour;
    return count;
}

static void sort_colours(colouring *c)
{
    int64_t n = c->nrows, m = c->nvertices - n;
    for (int64_t v = 0; v < c->nvertices; ++v)
        c->sorted[v] = (coloured){c->colour[v], (int32_t)v};
    if (n)
        qsort(c->sorted, (size_t)n, sizeof *c->sorted, by_colour);
    if (m)
        qsort(c->sorted + n, (size_t)m, sizeof *c->sorted, by_colour);
    c->distinct = count_distinct(c->sorted, n) + count_distinct(c->sorted + n, m);
}

/* Rows and columns are coloured by the same rule. */
static void refine_once(colouring *c)
{
    const pm_matrix *a = &c->b->a;
    for (int64_t v = 0; v < c->nvertices; ++v)
        c->next[v] = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t j = c->nrows + a->colind[k];
            c->next[i] += pm_hash_pair(c->value[k], c->colour[j]);
            c->next[j] += pm_hash_pair(c->value[k], c->colour[i]);
        }
    for (int64_t v = 0; v < c->nvertices; ++v)
        c->colour[v] = pm_hash_pair(c->colour[v], c->next[v]);
    ++c->passes;
    sort_colours(c);
}

static void refine(colouring *c)
{
    int64_t before = 0;
    while (!c->is_stopped && c->distinct > before && c->distinct < c->nvertices
           && c->passes < PASSES) {
        before = c->distinct;
        refine_once(c);
        c->is_stopped = pm_run_stopped(c->run);
    }
}

/* Gives a new colour to the first vertex of the least colour that several vertices of one side
 * share; rows come first.  In a general block row v and column v are one vertex and have one colour. */
static void individualise(colouring *c)
{
    for (int64_t k = 0; k + 1 < c->nvertices; ++k)
        if (k + 1 != c->nrows && c->sorted[k].colour == c->sorted[k + 1].colour) {
            int32_t v = c->sorted[k].vertex;
            c->colour[v] = pm_hash_pair(c->colour[v], 1);
            if (c->b->general)
                c->colour[c->nrows + v] = c->colour[v];
            sort_colours(c);
            return;
        }
}

static uint64_t sum_of_colours(const uint64_t *colour, int64_t n)
{
    uint64_t sum = 0;
    for (int64_t v = 0; v < n; ++v)
        sum += pm_hash_pair(colour[v], 0);
    return sum;
}

/* ---- the form ---- */

static void colour_by_degree(colouring *c)
{
    const pm_block *b = c->b;
    for (int64_t i = 0; i < b->a.nrows; ++i)
        c->colour[i] = (uint64_t)b->row_cap[i];
    for (int64_t j = 0; j < b->a.ncols; ++j)
        c->colour[c->nrows + j] = (uint64_t)b->col_cap[j];
    for (int64_t k = 0; k < pm_matrix_nnz(&b->a); ++k)
        c->value[k] = hash_value(&b->a, k);
    sort_colours(c);
}

static uint64_t hash_form(const pm_block *b)
{
    uint64_t key = pm_hash_pair((uint64_t)b->a.nrows, (uint64_t)b->a.ncols);
    for (int64_t i = 0; i < b->a.nrows; ++i) {
        key = pm_hash_pair(key, (uint64_t)b->row_cap[i]);
        for (int64_t k = b->a.rowptr[i]; k < b->a.rowptr[i + 1]; ++k)
            key = pm_hash_pair(key, hash_value(&b->a, k) + (uint64_t)b->a.colind[k]);
        key = pm_hash_pair(key, UINT64_MAX);
    }
    for (int64_t j = 0; j < b->a.ncols; ++j)
        key = pm_hash_pair(key, (uint64_t)b->col_cap[j]);
    return key;
}

/* The side with the smaller sum of colours becomes the rows. */
static pm_status apply(const colouring *c, pm_block *b, bool transpose, pm_error *err)
{
    int32_t *order = pm_alloc_array(c->nvertices, sizeof *order);
    if (!order)
        return pm_fail_memory(err, "a canonical form");
    for (int64_t k = 0; k < c->nvertices; ++k)
        order[k] = c->sorted[k].vertex - (int32_t)(k < c->nrows ? 0 : c->nrows);
    pm_status status = pm_block_permute(b, order, order + c->nrows, err);
    free(order);
    return !status && transpose ? pm_block_transpose(b, err) : status;
}

pm_status pm_block_canonise(pm_block *b, const pm_run *run, uint64_t *key, pm_error *err)
{
    int64_t n = b->a.nrows, m = b->a.ncols;
    colouring c = {.b = b, .run = run, .nrows = n, .nvertices = n + m};
    c.value = pm_alloc_array(pm_matrix_nnz(&b->a), sizeof *c.value);
    c.colour = pm_alloc_array(n + m, sizeof *c.colour);
    c.next = pm_alloc_array(n + m, sizeof *c.next);
    c.sorted = pm_alloc_array(n + m, sizeof *c.sorted);
    pm_status status = PM_OK;
    if (!c.value || !c.colour || !c.next || !c.sorted) {
        status = pm_fail_memory(err, "a canonical form");
        goto done;
    }
    colour_by_degree(&c);
    refine_once(&c);
    refine(&c);
    bool transpose = sum_of_colours(c.colour + n, m) < sum_of_colours(c.colour, n);
    while (!c.is_stopped && c.distinct < n + m && c.passes < PASSES) {
        individualise(&c);
        refine(&c);
    }
    status = c.is_stopped ? pm_fail(err, PM_ESTOPPED, "stopped during an expansion")
                          : apply(&c, b, transpose, err);
    if (!status)
        *key = hash_form(b);
done:
    free(c.value);
    free(c.colour);
    free(c.next);
    free(c.sorted);
    return status;
}
