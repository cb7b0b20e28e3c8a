/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/banner.h: does a comment of an edge list look like the damaged banner of a Matrix Market file?
 * Such a file would be read as an edge list, and its line of sizes as an edge. */
#ifndef PM_BANNER_H
#define PM_BANNER_H

#include <stdbool.h>

/* comment: a line that begins with % or #; blanks before it do not belong to it.  is_first: it is the
 * first line of the input.  Returns what was expected, or NULL when the line is a comment.  It is a
 * banner when
 *   its first word is MatrixMarket, after percent signs, and it ends there or goes on with "matrix", or
 *     there is no blank before the word;
 *   or, in the first line, its first word begins with MatrixMark, and no blank is before it or "matrix"
 *     follows;
 *   or the first line has the word coordinate or array, and "matrix" somewhere.
 * Upper and lower case are alike. */
const char *pm_banner_fault(const char *comment, bool is_first);

/* The comment says sizes in words like those of the size lines of an edge list, "# pm-edges ROWS COLS" and
 * "# pm-graph VERTICES".  comment: not one of these. */
bool pm_size_line_resembles(const char *comment);

#endif
