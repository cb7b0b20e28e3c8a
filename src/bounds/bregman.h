/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/bregman.h: the row bound of Bregman and Minc for nonnegative matrices (bounds.h). */
#ifndef PM_BREGMAN_H
#define PM_BREGMAN_H

#include "bounds/rounded_rows.h"

/* Scales are between 2^-this and 2^this. */
enum { PM_BREGMAN_OCTAVES = 100, PM_BREGMAN_OCTAVES_OF_PATTERN = 900 };

/* *s += the natural logarithm of the bound of per(value) by rows.
 * a: the pattern; value: NULL: all are 1.
 * scale: the columns are multiplied by it before, and the bound is divided by its product; NULL: 1.
 *   The bound is INFINITY when a scale is out of range.
 * Fails: PM_ENOMEM. */
pm_status pm_bregman_sum(const pm_matrix *a, double (*value)[2], const double *scale,
                         const pm_run *run, pm_rounded_sum *s, pm_error *err);

#endif
