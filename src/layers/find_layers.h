/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/find_layers.h: layers in a graph that does not come with them. */
#ifndef PM_FIND_LAYERS_H
#define PM_FIND_LAYERS_H

#include "layers/layered.h"
#include "pm/run.h"

/* Layers by the distance from a vertex at one end, where a sequence of them is repeated through most of the graph.
 * Vertices of a layer are numbered by their neighbours in the layer before, so that equal layers look the same.
 * a: connected, with integer entries of at most 64 different values.
 * Fails: PM_UNABLE nothing is repeated, or not as above; PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_layered_find(const pm_matrix *a, const pm_run *run, pm_layered *out, pm_error *err);

#endif
