/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/log_count.h"

#include "estimate/choose.h"
#include "estimate/item_bounds.h"

/* A sequence of one matrix. */
typedef struct {
    const pm_matrix *next; /* NULL: at the end */
} one_matrix;

static pm_status next_node(void *context, pm_node *out, pm_error *err)
{
    one_matrix *s = context;
    pm_node_reset(out);
    if (!s->next)
        return PM_OK;
    out->kind = PM_NODE_MATRIX;
    pm_status status = pm_matrix_copy(s->next, &out->matrix, err);
    s->next = NULL;
    return status;
}

pm_status pm_log_count_make(const pm_matrix *a, const pm_estimate_options *o, const pm_run *run,
                            pm_log_count *out, pm_error *err)
{
    one_matrix sequence = {a};
    const pm_node_source source = {next_node, &sequence, "the graph"};
    pm_expression x = {0};
    pm_bounds b;
    pm_bethe_estimate e;
    bool got;
    const pm_expression_how how = {.asked = PM_MATCHING_PERFECT, .merges = true};
    pm_status status = pm_expression_read(&x, &source, &how, run, &got, err);
    if (!status)
        status = pm_choose_exact(&x, o, run, err);
    if (!status)
        status = pm_item_bounds_make_estimate(&x, o->backend.backend, o->seed, run, &b, &e, err);
    if (!status)
        *out = (pm_log_count){e.log10, x.nsampled == 0};
    pm_expression_free(&x);
    return status;
}
