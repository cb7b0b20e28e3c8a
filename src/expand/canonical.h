/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/canonical.h: a form in which blocks that are equal up to the order of their rows and
 * columns, and up to transposition, are mostly equal.
 *
 * Colours are refined as by Weisfeiler and Leman: the colour of a vertex takes up those of its
 * neighbours with the values between, until nothing new is told apart; then the first vertex of
 * the least colour that several share is told apart, and so on.  Rows and columns are sorted by
 * colour.  The form of a block of great symmetry depends on where it started from: equal forms
 * belong to equal blocks, but equal blocks may have several forms. */
#ifndef PM_CANONICAL_H
#define PM_CANONICAL_H

#include <stdint.h>

#include "pm/reduce.h"

/* One number out of two, scattered. */
uint64_t pm_hash_pair(uint64_t x, uint64_t y);

/* Bring b into its form; *key: a hash of the form.
 * Cost: at most 64 passes over the entries, each with a sort of the lines. */
pm_status pm_block_canonise(pm_block *b, uint64_t *key, pm_error *err);

#endif
