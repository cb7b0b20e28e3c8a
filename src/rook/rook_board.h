/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rook/rook_board.h: a block that has one value nearly everywhere, as a board of the other cells.
 *
 * Begin here.  This room counts blocks by rook numbers: this file makes the board, rook_numbers.h
 * finds its rook numbers, rook.c is the algorithm (algorithm/algorithm.h).  It may include
 * algorithm, order, reduce, matrix, number and core.
 *
 * Let J be the n x n matrix of ones.  With every twin as a line of its own, such a block is
 * c J - B, where most cells of B are 0, and
 *   per(c J - B) = sum over k of (-1)^k c^(n-k) (n-k)! r_k.
 * The rook number r_k of B is the sum, over all placements of k rooks on nonzero cells of B with no
 * two in one line, of the product of their cells.
 * Source: Kaplansky and Riordan 1946; Riordan 1958, chapter 7. */
#ifndef PM_ROOK_BOARD_H
#define PM_ROOK_BOARD_H

#include "pm/reduce.h"
#include "pm/status.h"

typedef struct {
    int64_t n;   /* rows, and columns, of J */
    pm_dyadic c; /* an integer, not 0 */
    pm_block b;  /* B without its zero lines, all capacities 1; b.n and b.log2_bound are not set */
} pm_rook_board;

/* b: a pattern or integer block.
 * Fails: PM_UNABLE no value but 0 is in more than half of the cells; PM_ENOMEM. */
pm_status pm_rook_board_make(const pm_block *b, pm_rook_board *out, pm_error *err);
void pm_rook_board_free(pm_rook_board *b);

#endif
