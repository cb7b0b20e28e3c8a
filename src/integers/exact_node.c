/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "integers/exact_node.h"

#include "integers/integer_scale.h"

/* The matrix becomes that of s, with its labels. */
static void replace(pm_node *node, pm_integer_scale *s)
{
    s->a.row_labels = node->matrix.row_labels;
    s->a.col_labels = node->matrix.col_labels;
    node->matrix.row_labels = node->matrix.col_labels = (pm_labels){0};
    pm_matrix_free(&node->matrix);
    node->matrix = s->a;
    s->a = (pm_matrix){.rowptr = NULL};
    mpq_mul(node->factor.re, node->factor.re, s->factor);
    mpq_mul(node->factor.im, node->factor.im, s->factor);
}

pm_status pm_exact_node_make_integers(pm_node *node, pm_matching_kind kind, const char *where,
                                      const pm_run *run, pm_error *err)
{
    pm_integer_scale s;
    pm_error why;
    const pm_matched_lines lines = {.kind = kind, .general = node->general};
    if (node->matrix.field <= PM_INTEGER)
        return PM_OK;
    pm_integer_scale_init(&s);
    pm_status status = pm_integer_scale_make(&node->matrix, &lines, run, &s, &why);
    if (status)
        pm_fail_after(&why, err, status, "%s: %s", where, why.msg);
    else
        replace(node, &s);
    pm_integer_scale_free(&s);
    return status;
}
