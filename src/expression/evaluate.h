/* SPDX-License-Identifier: GPL-3.0-or-later */
/* expression/evaluate.h: the value of an expression whose nodes come one after another. */
#ifndef PM_EVALUATE_H
#define PM_EVALUATE_H

#include "pm/expression.h"
#include "pm/run.h"
#include "pm/value.h"

typedef struct {
    /* The value of a node that is a matrix, without its factor and repetitions, or its residue.
     * is_item: the node is outside any group.
     * out: initialised by the caller.
     * Not called where the value cannot matter, for example in a product that is 0 already. */
    pm_status (*leaf)(void *ctx, const pm_node *node, bool is_item, pm_value *out, pm_error *err);
    void *ctx;
    /* Leaves of any field have exact values, and factors are taken as they are: all values are fractions. */
    bool exact;
    uint64_t modulus;  /* > 1: all values are residues modulo it; 0: none */
    const pm_run *run; /* a power that would take longer than until its deadline is refused; NULL:
                        * no power is refused for its time */
} pm_evaluate_options;

/* What one item holds. */
typedef struct {
    char *name;         /* of the item, or NULL */
    int64_t line;       /* text line where it begins */
    int64_t matrices;   /* their number; repetitions are not counted */
    int64_t n, nnz;     /* sums over the matrices: rows, entries */
    int64_t max_n;      /* rows of the largest matrix */
    pm_numbers numbers; /* the widest of its nodes */
    bool is_one_matrix; /* the item is a matrix outside any group */
} pm_evaluate_info;

void pm_evaluate_info_free(pm_evaluate_info *info);

/* Evaluates the next item of the source.  Memory: the path from the root; no recursion.
 * out:  initialised by the caller; the value when *got and PM_OK is returned, else undefined.
 * info: zeroed by the caller; filled as far as the item was read.
 * *got: false at the end of the source.  When the value is refused (PM_UNABLE, PM_EUSAGE or
 *       PM_ENODEV) the rest of the item is still read, *got is true, and the next call evaluates
 *       the next item.
 * Fails: what the source and leaf fail with; PM_UNABLE a power too large to be written down, a
 * denominator without inverse; PM_EUSAGE modulus and a real number, but for exact values; PM_ENOMEM. */
pm_status pm_evaluate_next(const pm_node_source *source, const pm_evaluate_options *opt,
                           pm_value *out, pm_evaluate_info *info, bool *got, pm_error *err);

#endif
