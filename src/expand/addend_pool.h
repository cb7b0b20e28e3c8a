/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/addend_pool.h: the terms of a sum that are neither expanded nor written yet.  Equal terms
 * become one, with the sum of their factors; numbers are added up. */
#ifndef PM_ADDEND_POOL_H
#define PM_ADDEND_POOL_H

#include "expand/addend.h"
#include "expand/allowance.h"

typedef struct pm_pool_item pm_pool_item;

typedef struct {
    pm_allowance *allowance; /* its `bytes` include the memory of the pool */
    pm_fraction number;      /* the sum of the terms without blocks */
    int64_t count;           /* terms in the pool */
    int64_t largest;         /* the largest n that a term may have */
    int64_t top, bottom;     /* bottom <= n <= top for all terms in the pool */
    pm_pool_item **of_n;     /* largest + 1 lists, last in, first out */
    pm_pool_item **of_hash;  /* hash table: lists by pm_addend_hash modulo its size */
} pm_addend_pool;

/* For terms of n = 0 .. largest.  A zeroed pool can be closed.  Fails: PM_ENOMEM. */
pm_status pm_pool_open(pm_addend_pool *p, int64_t largest, pm_allowance *allowance, pm_error *err);
void pm_pool_close(pm_addend_pool *p);

/* Adds t, whose contents may be moved out; the caller clears t.
 * *is_new: the pool has one term more.  Fails: PM_ENOMEM. */
pm_status pm_pool_add(pm_addend_pool *p, pm_addend *t, bool *is_new, pm_error *err);

/* Removes the term of largest n, or of smallest n when memory is short.  The pool is not empty.
 * *out: not initialised before; cleared by the caller; its factor may be 0. */
void pm_pool_take(pm_addend_pool *p, pm_addend *out);

#endif
