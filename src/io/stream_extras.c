/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The lines of version 2 in the head of a matrix: count, row-times, col-times, row-places,
 * col-places; graph is in io/stream_graph.c, what else copies of vertices have in io/stream_vertices.c (pm-stream(5)). */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/formats.h"
#include "pm/alloc.h"
#include "text/number.h"
#include "text/value_read.h"

/* ---- lines ---- */

static pm_status bad_count(const pm_source *s, pm_error *err)
{
    return pm_source_fail(s, err,
                          "expected 'count maximum' or 'count saturate [rows|cols]' after '%%pm:'");
}

static pm_status take_count(pm_stream_head *h, char *rest, pm_error *err)
{
    char *text, *side;
    int64_t length, of_side;
    if (h->extras.has_count)
        return pm_source_fail(h->source, err, "expected one count, this is the second");
    h->extras.has_count = true;
    bool is_maximum = pm_field_next(&rest, &text, &length) && pm_field_is(text, length, "maximum");
    if (!is_maximum && !pm_field_is(text, length, "saturate"))
        return bad_count(h->source, err);
    bool has_side = pm_field_next(&rest, &side, &of_side);
    if (is_maximum && !has_side)
        h->extras.matchings = PM_MATCHING_MAXIMUM;
    else if (!is_maximum && !has_side)
        h->extras.matchings = PM_MATCHING_SATURATING;
    else if (!is_maximum && pm_field_is(side, of_side, "rows"))
        h->extras.matchings = PM_MATCHING_ROWS;
    else if (!is_maximum && pm_field_is(side, of_side, "cols"))
        h->extras.matchings = PM_MATCHING_COLUMNS;
    else
        return bad_count(h->source, err);
    return pm_field_next(&rest, &text, &length) ? bad_count(h->source, err) : PM_OK;
}

static pm_status take_times(const pm_source *s, pm_stream_numbers *to, char *rest, pm_error *err)
{
    char *text, quote[PM_QUOTE];
    int64_t length, number;
    to->line = pm_source_line_number(s);
    while (pm_field_next(&rest, &text, &length)) {
        if (!pm_size_parse(text, length, &number) || number > INT32_MAX)
            return pm_source_fail(s, err, "expected an integer from 0 to %d, not %s", INT32_MAX,
                                  pm_quote(text, length, quote));
        if (PM_GROW(to->value, to->cap, to->count + 1))
            return pm_fail_memory(err, "repetitions");
        to->value[to->count++] = number;
    }
    return PM_OK;
}

static pm_status take_places(const pm_source *s, pm_stream_numbers *to, char *rest, pm_error *err)
{
    char *text;
    int64_t length;
    to->line = pm_source_line_number(s);
    for (; pm_field_next(&rest, &text, &length); ++to->count) {
        pm_dyadic x = {0};
        pm_status status = pm_read_value(s, text, length, PM_REAL, &x, NULL, err);
        pm_dyadic_clear(&x);
        if (status)
            return status;
    }
    return PM_OK;
}

pm_status pm_stream_extras_line(pm_stream_head *h, const char *word, int64_t length, char *rest,
                                bool *is_known, pm_error *err)
{
    static const char *const words[] = {"count",      "row-times", "col-times",    "row-places",
                                        "col-places", "graph",     "vertex-times", "vertex-loops"};
    enum { WORDS = sizeof words / sizeof *words };
    pm_stream_extras *x = &h->extras;
    size_t k = 0;
    while (k < WORDS && !pm_field_is(word, length, words[k]))
        ++k;
    *is_known = k < WORDS;
    if (!*is_known)
        return PM_OK;
    if (h->version < 2)
        return pm_source_fail(h->source, err, "expected %%pm: stream 2 before a line %%pm: %s",
                              words[k]);
    switch (k) {
    case 0: return take_count(h, rest, err);
    case 1: return take_times(h->source, &x->row_times, rest, err);
    case 2: return take_times(h->source, &x->col_times, rest, err);
    case 3: return take_places(h->source, &x->row_places, rest, err);
    case 4: return take_places(h->source, &x->col_places, rest, err);
    case 5: return pm_stream_graph_line(h, rest, err);
    case 6: return take_times(h->source, &x->vertex_times, rest, err);
    default: return pm_stream_vertex_loops_line(h, rest, err);
    }
}

