/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line "graph" in the head of a matrix: a graph on one set of vertices (pm-stream(5)). */
#include "config.h"

#include <inttypes.h>

#include "io/formats.h"
#include "matrix/symmetric.h"
#include "text/number.h"

pm_status pm_stream_graph_line(pm_stream_head *h, char *rest, pm_error *err)
{
    pm_stream_extras *x = &h->extras;
    char *word;
    int64_t length;
    if (x->graph_line)
        return pm_source_fail(h->source, err, "expected one line %%pm: graph, this is the second");
    if (!h->general)
        return pm_fail(
            err, PM_UNABLE,
            "%s:%" PRId64
            ": a graph on one set of vertices, which this program does not take with these options",
            pm_source_name(h->source), pm_source_line_number(h->source));
    x->graph_line = pm_source_line_number(h->source);
    x->has_loops = pm_field_next(&rest, &word, &length);
    if (x->has_loops
        && (!pm_field_is(word, length, "loops") || pm_field_next(&rest, &word, &length)))
        return pm_source_fail(h->source, err, "expected 'graph' or 'graph loops' after '%%pm:'");
    return PM_OK;
}

static pm_status fail(const pm_stream_head *h, const char *what, pm_error *err)
{
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": expected %s with a line %%pm: graph",
                   pm_source_name(h->source), h->extras.graph_line, what);
}

pm_status pm_stream_graph_finish(pm_stream_head *h, pm_node *e, pm_error *err)
{
    const pm_stream_extras *x = &h->extras;
    pm_matrix *a = &e->matrix;
    bool is_symmetric = false;
    if (x->has_count || x->row_times.line || x->col_times.line)
        return fail(h, "no lines count, row-times and col-times", err);
    if (pm_labels_exist(&a->col_labels) || x->col_places.line)
        return fail(h, "labels and places of rows only", err);
    pm_status status = a->nrows == a->ncols ? pm_matrix_is_symmetric(a, &is_symmetric, err) : PM_OK;
    if (status)
        return status;
    if (!is_symmetric)
        return fail(h, "a symmetric matrix", err);
    if (!x->has_loops && pm_matrix_has_diagonal(a))
        return fail(h, "an empty diagonal, or the word loops,", err);
    e->general = e->one_set = true;
    return pm_labels_select(&a->row_labels, NULL, a->nrows, &a->col_labels, err);
}
