/* SPDX-License-Identifier: GPL-3.0-or-later */
/* places/graph_places.h: the places of all vertices of a graph. */
#ifndef PM_GRAPH_PLACES_H
#define PM_GRAPH_PLACES_H

#include "places/place_file.h"
#include "pm/matrix.h"

/* The label of some vertex is a place. */
bool pm_graph_has_places(const pm_matrix *a);

/* The places of the rows, then of the columns; one_set: of the vertices of a graph with a symmetric matrix.
 * file: gives places by labels; NULL: the labels are the places.
 * *out: freed by the caller; not changed on failure.
 * Fails: PM_EDATA a vertex has no place, or two have the same one; PM_ENOMEM.  The message names no input. */
pm_status pm_graph_places(const pm_matrix *a, bool one_set, const pm_place_file *file,
                          pm_place **out, pm_error *err);

#endif
