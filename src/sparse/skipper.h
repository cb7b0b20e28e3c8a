/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sparse/skipper.h: planning SkipPer, for all backends. */
#ifndef PM_SKIPPER_H
#define PM_SKIPPER_H

#include "sparse/skip.h"

/* The form that takes less, by a rough prediction, and whether the order is kept.
 * Fails: PM_UNABLE when no form takes the block, PM_ENOMEM. */
pm_status pm_skipper_form(const pm_square *s, bool keep_order, pm_skip_choice *best, pm_error *err);

#endif
