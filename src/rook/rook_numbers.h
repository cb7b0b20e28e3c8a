/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rook/rook_numbers.h: the rook numbers of a board (rook/rook_board.h), by a sweep over its lines.
 *
 * Rows and columns are taken in an order as for the frontier programme (order/vertex_order.h).  A state
 * is the set of the lines of the frontier that have a rook, one bit each; its value is a polynomial
 * whose coefficient k is the weight of all placements of k rooks that lead to it.  Taking line v,
 * every set s of other lines becomes
 *
 *   A[s] + A[s and v] + x (sum over cells (v, u) with u in s of cell * A[s without u]),
 *
 * after which v is forgotten, and so is each u without further cells: A[s] += A[s and u].  Sets go
 * down from the largest, so all is done in place, and nothing is looked up; sets that differ in no
 * line with a cell of v have nothing to do with each other. */
#ifndef PM_ROOK_NUMBERS_H
#define PM_ROOK_NUMBERS_H

#include <stdint.h>

#include "order/vertex_order.h"
#include "pm/run.h"
#include "rook/rook_board.h"

enum {
    PM_ROOK_WIDTH_MAX = 40, /* lines in the frontier */
    PM_ROOK_LANES = 8       /* coefficients go by as many; those that are too many are 0 */
};

typedef struct {
    uint64_t bit;
    int64_t entry; /* of the board, or PM_UNIT */
} pm_rook_cell;

/* A line is taken. */
typedef struct {
    uint64_t own;        /* its bit, 0: it has not been in the frontier */
    uint64_t around;     /* lines that it has cells with */
    uint64_t leaving;    /* those of them that it has the last cell of */
    uint64_t apart;      /* all others of the frontier */
    int32_t first, last; /* its cells */
    int32_t rooks;       /* on the board after it, at most */
} pm_rook_step;

typedef struct {
    int32_t nsteps, ncells, width; /* bits of a state */
    int32_t most;                  /* rooks, at most */
    pm_rook_step *step;
    pm_rook_cell *cell;
    double operations; /* coefficients added to others */
} pm_rook_program;

/* g: of the board's block.  Fails: PM_UNABLE a frontier of more than PM_ROOK_WIDTH_MAX; PM_ENOMEM. */
pm_status pm_rook_program_make(const pm_block_graph *g, const pm_vertex_order *o,
                               pm_rook_program *out, pm_error *err);
void pm_rook_program_free(pm_rook_program *p);

/* Bytes of a run. */
double pm_rook_program_bytes(const pm_rook_program *p);

/* r_0 .. r_most modulo each of the n numbers m < 2^62: r[i * (most + 1) + k] is r_k mod m[i].
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_rook_numbers_find(const pm_rook_program *p, const pm_matrix *board, const uint64_t *m,
                               int n, const pm_run *run, uint64_t *r, pm_error *err);

#endif
