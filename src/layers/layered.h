/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/layered.h: a graph in layers, of which a sequence is repeated. */
#ifndef PM_LAYERED_H
#define PM_LAYERED_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/period.h"
#include "pm/status.h"

enum { PM_LAYER_BITS = 62 /* vertices of two layers together, at most */ };

/* Vertices of a layer have the numbers 0 .. size - 1, those of the next layer follow. */
typedef struct {
    int32_t from, to; /* from < to, from < size */
    int32_t entry;    /* of the values of the graph; -1: 1 */
} pm_layer_edge;

typedef struct {
    int size, next; /* vertices of the layer, and of the next one */
    int nedges;
    pm_layer_edge *edge; /* by `from` */
} pm_layer;

/* layer[]: the head, then the cycle, which occurs `repeats` times, then the tail.  The vertices of the
 * layer after the cycle are those of its first layer.  A ring has a cycle only; the layer after its last
 * repetition is the first one. */
typedef struct {
    pm_layer *layer;
    int head, cycle, tail; /* numbers of layers */
    int64_t repeats;
    bool is_ring;
    pm_dyadic *value; /* nvalues numbers that entries may have: integers */
    int nvalues;
} pm_layered;

/* A strip or a ring of the parts of pm/period.h.
 * own: the entries of the rows of a part in its own columns.
 * Fails: PM_UNABLE a part has more than PM_LAYER_BITS / 2 vertices, or entries that are no integers;
 * PM_ENOMEM. */
pm_status pm_layered_from_period(const pm_matrix *own, const pm_period *period, pm_layered *out,
                                 pm_error *err);
void pm_layered_free(pm_layered *g);

#endif
