/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_float_entries.h: the entries of real and complex squares with classes. */
#ifndef PM_REPEATED_FLOAT_ENTRIES_H
#define PM_REPEATED_FLOAT_ENTRIES_H

#include "dense/dense_float_entries.h"
#include "pm/value.h"
#include "repeated/repeated_powers.h"

/* Above this number of rows a product may underflow although the permanent does not. */
enum { PM_REPEATED_FLOAT_MAX = 640 };
/* So many rows with their copies leave at least some 15 digits of a sum in double-double of positive entries: 26 at
 * 20 rows, 22 at 40, 15 at 80, 7 at 120, none at 160. */
enum { PM_REPEATED_PRECISE_MAX = 80 };

/* The kind of numbers; an exact field counts as real. */
pm_dense_kind pm_repeated_kind(const pm_square *s, pm_precision precision);

/* The rows with their copies. */
double pm_repeated_rows(const pm_square *s);
/* Fails: PM_UNABLE more than PM_REPEATED_FLOAT_MAX rows. */
pm_status pm_repeated_refuse_rows(const pm_square *s, pm_error *err);

/* As pm_dense_float_entries, with n = s->n.  The sum of the magnitudes of a row is at most 1. */
int64_t pm_repeated_float_entries(const pm_square *s, pm_dense_kind kind, double *entry,
                                  double *inexact);

/* Returns S of sweep/sweep.h, so that S e_i is about 2^-28 of the largest row sum, a power of two up
 * to 2^900; 0 when all e_i are 0.
 * inexact: of the rows of the square; raised: output, S e_i of each row of the powers. */
double pm_repeated_spread_scale(const pm_repeated_powers *p, const double *inexact, double *raised);

#endif
