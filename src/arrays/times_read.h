/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/times_read.h: a list of multiplicities, one for each row or column, as a user gives it:
 * "2,0,1", or "@FILE" with a text of numbers or a one-dimensional integer array of numpy.save. */
#ifndef PM_TIMES_READ_H
#define PM_TIMES_READ_H

#include <stdint.h>

#include "pm/status.h"

/* {0} is the empty list. */
typedef struct {
    int64_t *value; /* 0 .. 2^31 - 1; NULL in a zeroed struct only */
    int64_t count, cap;
} pm_times_list;

/* In a text, numbers are separated by blanks or ends of lines, or by one comma with or without these.
 * out: freed by the caller with pm_times_free, after a failure too.
 * Fails: PM_EUSAGE a list that is not a file, with another text than such a number, or no name of a file; PM_EDATA the
 * same in a file, or an array of other elements or dimensions; PM_ENOINPUT, PM_EIO, PM_ENOMEM. */
pm_status pm_times_read(const char *list, pm_times_list *out, pm_error *err);
void pm_times_free(pm_times_list *t);

#endif
