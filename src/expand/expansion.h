/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/expansion.h: along which line a block is expanded, and into which terms.
 *
 * The entries of a line are dealt out to the terms, two to a term where both neighbours have
 * capacity 1 (the reductions then merge these), else one (it is then forced).  In a term of one
 * entry all others of its neighbour are gone; in a term of two, those that the neighbours have in
 * one line become one.  So other lines lose entries, and those that are left with two are
 * compressed as well.
 *
 * The work of a term is taken to double with each of its rows.  A line is chosen for which the
 * terms promise the least work together, 1/2 for each line that will be compressed; among those
 * one of fewest entries, and of these one that leaves fewest entries in all terms. */
#ifndef PM_EXPANSION_H
#define PM_EXPANSION_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/reduce.h"
#include "pm/run.h"

/* Entries of the line by their place in it, ascending; second < 0: there is one. */
typedef struct {
    int32_t first, second;
} pm_share;

typedef struct {
    bool is_column;
    int64_t line;    /* of the rows or of the columns */
    int64_t nterms;  /* 0: no line may be chosen */
    pm_share *share; /* nterms */
} pm_expansion;

/* Lines with fewer than min_degree entries are looked at that give no more than max_terms terms.
 * Cost: linear in the entries, and for each line looked at, d times the entries of its d
 * neighbours; the pairs of lines of more than 32 entries are not compared but taken as they stand.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_expansion_choose(const pm_block *b, int64_t min_degree, int64_t max_terms,
                              const pm_run *run, pm_expansion *out, pm_error *err);
void pm_expansion_free(pm_expansion *x);

/* *out: term k of the expansion along a row; *divisor: what it is to be divided by.
 * b: the block, transposed if is_column. */
pm_status pm_expansion_term(const pm_block *b, const pm_expansion *x, int64_t k, pm_block *out,
                            int64_t *divisor, pm_error *err);

#endif
