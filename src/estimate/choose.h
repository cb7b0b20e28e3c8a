/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/choose.h: chooses the method of each block: exact counting where it is cheap, else the
 * sampler with the lowest cost for a given variance, by a few pilot samples of each.  Costs are
 * nominal and never measured, so the choice is the same on every machine. */
#ifndef PM_CHOOSE_H
#define PM_CHOOSE_H

#include "estimate/block.h"
#include "estimate/estimate.h"

/* Counts every block whose predicted seconds are at most o->exact_seconds (o->planar_seconds for
 * planar blocks) and at most an eighth of o->seconds; begins no count after a quarter of
 * o->seconds. The other blocks are listed by pm_expression_list_sampled.
 * With a ledger, a block that an earlier run has sampled is not counted, and a block that other parts
 * count some of is partial, with the value 1.
 * Fails: PM_ESTOPPED, PM_ENOMEM, and all that pm_count fails with except PM_UNABLE and PM_PARTIAL. */
pm_status pm_choose_exact(pm_expression *x, const pm_estimate_options *o, const pm_run *run,
                          pm_error *err);

/* Makes the sampler of a block: with a ledger that of an earlier run, if it has noted it.
 * variance: the relative variance that the block may have; the number of states of a beam follows.
 * pilots:   the run of the pilot samples, which are not used for the estimate.  Methods that are
 *           not tried before its deadline are compared by their nominal seconds only.
 * Fails: PM_UNABLE o->method, or every method, is unable to sample the block; PM_ESTOPPED,
 * PM_ENOMEM. */
pm_status pm_choose_sampler(pm_approx_block *b, const pm_estimate_options *o, double variance,
                            const pm_run *pilots, const pm_run *run, pm_error *err);

/* Notes the sampler of a block in the ledger.  Fails: PM_ENOMEM. */
pm_status pm_choice_put(const pm_approx_block *b, const pm_estimate_options *o, pm_error *err);

#endif
