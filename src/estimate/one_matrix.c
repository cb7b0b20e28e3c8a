/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/one_matrix.h"

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

pm_status pm_one_matrix_expression(pm_expression *x, const pm_matrix *a,
                                   const pm_expression_how *how, const pm_run *run, pm_error *err)
{
    one_matrix sequence = {a};
    const pm_node_source source = {next_node, &sequence, "the graph"};
    bool got;
    return pm_expression_read(x, &source, how, run, &got, err);
}
