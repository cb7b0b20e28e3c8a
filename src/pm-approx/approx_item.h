/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_item.h: the items of an input, one after another, for whatever is asked about them. */
#ifndef PM_APPROX_ITEM_H
#define PM_APPROX_ITEM_H

#include "cli/answers.h"
#include "estimate/expression_tree.h"
#include "pm-approx/approx_tasks.h"

/* A graph, or a product or sum with all that is in it. */
typedef struct {
    const char *input;
    pm_expression x;
} pm_approx_item;

/* Answer one item.  PM_UNABLE, PM_EUSAGE, PM_ENODEV, PM_ESTOPPED by a limit of time: this one alone
 * fails. */
typedef pm_status pm_approx_answer(const pm_approx_context *c, pm_approx_item *it, pm_answers *out,
                                   pm_error *err);

/* To the end of the input, or the last word before a stop. */
pm_status pm_approx_items(const pm_approx_context *c, pm_reader *r, pm_approx_answer *answer,
                          pm_answers *out, pm_error *err);

#endif
