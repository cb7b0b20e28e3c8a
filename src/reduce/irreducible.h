/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/irreducible.h: large graphs to which no rule applies: they need no lists that can be changed. */
#ifndef PM_IRREDUCIBLE_H
#define PM_IRREDUCIBLE_H

#include "pm/reduce.h"

/* *is_irreducible: a is a pattern whose lines have three entries or more (two, if opt merges no lines) and that is one fully
 * indecomposable block, and the rules of opt look at nothing else; *out is then that block, a copy of a.
 * a: square.
 * Cost: where no line is short, a decomposition, or one pass over a regular graph; it is made again by other steps if the answer is no.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_reduce_irreducible(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                                pm_reduced *out, bool *is_irreducible, pm_error *err);

#endif
