/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv/csv_columns.h: which columns of a table of edges are used, as "LEFT,RIGHT" or "LEFT,RIGHT,WEIGHT",
 * each a number from 1 or a name in the header. */
#ifndef PM_CSV_COLUMNS_H
#define PM_CSV_COLUMNS_H

#include "csv/csv_record.h"

typedef struct {
    int count; /* 2, or 3 with a weight */
    struct {
        const char *name; /* not ended by a NUL */
        int64_t length;
        int64_t at; /* the column, from 0; -1: by name, not looked up yet */
    } column[3];
} pm_csv_columns;

/* text: not copied.  Fails: PM_EUSAGE. */
pm_status pm_csv_columns_parse(const char *text, pm_csv_columns *out, pm_error *err);
/* True when a column is given by its name. */
bool pm_csv_columns_are_named(const pm_csv_columns *c);
/* Looks names up in the header, the record that was read last, and checks numbers against its count.
 * Fails: PM_EDATA. */
pm_status pm_csv_columns_find(pm_csv_columns *c, const pm_source *s, const pm_csv_record *header,
                              pm_error *err);

#endif
