/* SPDX-License-Identifier: GPL-3.0-or-later */
/* spmv/conjugate_gradients.h: the method of conjugate gradients (Hestenes and Stiefel 1952), with the
 * diagonal as preconditioner. */
#ifndef PM_CONJUGATE_GRADIENTS_H
#define PM_CONJUGATE_GRADIENTS_H

#include <stdint.h>

#include "pm/run.h"

/* A x = b with a symmetric, positive semidefinite A, n x n; b is in its range. */
typedef struct {
    int64_t n;
    void (*multiply)(void *context, const double *x, double *y); /* y = A x */
    void *context;
    const double *diagonal; /* [n], all > 0 */
    double *work;           /* [3 n] */
    const pm_run *run;      /* checked before each step */
} pm_symmetric_system;

/* Starts at x = 0 and ends when the norm of b - A x is at most `goal`, after `steps` steps, when rounding
 * leaves nothing to gain, or when the run is to stop.
 * b: overwritten by b - A x. */
void pm_conjugate_gradients(const pm_symmetric_system *s, double goal, int64_t steps, double *b,
                            double *x);

/* sum x_i y_i */
double pm_dot(const double *x, const double *y, int64_t n);

#endif
