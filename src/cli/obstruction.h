/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/obstruction.h: one perfect matching of a graph, or the reason why there is none. */
#ifndef PM_OBSTRUCTION_H
#define PM_OBSTRUCTION_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/console.h"
#include "cli/json.h"
#include "pm/matrix.h"

/* A perfect matching, or a Hall violator: rows (columns, when of_columns) and their neighbours,
 * which are fewer.  Of a graph with more columns than rows the columns are looked at. */
typedef struct {
    bool exists;
    int32_t *col_of; /* a.nrows entries; the matching when exists */
    bool of_columns;
    int32_t *set, *neighbours;
    int64_t nset, nneighbours;
} pm_obstruction;

/* Fails: PM_ENOMEM. */
pm_status pm_obstruction_find(const pm_matrix *a, pm_obstruction *out, pm_error *err);
void pm_obstruction_free(pm_obstruction *o);

/* "no perfect matching: the rows {a, b} have only the neighbours {x}"; sets longer than `most`
 * are cut with "... (N in all)"; most < 0: never.  A line without a label is "#" and its number. */
void pm_obstruction_print(const pm_obstruction *o, const pm_matrix *a, int64_t most, FILE *f);
/* The same as a note for people, with at most 20 names a set: "where: no perfect matching..." */
pm_status pm_obstruction_note(const pm_obstruction *o, const pm_matrix *a, pm_console *console,
                              const char *where, pm_error *err);
/* "hall":{"side":"rows","set":[...],"neighbours":[...]} */
void pm_obstruction_json(const pm_obstruction *o, const pm_matrix *a, pm_json *j);

/* The edges of the matching as an edge list, with their weights. */
pm_status pm_obstruction_matching(const pm_obstruction *o, const pm_matrix *a, FILE *f,
                                  pm_error *err);
/* "matching":[["row","column"],...] */
void pm_obstruction_matching_json(const pm_obstruction *o, const pm_matrix *a, pm_json *j);

#endif
