/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/canonical.h: a form of a block.  Two blocks that are equal up to the order of rows, the
 * order of columns and transposition have the same form in most cases; for general blocks, up to the
 * order of the vertices.
 *
 * Colours of the vertices are refined as by Weisfeiler and Leman: the new colour of a vertex is a
 * hash of its colour and of the colours and values of its entries, until the number of colours no
 * longer grows.  Then the first vertex of the least colour that several vertices share gets a
 * colour of its own, and the refinement goes on.  Rows and columns are sorted by colour.  For
 * blocks with many symmetries the form depends on the initial order: equal forms mean equal blocks,
 * but equal blocks may have several forms. */
#ifndef PM_CANONICAL_H
#define PM_CANONICAL_H

#include <stdint.h>

#include "pm/reduce.h"
#include "pm/run.h"

/* A hash of two numbers. */
uint64_t pm_hash_pair(uint64_t x, uint64_t y);

/* Brings b into its form.  *key: a hash of the form.
 * Fails: PM_ESTOPPED, b is as before; PM_ENOMEM.
 * Cost: at most 64 passes over the entries, each with a sort of the lines. */
pm_status pm_block_canonise(pm_block *b, const pm_run *run, uint64_t *key, pm_error *err);

#endif
