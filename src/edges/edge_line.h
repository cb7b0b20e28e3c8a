/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges/edge_line.h: cuts a line of an edge list into its fields.  edges/edge_rule.h says where it is cut.
 *
 * The third field may be a list of attributes in braces, as networkx writes it: {'weight': 2}. */
#ifndef PM_EDGE_LINE_H
#define PM_EDGE_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/source.h"

enum {
    PM_EDGE_FIELDS = 3 /* left, right, weight */
};

/* What separates two fields. */
typedef enum {
    PM_CUT_AT_BLANKS, /* any blanks and TABs */
    PM_CUT_AT_TABS    /* one TAB; blanks around a field do not belong to it */
} pm_edge_cut;

typedef struct {
    const char *text[PM_EDGE_FIELDS];
    int64_t length[PM_EDGE_FIELDS];
    int count;              /* of fields; PM_EDGE_FIELDS + 1: more than three */
    const char *attributes; /* "{...}", with a NUL at its end; NULL: none.  It is no field. */
    bool is_all_numbers;    /* set when there are too many fields: each of them is a number */
} pm_edge_line;

/* Cuts line, which has at least one field.  Only blanks at its end are changed, so that it can be cut
 * again.  An empty field between TABs makes the count 0, which no list has. */
void pm_edge_line_cut(char *line, pm_edge_cut how, pm_edge_line *out);

/* It is an edge: two labels, and perhaps a weight, which is a number (or nan and the like, which the reader
 * refuses), or attributes.  want: 2 or 3
 * fields; 0: either.  exact: how numbers are read (text/number.h). */
bool pm_edge_line_fits(const pm_edge_line *x, int want, bool exact);

/* The line was cut at blanks, and at TABs it would be cut into the same fields. */
bool pm_edge_line_is_tabbed(const pm_edge_line *x);

/* "Job 1" or "Job", but not "2 5": no list has names of several numbers.  Real and complex ones. */
bool pm_edge_line_has_names(const pm_edge_line *x);

/* ---- what a line may be that is no edge ---- */

/* "a -- b", "1 - 2", "a : b"; also dashes and arrows that are not ASCII. */
bool pm_edge_line_is_arrow(const pm_edge_line *e);

/* The end of a message that the number of fields is wrong, cut as `how` says; "" where nothing is known. */
void pm_edge_line_hint(const pm_edge_line *e, pm_edge_cut how, char *to, size_t room);
/* Which formats have fields between commas or semicolons. */
void pm_separators_hint(bool are_numbers, char *to, size_t room);

#endif
