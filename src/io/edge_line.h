/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/edge_line.h: cuts a line of an edge list into its fields.
 *
 * Fields are separated by blanks.  Names with blanks are possible where TABs separate the fields:
 * when a line does not have the number of fields that is expected, and all edges before it have
 * exactly one TAB between any two fields and no other blanks, this line and all later ones are cut
 * at TABs only.
 *
 * Blanks inside the TAB fields of the first edge, as in "Ann Smith<TAB>1", do the same, unless such a
 * field is made of numbers.
 *
 * The third field may be a list of attributes in braces, as networkx writes it: {'weight': 2}. */
#ifndef PM_EDGE_LINE_H
#define PM_EDGE_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "io/source.h"

enum {
    PM_EDGE_FIELDS = 3 /* left, right, weight */
};

/* Zeroed: nothing is known of the list. */
typedef struct {
    bool at_tabs;    /* fields are separated by TABs only */
    bool not_tabbed; /* an edge has been cut at other blanks than TABs */
} pm_edge_style;

typedef struct {
    const char *text[PM_EDGE_FIELDS];
    int64_t length[PM_EDGE_FIELDS];
    int count;              /* of fields; PM_EDGE_FIELDS + 1: more than three */
    const char *attributes; /* "{...}", with a NUL at its end; NULL: none.  It is no field. */
    bool is_all_numbers;    /* set when there are too many fields: each of them is a real number */
} pm_edge_line;

/* Cuts line, which has at least one field.  want: the number of fields of the first edge; 0: this
 * is the first edge. */
void pm_edge_line_cut(pm_edge_style *style, char *line, int want, pm_edge_line *out);

/* Fails when line, or a part of the last line that was read, holds a carriage return: it would end a
 * line for the program that wrote it.  For other formats of lines, too.  Fails: PM_EDATA. */
pm_status pm_line_check_returns(const pm_source *s, const char *line, pm_error *err);

#endif
