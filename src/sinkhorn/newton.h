/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/newton.h: Newton's steps of a scaling (sinkhorn.h): their equations are solved (newton_equations.c), and the solution is applied
 * (newton_step.c).  For this room only. */
#ifndef PM_NEWTON_H
#define PM_NEWTON_H

#include "sinkhorn/coarse.h"
#include "sinkhorn/sinkhorn.h"

/* A residual above this is far from the goal of a scaling. */
#define PM_NEWTON_FAR 0.1

/* What is there during an improvement.  Begins with `target` and `most`, and zeros. */
typedef struct {
    double target;    /* of the residual */
    int64_t most;     /* products */
    bool is_cut;      /* the equations of the step needed more products than it may take, */
    bool is_hopeless; /* or brought less and less */
    bool has_coarse;
    pm_coarse coarse;
    double change; /* of logarithms of row factors since the coarse systems were made, at most */
    /* Steps may change logarithms of factors by so much before the factors have to be brought into range; 0: not known.  From 2^440
     * (pm_workspace_keep_range) and 433 octaves of steps some 150 octaves are left for sweeps, which are not counted. */
    double room;
    float *
        single; /* [rows]: the step, if it was computed in single precision; NULL: it is the vector PM_AT_STEP */
} pm_newton;

/* Frees what *t holds. */
void pm_newton_free(pm_newton *t);
/* Frees t->single. */
void pm_newton_free_step(pm_newton *t);

/* Solves (diag(R) - X X^T) step = 1 - R, X the matrix, whose columns sum to 1, R the sums of its rows, until at most `share` of the right side
 * remains, as well as products permit.  A system that takes many steps gets coarse ones (coarse.h), and so do those of the later steps;
 * linear steps get new ones each time.
 * On a GPU the host goes on where coarse systems are needed; products there that brought no solution are not counted.  The equations of
 * linear steps stay on the GPU and get no coarse systems there.
 * Fails: PM_ENOMEM; what a device fails with. */
pm_status pm_newton_solve(pm_sinkhorn *s, double share, pm_newton *t, pm_error *err);

/* One step, whose equations are solved up to `share`.  *decrease: how much smaller f has become; 0 for a linear step.
 * Fails: as pm_newton_solve; PM_UNABLE a factor is out of range. */
pm_status pm_newton_step(pm_sinkhorn *s, double share, pm_newton *t, double *decrease,
                         pm_error *err);

#endif
