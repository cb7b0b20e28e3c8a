/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bounds/rounded_rows.h: sums with a bound of their error over the rows of a matrix, or over other
 * items, on several threads. */
#ifndef PM_ROUNDED_ROWS_H
#define PM_ROUNDED_ROWS_H

#include "bounds/rounded_sum.h"
#include "pm/matrix.h"
#include "pm/run.h"

/* Adds the terms of the rows from .. to - 1 to *s.  thread: 0 .. threads - 1; two calls at the same time have
 * different ones. */
typedef void pm_rounded_terms(void *context, int64_t from, int64_t to, int thread,
                              pm_rounded_sum *s);

/* The number of threads that is worth starting, at least 1. */
int pm_rounded_threads(const pm_matrix *a, const pm_run *run);

/* *s += the terms of all rows.  The rows are divided into parts in a way that depends on the matrix alone,
 * so that the number of threads changes no digit. */
void pm_rounded_rows(const pm_matrix *a, pm_rounded_terms *add, void *context, int threads,
                     pm_rounded_sum *s);

/* Adds the terms of the items from .. to - 1 to *s. */
typedef void pm_rounded_item_terms(const void *context, int64_t from, int64_t to,
                                   pm_rounded_sum *s);

/* *s += the terms of the items 0 .. count - 1; the same. */
void pm_rounded_items(int64_t count, pm_rounded_item_terms *add, const void *context, int threads,
                      pm_rounded_sum *s);

#endif
