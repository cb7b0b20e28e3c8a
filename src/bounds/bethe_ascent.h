/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bethe_ascent.h: from a doubly stochastic matrix B to one at which Bethe's functional F (bounds.h) is larger.
 *
 * F is a concave function of B, sum b log(a/b), and a convex one, sum (1 - b) log(1 - b).  With the tangent at B in the
 * place of the latter the maximum over the doubly stochastic matrices is Sinkhorn's scaling of the matrix a / (1 - b);
 * since a convex function is above its tangents, F is not smaller there (the concave-convex procedure of Yuille and
 * Rangarajan 2003).  So each step ends at a matrix that gives a lower bound of the permanent, also where belief
 * propagation ends at a border of the domain, or not at all. */
#ifndef PM_BETHE_ASCENT_H
#define PM_BETHE_ASCENT_H

#include "sinkhorn/sinkhorn.h"

/* One step: starts the scaling of a / (1 - b), with the factors of the columns that the last one found.
 * s: of a, with doubly stochastic entries, which are overwritten; entry[k][0]: the entries of a; NULL: all are 1. */
void pm_bethe_ascent_start(const pm_matrix *a, double (*entry)[2], int threads, pm_sinkhorn *s);

#endif
