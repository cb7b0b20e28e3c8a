/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/put.h: functions that several writers use.  A failure of f is reported by pm_put_check. */
#ifndef PM_PUT_H
#define PM_PUT_H

#include <stdbool.h>
#include <stdio.h>

#include "pm/matrix.h"
#include "pm/status.h"

/* Writes v >= 0 in decimal; much faster than fprintf. */
void pm_put_size(FILE *f, int64_t v);

/* How a value is written. */
typedef enum {
    PM_PUT_INTEGER, /* the value is an integer and is written as one */
    PM_PUT_NUMBER,  /* in any form */
    PM_PUT_REAL,    /* with a point, an exponent or "0x": in an edge list the form of the numbers
                     * decides between integers and reals */
    PM_PUT_ITSELF,  /* as a hexadecimal float or a quotient of one, which mean the number also where
                     * decimals are not rounded */
    PM_PUT_EXACT    /* the same, but decimal integers and quotients where these are short */
} pm_put_style;

/* Writes a value so that it reads back as the same number.  Fails: PM_ENOMEM. */
pm_status pm_put_value(FILE *f, const pm_dyadic *v, pm_put_style style, pm_error *err);
/* Writes q 2^exponent as a hexadecimal float: an odd number, or 0, and the power of two; the odd part of the denominator
 * follows after a slash. */
void pm_put_hex(FILE *f, const mpq_t q, int64_t exponent);

/* Writes comment lines that start with `mark`.  Long comments become several lines of at most 1000
 * bytes.  comments: ends with NULL; may be NULL.  Fails: PM_ENOMEM. */
pm_status pm_put_comments(FILE *f, const char *mark, const char *const *comments, pm_error *err);

/* May an edge list hold this label, so that it reads back as the same text?
 * what, number: of which vertex it is, as "row", 1.
 * is_cut_at_tabs: labels may have blanks within.
 * Fails: PM_UNABLE; the message names the label and says why. */
pm_status pm_put_edge_label_check(const char *label, const char *what, int64_t number,
                                  bool is_cut_at_tabs, pm_error *err);

/* Write "%pm: KEY" lines of at most 1000 bytes, with labels, or with the vertices of an order. */
void pm_put_labels(FILE *f, const char *key, const pm_labels *l);
void pm_put_order(FILE *f, const int32_t *order, int64_t length, int64_t nrows);

/* Writes a Matrix Market matrix; f is not flushed.  reals: of real and complex entries.  head: writes lines after the
 * banner; may be NULL.  Fails: PM_EIO, PM_ENOMEM. */
pm_status pm_put_mtx(FILE *f, const pm_matrix *a, pm_put_style reals,
                     pm_status (*head)(FILE *f, const void *context, pm_error *err),
                     const void *context, pm_error *err);

/* The same of a symmetric matrix: its lower triangle, and the labels of its rows only. */
pm_status pm_put_mtx_symmetric(FILE *f, const pm_matrix *a, pm_put_style reals,
                               pm_status (*head)(FILE *f, const void *context, pm_error *err),
                               const void *context, pm_error *err);

/* PM_EIO when something could not be written to f; pm_put_flush flushes f first. */
pm_status pm_put_check(FILE *f, pm_error *err);
pm_status pm_put_flush(FILE *f, pm_error *err);

#endif
