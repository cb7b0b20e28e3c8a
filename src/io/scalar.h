/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/scalar.h: one entry of a matrix: an integer, a real or a complex number, and its text. */
#ifndef PM_SCALAR_H
#define PM_SCALAR_H

#include "io/number.h"
#include "io/source.h"
#include "pm/field.h"

/* A zeroed scalar is the integer 0 after field is set. */
typedef struct {
    pm_dyadic re, im; /* im: 0 unless complex */
    pm_field field;   /* PM_INTEGER, PM_REAL or PM_COMPLEX: how it was written */
} pm_scalar;

void pm_scalar_clear(pm_scalar *x); /* frees what it owns; x = 0 */
bool pm_scalar_is_zero(const pm_scalar *x);

/* Parses text[0 .. length-1], all of which must be the number: a number of io/number.h, a complex
 * number as "1+2j", "-2.5i", "1e3-j", "1+2*I" or "(1,2)", or one of these in parentheses.
 * *out: zeroed before; not changed when the result is PM_NUMBER_BAD or PM_NUMBER_RANGE. */
pm_number_kind pm_scalar_parse(const char *text, int64_t length, pm_scalar *out);

/* Fails, with PM_EDATA, when the kind of a part of the last line that was read says that it is no
 * number, or out of range.  (io/value_read.c) */
pm_status pm_number_check(const pm_source *s, pm_number_kind kind, const char *text, int64_t length,
                          pm_error *err);

/* The text stands for a number that is missing or not finite: "NA", "nan" and the like, in upper or lower
 * case.  (io/value_read.c) */
bool pm_is_missing_number(const char *text, int64_t length);

/* pm_scalar_parse for a part of the last line that was read.  Fails: PM_EDATA. */
pm_status pm_read_scalar(const pm_source *s, const char *text, int64_t length, pm_scalar *out,
                         pm_error *err);

#endif