pm_status pm_stream_extras_refuse(void *head, char *text, pm_error *err)
{
    static const char *const words[] = {"count", "row-times", "col-times", "vertex-times",
                                        "vertex-loops"};
    const pm_stream_head *h = head;
    char *word;
    int64_t length;
    if (!pm_field_next(&text, &word, &length))
        return PM_OK;
    for (size_t k = 0; k < sizeof words / sizeof *words; ++k)
        if (pm_field_is(word, length, words[k]))
            return pm_source_fail(h->source, err,
                                  "expected no line %%pm: %s in a matrix that is read as a graph "
                                  "on one set of vertices",
                                  words[k]);
    return PM_OK;
}

/* ---- checks against the sizes ---- */

static pm_status check_numbers(const pm_stream_head *h, const pm_stream_numbers *n, int64_t wanted,
                               const char *what, pm_error *err)
{
    if (!n->line || n->count == wanted)
        return PM_OK;
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": expected %" PRId64 " numbers, %s, not %" PRId64,
                   pm_source_name(h->source), n->line, wanted, what, n->count);
}

static pm_status repeat(pm_stream_head *h, pm_node *e, pm_error *err)
{
    pm_stream_extras *x = &h->extras;
    int64_t line = x->row_times.line ? x->row_times.line : x->col_times.line;
    pm_error why;
    if (h->order_line)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected no order of a matrix with row-times or col-times",
                       pm_source_name(h->source), h->order_line);
    e->row_times = x->row_times.value;
    e->col_times = x->col_times.value;
    x->row_times.value = x->col_times.value = NULL;
    pm_status status = h->opt->keep_repeats ? PM_OK : pm_node_write_out(e, &why);
    if (status)
        return pm_fail(err, status, "%s:%" PRId64 ": %s", pm_source_name(h->source), line, why.msg);
    return PM_OK;
}

/* Lines about copies of vertices go with others. */
static pm_status check_vertices(const pm_stream_head *h, pm_error *err)
{
    const pm_stream_extras *x = &h->extras;
    if (x->vertex_times.line && !x->graph_line)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected a line %%pm: graph with vertex-times",
                       pm_source_name(h->source), x->vertex_times.line);
    if (x->vertex_loops.line && !x->vertex_times.line)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected a line vertex-times with vertex-loops",
                       pm_source_name(h->source), x->vertex_loops.line);
    return PM_OK;
}

pm_status pm_stream_extras_finish(pm_stream_head *h, pm_node *e, pm_error *err)
{
    const pm_stream_extras *x = &h->extras;
    int64_t nrows = e->matrix.nrows, ncols = e->matrix.ncols;
    e->matchings = x->matchings;
    pm_status status = check_numbers(h, &x->row_places, 2 * nrows, "two for each row", err);
    if (!status)
        status = check_numbers(h, &x->col_places, 2 * ncols, "two for each column", err);
    if (!status)
        status = check_numbers(h, &x->row_times, nrows, "one for each row", err);
    if (!status)
        status = check_numbers(h, &x->col_times, ncols, "one for each column", err);
    if (!status)
        status = check_numbers(h, &x->vertex_times, nrows, "one for each vertex", err);
    if (!status)
        status = check_vertices(h, err);
    if (!status && x->graph_line)
        status = pm_stream_graph_finish(h, e, err);
    else if (!status && (x->row_times.line || x->col_times.line))
        status = repeat(h, e, err);
    return status;
}

void pm_stream_extras_free(pm_stream_extras *x)
{
    free(x->row_times.value);
    free(x->col_times.value);
    free(x->vertex_times.value);
    pm_stream_loops_free(&x->vertex_loops);
    *x = (pm_stream_extras){0};
}
