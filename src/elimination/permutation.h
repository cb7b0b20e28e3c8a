/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/permutation.h: the sign of a permutation. */
#ifndef PM_PERMUTATION_H
#define PM_PERMUTATION_H

#include <stdbool.h>
#include <stdint.h>

/* to: a permutation of 0 .. n-1.  seen: scratch, n entries. */
static inline bool pm_permutation_is_odd(const int32_t *to, int32_t n, int32_t *seen)
{
    bool odd = false;
    for (int32_t i = 0; i < n; ++i)
        seen[i] = 0;
    for (int32_t i = 0; i < n; ++i)
        for (int32_t j = to[i]; !seen[i] && j != i; j = to[j]) {
            seen[j] = 1;
            odd = !odd;
        }
    return odd;
}

#endif
