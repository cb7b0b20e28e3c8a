/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/planar_graphs.h"

#include <string.h>

enum { DRAWN_VERTICES = 400, DRAWN_EDGES = 2 * DRAWN_VERTICES, DRAWN_CORNERS = 2 * DRAWN_EDGES };

/* A drawing: the corners of every face, one after another along its walk. */
typedef struct {
    uint64_t *rng;
    int vertices, edges, faces;
    int side[DRAWN_VERTICES]; /* 0 row, 1 column */
    int ends[DRAWN_EDGES][2];
    int length[DRAWN_EDGES]; /* of each face */
    int corner[DRAWN_EDGES][DRAWN_CORNERS / 8];
} drawing;

static int drawn_vertex(drawing *d, int side)
{
    d->side[d->vertices] = side;
    return d->vertices++;
}

static void drawn_edge(drawing *d, int u, int v)
{
    d->ends[d->edges][0] = u;
    d->ends[d->edges++][1] = v;
}

static bool drawn_are_joined(const drawing *d, int u, int v)
{
    for (int e = 0; e < d->edges; ++e)
        if ((d->ends[e][0] == u && d->ends[e][1] == v)
            || (d->ends[e][0] == v && d->ends[e][1] == u))
            return true;
    return false;
}

/* A single edge: one face, which sees both ends. */
static void drawn_start(drawing *d, uint64_t *rng)
{
    memset(d, 0, sizeof *d);
    d->rng = rng;
    drawn_edge(d, drawn_vertex(d, 0), drawn_vertex(d, 1));
    d->faces = 1;
    d->length[0] = 2;
    d->corner[0][0] = 0;
    d->corner[0][1] = 1;
}

/* Across face f from corner i to corner j > i a path with `within` new vertices. */
static void drawn_path(drawing *d, int f, int i, int j, int within)
{
    int path[16], last = d->corner[f][i], g = d->faces++;
    for (int k = 0; k < within; ++k) {
        path[k] = drawn_vertex(d, !d->side[last]);
        drawn_edge(d, last, path[k]);
        last = path[k];
    }
    drawn_edge(d, last, d->corner[f][j]);
    /* the corners i .. j and the path back, here; the others and the path there */
    int old[DRAWN_CORNERS / 8], length = d->length[f], n = 0;
    memcpy(old, d->corner[f], (size_t)length * sizeof *old);
    for (int k = i; k <= j; ++k)
        d->corner[g][n++] = old[k];
    for (int k = within - 1; k >= 0; --k)
        d->corner[g][n++] = path[k];
    d->length[g] = n;
    n = 0;
    for (int k = 0; k <= i; ++k)
        d->corner[f][n++] = old[k];
    for (int k = 0; k < within; ++k)
        d->corner[f][n++] = path[k];
    for (int k = j; k < length; ++k)
        d->corner[f][n++] = old[k];
    d->length[f] = n;
}

/* A leaf in face f, at corner i. */
static void drawn_leaf(drawing *d, int f, int i)
{
    int v = d->corner[f][i], leaf = drawn_vertex(d, !d->side[v]), *corner = d->corner[f];
    drawn_edge(d, v, leaf);
    memmove(corner + i + 3, corner + i + 1, (size_t)(d->length[f] - i - 1) * sizeof *corner);
    corner[i + 1] = leaf;
    corner[i + 2] = v;
    d->length[f] += 2;
}

/* One more path with an even number of new vertices, so that every edge stays in a perfect
 * matching; with any number, or a leaf, where `wild`.  False: this draw was none. */
