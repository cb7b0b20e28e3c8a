/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/alloc.h"
#include "pm/matrix.h"

/* Numbers of entries that are worth it: smaller arrays take no memory that counts. */
enum { MANY = 1 << 16 };

static void reserve(void **array, int64_t *cap, int64_t count, size_t size)
{
    if (count > *cap)
        pm_grow_array(array, cap, count, size); /* without it the array grows step by step */
}

void pm_triples_reserve(pm_triples *t, int64_t count)
{
    if (count < MANY)
        return;
    reserve((void **)&t->at, &t->cap, count, sizeof *t->at);
    if (t->field != PM_PATTERN)
        reserve((void **)&t->re, &t->cap_re, count, sizeof *t->re);
    if (t->field == PM_COMPLEX)
        reserve((void **)&t->im, &t->cap_im, count, sizeof *t->im);
}

static void shrink(void **array, int64_t *cap, int64_t count, size_t size)
{
    if (*cap >= MANY && count > 0)
        pm_shrink_array(array, cap, count, size);
}

void pm_triples_shrink(pm_triples *t)
{
    shrink((void **)&t->at, &t->cap, t->count, sizeof *t->at);
    shrink((void **)&t->re, &t->cap_re, t->count, sizeof *t->re);
    shrink((void **)&t->im, &t->cap_im, t->count, sizeof *t->im);
}
