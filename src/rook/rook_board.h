/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rook/rook_board.h: a block that has one value nearly everywhere, as a board of the other cells.
 *
 * With twins written out such a block is c J - B, all cells of J being 1 and most of B 0, and
 *   per(c J - B) = sum over k of (-1)^k c^(n-k) (n-k)! r_k,
 * r_k the sum, over all ways to place k rooks on cells of B of which no two share a line, of the
 * products of their cells: the rook numbers of B.
 * Source: Kaplansky and Riordan 1946; Riordan 1958, chapter 7. */
#ifndef PM_ROOK_BOARD_H
#define PM_ROOK_BOARD_H

#include "pm/reduce.h"
#include "pm/status.h"

typedef struct {
    int64_t n;   /* lines of J */
    pm_dyadic c; /* an integer, not 0 */
    pm_block b;  /* B, lines without cells left out, capacities 1; n and log2_bound are not set */
} pm_rook_board;

/* Of a pattern or integer block.
 * Fails: PM_UNABLE no value but 0 is in more than half of the cells; PM_ENOMEM. */
pm_status pm_rook_board_make(const pm_block *b, pm_rook_board *out, pm_error *err);
void pm_rook_board_free(pm_rook_board *b);

#endif
