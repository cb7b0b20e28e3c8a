/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/linear_step.h: a step towards row and column sums of 1 along which entries change linearly.
 *
 * Let X have columns that sum to 1 and rows that sum to R.  Newton's step (sinkhorn.h) is u with (diag(R) - X X^T) u = 1 - R, and
 * v = -X^T u.  Scaling makes x exp(u_i + v_j) of an entry x.  The matrix of all x (1 + u_i + v_j) has the sums 1 exactly: x (u_i + v_j) is
 * the electric current along an edge of conductance x between two potentials.  The result is no scaling of X; but sums are right where no
 * entry has to change much, while exp(u_i + v_j) may make a row that sums to thousands. */
#ifndef PM_LINEAR_STEP_H
#define PM_LINEAR_STEP_H

#include "spmv/workspace.h"

/* An entry x, 0 < x <= 1, becomes x (1 + u_i - w_j).  If this would change it by more than half of its distance to 0 or to 1 it changes by less,
 * and stays between 0 and 1; in single precision it may become 0.
 * on: the matrix, with stored entries; u, w: numbers of its vectors, for the rows and for the columns; threads change no digit. */
void pm_linear_step(pm_workspace *on, int u, int w);

#endif
