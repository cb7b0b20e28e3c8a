/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-gen/family.h: the table of families of graphs that pm-gen writes, and what families share.  A
 * new family is a constant pm_family_ID beside its function, one line here and one in the man page.
 * */
#ifndef PM_FAMILY_H
#define PM_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

#include "core/philox.h"
#include "pm/matrix.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct pm_family pm_family;

/* The arguments after the name of the family, and the random numbers for random families. */
typedef struct {
    const pm_family *family;
    char **word;
    int count;
    pm_random *random;
    const pm_run *run; /* checked between draws, and among edges */
} pm_family_args;

struct pm_family {
    const char *name;
    const char *arguments; /* "N", "A [B C]": the last two may be left out, "N S...": S repeats */
    const char *summary;
    bool is_random;
    bool
        one_set; /* a graph on one set of vertices: an edge is once in *edges, its row the lower vertex */
    bool has_weights; /* complex ones; else the entries are a pattern */
    /* Fills *edges, which the caller has zeroed: each entry once.
     * Fails: PM_EUSAGE arguments out of range, PM_UNABLE too large for the memory, PM_ENOMEM. */
    pm_status (*run)(const pm_family_args *a, pm_triples *edges, pm_error *err);
    /* The places of the vertices in a natural drawing, as labels of the rows, and of the columns where there are two
     * sides; in the order of their numbers.  Called after `run` has succeeded, with the same arguments.
     * NULL: there is no natural drawing.  Fails: PM_ENOMEM. */
    pm_status (*place)(const pm_family_args *a, pm_labels labels[2], pm_error *err);
};

/* In the order in which they are listed. */
#define PM_FAMILIES(X)                                                                             \
    X(grid)                                                                                        \
    X(planar)                                                                                      \
    X(torus)                                                                                       \
    X(cylinder)                                                                                    \
    X(honeycomb)                                                                                   \
    X(honeycomb_torus)                                                                             \
    X(square_octagon)                                                                              \
    X(cube)                                                                                        \
    X(hypercube)                                                                                   \
    X(hexagon)                                                                                     \
    X(aztec)                                                                                       \
    X(erdos_renyi)                                                                                 \
    X(regular)                                                                                     \
    X(mycielskian)                                                                                 \
    X(ones)                                                                                        \
    X(derangement)                                                                                 \
    X(band)                                                                                        \
    X(hessenberg)                                                                                  \
    X(circulant)                                                                                   \
    X(schur)                                                                                       \
    X(unitary)                                                                                     \
    X(triangular)                                                                                  \
    X(kagome)                                                                                      \
    X(torus_graph)                                                                                 \
    X(triangular_torus)                                                                            \
    X(kagome_torus)                                                                                \
    X(circulant_graph)                                                                             \
    X(complete)                                                                                    \
    X(kneser)                                                                                      \
    X(fullerene)                                                                                   \
    X(random_graph)                                                                                \
    X(regular_graph)                                                                               \
    X(planar_graph)                                                                                \
    X(gaussian_state)

#define PM_DECLARE(id) extern const pm_family pm_family_##id;
PM_FAMILIES(PM_DECLARE)
#undef PM_DECLARE

/* i = 0, 1, ...; NULL after the last one. */
const pm_family *pm_family_at(int i);
/* NULL when there is none of this name. */
const pm_family *pm_family_find(const char *name);

/* Checks the number of arguments and makes a graph of the family.
 * nonsingular: draws again until there is a perfect matching.
 * out: the caller frees it.  *draws: the number of graphs that were drawn.
 * Fails: PM_ESTOPPED; PM_UNABLE no perfect matching in 1000 draws; what the family fails with. */
pm_status pm_family_generate(const pm_family_args *a, bool nonsingular, pm_matrix *out, int *draws,
                             pm_error *err);

/* ---- for the families ---- */

#define PM_SIDE_MAX INT64_C(2147483647) /* vertices on one side */

/* Argument i, from 0, as a whole number in low .. high.  Fails: PM_EUSAGE. */
pm_status pm_family_int(const pm_family_args *a, int i, int64_t low, int64_t high, int64_t *out,
                        pm_error *err);

/* The first two arguments as the sides of a lattice: 0, or `least` and more.  Fails: PM_EUSAGE. */
pm_status pm_family_sides(const pm_family_args *a, int least, int64_t side[2], pm_error *err);

/* Argument i, from 0, as a positive number.  Fails: PM_EUSAGE. */
pm_status pm_family_positive(const pm_family_args *a, int i, double *out, pm_error *err);

/* Argument i, from 0, as a number in 0 .. 1.  Fails: PM_EUSAGE. */
pm_status pm_family_probability(const pm_family_args *a, int i, double *out, pm_error *err);

/* Sets the size of *edges and allocates memory for `expected` edges.
 * Fails: PM_EUSAGE a side beyond PM_SIDE_MAX; PM_UNABLE not enough memory for the edges; PM_ENOMEM.
 * */
pm_status pm_family_begin(const pm_family_args *a, double nrows, double ncols, double expected,
                          pm_triples *edges, pm_error *err);

/* Adds an edge of weight 1 between row and col, from 0.  Fails: PM_ESTOPPED (looked at now and then),
 * PM_ENOMEM. */
pm_status pm_family_edge(const pm_family_args *a, pm_triples *edges, int64_t row, int64_t col,
                         pm_error *err);

/* Appends the place of the next vertex.  Fails: PM_ENOMEM. */
pm_status pm_family_place(pm_labels *labels, double x, double y, pm_error *err);

/* Places vertices 0 .. n - 1 on a circle, counterclockwise from its lowest point, at a distance of about 1 from each other on a circle
 * that is smaller by `outside`.  Fails: PM_ENOMEM. */
pm_status pm_family_place_circle(pm_labels *labels, int64_t n, double outside, pm_error *err);

/* Fails: PM_ESTOPPED, for loops that add no edges. */
pm_status pm_family_check_stop(const pm_family_args *a, pm_error *err);

#endif
