/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/bits.h: whether a number of so many bits can be computed.  Asked before GMP is, whose allocation
 * functions do not return when they fail. */
#ifndef PM_BITS_H
#define PM_BITS_H

#include <stdbool.h>
#include <stdint.h>

#define PM_BITS_MAX (INT64_C(1) << 33) /* 1 GiB */

/* False when integers are limited to fewer bits, or the memory does not suffice for an operation that has
 * a result of this size.  bits >= 0. */
bool pm_bits_fit(int64_t bits);

#endif
