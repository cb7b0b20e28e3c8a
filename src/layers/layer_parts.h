/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/layer_parts.h: a layer whose vertices are some rows and columns of a matrix. */
#ifndef PM_LAYER_PARTS_H
#define PM_LAYER_PARTS_H

#include "layers/layered.h"

/* Where the vertices of a part are in their layer: those of the rows, then those of the columns. */
typedef struct {
    int rows, size;
    int place[PM_LAYER_BITS];
} pm_layer_places;

/* Neighbours come near each other, each component from a vertex at one of its ends.  Each matrix has the entries of
 * some rows of a part, of at most PM_LAYER_BITS / 2 vertices, in the columns of this part, the next one, and the one before. */
pm_layer_places pm_layer_places_of(const pm_matrix *own, const pm_matrix *next,
                                   const pm_matrix *before);
/* Those of the first rows and columns only, in the same sequence. */
pm_layer_places pm_layer_places_first(const pm_layer_places *whole, int rows, int cols);

/* *l: the layer of a part, `here`, before that of another one, `there`, or NULL.  own: the entries of its rows in its columns; next: in
 * the columns of the other part; before: the entries of the rows of the other part in its columns.
 * g: gets the values of entries other than 1; there is room for them.
 * Fails: PM_UNABLE an entry is no integer; PM_ENOMEM. */
pm_status pm_layer_make(const pm_layer_places *here, const pm_layer_places *there,
                        const pm_matrix *own, const pm_matrix *next, const pm_matrix *before,
                        pm_layered *g, pm_layer *l, pm_error *err);

#endif
