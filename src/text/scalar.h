/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/scalar.h: one entry of a matrix: an integer, a real or a complex number, and its text. */
#ifndef PM_SCALAR_H
#define PM_SCALAR_H

#include "pm/field.h"
#include "text/number.h"

/* A zeroed scalar is the integer 0 after field is set. */
typedef struct {
    pm_dyadic re, im; /* im: 0 unless complex.  Exact roots of unity are in re. */
    pm_field field;   /* PM_INTEGER, PM_REAL or PM_COMPLEX: how it was written */
} pm_scalar;

void pm_scalar_clear(pm_scalar *x); /* frees what it owns; x = 0 */
bool pm_scalar_is_zero(const pm_scalar *x);

/* The narrowest field that has the number; PM_PATTERN for 0 and 1. */
pm_field pm_scalar_narrowest(const pm_scalar *x);

/* Parses text[0 .. length-1], all of which must be the number: a number of text/number.h, a complex
 * number as "1+2j", "-2.5i", "1e3-j", "1+2*I" "(1,2)" or a sum with roots of unity (text/root_read.h), or one of these in parentheses.
 * *out: zeroed before; not changed when the result is no number that fits. */
pm_number_kind pm_scalar_parse(const char *text, int64_t length, pm_scalar *out);
/* exact: the parts are those of pm_number_parse_as. */
pm_number_kind pm_scalar_parse_as(const char *text, int64_t length, bool exact, pm_scalar *out);

#endif
