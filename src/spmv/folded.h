/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/folded.h: numbers that are kept in single precision for a while, in half of the memory of an array of doubles. */
#ifndef PM_FOLDED_H
#define PM_FOLDED_H

#include <stdint.h>

#include "pm/status.h"

/* x: [n], from pm/alloc.h.  Returns its numbers rounded to single precision, in the same memory, of which half is given back;
 * x must not be used any more. */
float *pm_fold(double *x, int64_t n);

/* The opposite: *x is the array of doubles, *folded NULL.  Fails: PM_ENOMEM; then *folded is as before. */
pm_status pm_unfold(float **folded, int64_t n, double **x, pm_error *err);

#endif
