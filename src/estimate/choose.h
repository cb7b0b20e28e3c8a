/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/choose.h: the method of one block: the exact one where it is cheap, else what a few
 * samples of each show to be the best use of time.  Time is nominal, never measured: the choice is
 * the same on every machine. */
#ifndef PM_CHOOSE_H
#define PM_CHOOSE_H

#include "estimate/block.h"
#include "estimate/estimate.h"

/* Count every block for which that is predicted to take no more than o->exact_seconds (planar ones:
 * o->planar_seconds), an eighth of o->seconds at most, as long as a quarter of o->seconds lasts;
 * gather the others.
 * Fails: PM_ESTOPPED, PM_ENOMEM, what pm_count fails with but for refusals. */
pm_status pm_choose_exact(pm_expression *x, const pm_estimate_options *o, const pm_run *run,
                          pm_error *err);

/* Make the sampler of a block.  variance: what its share of the wanted relative variance is, for
 * the number of states of a beam.  Pilot samples are not used again; when the deadline of `pilots`
 * comes, methods that had none are judged by their nominal seconds alone.
 * Fails: PM_UNABLE with the reason of o->method, or when no method takes the block. */
pm_status pm_choose_sampler(pm_approx_block *b, const pm_estimate_options *o, double variance,
                            const pm_run *pilots, const pm_run *run, pm_error *err);

#endif
