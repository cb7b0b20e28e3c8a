/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/directions.h: joins the two directions in which an edge of a one-sided graph can be given. */
#ifndef PM_DIRECTIONS_H
#define PM_DIRECTIONS_H

#include "pm/matrix.h"

/* The edges of a one-sided graph in both directions: entry (i,j) of d says that line i joins vertex
 * i to vertex j.  *out is the upper triangle with the diagonal; an edge of both directions is in it
 * once.
 * d: square; its values are moved out.
 * ignore_values: the values of both directions may differ; that of the upper triangle is kept.
 * For messages: read, where the entries were read; labels of the vertices; name
 * of the input.
 * Fails: PM_EDATA the two directions of an edge have different values; PM_ENOMEM. */
pm_status pm_directions_join(pm_matrix *d, bool ignore_values, const pm_triples *read,
                             const pm_labels *labels, const char *name, pm_matrix *out,
                             pm_error *err);

#endif
