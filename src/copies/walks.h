/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/walks.h: the method of walks_problem.h, its cost, and its errors.
 *
 * Errors of real and complex numbers are relative to the same number of the absolute values, which is found by the same steps in double. */
#ifndef PM_WALKS_H
#define PM_WALKS_H

#include "copies/copies_sweep.h"

/* With so many vertices, with their copies, answers in double of weights of either sign keep some five digits or more. */
enum { PM_WALKS_DOUBLE_MAX = 24 };

#define PM_WALKS_SHORT_WORK 1e7 /* vector operations: with less, one thread is enough */

/* kind: as pm_copies.kind.  The total of x is even, or x has loops.  operations: as pm_copies_cost.terms.
 * Fails: PM_UNABLE too many pairs, or too many vertices for the kind. */
pm_status pm_walks_cost_of(const pm_vertex_classes *x, int kind, pm_copies_cost *out,
                           pm_error *err);

/* The (loop) hafnian modulo a prime above N and below PM_REPEATED_PRIME_MAX.
 * Fails: as pm_walks_cost_of; PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_walks_residue(const pm_vertex_classes *x, uint64_t prime, pm_isa isa,
                           const pm_run *run, uint64_t *residue, pm_error *err);
/* The (loop) hafnian in double or double-double.  kind: a pm_dense_kind. */
pm_status pm_walks_float(const pm_vertex_classes *x, int kind, pm_isa isa, const pm_run *run,
                         pm_value *out, pm_error *err);

#endif
