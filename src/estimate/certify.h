/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/certify.h: an item within a relative error that is off with a probability that is known:
 * blocks that are cheap are counted, the others get their shares of both (estimate/guarantee.h). */
#ifndef PM_CERTIFY_H
#define PM_CERTIFY_H

#include "estimate/estimate.h"

/* The value is within a factor 1 +- epsilon of the truth with probability at least 1 - delta;
 * out->interval follows from that.  run->max_cost limits the predicted seconds of all blocks.
 * Fails: PM_UNABLE blocks with weights, negative factors, or refused with the prediction;
 * PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_certify_item(pm_expression *x, double epsilon, double delta,
                          const pm_estimate_options *o, const pm_run *run, pm_estimate *out,
                          pm_error *err);

#endif
