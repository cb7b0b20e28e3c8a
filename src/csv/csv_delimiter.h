/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv/csv_delimiter.h: which character separates the columns of a table?
 *
 * Comma, semicolon or TAB: the one that gives all records, as far as they are looked at, the same number
 * of columns, two or more; of several the one that gives the most.  If none does, the one that gives the
 * first record the most columns.  Where two give as many, there is no answer. */
#ifndef PM_CSV_DELIMITER_H
#define PM_CSV_DELIMITER_H

#include "text/source.h"

/* Looks at the first 64 KiB; call it before the first line is read.  *out: a comma for a table of one
 * column whose first quote is not closed, so that reading it says so.
 * Fails: PM_EDATA no delimiter, or two are as good; PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_csv_find_delimiter(pm_source *s, char *out, pm_error *err);

#endif
