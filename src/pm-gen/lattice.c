/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boxes of cells; cells that share a side are neighbours.  The rows of the matrix are the cells
 * whose coordinates have an even sum, the columns are the other cells, both in the order of the
 * cells. */
#include "config.h"

#include <stdlib.h>

#include "pm-gen/family.h"
#include "pm/alloc.h"

typedef struct {
    int64_t size[3];
    unsigned wrap;     /* bit d: the last cell in direction d is a neighbour of the first one */
    pm_random *random; /* NULL: all edges are kept */
    double keep;       /* else: probability of keeping an edge that is not in the fixed tiling */
} box;

static bool wraps(const box *b, int d)
{
    return b->wrap >> d & 1;
}

/* number[cell]: the row or column that the cell is; cells in lexicographic order. */
static void number_cells(const box *b, int32_t *number)
{
    int32_t next[2] = {0, 0};
    int64_t cell = 0;
    for (int64_t x = 0; x < b->size[0]; ++x)
        for (int64_t y = 0; y < b->size[1]; ++y)
            for (int64_t z = 0; z < b->size[2]; ++z)
                number[cell++] = next[(x + y + z) & 1]++;
}

static pm_status join(const pm_family_args *a, const int32_t *number, int64_t cell, int64_t other,
                      bool cell_is_left, pm_triples *edges, pm_error *err)
{
    int64_t left = cell_is_left ? cell : other, right = cell_is_left ? other : cell;
    return pm_family_edge(a, edges, number[left], number[right], err);
}

/* The fixed tiling: dominoes along the second direction; if its length is odd, the last cells form
 * dominoes along the first direction. */
static bool is_domino(const box *b, const int64_t at[3], int d)
{
    bool is_last = b->size[1] % 2 && at[1] + 1 == b->size[1];
    return is_last ? d == 0 && at[0] % 2 == 0 : d == 1 && at[1] % 2 == 0;
}

static bool is_kept(const box *b, const int64_t at[3], int d)
{
    return !b->random || is_domino(b, at, d) || pm_random_unit(b->random) <= b->keep;
}

/* The edges from one cell to its successor in each direction. */
static pm_status join_cell(const pm_family_args *a, const box *b, const int32_t *number,
                           const int64_t at[3], pm_triples *edges, pm_error *err)
{
    const int64_t stride[3] = {b->size[1] * b->size[2], b->size[2], 1};
    int64_t cell = at[0] * stride[0] + at[1] * stride[1] + at[2];
    bool left = ((at[0] + at[1] + at[2]) & 1) == 0;
    for (int d = 0; d < 3; ++d) {
        int64_t other = cell + stride[d];
        if (at[d] + 1 == b->size[d]) {
            if (!wraps(b, d) || b->size[d] == 1)
                continue;
            other -= b->size[d] * stride[d];
        }
        pm_status status = PM_OK;
        if (is_kept(b, at, d))
            status = join(a, number, cell, other, left, edges, err);
        if (status)
            return status;
    }
    return PM_OK;
}

static pm_status box_edges(const pm_family_args *a, const box *b, pm_triples *edges, pm_error *err)
{
    double cells = (double)b->size[0] * (double)b->size[1] * (double)b->size[2];
    double left = cells - (double)(int64_t)(cells / 2), expected = 0;
    for (int d = 0; d < 3 && cells > 0; ++d)
        expected += cells - (wraps(b, d) && b->size[d] > 1 ? 0 : cells / (double)b->size[d]);
    pm_status status = pm_family_begin(a, left, cells - left, expected, edges, err);
    if (status || cells == 0)
        return status;
    int32_t *number = pm_alloc_array((int64_t)cells, sizeof *number);
    if (!number)
        return pm_fail_memory(err, "cells of the lattice");
    number_cells(b, number);
    int64_t at[3];
    for (at[0] = 0; !status && at[0] < b->size[0]; ++at[0])
        for (at[1] = 0; !status && at[1] < b->size[1]; ++at[1])
            for (at[2] = 0; !status && at[2] < b->size[2]; ++at[2])
                status = join_cell(a, b, number, at, edges, err);
    free(number);
    return status;
}

