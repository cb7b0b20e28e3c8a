/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_item.h: reads the items of an input, one after another, and calls a function
 * for each. */
#ifndef PM_APPROX_ITEM_H
#define PM_APPROX_ITEM_H

#include "estimate/expression_tree.h"
#include "pm-approx/approx_tasks.h"

typedef struct {
    const char *input;
    pm_expression x;
} pm_approx_item;

/* Answers one item.  When it fails with PM_UNABLE, PM_EUSAGE, PM_ENODEV, or PM_ESTOPPED because of
 * a time limit, only this item fails, and the next one is read. */
typedef pm_status pm_approx_answer(const pm_approx_context *c, pm_approx_item *item,
                                   pm_answers *out, pm_error *err);

/* Reads until the end of the input, or until an answer that was cut short by a signal. */
pm_status pm_approx_items(const pm_approx_context *c, pm_reader *r, pm_approx_answer *answer,
                          pm_answers *out, pm_error *err);

#endif
