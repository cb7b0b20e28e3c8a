/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/put.h: pieces of text that the writers share.  Errors of f show in pm_put_check. */
#ifndef PM_PUT_H
#define PM_PUT_H

#include <stdio.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* v >= 0 in decimal; much faster than fprintf. */
void pm_put_size(FILE *f, int64_t v);

/* A value so that it reads back as the same number.  as_integer: v is an integer and must look so.
 * as_real: it must not (an edge list tells integers from reals by their look). */
typedef enum { PM_PUT_INTEGER, PM_PUT_NUMBER, PM_PUT_REAL } pm_put_look;
pm_status pm_put_value(FILE *f, const pm_dyadic *v, pm_put_look look, pm_error *err);

/* Comment lines with the given mark, long ones cut so that no line exceeds 1000 bytes. */
pm_status pm_put_comments(FILE *f, const char *mark, const char *const *comments, pm_error *err);

/* "%pm: KEY" lines with labels or the vertices of an order, each at most 1000 bytes. */
void pm_put_labels(FILE *f, const char *key, const pm_labels *l);
void pm_put_order(FILE *f, const int32_t *order, int64_t length, int64_t nrows);

/* A Matrix Market matrix without a final flush; head, or NULL, writes lines after the banner. */
pm_status pm_put_mtx(FILE *f, const pm_matrix *a,
                     pm_status (*head)(FILE *f, const void *context, pm_error *err),
                     const void *context, pm_error *err);

/* PM_EIO when something could not be written. */
pm_status pm_put_check(FILE *f, pm_error *err);
pm_status pm_put_flush(FILE *f, pm_error *err);

#endif