/* A wrapped side of 1 would join cells to themselves, and one of 2 would give double edges. */
static pm_status check_wrapped(const pm_family_args *a, int64_t side, pm_error *err)
{
    if (side % 2)
        return pm_fail(err, PM_EUSAGE,
                       "%s: expected an even number, not %lld: the graph would not be bipartite",
                       a->family->name, (long long)side);
    if (side == 2)
        return pm_fail(
            err, PM_EUSAGE,
            "%s: expected an even number from 4, or 0: a side of 2 would give repeated edges",
            a->family->name);
    return PM_OK;
}

static pm_status read_box(const pm_family_args *a, box *b, pm_error *err)
{
    for (int d = 0; d < 3; ++d)
        b->size[d] = 1;
    for (int d = 0; d < a->count - (b->random != NULL); ++d) {
        pm_status status = pm_family_int(a, d, 0, PM_SIDE_MAX, &b->size[d], err);
        if (!status && wraps(b, d))
            status = check_wrapped(a, b->size[d], err);
        if (status)
            return status;
    }
    return PM_OK;
}

/* The third direction goes obliquely to the right and upwards; cells up to 10^4 layers away from each other never have
 * the same place. */
static pm_status place_box(const pm_family_args *a, pm_labels labels[2], pm_error *err)
{
    box b = {.random = a->family->is_random ? a->random : NULL};
    pm_status status = read_box(a, &b, err);
    for (int64_t x = 0; x < b.size[0]; ++x)
        for (int64_t y = 0; y < b.size[1]; ++y)
            for (int64_t z = 0; z < b.size[2] && !status; ++z)
                status = pm_family_place(&labels[(x + y + z) & 1], (double)y + 0.3819 * (double)z,
                                         (double)x + 0.2361 * (double)z, err);
    return status;
}

/* wrap: as in box. */
static pm_status make_wrapped(const pm_family_args *a, unsigned wrap, pm_triples *edges,
                              pm_error *err)
{
    box b = {.wrap = wrap};
    pm_status status = read_box(a, &b, err);
    return !status ? box_edges(a, &b, edges, err) : status;
}

static pm_status make_grid(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make_wrapped(a, 0, edges, err);
}

const pm_family pm_family_grid = {
    .name = "grid",
    .arguments = "M N",
    .summary = "M x N grid; its perfect matchings are the domino tilings",
    .run = make_grid,
    .place = place_box,
};

static pm_status make_planar(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    box b = {.random = a->random};
    pm_status status = read_box(a, &b, err);
    if (!status)
        status = pm_family_probability(a, 2, &b.keep, err);
    return !status ? box_edges(a, &b, edges, err) : status;
}

const pm_family pm_family_planar = {
    .name = "planar",
    .arguments = "M N P",
    .summary = "M x N grid: one tiling, each other edge with probability P",
    .is_random = true,
    .run = make_planar,
    .place = place_box,
};

const pm_family pm_family_cube = {
    .name = "cube",
    .arguments = "A B C",
    .summary = "A x B x C grid in space",
    .run = make_grid,
    .place = place_box,
};

static pm_status make_torus(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make_wrapped(a, 3, edges, err);
}

const pm_family pm_family_torus = {
    .name = "torus",
    .arguments = "M N",
    .summary = "M x N grid wrapped around both ways; M, N even, not 2",
    .run = make_torus,
    .place = place_box,
};

static pm_status make_cylinder(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    return make_wrapped(a, 2, edges, err);
}

const pm_family pm_family_cylinder = {
    .name = "cylinder",
    .arguments = "M N",
    .summary = "M x N grid wrapped around the second way; N even, not 2",
    .run = make_cylinder,
    .place = place_box,
};

/* Vertices 2k and 2k + 1 stand on different sides, so vertex v is number v / 2 of its side. */
static pm_status make_hypercube(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t d;
    pm_status status = pm_family_int(a, 0, 0, 31, &d, err);
    if (status || d == 0) /* a single vertex */
        return !status ? pm_family_begin(a, 1, 0, 0, edges, err) : status;
    int64_t side = INT64_C(1) << (d - 1);
    status = pm_family_begin(a, (double)side, (double)side, (double)(d * side), edges, err);
    for (int64_t v = 0; !status && v < 2 * side; ++v)
        if (__builtin_parityll((uint64_t)v) == 0)
            for (int64_t bit = 0; !status && bit < d; ++bit)
                status = pm_family_edge(a, edges, v / 2, (v ^ INT64_C(1) << bit) / 2, err);
    return status;
}

const pm_family pm_family_hypercube = {
    .name = "hypercube",
    .arguments = "D",
    .summary = "hypercube of dimension D",
    .run = make_hypercube,
};
