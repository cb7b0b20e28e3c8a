/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integers/integer_scale.h: a matrix of fractions as a factor and a matrix of integers.
 *
 * Rows and columns are multiplied by numbers, which multiplies the answer by a known product where all lines of this side are
 * matched: every row by the least common multiple of its denominators and divided by what its entries have in common, then
 * every column divided by what its entries have in common.  In a graph on one set of vertices an edge is multiplied by the
 * numbers of both ends, a loop by that of its vertex. */
#ifndef PM_INTEGER_SCALE_H
#define PM_INTEGER_SCALE_H

#include <gmp.h>

#include "pm/matching_kind.h"
#include "pm/matrix.h"
#include "pm/run.h"

/* How often each line is matched; as in pm_count_options.  {0}: perfect matchings of a bipartite graph. */
typedef struct {
    pm_matching_kind kind;
    bool general;
    const int64_t *row_times, *col_times; /* NULL: once */
    const pm_matrix *loops;               /* NULL: the diagonal, or none */
} pm_matched_lines;

typedef struct {
    pm_matrix
        a; /* integers, or complex numbers with integer parts, or sums of roots with integer coefficients; no labels */
    pm_matrix loops; /* the same for lines->loops; zeroed: none */
    mpq_t factor;    /* the answer is this times that of a and loops */
} pm_integer_scale;

/* a: real or complex, with or without fractions.  The loops have its field.
 * out: begun with pm_integer_scale_init; freed by the caller with pm_integer_scale_free, after a failure too.
 * Fails: PM_UNABLE the factor or an entry does not fit into memory; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_integer_scale_make(const pm_matrix *a, const pm_matched_lines *lines,
                                const pm_run *run, pm_integer_scale *out, pm_error *err);
void pm_integer_scale_init(pm_integer_scale *s);
void pm_integer_scale_free(pm_integer_scale *s);

#endif
