/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/degree_masks.h: one sample of rasmussen, rasmussen+, look+ or hub+ on a pattern of up to 64
 * rows, with sets as bit masks.  All choices are made in integers.  The text is C for the CPU and
 * CUDA C++ for kernels (cuda/philox_block.h), after a prelude that defines PM_POPCOUNT,
 * PM_FIRST_BIT and PM_MUL_HIGH.
 *
 * The state is the set of unmatched rows and the set of unmatched columns.  A step chooses a row:
 * the next one, or the one with the fewest unmatched columns (the first of several).  Then it
 * chooses an unmatched column j of this row with probability T(c_j) / (sum of T over the unmatched
 * columns of the row), where c_j is the number of unmatched rows of column j.  The weight is the
 * product of 1 / probability; its mean is the permanent for any T > 0 (Rasmussen 1994).
 * T = 1 is the uniform choice; T ~ 1 / (c - 1/2) prefers columns that few other rows can have.
 * Where T stands for a rule that divides by 0 at c = 1 (`forces`), a column without another
 * unmatched row is chosen at once, and two such columns are a dead end. */
#ifndef PM_DEGREE_MASKS_H
#define PM_DEGREE_MASKS_H

#ifndef PM_KERNEL_TEXT
#include "cuda/sample_sequence.h"
#endif

#ifndef PM_POPCOUNT
#define PM_POPCOUNT(x) __builtin_popcountll(x)
#endif
#ifndef PM_FIRST_BIT
#define PM_FIRST_BIT(x) __builtin_ctzll(x)
#endif

typedef struct {
    const uint64_t *row, *column; /* [n]: neighbours as bits */
    const uint32_t *table;        /* T(c), c = 1 .. the number of rows of the longest column */
    int n;                        /* rows, 0 .. 64 */
    int in_sequence;              /* rows are matched in the order 0, 1, ... */
    int forces;                   /* see above */
    int is_uniform;               /* T = 1 */
#ifdef PM_MASKS_UNROLLED
    const uint64_t *fixed; /* the same as row, in constant memory: for constant indices */
#endif
} pm_degree_masks;

#ifdef PM_MASKS_UNROLLED
/* As below, as a loop over all PM_MASKS_UNROLLED rows that the compiler unrolls: the threads of a
 * warp then do the same work. */
PM_FN int pm_masks_fewest(const pm_degree_masks *g, uint64_t rows, uint64_t columns)
{
    uint32_t least = ~(uint32_t)0;
    PM_UNROLL
    for (int i = 0; i < PM_MASKS_UNROLLED; ++i) {
        uint32_t d = (uint32_t)PM_POPCOUNT(g->fixed[i] & columns);
        uint32_t key = rows >> i & 1 ? d << 6 | (uint32_t)i : ~(uint32_t)0;
        least = key < least ? key : least;
    }
    return (int)(least & 63);
}
#else
/* The row in `rows`, which is not empty, with the fewest columns in `columns`; the first of
 * several.
 */
PM_FN int pm_masks_fewest(const pm_degree_masks *g, uint64_t rows, uint64_t columns)
{
    int best = 0, least = 65;
    for (; rows; rows &= rows - 1) {
        int i = PM_FIRST_BIT(rows), d = (int)PM_POPCOUNT(g->row[i] & columns);
        if (d < least) {
            least = d;
            best = i;
        }
    }
    return best;
}
#endif

/* Chooses one of the two or more columns in `from` with probability T / total; multiplies *w by
 * 1 / probability. */
PM_FN int pm_masks_choose(const pm_degree_masks *g, uint64_t rows, uint64_t from, uint64_t total,
                          pm_sample_sequence *s, pm_wide_product *w)
{
    uint64_t at = pm_sample_sequence_below(s, total);
    if (g->is_uniform) {
        for (; at; --at)
            from &= from - 1;
        pm_wide_product_multiply(w, (double)total);
        return PM_FIRST_BIT(from);
    }
    for (;; from &= from - 1) {
        int j = PM_FIRST_BIT(from);
        uint32_t t = g->table[PM_POPCOUNT(g->column[j] & rows)];
        if (at < t) {
            pm_wide_product_multiply(w, (double)total / (double)t);
            return j;
        }
        at -= t;
    }
}

/* The sum of T over the columns in `from`.  With g->forces, adds the columns that have one
 * unmatched row to *must. */
PM_FN uint64_t pm_masks_total(const pm_degree_masks *g, uint64_t rows, uint64_t from,
                              uint64_t *must)
{
    uint64_t total = 0;
    if (g->is_uniform)
        return (uint64_t)PM_POPCOUNT(from);
    for (uint64_t rest = from; rest; rest &= rest - 1) {
        int c = (int)PM_POPCOUNT(g->column[PM_FIRST_BIT(rest)] & rows);
        if (g->forces && c == 1)
            *must |= rest & (0 - rest);
        total += g->table[c];
    }
    return total;
}

/* Matches the given rows with the given columns, sets of equal size.  Returns the weight of these
 * steps; m = 0 at a dead end. */
PM_FN pm_wide_product pm_degree_masks_draw_rest(const pm_degree_masks *g, uint64_t rows,
                                                uint64_t columns, pm_sample_sequence *s)
{
    pm_wide_product w = {1, 0};
    const pm_wide_product dead = {0, 0};
    while (rows) {
        int i = g->in_sequence ? PM_FIRST_BIT(rows) : pm_masks_fewest(g, rows, columns);
        uint64_t from = g->row[i] & columns, must = 0;
        if (!from)
            return dead;
        uint64_t total = pm_masks_total(g, rows, from, &must);
        if (must & (must - 1))
            return dead;
        if (must)
            from = must;
        int j =
            from & (from - 1) ? pm_masks_choose(g, rows, from, total, s, &w) : PM_FIRST_BIT(from);
        rows &= ~((uint64_t)1 << i);
        columns &= ~((uint64_t)1 << j);
    }
    return w;
}

/* The weight of a sample of the whole matrix. */
PM_FN pm_wide_product pm_degree_masks_draw(const pm_degree_masks *g, pm_sample_sequence *s)
{
    uint64_t all = g->n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << g->n) - 1;
    return pm_degree_masks_draw_rest(g, all, all, s);
}

#endif
