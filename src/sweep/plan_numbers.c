/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/plan_numbers.h"

pm_status pm_plan_numbers_check(const char *method, int count, int wanted, pm_error *err)
{
    if (count == wanted)
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "the recorded plan of %s has %d numbers in place of %d", method,
                   count, wanted);
}
