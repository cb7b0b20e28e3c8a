/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges/edge_run.h: runs of the plainest lines of an edge list, "left right" with integer labels and nothing else.
 * Large lists consist of them; they are read many at a time. */
#ifndef PM_EDGE_RUN_H
#define PM_EDGE_RUN_H

#include "edges/edge_line.h"

/* Labels from 0 to 999999999, without leading zeros. */
typedef struct {
    int32_t end[2];
} pm_integer_edge;

/* The one character between the two labels of such a line, a blank or a TAB; 0: it is another line.
 * line: as it was read, of `length` bytes; e: its fields. */
char pm_edge_run_separator(const pm_edge_line *e, const char *line, int64_t length);

/* Reads lines with this separator, each with "\n" or "\r\n" at its end, until the first line of another
 * form, or `most` of them.  text: whole lines, of `length` bytes.
 * *used: the bytes of the lines that were read.  Returns their number. */
int64_t pm_edge_run_parse(const char *text, int64_t length, char separator, pm_integer_edge *to,
                          int64_t most, int64_t *used);

#endif
