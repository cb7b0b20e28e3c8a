/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges/integer_set.h: a set of integers v >= 0, and the rank of each: how many members are smaller.
 *
 * A bit for each integer up to the largest one, and a count for each 64 of them: the set of the labels of a large graph stays in
 * the caches, where a table of their numbers does not. */
#ifndef PM_INTEGER_SET_H
#define PM_INTEGER_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

typedef struct {
    uint64_t bits;  /* of 64 integers */
    int64_t before; /* members in the words before this one, after pm_integer_set_rank_all */
} pm_integer_word;

/* {0} is empty. */
typedef struct {
    pm_integer_word *word;
    int64_t nwords, cap; /* private: nwords that are in use */
} pm_integer_set;

/* Makes room for the integers 0 .. v.  Memory: 0.25 bytes for each of them, up to twice that when it grows.
 * Fails: PM_ENOMEM. */
pm_status pm_integer_set_reach(pm_integer_set *s, int64_t v, pm_error *err);

/* There is room for v. */
static inline void pm_integer_set_put(pm_integer_set *s, int64_t v)
{
    s->word[v >> 6].bits |= UINT64_C(1) << (v & 63);
}

static inline bool pm_integer_set_reaches(const pm_integer_set *s, int64_t v)
{
    return v >> 6 < s->nwords;
}

static inline bool pm_integer_set_has(const pm_integer_set *s, int64_t v)
{
    return pm_integer_set_reaches(s, v) && (s->word[v >> 6].bits >> (v & 63) & 1);
}

/* The number of members, and the largest one (-1: there is none). */
int64_t pm_integer_set_count(const pm_integer_set *s);
int64_t pm_integer_set_largest(const pm_integer_set *s);
/* The least member that is at least `from`; -1: there is none. */
int64_t pm_integer_set_next(const pm_integer_set *s, int64_t from);

/* Prepares the ranks of the members that there are.  Returns their number. */
int64_t pm_integer_set_rank_all(pm_integer_set *s);

/* v: a member. */
static inline int64_t pm_integer_set_rank(const pm_integer_set *s, int64_t v)
{
    const pm_integer_word *w = &s->word[v >> 6];
    return w->before + __builtin_popcountll(w->bits & ((UINT64_C(1) << (v & 63)) - 1));
}

void pm_integer_set_free(pm_integer_set *s);

#endif
