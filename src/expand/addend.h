/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/addend.h: a factor times permanents of blocks in canonical form: what a matrix becomes
 * by the reductions, and what sums are made of. */
#ifndef PM_ADDEND_H
#define PM_ADDEND_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/fraction.h"
#include "pm/reduce.h"
#include "pm/run.h"

typedef struct {
    pm_fraction factor;
    int64_t nblocks;
    pm_block *blocks; /* larger ones first, equal ones side by side */
    uint64_t key;     /* of the blocks; equal ones have equal keys */
    int64_t n;        /* of all blocks together */
} pm_addend;

/* The empty product with factor 1. */
void pm_addend_init(pm_addend *t);
void pm_addend_clear(pm_addend *t);

/* What is left of b, or of square a, by the reductions; *out is initialised by the caller.
 * Fails: PM_UNABLE a factor too long for a fraction, or what pm_reduce fails with. */
pm_status pm_addend_of_block(const pm_block *b, const pm_reduce_options *opt, const pm_run *run,
                             pm_addend *out, pm_error *err);
pm_status pm_addend_of_matrix(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                              pm_addend *out, pm_error *err);

/* Same blocks; factors may differ. */
bool pm_addend_same_blocks(const pm_addend *a, const pm_addend *b);

/* Memory that t holds, about. */
int64_t pm_addend_bytes(const pm_addend *t);

#endif
