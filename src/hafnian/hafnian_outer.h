/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_outer.h: the hafnian as a sum over sets of pairs that can be divided; real and complex numbers.
 *
 * Let K be the last pair, L the one before it, M the set of all others.  A cycle through K, or one through L, is no cycle of
 * others, so with c and h as in README.md
 *
 *   hafnian = sum over W in M of g(W) h(M without W),
 *   g(W) = c_K(W with L) + sum over X in W of c_L(X) c_K(W without X).
 *
 * The numbers g, and h of the sets that hold the highest pair of M, are needed once each.  These are eight ninths of all sums, and may be
 * found anywhere.  All paths, and h of the other sets, must be known before. */
#ifndef PM_HAFNIAN_OUTER_H
#define PM_HAFNIAN_OUTER_H

#include "hafnian/hafnian_levels.h"
#include "ledger/ledger.h"

/* With at least so many pairs. */
enum { PM_HAFNIAN_OUTER_PAIRS = 12 };

/* l: as for pm_hafnian_levels_run.  room: for its pairs and sheets, and numbers of the kernel.
 * scope: where the sum is recorded, as the task `what`; NULL: nowhere.
 * out: the doubles of the number, as many as the kernel's numbers have: high and low part, real before imaginary; of sizes one.
 * Nothing depends on the number of threads, or of parts.
 * Fails: PM_ESTOPPED; PM_PARTIAL others have to do the rest; PM_EDATA, PM_ENOMEM. */
pm_status pm_hafnian_outer_run(const pm_hafnian_kernel *kernel, const pm_hafnian_level *l,
                               const pm_hafnian_room *room, const pm_ledger_scope *scope,
                               const char *what, const pm_run *run, double *out, pm_error *err);

#endif
