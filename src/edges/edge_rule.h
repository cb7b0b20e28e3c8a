/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges/edge_rule.h: where the lines of an edge list are cut into fields.
 *
 * One rule holds for a whole list: its lines are cut at blanks and TABs if this makes each of them an
 * edge, two labels and perhaps a weight; else at TABs only, if that does, as in "Ann Smith", TAB,
 * "Job Two".  Most lines are cut into the same fields by both.  A line that is not has to wait until
 * another line fits only one of them, or until the list ends.  If all lines then are as "Ann", TAB,
 * "Job 1", they are cut at TABs. */
#ifndef PM_EDGE_RULE_H
#define PM_EDGE_RULE_H

#include "edges/edge_line.h"

/* Zeroed: nothing is known of the list. */
typedef struct {
    pm_edge_cut how;    /* how lines are cut; final when is_decided is set */
    bool is_decided;    /* only one way fits all lines so far */
    bool has_waiting;   /* lines that differ wait */
    bool is_doubtful;   /* lines waited, and the one that decided for TABs has three fields */
    bool has_fractions; /* one of them would have a weight that no label looks like, as 0.5 */
    bool has_plain_end; /* one of them has no blank after its last TAB */
    bool exact;         /* set by the caller: how numbers are read (text/number.h) */
    int want[2];        /* fields of an edge when it is cut in each way; 0: not known */
} pm_edge_rule;

typedef enum {
    PM_LINE_IS_CUT, /* *out has the fields */
    PM_LINE_WAITS   /* both ways make it an edge, but not the same one; or lines before it wait */
} pm_edge_verdict;

/* The next line, which has at least one field and is no comment.  When a verdict PM_LINE_IS_CUT
 * follows after lines that wait, they come first: the caller reads them all again, and then this
 * line.  *out may be no edge. */
pm_edge_verdict pm_edge_rule_line(pm_edge_rule *x, char *line, pm_edge_line *out);

/* The list ends, or a line that is no edge comes.  If nothing was decided, it is cut at TABs where
 * every line that waits ends with a name and a whole number after its TAB, else at blanks. */
void pm_edge_rule_end(pm_edge_rule *x);

#endif
