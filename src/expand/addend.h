/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expand/addend.h: a term of a sum: a factor times the weighted counts of blocks in canonical form.
 * The reductions make one of each matrix.  Blocks are bipartite or general (pm_block.general). */
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
    pm_block *blocks; /* larger ones first; equal ones are neighbours */
    uint64_t key;     /* a hash of the blocks */
    int64_t n;        /* sum over the blocks of their n */
} pm_addend;

/* No blocks, factor 1. */
void pm_addend_init(pm_addend *t);
void pm_addend_clear(pm_addend *t);

/* Reduces block b, or matrix a, which is square, and symmetric when it is that of a general graph.
 * *out: initialised by the caller.
 * Fails: PM_UNABLE the factor is too long for a pm_fraction; what pm_reduce and pm_general_reduce
 * fail with. */
pm_status pm_addend_of_block(const pm_block *b, const pm_reduce_options *opt, const pm_run *run,
                             pm_addend *out, pm_error *err);
pm_status pm_addend_of_matrix(const pm_matrix *a, bool general, const pm_reduce_options *opt,
                              const pm_run *run, pm_addend *out, pm_error *err);

/* True when the blocks are equal; the factors may differ. */
bool pm_addend_same_blocks(const pm_addend *a, const pm_addend *b);

/* A hash of the blocks that depends on the secret seed (core/keyed_hash.h), for tables.  (The key does
 * not, as it decides the order of the blocks, and blocks with equal keys can be chosen.) */
uint64_t pm_addend_hash(const pm_addend *t);

/* Bytes of memory of t, about. */
int64_t pm_addend_bytes(const pm_addend *t);

#endif
