/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/equilibrate.h: rows and columns of a square brought to like size. */
#ifndef PM_EQUILIBRATE_H
#define PM_EQUILIBRATE_H

#include "sweep/square.h"

/* Powers of two for rows and columns that bring all sums of absolute values near 1: Sinkhorn's
 * iteration, in logarithms, from geometric means on.  Relative to their product the permanent is
 * then as large as it can be made (van der Waerden), and so sums cancel least.
 * s:           its positions alone are read.
 * size:        log2 |entry|, CCS.
 * row, column: [n], log2 of the scales that divide. */
void pm_equilibrate(const pm_square *s, const double *size, int64_t *row, int64_t *column);

#endif
