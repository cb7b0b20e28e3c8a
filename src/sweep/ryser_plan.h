/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/ryser_plan.h: plans of the Ryser family: the orientation of a block, and the choice of its method. */
#ifndef PM_RYSER_PLAN_H
#define PM_RYSER_PLAN_H

#include <stddef.h>

#include "sweep/ryser_driver.h"

/* The state of a plan. */
typedef struct {
    const pm_sweep_method *method;
    bool transposed;
    max_align_t choice[];
} pm_ryser_state;

/* Predicts a method, as pm_ryser_driver_plan says.  *out: the caller frees it.
 * Fails: as that function. */
pm_status pm_ryser_measure(const pm_job *job, const pm_sweep_method *method, pm_plan *plan,
                           pm_ryser_state **out, pm_error *err);

#endif
