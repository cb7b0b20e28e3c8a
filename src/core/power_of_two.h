/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/power_of_two.h: multiplication by a power of two, in line. */
#ifndef PM_POWER_OF_TWO_H
#define PM_POWER_OF_TWO_H

#include <math.h>
#include <stdint.h>
#include <string.h>

/* x 2^e, rounded once where it is subnormal: ldexp, which is a call and takes several times as
 * long. */
static inline double pm_times_power_of_two(double x, int64_t e)
{
    double power;
    if (e < -1000 || e > 1000)
        return ldexp(x, e < -5000 ? -5000 : e > 5000 ? 5000 : (int)e);
    uint64_t bits = (uint64_t)(1023 + e) << 52;
    memcpy(&power, &bits, sizeof power);
    return x * power;
}

#endif
