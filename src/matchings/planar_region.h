/* SPDX-License-Identifier: GPL-3.0-or-later */
/* matchings/planar_region.h: a connected part of a graph in the plane or on a torus whose vertices are not matched
 * yet. */
#ifndef PM_PLANAR_REGION_H
#define PM_PLANAR_REGION_H

#include <stdint.h>

#include "elimination/elimination.h"
#include "elimination/integer_entries.h"
#include "elimination/root_inverse.h"
#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

/* The whole graph: a square pattern with Kasteleyn signs, by rows and by columns, and the weights as integers.  Of a
 * graph on one set of vertices the pattern is symmetric: vertex v is row v and column v. */
typedef struct {
    const pm_matrix *a;
    bool is_general; /* on one set of vertices */
    int classes;     /* of signs: 1 in the plane, 4 on a torus (planar/kasteleyn.h) */
    /* of each entry: bit c is set if it is negative in class c; all bits are equal in the plane */
    uint8_t *sign;
    int64_t *colptr; /* column j has the entries entry[colptr[j]] .. entry[colptr[j + 1] - 1], */
    int32_t *rowind; /* in the rows rowind[...] */
    int64_t *entry;
    pm_integer_entries z;
} pm_signed_graph;

/* Vertices of the graph, rows 0 .. n - 1 and columns n .. 2n - 1, by bits; one of a general graph is marked in both
 * places. */
enum { PM_VERTEX_PLANNED = 1, PM_VERTEX_DRAWN = 2 };

typedef struct {
    int32_t n;          /* rows; as many columns */
    int32_t *row, *col; /* of the graph; of a general graph the same ones, its vertices */
    double bits;        /* the weighted count is below 2^bits */
    int classes;        /* of signs */
    /* of four classes: XORed with the parities of the negative entries of a perfect matching of the region, three bits
     * are equal, and the fourth is that of the class that is subtracted */
    uint8_t outside;
} pm_region;

void pm_region_free(pm_region *r);

/* What is needed to draw the matches of a few vertices of a region: rows and columns paired by a matching, of a general
 * graph its vertices, and the pairs that hold these vertices and their neighbours. */
typedef struct {
    pm_paired_matrix pairs;
    pm_root_signs signs;  /* with as much of a border as is needed in most cases */
    int32_t *pair_of_col; /* of each column its pair; pair i has row i of the region */
    uint8_t *negated;     /* of each pair: its row has the opposite signs in these classes */
    uint8_t parity;       /* of the negative entries of the matching, in each class */
    int32_t *order;       /* of elimination; its last `kept` pairs are those of the root */
    int32_t kept;
    int32_t *root_of; /* of each pair: its number among the kept ones, or -1 */
    int32_t drawn;    /* how many vertices are to be drawn, */
    int32_t *draw;    /* and which: row r of the region, or n + its column c */
} pm_region_plan;

/* Chooses the vertices: those of the region with PM_VERTEX_PLANNED in `mark` (2 a->nrows entries), or, if there are
 * none, those of a separator, which get the mark.  Not all of them, if an inverse for them needs more than `memory`
 * bytes.
 * local: scratch, 2 a->nrows entries, -1; set to the numbers in the region of its vertices.
 * The caller frees *out, and resets local.
 * Fails: PM_EINTERNAL the region has no perfect matching; PM_UNABLE, PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_region_plan_make(const pm_signed_graph *g, const pm_region *r, uint8_t *mark,
                              int32_t *local, double memory, const pm_run *run, pm_region_plan *out,
                              pm_error *err);
/* Sets only pairs, pair_of_col, negated and order; the order is one of little fill, without a root.
 * local, fails: as above. */
pm_status pm_region_plan_begin(const pm_signed_graph *g, const pm_region *r, int32_t *local,
                               const pm_run *run, pm_region_plan *out, pm_error *err);
void pm_region_plan_free(pm_region_plan *p);

/* Kasteleyn signs of a region, for its entries in g, and r->classes.
 * local: scratch, 2 a->nrows entries, -1.
 * Fails: PM_UNABLE neither planar nor a recognised torus, with the reason; as above. */
pm_status pm_region_draw(const pm_signed_graph *g, pm_region *r, int32_t *local, pm_error *err);

/* The same for a part of a graph on a torus; without a change if it is not planar.
 * *parity: bit c is set if an odd number of entries of a perfect matching of r were negative in class c before. */
pm_status pm_region_settle(const pm_signed_graph *g, pm_region *r, int32_t *local,
                           const pm_run *run, uint8_t *parity, pm_error *err);

#endif
