/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/copies_bound.h: upper bounds of answers with multiplicities, without writing the copies out. */
#ifndef PM_COPIES_BOUND_H
#define PM_COPIES_BOUND_H

#include <stdint.h>

#include "pm/matrix.h"

/* *bound: at least log2 of the permanent of |a| with its copies written out.  Multiplicities NULL: 1.  Fails: PM_ENOMEM. */
pm_status pm_copies_log2_bound(const pm_matrix *a, const int64_t *row_times,
                               const int64_t *col_times, double *bound, pm_error *err);

/* The same for the hafnian of pm_matrix_repeat_vertices, or with loops for the loop hafnian.
 * Without loops: half of the bound of the permanent (general/general_bound.h), whose diagonal only makes it larger.  With loops: one vertex
 * after another is left alone or picks a neighbour. */
pm_status pm_copies_log2_loop_bound(const pm_matrix *a, const int64_t *times,
                                    const pm_matrix *loops, double *bound, pm_error *err);

#endif
