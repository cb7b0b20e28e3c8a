/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/addend_pool.h: the addends of a sum that wait to be expanded or written.  Equal ones
 * are one, with the sum of their factors; numbers are added up. */
#ifndef PM_ADDEND_POOL_H
#define PM_ADDEND_POOL_H

#include "expand/addend.h"
#include "expand/allowance.h"

typedef struct pm_waiting pm_waiting;

typedef struct {
    pm_allowance *allowance; /* charged with the memory of the pool */
    pm_fraction number;      /* the sum of the addends without blocks */
    int64_t count;           /* addends that wait */
    int64_t largest;         /* n that the pool was opened for */
    int64_t top, bottom;     /* no addend that waits is above or below */
    pm_waiting **of_n;       /* largest + 1 lists, the last to come first */
    pm_waiting **of_key;     /* lists by the last bits of the key */
} pm_addend_pool;

/* For addends of n = 0 .. largest.  A zeroed pool can be closed. */
pm_status pm_pool_open(pm_addend_pool *p, int64_t largest, pm_allowance *allowance, pm_error *err);
void pm_pool_close(pm_addend_pool *p);

/* t is taken over and left empty, but to be cleared.  *is_new: one more waits now. */
pm_status pm_pool_add(pm_addend_pool *p, pm_addend *t, bool *is_new, pm_error *err);

/* The addend of largest n, or of smallest n when memory is short; the pool is not empty.
 * *out needs no initialising, and may have the factor 0. */
void pm_pool_take(pm_addend_pool *p, pm_addend *out);

#endif
