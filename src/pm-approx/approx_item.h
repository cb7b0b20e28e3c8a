/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_item.h: reads the items of an input, or its matrices, one after another, and calls a
 * function for each. */
#ifndef PM_APPROX_ITEM_H
#define PM_APPROX_ITEM_H

#include "estimate/expression_tree.h"
#include "pm-approx/approx_tasks.h"

typedef struct {
    const char *input;
    pm_expression x;
    bool has_sizes; /* of entries with roots of unity in their place */
} pm_approx_item;

/* Answers one item.  When it fails with PM_UNABLE, PM_EUSAGE, PM_ENODEV, or PM_ESTOPPED because of
 * a time limit, only this item fails, and the next one is read. */
typedef pm_status pm_approx_answer(const pm_approx_context *c, pm_approx_item *item,
                                   pm_answers *out, pm_error *err);

/* Reads the next item of the source and answers it.  *got: false at the end. */
pm_status pm_approx_next(const pm_approx_context *c, const pm_node_source *source,
                         pm_approx_answer *answer, pm_answers *out, bool *got, pm_error *err);

/* For questions about whole matrices: calls `answer` for every matrix of the input. */
pm_status pm_approx_matrices(const pm_approx_context *c, pm_matrix_answer *answer, pm_reader *r,
                             pm_answers *out, pm_error *err);
/* The answer about a matrix has failed: tells why, and goes on with the next one where that is possible. */
pm_status pm_approx_matrix_fails(const pm_approx_context *c, const pm_node *event,
                                 const char *input, pm_status status, const pm_error *why,
                                 pm_answers *out, pm_error *err);

#endif
