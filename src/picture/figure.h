/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture/figure.h: which shape stands for an edge of a drawn graph.
 *
 * Dominoes: all edges are equal steps along the axes; a domino covers the two cells around its vertices.
 * Lozenges: the graph is bipartite and all edges are equal steps in three directions, 120 degrees apart, as in the
 * honeycomb lattice; a vertex is the centre of a triangle, whose corners are the centres of the hexagons around the
 * vertex, and a lozenge is two triangles.
 * Bonds: anything else; thick segments.
 *
 * Tori and cylinders are drawn flat.  There, an edge that goes around is longer than the others, which are equal: it
 * is drawn as two shapes, one at each of its vertices, in the direction in which it leaves the drawing. */
#ifndef PM_FIGURE_H
#define PM_FIGURE_H

#include <stdbool.h>

#include "places/place.h"
#include "pm/matrix.h"
#include "pm/status.h"

typedef enum { PM_FIGURE_DOMINOES, PM_FIGURE_LOZENGES, PM_FIGURE_BONDS } pm_figure_kind;

enum {
    PM_FIGURE_DIRECTIONS = 8, /* that are told apart */
    PM_FIGURE_PERIODS = 8
};

/* A drawn graph.  Directions go from the row to the column; in a graph on one set of vertices they have no sense and
 * point to the right, or straight upwards. */
typedef struct {
    pm_figure_kind kind;
    const pm_matrix *a; /* owned by the caller, as is place */
    bool one_set;       /* a is symmetric, its diagonal is not drawn */
    const pm_place *place;
    int64_t vertices;
    double
        unit; /* the length of edges: the median, or in drawings of bonds of unequal lengths the lower quartile */
    bool goes_around;
    int periods; /* of a torus that is drawn flat */
    pm_place period[PM_FIGURE_PERIODS];
    int directions; /* with sectors: PM_FIGURE_DIRECTIONS */
    bool sectors;   /* there are more directions: equal angles are told apart */
    pm_place direction[PM_FIGURE_DIRECTIONS]; /* of length 1, by angle; not set with sectors */
    pm_place low, high;                       /* what the drawing needs */
} pm_figure;

/* Larger drawings, in units, and units smaller than 1 / PM_FIGURE_MOST are refused. */
#define PM_FIGURE_MOST 1e10

/* place: of the rows, then of the columns; one_set: of the vertices.  Fails: PM_UNABLE as above; PM_ENOMEM. */
pm_status pm_figure_make(const pm_matrix *a, bool one_set, const pm_place *place, pm_figure *out,
                         pm_error *err);

/* The rounding of the corners of a domino, in units: its corners below leave room for it. */
#define PM_FIGURE_ROUNDING 0.16

typedef struct {
    int colour;  /* the number of the direction */
    bool is_cut; /* one of the two shapes of an edge that goes around */
    int corners; /* 2 or 4 */
    pm_place corner[4];
} pm_shape;

/* The shapes of the edge between row i and column j (vertices i and j).  Returns 1 or 2. */
int pm_figure_shapes(const pm_figure *g, int64_t i, int64_t j, pm_shape out[2]);

/* Calls put for each shape of each edge of the graph. */
void pm_figure_each_edge(const pm_figure *g, void (*put)(void *context, const pm_shape *s),
                         void *context);

/* A matching is an array: partner[i] is the column of row i, or -1.  With one set it is, of one vertex of each edge, the other
 * vertex; of others -1, or the vertex itself: its loop, which is not drawn. */

/* The shapes of the edge of row i.  Returns 0, 1 or 2; 0 also where row i has the same partner in `but`, which may be NULL. */
int pm_figure_shapes_of_row(const pm_figure *g, const int32_t *partner, const int32_t *but,
                            int64_t i, pm_shape out[2]);
/* Which vertices have a partner.  The caller frees *out.  Fails: PM_ENOMEM. */
pm_status pm_figure_matched(const pm_figure *g, const int32_t *partner, bool **out, pm_error *err);

/* The place of column j; with one set, of vertex j. */
static inline pm_place pm_figure_column_place(const pm_figure *g, int64_t j)
{
    return g->place[g->one_set ? j : g->a->nrows + j];
}

#endif
