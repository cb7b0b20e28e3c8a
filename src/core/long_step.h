/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/long_step.h: single operations of GMP that may take longer than 0.1 s, during which no stop can be
 * checked.  pm_settings.long_steps counts those that run, so that the signal handler of a program can end it
 * at once then. */
#ifndef PM_LONG_STEP_H
#define PM_LONG_STEP_H

#include <stdint.h>

#include "pm/settings.h"

/* Operations on fewer bits than this are not counted. */
#define PM_LONG_STEP_BITS (INT64_C(1) << 20)

static inline void pm_long_step_add(int64_t bits, int step)
{
    if (bits >= PM_LONG_STEP_BITS && pm_settings_get()->long_steps)
        atomic_fetch_add(pm_settings_get()->long_steps, step);
}

/* Around an operation on numbers of so many bits.  Thread-safe. */
static inline void pm_long_step_begin(int64_t bits)
{
    pm_long_step_add(bits, 1);
}
static inline void pm_long_step_end(int64_t bits)
{
    pm_long_step_add(bits, -1);
}

#endif
