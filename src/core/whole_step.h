/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/whole_step.h: steps that a signal must not cut, such as giving a file its name.
 * pm_settings.whole_steps counts those that run, so that the signal handler of a program, which may end it
 * at once, lets them end. */
#ifndef PM_WHOLE_STEP_H
#define PM_WHOLE_STEP_H

#include "pm/settings.h"

static inline void pm_whole_step_add(int step)
{
    if (pm_settings_get()->whole_steps)
        atomic_fetch_add(pm_settings_get()->whole_steps, step);
}

/* Around such a step.  Thread-safe. */
static inline void pm_whole_step_begin(void)
{
    pm_whole_step_add(1);
}
static inline void pm_whole_step_end(void)
{
    pm_whole_step_add(-1);
}

#endif
