/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/evaluate.h: the value of an expression that comes as events (pm/io.h). */
#ifndef PM_EVALUATE_H
#define PM_EVALUATE_H

#include "pm/io.h"
#include "pm/run.h"
#include "pm/value.h"

typedef struct {
    /* The permanent of one matrix, or its residue.  order: order_len vertices, or NULL.
     * out is initialised.  Not called where a product is 0 already. */
    pm_status (*leaf)(void *ctx, const pm_matrix *a, const int32_t *order, int64_t order_len,
                      pm_value *out, pm_error *err);
    void *ctx;
    uint64_t modulus;  /* > 1: all values modulo it; else 0 */
    const pm_run *run; /* powers that outlast its deadline are refused; NULL: none is */
} pm_evaluate_options;

/* What was met in one item. */
typedef struct {
    char *name;         /* of the item, or NULL */
    int64_t line;       /* where it begins */
    int64_t matrices;   /* how many, each counted once whatever its "times" */
    int64_t n, nnz;     /* sums over them: rows, entries */
    int64_t max_n;      /* rows of the largest one */
    bool is_one_matrix; /* a matrix outside any group */
} pm_evaluate_info;

void pm_evaluate_info_free(pm_evaluate_info *info);

/* The next item of the input: one event outside any group, or a group with all that is in it.
 * Only the path from the root is held in memory; no recursion.
 * out:  initialised by the caller; set when the item was read and PM_OK returned.
 * info: zeroed by the caller; filled as far as the item was read.
 * got:  false at the end of the input.  When a leaf fails with PM_UNABLE, PM_EUSAGE or PM_ENODEV
 *       the rest of the item is still read, *got is true, and the next call takes the next item.
 * Fails: what pm_reader_next and leaf fail with; PM_UNABLE a power too large to be written down, a
 * denominator without inverse; PM_EUSAGE modulus and a real number; PM_ENOMEM. */
pm_status pm_evaluate_next(pm_reader *r, const pm_evaluate_options *opt, pm_value *out,
                           pm_evaluate_info *info, bool *got, pm_error *err);

#endif
