/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges/edge_run.h: runs of the plainest lines of an edge list, "left right" or "left right weight" with integer labels and
 * nothing else.  Large lists consist of them; they are read many at a time. */
#ifndef PM_EDGE_RUN_H
#define PM_EDGE_RUN_H

#include "edges/edge_line.h"
#include "pm/dyadic.h"

/* Labels from 0 to 999999999, without leading zeros. */
typedef struct {
    int32_t end[2];
} pm_integer_edge;

/* Of all lines of a run. */
typedef struct {
    /* The one character between two fields, a blank or a TAB; 0: there is no such run. */
    char separator;
    /* A third field: a number that is not complex, and whose pm_dyadic needs no memory of its own. */
    bool has_weight;
    bool are_integers; /* all weights; a real one ends the run */
} pm_edge_form;

/* The form of a line; its weight may be any number.  separator 0: it is no such line.
 * line: as it was read, of `length` bytes; e: its fields. */
pm_edge_form pm_edge_run_form(const pm_edge_line *e, const char *line, int64_t length);

/* Where lines are put. */
typedef struct {
    pm_integer_edge *edge;
    pm_dyadic *weight; /* NULL: of lines without weights */
    /* A weight was written as a real number, perhaps in a line behind those that were read.  The function
     * below never resets it. */
    bool has_real;
} pm_edge_lines;

/* Reads lines of this form, each with "\n" or "\r\n" at its end, until the first line of another
 * form, or `most` of them.  text: whole lines, of `length` bytes.
 * *used: the bytes of the lines that were read.  Returns their number. */
int64_t pm_edge_run_parse(const char *text, int64_t length, const pm_edge_form *form,
                          pm_edge_lines *to, int64_t most, int64_t *used);

#endif
