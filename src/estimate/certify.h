/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/certify.h: estimates an item with a guaranteed relative error epsilon and probability of
 * failure delta.  Blocks that are cheap to count are counted; the others share epsilon and delta
 * (estimate/guarantee.h). */
#ifndef PM_CERTIFY_H
#define PM_CERTIFY_H

#include "estimate/estimate.h"

/* The value is within a factor 1 +- epsilon of the true one with probability at least 1 - delta,
 * and out->interval follows from this.  epsilon, delta: each in (0, 1).
 * run->max_cost limits the predicted seconds of all blocks together, on one core.
 * out: pm_estimate_init by the caller.
 * Fails: PM_UNABLE sampled blocks that are not 0/1, sums with terms of both signs, or predicted
 * seconds above the limit (the message has the prediction); PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_certify_item(pm_expression *x, double epsilon, double delta,
                          const pm_estimate_options *o, const pm_run *run, pm_estimate *out,
                          pm_error *err);

#endif
