/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/layered.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

void pm_layered_free(pm_layered *g)
{
    for (int k = 0; g->layer && k < g->head + g->cycle + g->tail; ++k)
        free(g->layer[k].edge);
    for (int k = 0; k < g->nvalues; ++k)
        pm_dyadic_clear(&g->value[k]);
    free(g->layer);
    free(g->value);
    *g = (pm_layered){0};
}

/* ---- the sequence of the vertices of a part ---- */

typedef struct {
    int rows, size;                 /* vertices: the rows, then the columns */
    uint64_t joined[PM_LAYER_BITS]; /* by entries of any of the three matrices */
    int place[PM_LAYER_BITS];       /* of each vertex in its layer */
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

/* Neighbours come near each other: each component from a vertex far from another one. */
static void place_vertices(part *x)
{
    uint64_t seen = 0;
    int placed = 0;
    for (int v = 0; v < x->size; ++v) {
        int sequence[PM_LAYER_BITS];
        uint64_t again = seen;
        if (seen >> v & 1)
            continue;
        int count = search(x, v, &again, sequence);
        search(x, sequence[count - 1], &seen, sequence);
        for (int k = 0; k < count; ++k)
            x->place[sequence[k]] = placed++;
    }
}

/* ---- layers ---- */

static int by_from(const void *a, const void *b)
{
    const pm_layer_edge *x = a, *y = b;
    return x->from != y->from ? x->from - y->from : x->to - y->to;
}

/* Adds the entries of a matrix.  row_shift, col_shift: 0, or the size of a part where the row or the column is
 * in the next layer. */
static pm_status add_entries(const part *x, const pm_matrix *a, int row_shift, int col_shift,
                             pm_layered *g, pm_layer *l, pm_error *err)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int u = x->place[i] + row_shift;
            const int v = x->place[x->rows + a->colind[k]] + col_shift;
            pm_layer_edge e = {u < v ? u : v, u < v ? v : u, -1};
            if (a->re && !pm_dyadic_is_one(&a->re[k])) {
                if (!pm_dyadic_is_integer(&a->re[k]))
                    return pm_fail(err, PM_UNABLE,
                                   "refused: the transfer matrix of a part needs integer entries");
                e.entry = g->nvalues++;
                pm_dyadic_set(&g->value[e.entry], &a->re[k]);
            }
            l->edge[l->nedges++] = e;
        }
    return PM_OK;
}

/* with_next: another part follows. */
static pm_status make_layer(const part *x, const pm_matrix *own, const pm_period *p, bool with_next,
                            pm_layered *g, pm_layer *l, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(own) + pm_matrix_nnz(&p->next) + pm_matrix_nnz(&p->before);
    l->size = x->size;
    l->next = with_next ? x->size : 0;
    l->edge = pm_alloc_array(nnz, sizeof *l->edge);
    if (!l->edge)
        return pm_fail_memory(err, "a part");
    pm_status status = add_entries(x, own, 0, 0, g, l, err);
    if (!status && with_next)
        status = add_entries(x, &p->next, 0, x->size, g, l, err);
    if (!status && with_next) /* the rows of the next part */
        status = add_entries(x, &p->before, x->size, 0, g, l, err);
    if (!status)
        qsort(l->edge, (size_t)l->nedges, sizeof *l->edge, by_from);
    return status;
}

pm_status pm_layered_from_period(const pm_matrix *own, const pm_period *period, pm_layered *out,
                                 pm_error *err)
{
    const int64_t nnz =
        pm_matrix_nnz(own) + pm_matrix_nnz(&period->next) + pm_matrix_nnz(&period->before);
    part x = {.rows = (int)own->nrows, .size = (int)(own->nrows + own->ncols)};
    if (own->nrows + own->ncols > PM_LAYER_BITS / 2)
        return pm_fail(err, PM_UNABLE, "refused: a part has more than %d vertices",
                       PM_LAYER_BITS / 2);
    if (pm_period_field(own, period) == PM_COMPLEX)
        return pm_fail(err, PM_UNABLE,
                       "refused: the transfer matrix of a part needs integer entries");
    join(&x, own);
    join(&x, &period->next);
    join(&x, &period->before);
    place_vertices(&x);
    pm_layered g = {.cycle = 1,
                    .tail = !period->is_ring,
                    .repeats = period->length - !period->is_ring,
                    .is_ring = period->is_ring};
    g.layer = pm_calloc_array(2, sizeof *g.layer);
    g.value = pm_calloc_array(2 * nnz, sizeof *g.value);
    pm_status status = g.layer && g.value ? PM_OK : pm_fail_memory(err, "a periodic graph");
    for (int k = 0; k < g.cycle + g.tail && !status; ++k)
        status = make_layer(&x, own, period, k == 0, &g, &g.layer[k], err);
    if (status)
        pm_layered_free(&g);
    else
        *out = g;
    return status;
}
