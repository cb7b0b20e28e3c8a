/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines vertex-times and vertex-loops in the head of a matrix with a line graph: a graph whose vertices have copies
 * (pm-stream(5)). */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>

#include "io/formats.h"
#include "io/vertex_loops.h"
#include "pm/alloc.h"
#include "text/value_read.h"

pm_status pm_stream_vertex_loops_line(pm_stream_head *h, char *rest, pm_error *err)
{
    pm_stream_loops *to = &h->extras.vertex_loops;
    char *text;
    int64_t length;
    to->line = pm_source_line_number(h->source);
    while (pm_field_next(&rest, &text, &length)) {
        pm_scalar x = {.field = PM_INTEGER};
        if (PM_GROW(to->value, to->cap, to->count + 1))
            return pm_fail_memory(err, "loops");
        pm_status status = pm_read_scalar(h->source, text, length, &x, err);
        if (status) {
            pm_scalar_clear(&x);
            return status;
        }
        to->value[to->count++] = x;
    }
    return PM_OK;
}

void pm_stream_loops_free(pm_stream_loops *x)
{
    for (int64_t i = 0; i < x->count; ++i)
        pm_scalar_clear(&x->value[i]);
    free(x->value);
    *x = (pm_stream_loops){0};
}

static pm_status fail(const pm_stream_head *h, int64_t line, const char *what, pm_error *err)
{
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": expected %s", pm_source_name(h->source), line,
                   what);
}

static pm_status check(const pm_stream_head *h, int64_t n, pm_error *err)
{
    const pm_stream_extras *x = &h->extras;
    const pm_stream_loops *loops = &x->vertex_loops;
    if (h->order_line)
        return fail(h, h->order_line, "no order of a graph with vertex-times", err);
    if (loops->line && !x->has_loops)
        return fail(h, loops->line, "a line %pm: graph loops with vertex-loops", err);
    if (loops->line && loops->count != n)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected %" PRId64
                       " numbers, one for each vertex, not %" PRId64,
                       pm_source_name(h->source), loops->line, n, loops->count);
    return PM_OK;
}

/* Loops other than 0 become 1. */
static void make_pattern(pm_stream_loops *x)
{
    for (int64_t i = 0; i < x->count; ++i) {
        const bool is_zero = pm_scalar_is_zero(&x->value[i]);
        pm_scalar_clear(&x->value[i]);
        x->value[i].field = PM_INTEGER;
        pm_dyadic_set_si(&x->value[i].re, !is_zero);
    }
}

pm_status pm_stream_vertices_finish(pm_stream_head *h, pm_node *e, pm_error *err)
{
    pm_stream_extras *x = &h->extras;
    pm_error why;
    pm_status status = check(h, e->matrix.nrows, err);
    if (status)
        return status;
    if (h->opt->pattern) {
        pm_matrix_make_pattern(&e->matrix);
        make_pattern(&x->vertex_loops);
    }
    e->general = true;
    e->row_times = x->vertex_times.value;
    x->vertex_times.value = NULL;
    if (x->vertex_loops.line)
        status = pm_vertex_loops_set(e, x->vertex_loops.value, 1, err);
    else if (x->has_loops)
        status = pm_vertex_loops_diagonal(e, err);
    if (status || h->opt->keep_repeats)
        return status;
    status = pm_node_write_out(e, &why);
    return status ? pm_fail(err, status, "%s:%" PRId64 ": %s", pm_source_name(h->source),
                            x->vertex_times.line, why.msg)
                  : PM_OK;
}
