/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/integer_entries.h: the entries of a block as integers, in limbs that fit doubles. */
#ifndef PM_INTEGER_ENTRIES_H
#define PM_INTEGER_ENTRIES_H

#include <stdint.h>

#include "elimination/front_kernel.h"
#include "pm/reduce.h"
#include "pm/status.h"

/* Rows and columns of the block are divided by powers of 2 such that integers without a common
 * factor 2 remain: the weighted count of the block is 2^shift times that of the integers.  The row and the
 * column of a vertex of a general block are divided by the same power, so a factor 2 may remain.
 * Index 0 is the real part, 1 the imaginary part.  start[part] has nnz + 1 entries; entry k is in
 * limb[part][start[part][k]] .. limb[part][start[part][k + 1] - 1].  start[0] is NULL for a
 * pattern: all real parts are 1.  start[1] is NULL if there are no imaginary parts: all are 0. */
typedef struct {
    int64_t shift;
    int64_t *start[2];
    double *limb[2];
} pm_integer_entries;

/* Fails: PM_UNABLE entries whose sizes differ by more than 2^24 bits; PM_ENOMEM. */
pm_status pm_integer_entries_make(const pm_block *b, pm_integer_entries *out, pm_error *err);
void pm_integer_entries_free(pm_integer_entries *z);

/* Part 0 (real) or 1 (imaginary) of entry k. */
static inline pm_limbs pm_integer_entries_get(const pm_integer_entries *z, int part, int64_t k)
{
    static const double one = 1;
    if (!z->start[part])
        return (pm_limbs){&one, part == 0};
    return (pm_limbs){z->limb[part] + z->start[part][k], z->start[part][k + 1] - z->start[part][k]};
}

#endif
