/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bregman.h: the row bound of Bregman and Minc for nonnegative matrices (bounds.h). */
#ifndef PM_BREGMAN_H
#define PM_BREGMAN_H

#include "bounds/rounded_sum.h"
#include "pm/matrix.h"

/* *s += the natural log of the bound of per(value) by rows, after columns were multiplied by scale,
 * which is divided out again; scale: NULL for 1; beyond 2^-100 .. 2^100 the bound
 * is INFINITY.
 * Fails: PM_ENOMEM. */
pm_status pm_bregman_sum(const pm_matrix *a, double (*value)[2], const double *scale,
                         pm_rounded_sum *s, pm_error *err);

#endif
