/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/band_layers.h: layers in a band matrix whose rows repeat as they are numbered.
 *
 * Row i + p has the entries of row i, moved by p columns, for all rows but some at both ends.  Such are the lists of edges of long
 * strips, as programs write them.  One pass over the entries finds this, and any other graph is left after some rows; layers that are
 * numbered in another way are found by find_layers.h. */
#ifndef PM_BAND_LAYERS_H
#define PM_BAND_LAYERS_H

#include "layers/layered.h"

/* Row i + period, which there is, has the entries of row i, moved by `period` columns. */
bool pm_band_repeats(const pm_matrix *a, int64_t i, int64_t period);

/* a: square, a pattern or integers.
 * Fails: PM_UNABLE the rows do not repeat so; PM_ENOMEM. */
pm_status pm_layered_from_band(const pm_matrix *a, pm_layered *out, pm_error *err);

#endif
