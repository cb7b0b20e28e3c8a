/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/log_factorial.h: ln(n!) as a double.  Thread-safe, which lgamma of the C library is not: it
 * writes a global sign. */
#ifndef PM_LOG_FACTORIAL_H
#define PM_LOG_FACTORIAL_H

#include <math.h>

/* n >= 0. */
static inline double pm_log_factorial(double n)
{
    int sign;
    return lgamma_r(n + 1, &sign);
}

#endif
