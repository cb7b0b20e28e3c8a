/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv/csv_record.h: the records of a table as text (RFC 4180): fields with a delimiter between them.
 *
 * A field may be in double quotes; then it may hold delimiters, line breaks, and quotes, which are
 * doubled.  Inside a field that does not begin with a quote, quotes are ordinary characters: RFC 4180
 * does not allow them there, but Python's csv and pandas read such fields so.  Blanks around a field
 * are removed, those inside quotes are not. */
#ifndef PM_CSV_RECORD_H
#define PM_CSV_RECORD_H

#include "text/source.h"

typedef struct {
    char *text; /* the fields, a NUL after each */
    int64_t length, cap;
    int64_t *first; /* field k begins at text + first[k]; count + 1 numbers */
    int64_t count, cap_first;
} pm_csv_record;

/* Reads the next record; lines without any text are skipped.  *r: zeroed before the first call.
 * r->count is 0 at the end of the input.
 * Fails: PM_EDATA a quote is not closed, text after a closing quote; PM_EIO, PM_ENOMEM. */
pm_status pm_csv_record_read(pm_source *s, char delimiter, pm_csv_record *r, pm_error *err);
/* Field k, from 0, ended by a NUL. */
char *pm_csv_field(const pm_csv_record *r, int64_t k, int64_t *length);
void pm_csv_record_free(pm_csv_record *r);

#endif
