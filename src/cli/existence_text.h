/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/existence_text.h: prints a matching, or the reason why there is none. */
#ifndef PM_EXISTENCE_TEXT_H
#define PM_EXISTENCE_TEXT_H

#include "cli/console.h"
#include "cli/emit.h"
#include "dm/existence.h"
#include "pm/status.h"

/* Prints a Hall violator; a is the graph in which it was found, kind what was asked.
 * Text: "no perfect matching: the rows {a, b} have only the neighbours {x}".  A line without a
 * label is "#" and its number, counted from 1.
 * JSON: "hall":{"side":"rows","set":[...],"neighbours":[...]} */
void pm_emit_violator(pm_emitter *e, const pm_existence *x, const pm_matrix *a,
                      pm_matching_kind kind);

/* Sets *exists to whether a has a matching of this kind.  If not, a note of level 1 gives the text above
 * after "where: ", with at most 20 lines of each set.
 * Fails: PM_ENOMEM. */
pm_status pm_note_violator(const pm_matrix *a, pm_matching_kind kind, pm_console *console,
                           const char *where, bool *exists, pm_error *err);

/* Says, once an input, that the sizes of a matrix leave no matching of this kind, so that the answer is
 * 0, and what can be counted instead.  Returns false, and says nothing, on the console of an attempt
 * (batch/parallel.h), which does not know what has been said before.
 * one_set: as in pm_node; is_item: the matrix is no part of a sum or product. */
bool pm_warn_of_sides(pm_console *console, const char *where, pm_matching_kind kind, int64_t nrows,
                      int64_t ncols, bool one_set, bool is_item);

/* Prints the matching of a that has row i matched to column col_of[i], where that is not -1.
 * Text: an edge list with the weights.  JSON: "matching":[["row","column"],...]
 * Fails: what pm_write_edges fails with. */
pm_status pm_emit_matching(pm_emitter *e, const int32_t *col_of, const pm_matrix *a, pm_error *err);
/* ["row","column"], an element of such an array */
void pm_json_pair(pm_json *j, const pm_matrix *a, int64_t row, int64_t col);

#endif
