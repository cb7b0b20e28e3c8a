/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line "graph" in the head of a matrix: a graph on one set of vertices (pm-stream(5)). */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "io/formats.h"
#include "matrix/symmetric.h"
#include "pm/alloc.h"
#include "text/number.h"

pm_status pm_stream_graph_line(pm_stream_head *h, char *rest, pm_error *err)
{
    pm_stream_extras *x = &h->extras;
    char *word;
    int64_t length;
    if (x->graph_line)
        return pm_source_fail(h->source, err, "expected one line %%pm: graph, this is the second");
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

/* The order names vertices; now they are rows and columns. */
static void number_sides(pm_node *e, const signed char *side, int32_t *number)
{
    const int32_t nrows = (int32_t)e->matrix.nrows;
    int32_t row = 0, column = nrows;
    for (int64_t v = 0; v < e->order_len; ++v)
        number[v] = side[v] ? column++ : row++;
    for (int64_t k = 0; k < e->order_len; ++k)
        e->order[k] = number[e->order[k]];
}

/* A bipartite graph becomes rows and columns, any other one stays as it is. */
static pm_status find_sides(const pm_stream_head *h, pm_node *e, pm_error *err)
{
    pm_matrix *a = &e->matrix, b = {0};
    char place[PM_PLACE];
    pm_reading about = {0};
    pm_read_options opt = *h->opt;
    opt.loops = "";
    pm_onesided g = {
        .nvertices = a->nrows, .symmetric = a, .side = pm_alloc_array(a->nrows, sizeof *g.side)};
    int32_t *number = pm_alloc_array(e->order_len, sizeof *number);
    pm_status status = g.side && number ? PM_OK : pm_fail_memory(err, "colour classes");
    if (!status)
        status = pm_labels_select(&a->row_labels, NULL, a->nrows, &g.labels, err);
    if (!status)
        status = pm_onesided_matrix(
            &g, &opt, pm_node_place(pm_source_name(h->source), h->extras.graph_line, place), &b,
            &about, err);
    if (!status) {
        pm_matrix_free(a);
        *a = b;
        e->general = about.general;
        if (e->order && !e->general)
            number_sides(e, g.side, number);
    }
    free(number);
    free(g.side);
    pm_onesided_free(&g);
    return status;
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
    e->one_set = true;
    if (x->vertex_times.line) {
        status = pm_stream_vertices_finish(h, e, err);
        return status || e->row_times ? status : find_sides(h, e, err);
    }
    if (!x->has_loops && pm_matrix_has_diagonal(a))
        return fail(h, "an empty diagonal, or the word loops,", err);
    return find_sides(h, e, err);
}
