/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/layer_parts.h"

#include <stdlib.h>

#include "pm/alloc.h"

/* ---- the sequence of the vertices of a part ---- */

typedef struct {
    int rows, size;                 /* vertices: the rows, then the columns */
    uint64_t joined[PM_LAYER_BITS]; /* by entries of any of the three matrices */
} part;

static void join(part *x, const pm_matrix *a)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int col = x->rows + a->colind[k];
            x->joined[i] |= UINT64_C(1) << col;
            x->joined[col] |= UINT64_C(1) << i;
        }
}

/* Breadth first from a vertex; sequence[]: the vertices of its component.  Returns their number. */
static int search(const part *x, int from, uint64_t *seen, int *sequence)
{
    int count = 0;
    sequence[count++] = from;
    *seen |= UINT64_C(1) << from;
    for (int k = 0; k < count; ++k)
        for (uint64_t rest = x->joined[sequence[k]] & ~*seen; rest; rest &= rest - 1) {
            sequence[count++] = __builtin_ctzll(rest);
            *seen |= UINT64_C(1) << sequence[count - 1];
        }
    return count;
}

pm_layer_places pm_layer_places_of(const pm_matrix *own, const pm_matrix *next,
                                   const pm_matrix *before)
{
    part x = {.rows = (int)own->nrows, .size = (int)(own->nrows + own->ncols)};
    pm_layer_places out = {.rows = x.rows, .size = x.size};
    uint64_t seen = 0;
    int placed = 0;
    join(&x, own);
    join(&x, next);
    join(&x, before);
    for (int v = 0; v < x.size; ++v) {
        int sequence[PM_LAYER_BITS];
        uint64_t again = seen;
        if (seen >> v & 1)
            continue;
        int count = search(&x, v, &again, sequence);
        search(&x, sequence[count - 1], &seen, sequence);
        for (int k = 0; k < count; ++k)
            out.place[sequence[k]] = placed++;
    }
    return out;
}

pm_layer_places pm_layer_places_first(const pm_layer_places *whole, int rows, int cols)
{
    pm_layer_places out = {.rows = rows, .size = rows + cols};
    int of_place[PM_LAYER_BITS], placed = 0;
    for (int v = 0; v < whole->size; ++v)
        of_place[whole->place[v]] = v;
    for (int k = 0; k < whole->size; ++k) {
        const int v = of_place[k], column = v - whole->rows;
        if (column < 0 ? v < rows : column < cols)
            out.place[column < 0 ? v : rows + column] = placed++;
    }
    return out;
}

/* ---- layers ---- */

static int by_from(const void *a, const void *b)
{
    const pm_layer_edge *x = a, *y = b;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

/* The places of rows and of columns, and what is added to them: 0, or the size of a layer for those in the next one. */
typedef struct {
    const pm_layer_places *rows, *cols;
    int row_shift, col_shift;
} sides;

static pm_status add_entries(const sides *x, const pm_matrix *a, pm_layered *g, pm_layer *l,
                             pm_error *err)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int u = x->rows->place[i] + x->row_shift;
            const int v = x->cols->place[x->cols->rows + a->colind[k]] + x->col_shift;
            pm_layer_edge e = {u < v ? u : v, u < v ? v : u, -1};
            if (a->re && !pm_dyadic_is_one(&a->re[k])) {
                if (!pm_dyadic_is_integer(&a->re[k]))
                    return pm_fail(
                        err, PM_UNABLE,
                        "refused: the transfer matrix of a part needs integer entries; multiply "
                        "all entries by a number c, and divide the count by c to the number of "
                        "rows");
                e.entry = g->nvalues++;
                pm_dyadic_set(&g->value[e.entry], &a->re[k]);
            }
            l->edge[l->nedges++] = e;
        }
    return PM_OK;
}

pm_status pm_layer_make(const pm_layer_places *here, const pm_layer_places *there,
                        const pm_matrix *own, const pm_matrix *next, const pm_matrix *before,
                        pm_layered *g, pm_layer *l, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(own) + pm_matrix_nnz(next) + pm_matrix_nnz(before);
    const sides inside = {here, here, 0, 0}, after = {here, there, 0, here->size},
                back = {there, here, here->size, 0};
    l->size = here->size;
    l->next = there ? there->size : 0;
    l->edge = pm_alloc_array(nnz, sizeof *l->edge);
    if (!l->edge)
        return pm_fail_memory(err, "a part");
    pm_status status = add_entries(&inside, own, g, l, err);
    if (!status && there)
        status = add_entries(&after, next, g, l, err);
    if (!status && there)
        status = add_entries(&back, before, g, l, err);
    if (!status)
        qsort(l->edge, (size_t)l->nedges, sizeof *l->edge, by_from);
    return status;
}
