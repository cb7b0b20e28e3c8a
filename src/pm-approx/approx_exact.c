/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-approx/approx_exact.h"

#include <string.h>

#include "integers/exact_node.h"
#include "number/dyadic_size.h"

static pm_status make_sizes(pm_matrix *a, pm_error *err)
{
    pm_matrix sizes = {0};
    pm_status status = pm_matrix_alloc(&sizes, PM_REAL, a->nrows, a->ncols, pm_matrix_nnz(a), err);
    if (status)
        return status;
    memcpy(sizes.rowptr, a->rowptr, ((size_t)a->nrows + 1) * sizeof *a->rowptr);
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k) {
        sizes.colind[k] = a->colind[k];
        pm_dyadic_set_size(&sizes.re[k], &a->re[k], &a->im[k]);
    }
    sizes.row_labels = a->row_labels;
    sizes.col_labels = a->col_labels;
    a->row_labels = a->col_labels = (pm_labels){0};
    pm_matrix_free(a);
    *a = sizes;
    return PM_OK;
}

static pm_status make_node(pm_approx_exact *x, pm_node *node, pm_error *err)
{
    char place[PM_PLACE];
    const pm_matching_kind kind = pm_node_matchings(node, x->depth == 0, x->asked);
    if (pm_matrix_has_roots(&node->matrix)) {
        x->has_sizes = true;
        return make_sizes(&node->matrix, err);
    }
    return pm_exact_node_make_integers(node, kind, pm_node_place(x->from.name, node->line, place),
                                       x->run, err);
}

static pm_status next(void *context, pm_node *out, pm_error *err)
{
    pm_approx_exact *x = context;
    pm_status status = x->from.next(x->from.context, out, err);
    if (!status && out->kind == PM_NODE_MATRIX)
        status = make_node(x, out, err);
    x->depth += pm_node_opens_group(out) - (out->kind == PM_NODE_CLOSE);
    return status;
}

pm_node_source pm_approx_exact_source(pm_approx_exact *x)
{
    return (pm_node_source){next, x, x->from.name};
}
