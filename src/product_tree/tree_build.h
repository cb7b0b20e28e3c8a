/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_build.h: the tree that belongs to a choice of eliminated columns and an order of
 * the others.  The search for this choice is in tree_plan.c. */
#ifndef PM_TREE_BUILD_H
#define PM_TREE_BUILD_H

#include "product_tree/tree_plan.h"

/* The rows of each column, as bit sets; n <= 64. */
typedef struct {
    int32_t n;
    uint64_t col[64];
} pm_column_sets;

/* What a tree is built from. */
typedef struct {
    uint64_t eliminated; /* set of columns without a common row */
    int32_t count;       /* the number of the other columns */
    int32_t cols[64];    /* the other columns, in order */
    double cost;         /* predicted, of the whole sum; not used here */
} pm_tree_candidate;

static inline uint64_t pm_tree_bit(int32_t i)
{
    return UINT64_C(1) << i;
}

/* In registers: without an instruction for it, the compiler's own function is a call. */
static inline int32_t pm_tree_size(uint64_t set)
{
    set -= set >> 1 & UINT64_C(0x5555555555555555);
    set = (set & UINT64_C(0x3333333333333333)) + (set >> 2 & UINT64_C(0x3333333333333333));
    set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (int32_t)(set * UINT64_C(0x0101010101010101) >> 56);
}

/* ---- buckets (product_tree/tree_plan.h) ---- */

/* Factors are a bit set over rows; an atom is represented by its first row. */
typedef struct {
    uint64_t owned; /* rows that belong to atoms */
    int32_t natoms;
    uint64_t atom[64];
    uint64_t all, seen; /* all factors; those that are in buckets already */
    int32_t nbuckets;
    uint64_t bucket[64];
    uint8_t size[64];  /* of each bucket */
    uint8_t place[64]; /* of each factor that is seen: its bucket */
} pm_tree_layout;

/* All buckets are empty. */
static inline void pm_tree_layout_start(const pm_column_sets *c, uint64_t eliminated,
                                        pm_tree_layout *l)
{
    l->owned = 0;
    l->natoms = l->nbuckets = 0;
    l->seen = 0;
    l->all = c->n == 64 ? ~UINT64_C(0) : pm_tree_bit(c->n) - 1;
    for (; eliminated; eliminated &= eliminated - 1) {
        uint64_t rows = c->col[__builtin_ctzll(eliminated)];
        l->atom[l->natoms++] = rows;
        l->owned |= rows;
        l->all &= ~(rows & (rows - 1));
    }
}

/* The factors that have one of the rows. */
static inline uint64_t pm_tree_factors_of(const pm_tree_layout *l, uint64_t rows)
{
    uint64_t f = rows & ~l->owned;
    if (rows & l->owned)
        for (int32_t e = 0; e < l->natoms; ++e)
            if (rows & l->atom[e])
                f |= l->atom[e] & -l->atom[e];
    return f;
}

/* The next bucket: those of the factors that are in none. */
static inline void pm_tree_position(pm_tree_layout *l, uint64_t factors)
{
    uint64_t fresh = factors & ~l->seen;
    l->seen |= fresh;
    if (!fresh)
        return;
    uint8_t size = 0;
    for (uint64_t f = fresh; f; f &= f - 1, ++size)
        l->place[__builtin_ctzll(f)] = (uint8_t)l->nbuckets;
    l->size[l->nbuckets] = size;
    l->bucket[l->nbuckets++] = fresh;
}

/* pm_tree_plan.slow, of so many outer columns. */
static inline int32_t pm_tree_slow_columns(int32_t outer, int32_t wanted)
{
    return outer < wanted ? outer : wanted;
}

/* Builds the tree. */
void pm_tree_build(const pm_column_sets *c, const pm_tree_candidate *x, int32_t slow,
                   pm_tree_plan *out);

#endif
