/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bethe_estimate/contracted.h: a doubly stochastic matrix B at the maximum of Bethe's functional F (bounds.h), with the lines of two entries contracted, as pm_reduce does with the matrix itself.
 *
 * A row with two entries a_1 and a_2 goes away, and its columns become one: a_1 times the second column plus a_2 times the
 * first.  F stays as it is, and so do the b of the other entries; two entries that become parallel are one, with the sum of
 * both a and of both b.  Lines of B still sum to 1.  a is b (1 - b) exp(off), times factors of rows and columns (bethe_point.h): the
 * permanents are those of the matrix itself, whatever B is.  Where entries became parallel, the new B is near the maximum of the new F, not at
 * it. */
#ifndef PM_CONTRACTED_H
#define PM_CONTRACTED_H

#include "bounds/bethe_point.h"
#include "pm/matrix.h"

typedef struct {
    pm_matrix a;        /* a pattern whose lines have three entries or more, or 1 x 1 */
    double *b;          /* [nnz] */
    double (*entry)[2]; /* [nnz]: of the new matrix, and 0 */
    double
        log_factor; /* the permanent of a is this times that of the new one: a natural logarithm */
} pm_contracted;

/* a: fully indecomposable, two rows or more, fewer than 2^31 entries; point: a point of it.  The caller frees *out.
 * Memory: about 60 bytes an entry.  Fails: PM_ENOMEM. */
pm_status pm_contracted_make(const pm_matrix *a, const pm_bethe_point *point, pm_contracted *out,
                             pm_error *err);
void pm_contracted_free(pm_contracted *c);

#endif
