/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/iterations.h: iterations with sparse matrices on device 0 against the CPU.  No false
 * alarms: the differences allowed are far above those of another order of additions. */
#ifndef PM_TEST_ITERATIONS_H
#define PM_TEST_ITERATIONS_H

/* Sets the seed of all, and prints it. */
void iterations_begin(void);

/* Each on random matrices: */
void iterations_operations(void);  /* every operation of a workspace */
void iterations_not_numbers(void); /* reductions of vectors with a NaN */
void iterations_ranges(void);      /* factors that are kept in the range of doubles */
void iterations_scalings(void);    /* Sinkhorn's */
void iterations_linear_steps(void);
void iterations_messages(void); /* of belief propagation */
void iterations_leaving(void);  /* of a device, for coarse systems */
void iterations_bounds(void);

#endif
