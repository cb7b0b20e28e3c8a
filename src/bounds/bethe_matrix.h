/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bethe_matrix.h: doubly stochastic matrices at or near the maximum of Bethe's functional (bounds.h), by belief propagation and a
 * scaling of what it gives; and how many products of a matrix and a vector scalings may take.  For this room only. */
#ifndef PM_BETHE_MATRIX_H
#define PM_BETHE_MATRIX_H

#include "bounds/bounds_work.h"

/* Linear steps (sinkhorn.h) on a GPU take so many times as many products as on the host, since equations have no coarse systems there. */
enum { PM_BETHE_MATRIX_ON_GPU = 16 };

/* Products of a scaling, at most. */
int64_t pm_bethe_matrix_products(const pm_bounds_work *w);
/* Those of the scaling from belief propagation while its factors are far from right. */
int64_t pm_bethe_matrix_first_products(const pm_bounds_work *w);

/* Goes on with the scaling that has been started, up to `most` products, and sets w->b to the matrix where it ended.  *found: that
 * is doubly stochastic.  Fails: as pm_doubly_stochastic. */
pm_status pm_bethe_matrix_scale(pm_bounds_work *w, int64_t most, bool *found, pm_error *err);

/* Sets w->b to a matrix at or near the maximum of F, and the column factors of the scaling to those of B divided by the sums of the
 * messages.  least: smaller probabilities are raised to it.  Fails: PM_ENOMEM, PM_ESTOPPED, PM_ENODEV. */
pm_status pm_bethe_matrix_make(pm_bounds_work *w, double least, bool *found, pm_error *err);

/* Whether there is time for another scaling.  A graph that is not small and whose scaling took many of its products, at least those of one
 * long step, has none; nor has one whose equations cannot be solved. */
bool pm_bethe_matrix_has_time(const pm_bounds_work *w);

#endif
