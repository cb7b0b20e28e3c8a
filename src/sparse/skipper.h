/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/skipper.h: the plan of SkipPer, for all backends, and the methods of the CPU, whose sums those on GPUs go on
 * with. */
#ifndef PM_SKIPPER_H
#define PM_SKIPPER_H

#include "sparse/skip.h"
#include "sweep/ryser_driver.h"

extern const pm_sweep_method pm_skipper_method, pm_sparyser_method;

/* *best: the form with the lower predicted cost, with keep_order.  The prediction is rough.
 * *visits, *work: its indices that are looked at, and its work in units of PM_RATE_SKIPPER.
 * Fails: PM_UNABLE when no form can be used for the block, PM_ENOMEM. */
pm_status pm_skipper_form(const pm_square *s, bool keep_order, pm_skip_choice *best, double *visits,
                          double *work, pm_error *err);

/* The choice of a recorded plan.  Fails: PM_UNABLE it has none. */
pm_status pm_skipper_again(const pm_job *job, const int64_t *number, int count, pm_skip_choice *out,
                           pm_error *err);

#endif