static bool drawn_grow(drawing *d, bool wild)
{
    int f = (int)pm_rng_below(d->rng, (uint32_t)d->faces);
    int i = (int)pm_rng_below(d->rng, (uint32_t)d->length[f]);
    int j = (int)pm_rng_below(d->rng, (uint32_t)d->length[f]);
    if (d->length[f] > DRAWN_CORNERS / 8 - 40)
        return false;
    if (wild && pm_rng_below(d->rng, 4) == 0) {
        drawn_leaf(d, f, i);
        return true;
    }
    if (i > j) {
        int swap = i;
        i = j;
        j = swap;
    }
    int u = d->corner[f][i], v = d->corner[f][j];
    bool apart = d->side[u] != d->side[v];
    int within = 2 * (int)pm_rng_below(d->rng, 3) + !apart;
    if (u == v || (!wild && !apart) || (within == 0 && drawn_are_joined(d, u, v)))
        return false;
    drawn_path(d, f, i, j, within);
    return true;
}

void add_drawn(pm_triples *t, uint64_t *rng, int32_t row, int32_t col)
{
    pm_dyadic re = {0}, im = {0};
    if (t->field == PM_INTEGER)
        pm_dyadic_set_si(&re, random_entry(rng));
    if (t->field >= PM_REAL)
        random_real(rng, &re);
    if (t->field == PM_COMPLEX)
        random_real(rng, &im);
    assert_int_equal(pm_triples_add(t, row, col, 0, t->field == PM_PATTERN ? NULL : &re,
                                    t->field == PM_COMPLEX ? &im : NULL, NULL),
                     PM_OK);
}

void random_planar(uint64_t *rng, pm_field field, int vertices, bool wild, pm_matrix *out)
{
    static drawing d;
    int32_t number[DRAWN_VERTICES], name[2][DRAWN_VERTICES], count[2] = {0, 0};
    int denser = (int)pm_rng_below(rng, 20);
    drawn_start(&d, rng);
    while (d.vertices + 6 < vertices)
        drawn_grow(&d, wild);
    for (int more = 0; more < denser; ++more)
        if (d.vertices + 6 < DRAWN_VERTICES)
            drawn_grow(&d, wild);
    for (int v = 0; v < d.vertices; ++v)
        number[v] = count[d.side[v]]++;
    for (int side = 0; side < 2; ++side)
        random_permutation(rng, name[side], count[side]);
    pm_triples t = {.field = field, .nrows = count[0], .ncols = count[1]};
    for (int e = 0; e < d.edges; ++e) {
        int row = d.ends[e][d.side[d.ends[e][0]] == 1], col = d.ends[e][d.side[d.ends[e][0]] == 0];
        add_drawn(&t, rng, name[0][number[row]], name[1][number[col]]);
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "planar", out, NULL), PM_OK);
    pm_triples_free(&t);
}

static bool has_entry(const pm_matrix *a, int64_t i, int32_t j)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (a->colind[k] == j)
            return true;
    return false;
}

void add_chords(uint64_t *rng, int chords, bool is_hub, pm_matrix *a)
{
    pm_triples t = {.field = a->field, .nrows = a->nrows, .ncols = a->ncols};
    pm_matrix more;
    int32_t hub = (int32_t)pm_rng_below(rng, (uint32_t)a->nrows);
    for (int32_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            assert_int_equal(pm_triples_add(&t, i, a->colind[k], 0, a->re ? &a->re[k] : NULL,
                                            a->im ? &a->im[k] : NULL, NULL),
                             PM_OK);
    for (int tries = 0; tries < 1000 && chords > 0; ++tries) {
        int32_t i = is_hub ? hub : (int32_t)pm_rng_below(rng, (uint32_t)a->nrows);
        int32_t j = (int32_t)pm_rng_below(rng, (uint32_t)a->ncols);
        bool is_there = has_entry(a, i, j);
        for (int64_t x = pm_matrix_nnz(a); x < t.count; ++x)
            is_there = is_there || (t.at[x].row == i && t.at[x].col == j);
        if (is_there)
            continue;
        add_drawn(&t, rng, i, j);
        --chords;
    }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "chords", &more, NULL), PM_OK);
    pm_triples_free(&t);
    pm_matrix_free(a);
    *a = more;
}
