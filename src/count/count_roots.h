/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/count_gaussian.h: complex matrices without rounding, from counts of integers.
 *
 * The matrix is reduced as a complex one.  For a block A + iB of integers the count of A + xB is a polynomial in x, whose degree
 * d is at most the number of lines that B touches.  It is counted at d + 1 integers x, by any method for integers, and its value
 * at i is interpolated: a sum with rational weights, without rounding. */
#ifndef PM_COUNT_GAUSSIAN_H
#define PM_COUNT_GAUSSIAN_H

#include "pm/count.h"

/* *out: exact, with an imaginary part.  a: complex.  Fails: as pm_count. */
pm_status pm_count_gaussian(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                            pm_value *out, pm_count_report *report, pm_error *err);

#endif
