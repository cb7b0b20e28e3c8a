/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lattices of equal cells, open or wrapped around both ways: on one set of vertices, or bipartite. */
#include "config.h"

#include <math.h>

#include "pm-gen/family.h"

/* An edge from vertex `from` of a cell to vertex `to` of the cell that is dx, dy away.  In a bipartite lattice `from` is
 * a row and `to` a column. */
typedef struct {
    int from, dx, dy, to;
} cell_edge;

typedef struct {
    int vertices, edges; /* of a cell; where the lattice is bipartite: rows, and as many columns */
    cell_edge edge[6];
    int least; /* cells in a wrapped direction, without loops and double edges */
    bool bipartite;
    double step[2],
        width; /* from a cell to the next one in the first direction; in the second one, to the right */
    double at[4][2]; /* the vertices in their cell: rows, then columns */
} lattice;

#define HALF_ROOT_3 0.86602540378443865
#define HALF_ROOT_2 0.70710678118654752

static const lattice grid = {1, 2, {{0, 0, 1, 0}, {0, 1, 0, 0}}, 3, false, {0, 1}, 1, {{0, 0}}},
                     triangular = {1, 3,       {{0, 0, 1, 0}, {0, 1, 0, 0}, {0, 1, 1, 0}},
                                   3, false,   {-0.5, HALF_ROOT_3},
                                   1, {{0, 0}}},
                     /* triangles that share corners */
    kagome = {3,
              6,
              {{0, 0, 0, 1}, {0, 0, 0, 2}, {1, 0, 0, 2}, {1, 0, 1, 0}, {2, 1, 0, 0}, {2, 1, -1, 1}},
              2,
              false,
              {1, 2 * HALF_ROOT_3},
              2,
              {{0, 0}, {1, 0}, {0.5, HALF_ROOT_3}}};

/* The row has an edge in its cell, and one to the cell before it in each direction. */
static const lattice honeycomb = {1,
                                  3,
                                  {{0, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}},
                                  2,
                                  true,
                                  {HALF_ROOT_3, 1.5},
                                  2 * HALF_ROOT_3,
                                  {{-HALF_ROOT_3, -0.5}, {0, 0}}};

/* Squares with an odd sum of coordinates have the other colours.  In an even one row 0 is the upper corner, row 1 the
 * lower one, column 0 the right one, column 1 the left one; in an odd one columns and rows are exchanged. */
static const lattice even_square = {
    2,
    6,
    {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {1, 0, 0, 1}, {0, -1, 0, 1}, {1, 1, 0, 0}},
    0,
    true,
    {0, -1 - 2 * HALF_ROOT_2},
    1 + 2 * HALF_ROOT_2,
    {{0, HALF_ROOT_2}, {0, -HALF_ROOT_2}, {HALF_ROOT_2, 0}, {-HALF_ROOT_2, 0}}};
static const lattice odd_square = {
    2,
    6,
    {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 0, 0, 0}, {1, 0, 0, 1}, {0, 0, 1, 1}, {1, 0, -1, 0}},
    0,
    true,
    {0, -1 - 2 * HALF_ROOT_2},
    1 + 2 * HALF_ROOT_2,
    {{HALF_ROOT_2, 0}, {-HALF_ROOT_2, 0}, {0, HALF_ROOT_2}, {0, -HALF_ROOT_2}}};

static pm_status join(const pm_family_args *a, const lattice *l, int64_t u, int64_t v,
                      pm_triples *edges, pm_error *err)
{
    const bool exchanged = !l->bipartite && v < u;
    return pm_family_edge(a, edges, exchanged ? v : u, exchanged ? u : v, err);
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
        if (!wrap && (x < 0 || x >= side[0] || y < 0 || y >= side[1]))
            continue;
        x = (x + side[0]) % side[0];
        y = (y + side[1]) % side[1];
        status = join(a, l, l->vertices * (at[0] * side[1] + at[1]) + c->from,
                      l->vertices * (x * side[1] + y) + c->to, edges, err);
    }
    return status;
}

/* even, odd: the lattice of the cells with an even and with an odd sum of coordinates. */
static pm_status make_cells(const pm_family_args *a, const lattice *even, const lattice *odd,
                            bool wrap, pm_triples *edges, pm_error *err)
{
    int64_t side[2], at[2];
    pm_status status = pm_family_sides(a, wrap ? even->least : 0, side, err);
    if (status)
        return status;
    const double cells = (double)side[0] * (double)side[1], n = even->vertices * cells;
    status = pm_family_begin(a, n, n, even->edges * cells, edges, err);
    for (at[0] = 0; at[0] < side[0] && !status; ++at[0])
        for (at[1] = 0; at[1] < side[1] && !status; ++at[1])
            status = join_cell(a, (at[0] + at[1]) % 2 ? odd : even, wrap, side, at, edges, err);
    return status;
}

static pm_status make(const pm_family_args *a, const lattice *l, bool wrap, pm_triples *edges,
                      pm_error *err)
{
    return make_cells(a, l, l, wrap, edges, err);
}

