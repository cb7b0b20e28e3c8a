/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/copies_sweep.h: the sum of copies_problem.h over all tiles, its cost, and its errors.
 *
 * Errors of real and complex sums.  The computed q and l differ from the true ones by at most d_q and d_l, which follow from the
 * roundings, since |q| and |l| are at most 1 for all terms.  With R = N/2, weights w that add up to 1, and S = the sum of w |q|^R,
 *
 *   sum of w ((|q| + d)^R - |q|^R) <= (S^(1/R) + d)^R - S      (Minkowski's inequality),
 *
 * which grows with S, so that a bound of S will do.  With loops the term is a polynomial T(q, l) with coefficients that are not negative, and
 * the effect of both errors is at most the sum of w (T(|q| + K d_q, |l| + K d_l) - T(|q|, |l|)) / K, for any K >= 1, because it is convex in K
 * and 0 for K = 0 (as in sweep/sweep.h).
 * The roundings of powers and polynomials are relative to the sum of the magnitudes. */
#ifndef PM_COPIES_SWEEP_H
#define PM_COPIES_SWEEP_H

#include "copies/vertex_classes.h"
#include "core/isa.h"
#include "ledger/ledger.h"
#include "pm/run.h"
#include "pm/value.h"
#include "repeated/repeated_digits.h"

/* Real and complex sums are for so many vertices with their copies, at most: with more, no digits would be left. */
enum { PM_COPIES_FLOAT_MAX = 256 };
/* With so many, sums in double-double of weights that are not negative keep at least some 15 digits. */
enum { PM_COPIES_PRECISE_MAX = 80 };

typedef struct {
    double terms, work,
        memory; /* work: vector operations of PM_REPEATED_LANES lanes; memory: bytes */
} pm_copies_cost;

/* kind: as pm_copies.kind.
 * Fails: PM_UNABLE 2^62 terms or more, or too many vertices for the kind. */
pm_status pm_copies_cost_of(const pm_vertex_classes *x, int kind, pm_copies_cost *out,
                            pm_error *err);

/* The (loop) hafnian modulo a prime above N and below PM_REPEATED_PRIME_MAX.
 * Fails: as pm_copies_cost_of; PM_PARTIAL, PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_copies_residue(const pm_vertex_classes *x, uint64_t prime, pm_isa isa,
                            const pm_ledger_scope *scope, const pm_run *run, uint64_t *residue,
                            pm_error *err);
/* The (loop) hafnian in double or double-double.  kind: a pm_dense_kind. */
pm_status pm_copies_float(const pm_vertex_classes *x, int kind, pm_isa isa,
                          const pm_ledger_scope *scope, const pm_run *run, pm_value *out,
                          pm_error *err);

#endif
