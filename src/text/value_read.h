/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/value_read.h: numbers of the last line that was read, and the end of the lines;
 * messages name the line. */
#ifndef PM_VALUE_READ_H
#define PM_VALUE_READ_H

#include "text/number.h"
#include "text/scalar.h"
#include "text/source.h"

/* Fails, with PM_EDATA, when the kind of a part of the last line that was read says that it is no
 * number, or out of range; with PM_ENOMEM, that it is too long. */
pm_status pm_number_check(const pm_source *s, pm_number_kind kind, const char *text, int64_t length,
                          pm_error *err);

/* The text stands for a number that is missing or not finite: "NA", "nan" and the like, in upper or lower
 * case. */
bool pm_is_missing_number(const char *text, int64_t length);

/* pm_scalar_parse for a part of the last line that was read.  Fails: PM_EDATA. */
pm_status pm_read_scalar(const pm_source *s, const char *text, int64_t length, pm_scalar *out,
                         pm_error *err);

/* Parses a value of the last line that was read.  field: PM_INTEGER or PM_REAL.
 * is_integer: may be NULL.  Fails: PM_EDATA. */
pm_status pm_read_value(const pm_source *s, const char *text, int64_t length, pm_field field,
                        pm_dyadic *out, bool *is_integer, pm_error *err);

/* Reads to the end of the input, where only blank lines may follow.
 * what: the thing before it, for the message.  Fails: PM_EDATA, PM_EIO, PM_ENOMEM. */
pm_status pm_read_end(pm_source *s, const char *what, pm_error *err);

#endif
