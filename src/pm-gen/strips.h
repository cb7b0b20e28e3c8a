/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-gen/strips.h: strips and rings of lattices, of any length, as periodic graphs (pm/period.h).
 *
 * A lattice is a cross-section, a graph of cells in two colours, in each of many layers; each cell is joined to
 * itself in the next layer.  A cell is a row when its colour plus the number of its layer is even.  So two
 * layers are a part.  Where a symmetry of the cross-section exchanges the colours, it is applied in every second layer,
 * and one layer is a part. */
#ifndef PM_STRIPS_H
#define PM_STRIPS_H

#include "pm/period.h"

typedef struct {
    char **word; /* the kind, strip or ring, the lattice and its arguments */
    int count;
    int64_t length; /* layers */
} pm_strip_request;

/* The word begins a request for a strip or a ring. */
bool pm_strips_are(const char *word);
/* Their names, for messages. */
#define PM_STRIP_LATTICES "grid, cube (A B), cylinder, honeycomb"

/* *own: the entries of a part in its own columns.  Freed by the caller, both.
 * half: 0 unless parts have two layers and the length is odd: then the last part has a layer too much, and these are the rows and
 * the columns of its first layer.
 * Fails: PM_EUSAGE, PM_ENOMEM. */
pm_status pm_strips_make(const pm_strip_request *r, pm_matrix *own, pm_period *period,
                         int64_t half[2], pm_error *err);

/* The whole graph, without what is too much: equal parts do not end in half a part.  Fails: PM_UNABLE too large to be written out;
 * PM_ENOMEM. */
pm_status pm_strips_cut(const pm_matrix *own, const pm_period *period, const int64_t half[2],
                        pm_matrix *out, pm_error *err);

#endif