/* Vertex k of cell (x, y).  period: of the wrapped direction to the right, into which the vertex is moved; 0: none. */
static pm_status place_vertex(const lattice *l, const int64_t at[2], int k, double period,
                              pm_labels labels[2], pm_error *err)
{
    const double tiny = 1e-6, y = l->step[1] * (double)at[0] + l->at[k][1];
    double x = l->step[0] * (double)at[0] + l->width * (double)at[1] + l->at[k][0];
    if (period > 0)
        x -= period * floor((x + tiny) / period);
    return pm_family_place(&labels[k / l->vertices], x, y, err);
}

static pm_status place_cells(const pm_family_args *a, const lattice *even, const lattice *odd,
                             bool wrap, pm_labels labels[2], pm_error *err)
{
    int64_t side[2], at[2];
    pm_status status = pm_family_sides(a, 0, side, err);
    const double period = wrap ? even->width * (double)side[1] : 0;
    const int vertices = even->vertices * (even->bipartite ? 2 : 1);
    for (at[0] = 0; at[0] < side[0]; ++at[0])
        for (at[1] = 0; at[1] < side[1]; ++at[1])
            for (int k = 0; k < vertices && !status; ++k)
                status = place_vertex((at[0] + at[1]) % 2 ? odd : even, at, k, period, labels, err);
    return status;
}

#define PLACE(name, lattice, wrap)                                                                 \
    static pm_status name(const pm_family_args *a, pm_labels labels[2], pm_error *err)             \
    {                                                                                              \
        return place_cells(a, &(lattice), &(lattice), wrap, labels, err);                          \
    }
PLACE(place_triangular, triangular, false)
PLACE(place_kagome, kagome, false)
PLACE(place_torus_graph, grid, true)
PLACE(place_triangular_torus, triangular, true)
PLACE(place_kagome_torus, kagome, true)
PLACE(place_honeycomb_torus, honeycomb, true)
#undef PLACE

static pm_status place_square_octagon(const pm_family_args *a, pm_labels labels[2], pm_error *err)
{
    return place_cells(a, &even_square, &odd_square, false, labels, err);
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
    .place = place_triangular,
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
    .place = place_kagome,
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
    .place = place_torus_graph,
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
    .place = place_triangular_torus,
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
    .place = place_kagome_torus,
};

/* One more cell in each direction than hexagons; its first row and last column would have one edge each, and are left
 * out. */
static pm_status make_honeycomb(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t side[2];
    pm_status status = pm_family_sides(a, 0, side, err);
    if (status || !side[0] || !side[1])
        return status ? status : pm_family_begin(a, 0, 0, 0, edges, err);
    const int64_t width = side[1] + 1;
    const double n = ((double)side[0] + 1) * (double)width - 1;
    status = pm_family_begin(a, n, n, 3 * n, edges, err);
    for (int64_t cell = 1; cell <= (int64_t)n && !status; ++cell) {
        if (cell < (int64_t)n)
            status = pm_family_edge(a, edges, cell - 1, cell, err);
        if (!status && cell >= width)
            status = pm_family_edge(a, edges, cell - 1, cell - width, err);
        if (!status && cell % width)
            status = pm_family_edge(a, edges, cell - 1, cell - 1, err);
    }
    return status;
}

static pm_status place_honeycomb(const pm_family_args *a, pm_labels labels[2], pm_error *err)
{
    int64_t side[2];
    pm_status status = pm_family_sides(a, 0, side, err);
    if (status || !side[0] || !side[1])
        return status;
    for (int64_t x = 0; x <= side[0]; ++x)
        for (int64_t y = 0; y <= side[1] && !status; ++y) {
            const int64_t at[2] = {x, y};
            if (x + y > 0)
                status = place_vertex(&honeycomb, at, 0, 0, labels, err);
            if (!status && x + y < side[0] + side[1])
                status = place_vertex(&honeycomb, at, 1, 0, labels, err);
        }
    return status;
}

const pm_family pm_family_honeycomb = {
    .name = "honeycomb",
    .arguments = "M N",
    .summary = "M x N hexagons in rows: (M + N)! / (M! N!) matchings",
    .run = make_honeycomb,
    .place = place_honeycomb,
};

static pm_status make_honeycomb_torus(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make(a, &honeycomb, true, edges, err);
}

const pm_family pm_family_honeycomb_torus = {
    .name = "honeycomb-torus",
    .arguments = "M N",
    .summary = "the honeycomb lattice wrapped around both ways; M, N from 2",
    .run = make_honeycomb_torus,
    .place = place_honeycomb_torus,
};

static pm_status make_square_octagon(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make_cells(a, &even_square, &odd_square, false, edges, err);
}

const pm_family pm_family_square_octagon = {
    .name = "square-octagon",
    .arguments = "M N",
    .summary = "M x N squares, joined at their corners: octagons between them",
    .run = make_square_octagon,
    .place = place_square_octagon,
};
