/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rook/rook_numbers.h: the rook numbers of a board (rook/rook_board.h) by the transfer-matrix
 * method.
 *
 * The rows and columns are processed in a vertex order (order/vertex_order.h).  A state is the set
 * of the frontier's lines that have a rook, one bit for each line.  Its value A[s] is a polynomial
 * in x: the coefficient of x^k is the weight of all placements of k rooks that lead to the state.
 * The step of line v sets, for every set s of other lines,
 *
 *   A[s] = A[s] + A[s + v] + x (sum over cells (v, u) with u in s of cell * A[s - u]),
 *
 * and then merges the states that differ only in a line u without further cells:
 * A[s] = A[s] + A[s + u].  Sets are updated from the largest to the smallest, so the step is done
 * in place and needs no search for states.  States that differ in a line without a cell of v do
 * not depend on each other: these lines number the groups of states that threads share. */
#ifndef PM_ROOK_NUMBERS_H
#define PM_ROOK_NUMBERS_H

#include <stdint.h>

#include "order/vertex_order.h"
#include "pm/run.h"
#include "rook/rook_board.h"

enum {
    PM_ROOK_WIDTH_MAX = 40, /* lines in the frontier */
    PM_ROOK_LANES = 8       /* coefficients are added in vectors of this size; those beyond the
                             * last are 0 */
};

typedef struct {
    uint64_t bit;  /* of the line that the cell shares with the line processed */
    int64_t entry; /* of the board, or PM_UNIT */
} pm_rook_cell;

/* One line is processed.  The sets of lines are sets of bits of a state. */
typedef struct {
    uint64_t self;       /* the bit of the line, or 0 if it is not in the frontier */
    uint64_t neighbours; /* the lines that it has cells with */
    uint64_t finished;   /* those of them that have no further cells */
    uint64_t others;     /* all other lines of the frontier */
    int32_t first, last; /* its cells are cell[first] .. cell[last - 1] */
    int32_t rooks;       /* on the board after the step, at most */
} pm_rook_step;

typedef struct {
    int32_t nsteps, ncells;
    int32_t width;     /* bits of a state */
    int32_t max_rooks; /* on the whole board, at most */
    pm_rook_step *step;
    pm_rook_cell *cell;
    double operations; /* coefficients added to others, in all steps */
} pm_rook_program;

/* g: the graph of the board's block.
 * Fails: PM_UNABLE more than PM_ROOK_WIDTH_MAX lines in the frontier; PM_ENOMEM. */
pm_status pm_rook_program_make(const pm_block_graph *g, const pm_vertex_order *o,
                               pm_rook_program *out, pm_error *err);
void pm_rook_program_free(pm_rook_program *p);

/* Bytes that pm_rook_numbers_find allocates for the states. */
double pm_rook_program_bytes(const pm_rook_program *p);

/* The rook numbers r_0 .. r_M, M = p->max_rooks, modulo each of the n numbers m[i] < 2^62.
 * r: n * (M + 1) entries, the caller's; r[i * (M + 1) + k] is set to r_k modulo m[i].
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rook_numbers_find(const pm_rook_program *p, const pm_matrix *board, const uint64_t *m,
                               int n, const pm_run *run, uint64_t *r, pm_error *err);

#endif
