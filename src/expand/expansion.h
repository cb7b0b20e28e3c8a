/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/expansion.h: chooses the line along which a block is expanded, and its terms.
 *
 * Each term gets one or two entries of the line.  It gets two where both neighbours have capacity
 * 1: the reductions then merge these neighbours.  Otherwise it gets one entry, which is then
 * forced.  In a term of one entry its neighbour loses all other entries.  In a term of two entries,
 * where both neighbours have an entry in the same line, these two entries become one.  So other
 * lines lose entries, and lines with two remaining entries are removed by the reductions as well.
 *
 * A line of a general block is a vertex with its edges, and its loop is one more entry.  Two edges
 * merge their ends; an edge and the loop remove the vertex alone.  Both are done by the reductions.
 *
 * The model: the work of a term doubles with each of its rows.  The chosen line has the least work
 * of all its terms together, where each line that will be removed halves the work of its term;
 * among equals, the fewest entries; among these, the fewest remaining entries in all terms. */
#ifndef PM_EXPANSION_H
#define PM_EXPANSION_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/reduce.h"
#include "pm/run.h"

/* The entries of a term, by their index in the line, first < second; second < 0: one entry. */
typedef struct {
    int32_t first, second;
} pm_share;

typedef struct {
    bool is_column;
    int64_t line;    /* of the rows or of the columns; of a general block: a vertex */
    int64_t nterms;  /* 0: no line may be chosen */
    pm_share *share; /* nterms */
} pm_expansion;

/* Considers the lines with fewer than min_degree entries that give at most max_terms terms.
 * *out: freed by the caller.
 * Cost: linear in the entries; and for each considered line, of d entries, d times the entries of
 * its neighbours.  For lines of more than 32 entries only neighbouring pairs are considered.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_expansion_choose(const pm_block *b, int64_t min_degree, int64_t max_terms,
                              const pm_run *run, pm_expansion *out, pm_error *err);
void pm_expansion_free(pm_expansion *x);

/* *out: term k of the expansion along a row; its value is to be divided by *divisor.
 * The caller frees *out.  b: the block, transposed when x->is_column.  Fails: PM_ENOMEM. */
pm_status pm_expansion_term(const pm_block *b, const pm_expansion *x, int64_t k, pm_block *out,
                            int64_t *divisor, pm_error *err);

#endif
