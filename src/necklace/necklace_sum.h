/* SPDX-License-Identifier: GPL-3.0-or-later */
/* necklace/necklace_sum.h: Ryser's sum over orbits of sets of columns, modulo one number, on the CPU. */
#ifndef PM_NECKLACE_SUM_H
#define PM_NECKLACE_SUM_H

#include "necklace/necklace_terms.h"
#include "pm/run.h"
#include "pm/status.h"

/* *out = the sum, with the terms of all sets.  On the threads of the run.
 * Cost: pm_necklace_candidates words with prefixes of pm_necklace_prefix(t, PM_NECKLACE_FREE) beads, pm_necklace_count terms.
 * Fails: PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_necklace_terms_sum(const pm_necklace_terms *t, const pm_run *run, uint64_t *out,
                                pm_error *err);

enum { PM_NECKLACE_FREE = 9 /* of the words of a task */ };

#endif
