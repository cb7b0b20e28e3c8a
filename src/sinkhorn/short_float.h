/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sinkhorn/short_float.h: numbers in 16 bits, the upper half of a float: the range of floats, and 8 bits.  For what only
 * preconditions. */
#ifndef PM_SHORT_FLOAT_H
#define PM_SHORT_FLOAT_H

#include <stdint.h>
#include <string.h>

/* Rounded towards 0. */
static inline uint16_t pm_short_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static inline float pm_short_value(uint16_t x)
{
    const uint32_t bits = (uint32_t)x << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
