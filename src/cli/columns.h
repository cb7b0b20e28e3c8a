/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/columns.h: the table of --table: the same columns for every graph, in the order in which they
 * are given.  The names of the columns are the keys of JSON.  A column that a graph does not have is
 * "-". */
#ifndef PM_COLUMNS_H
#define PM_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

#include "pm/status.h"

enum { PM_COLUMNS_MAX = 64 };

typedef struct {
    int count; /* 0: no table is wanted */
    const char *name[PM_COLUMNS_MAX];
} pm_column_list;

/* Parses names with commas between them.  known: all names that there are, then NULL; not copied.
 * Fails: PM_EUSAGE. */
pm_status pm_columns_parse(const char *list, const char *const *known, pm_column_list *out,
                           pm_error *err);

/* -1 when there is none of this name. */
int pm_columns_find(const pm_column_list *c, const char *name);

/* "# name<TAB>value<TAB>..." without a newline. */
void pm_columns_put_titles(const pm_column_list *c, FILE *f);

/* ---- a row ---- */

typedef struct {
    char *text[PM_COLUMNS_MAX]; /* NULL: "-" */
} pm_column_row;

/* Stands in a row for the name of the graph, which is known only when the row is printed. */
#define PM_COLUMN_NAME '\001'

/* Writes the row, without a newline, and empties it. */
void pm_columns_put_row(const pm_column_list *c, pm_column_row *row, FILE *f);
void pm_column_row_free(pm_column_row *row);

/* Prints a row with the name of its graph, and a newline. */
void pm_columns_print(FILE *f, const char *row, const char *name);

#endif
