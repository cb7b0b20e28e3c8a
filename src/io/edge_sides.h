/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/edge_sides.h: the ends of the edges of a table (io/edge_table.h) become rows and columns. */
#ifndef PM_EDGE_SIDES_H
#define PM_EDGE_SIDES_H

#include "io/edge_table.h"

/* The ends of the edges become numbers of labels, if they are values, and stay it.  Not while edges are numbered or added.
 * Fails: PM_ENOMEM, PM_UNABLE; the table is only to be freed then. */
pm_status pm_edge_sides_name(pm_edge_table *x, pm_error *err);

/* Finds the row or column of each label of side k, and how many there are, x->sides[k].count.
 * *out, empty before: the labels in this order; none where they are 1, 2, ..., or positions.  Freed by the caller, also
 * after a failure.
 * Fails: PM_EDATA a label does not fit the announced size; PM_ENOMEM. */
pm_status pm_edge_side_place(pm_edge_table *x, int k, pm_labels *out, pm_error *err);
/* The same for both sides. */
pm_status pm_edge_sides_place(pm_edge_table *x, pm_labels labels[2], pm_error *err);

/* Warns when two labels of a side are one number in two spellings, as 1 and 01.  Fails: PM_ENOMEM. */
pm_status pm_edge_sides_doubt(const pm_edge_table *x, pm_reading *about, pm_error *err);

/* The ends of all edges become rows and columns; right: the side of the right ends.  Frees the labels, before the step that needs
 * most memory. */
void pm_edge_sides_move(pm_edge_table *x, int right);

void pm_edge_sides_free(pm_edge_table *x);

#endif
