/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "number/bits.h"

#include "pm/memory.h"

/* Numbers below are a few hundred bytes, less than what an input needs to write them. */
#define SHORT (INT64_C(1) << 11)
/* From here on an operation takes much longer than the question how much memory there is. */
#define LONG (INT64_C(1) << 26)

enum { OPERANDS = 4 }; /* the result, and the workspace of GMP, in units of the result */

bool pm_bits_fit(int64_t bits)
{
    if (bits <= SHORT)
        return true;
    if (bits > PM_BITS_MAX)
        return false;
    int64_t bytes = bits / 8 * OPERANDS;
    return pm_memory_allows((size_t)bytes) && (bits < LONG || bytes <= pm_memory_left());
}
