/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/plan_numbers.h: the numbers by which a recorded plan describes the choice of its method, before they are
 * read. */
#ifndef PM_PLAN_NUMBERS_H
#define PM_PLAN_NUMBERS_H

#include "pm/status.h"

/* Whether a plan of a method (its name) has as many numbers as the method reads.
 * Fails: PM_UNABLE it has another number of them. */
pm_status pm_plan_numbers_check(const char *method, int count, int wanted, pm_error *err);

#endif
