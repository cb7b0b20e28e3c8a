/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reduce/matching_block.h: counts of matchings that are not perfect as weighted counts of blocks.
 *
 * By the coarse Dulmage-Mendelsohn decomposition every maximum matching consists of a perfect
 * matching of the square part, a matching of the under-determined part that covers its rows, and
 * one of the over-determined part that covers its columns.  A connected component of the
 * under-determined part with r rows and c columns gets one row of capacity c - r whose entries are
 * all 1: this row is matched to the columns that the matching leaves free.  In the same way a
 * component of the over-determined part gets a column.  So no factorial is divided out, and the
 * count is exact in every field and modulo every number. */
#ifndef PM_MATCHING_BLOCK_H
#define PM_MATCHING_BLOCK_H

#include <stdbool.h>

#include "pm/matching_kind.h"
#include "pm/reduce.h"

/* *out: the block whose weighted count (pm/reduce.h) is the sum, over the matchings of this kind,
 * of the products of their values.  Its first rows and columns are those of a, without labels;
 * the added ones follow.  Entries that are in no maximum matching may be left out.
 * out: freed by the caller with pm_block_free; log2_bound is not set.
 * *exists: false when a has no matching of this kind; out is empty then.
 * Fails: PM_UNABLE 2^31 or more rows or columns; PM_ENOMEM. */
pm_status pm_matching_block(const pm_matrix *a, pm_matching_kind kind, pm_block *out, bool *exists,
                            pm_error *err);

#endif
