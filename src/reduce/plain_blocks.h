/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/plain_blocks.h: patterns that are only decomposed into blocks: they need no lists that can be changed. */
#ifndef PM_PLAIN_BLOCKS_H
#define PM_PLAIN_BLOCKS_H

#include "pm/reduce.h"

/* *is_plain: a is a pattern, opt wants its blocks, and none of the other rules of opt applies to them: no twins are
 * merged, and if opt merges the neighbours of lines of two entries, no block has such a line.  *out is then what the
 * lists would give: the blocks of more than one row, in the order of their first rows, or zero.
 * a: square.
 * Memory: for each row and column 4 bytes beside those of a decomposition; the blocks.
 * Cost: a decomposition, or one pass over a connected regular graph; where opt merges and every line of a has three
 * entries or more, it is made again by other steps if the answer is no.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_reduce_plain(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                          pm_reduced *out, bool *is_plain, pm_error *err);

#endif
