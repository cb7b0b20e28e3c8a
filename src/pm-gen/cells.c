/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lattices of equal cells on one set of vertices, open or wrapped around both ways. */
#include "config.h"

#include "pm-gen/family.h"

/* An edge from vertex `from` of a cell to vertex `to` of the cell that is dx, dy away. */
typedef struct {
    int from, dx, dy, to;
} cell_edge;

typedef struct {
    int vertices, edges; /* of a cell */
    cell_edge edge[6];
    int least; /* cells in a wrapped direction, without loops and double edges */
} lattice;

static const lattice grid = {1, 2, {{0, 0, 1, 0}, {0, 1, 0, 0}}, 3},
                     triangular = {1, 3, {{0, 0, 1, 0}, {0, 1, 0, 0}, {0, 1, 1, 0}}, 3},
                     /* triangles that share corners */
    kagome = {3,
              6,
              {{0, 0, 0, 1}, {0, 0, 0, 2}, {1, 0, 0, 2}, {1, 0, 1, 0}, {2, 1, 0, 0}, {2, 1, -1, 1}},
              2};

static pm_status join(const pm_family_args *a, int64_t u, int64_t v, pm_triples *edges,
                      pm_error *err)
{
    return pm_family_edge(a, edges, u < v ? u : v, u < v ? v : u, err);
}

/* The edges from cell (x, y), number x * side[1] + y. */
static pm_status join_cell(const pm_family_args *a, const lattice *l, bool wrap,
                           const int64_t side[2], const int64_t at[2], pm_triples *edges,
                           pm_error *err)
{
    pm_status status = PM_OK;
    for (int e = 0; e < l->edges && !status; ++e) {
        const cell_edge *c = &l->edge[e];
        int64_t x = at[0] + c->dx, y = at[1] + c->dy;
        if (!wrap && (x >= side[0] || y >= side[1] || y < 0))
            continue;
        x %= side[0];
        y = (y + side[1]) % side[1];
        status = join(a, l->vertices * (at[0] * side[1] + at[1]) + c->from,
                      l->vertices * (x * side[1] + y) + c->to, edges, err);
    }
    return status;
}

static pm_status read_sides(const pm_family_args *a, int least, int64_t side[2], pm_error *err)
{
    pm_status status = PM_OK;
    for (int d = 0; d < 2 && !status; ++d) {
        status = pm_family_int(a, d, 0, PM_SIDE_MAX, &side[d], err);
        if (!status && side[d] > 0 && side[d] < least)
            status = pm_fail(err, PM_EUSAGE,
                             "%s: expected a number from %d, or 0: a side of %lld would give loops "
                             "or repeated edges",
                             a->family->name, least, (long long)side[d]);
    }
    return status;
}

static pm_status make(const pm_family_args *a, const lattice *l, bool wrap, pm_triples *edges,
                      pm_error *err)
{
    int64_t side[2], at[2];
    pm_status status = read_sides(a, wrap ? l->least : 0, side, err);
    if (status)
        return status;
    const double cells = (double)side[0] * (double)side[1], n = l->vertices * cells;
    status = pm_family_begin(a, n, n, l->edges * cells, edges, err);
    for (at[0] = 0; at[0] < side[0] && !status; ++at[0])
        for (at[1] = 0; at[1] < side[1] && !status; ++at[1])
            status = join_cell(a, l, wrap, side, at, edges, err);
    return status;
}

static pm_status make_triangular(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make(a, &triangular, false, edges, err);
}

const pm_family pm_family_triangular = {
    .name = "triangular",
    .arguments = "M N",
    .summary = "M x N vertices of the triangular lattice: a grid with one diagonal in each square",
    .one_set = true,
    .run = make_triangular,
};

static pm_status make_kagome(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make(a, &kagome, false, edges, err);
}

const pm_family pm_family_kagome = {
    .name = "kagome",
    .arguments = "M N",
    .summary = "M x N cells of three vertices of the kagome lattice",
    .one_set = true,
    .run = make_kagome,
};

static pm_status make_torus_graph(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make(a, &grid, true, edges, err);
}

const pm_family pm_family_torus_graph = {
    .name = "torus-graph",
    .arguments = "M N",
    .summary = "M x N grid wrapped around both ways, as one set; M, N from 3, odd ones too",
    .one_set = true,
    .run = make_torus_graph,
};

static pm_status make_triangular_torus(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make(a, &triangular, true, edges, err);
}

const pm_family pm_family_triangular_torus = {
    .name = "triangular-torus",
    .arguments = "M N",
    .summary = "the triangular lattice wrapped around both ways; M, N from 3",
    .one_set = true,
    .run = make_triangular_torus,
};

static pm_status make_kagome_torus(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make(a, &kagome, true, edges, err);
}

const pm_family pm_family_kagome_torus = {
    .name = "kagome-torus",
    .arguments = "M N",
    .summary = "the kagome lattice wrapped around both ways: 2^(M N + 1) perfect matchings",
    .one_set = true,
    .run = make_kagome_torus,
};
