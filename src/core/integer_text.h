/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/integer_text.h: integers as decimal digits, for lists of many millions of them. */
#ifndef PM_INTEGER_TEXT_H
#define PM_INTEGER_TEXT_H

#include <stdint.h>

enum { PM_DECIMAL_ROOM = 24 };

/* The digits of x, after "-" where it is negative, as printf's %d: somewhere in `room`, ended by a 0. */
static inline const char *pm_decimal(int64_t x, char room[PM_DECIMAL_ROOM])
{
    uint64_t left = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
    char *at = room + PM_DECIMAL_ROOM - 1;
    *at = '\0';
    do {
        *--at = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    if (x < 0)
        *--at = '-';
    return at;
}

#endif
