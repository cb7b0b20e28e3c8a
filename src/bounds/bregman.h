/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bregman.h: the row bound of Bregman and Minc for nonnegative matrices (bounds.h). */
#ifndef PM_BREGMAN_H
#define PM_BREGMAN_H

#include "bounds/rounded_rows.h"

/* *s += the natural logarithm of the bound of per(value) by rows.
 * a: the pattern; value: NULL: all are 1.
 * scale: the columns are multiplied by it before, and the bound is divided by its product; NULL: 1.
 *   The bound is INFINITY when a scale is outside 2^-100 .. 2^100, of a pattern outside 2^-900 .. 2^900.
 * Fails: PM_ENOMEM. */
pm_status pm_bregman_sum(const pm_matrix *a, double (*value)[2], const double *scale,
                         const pm_run *run, pm_rounded_sum *s, pm_error *err);

#endif
