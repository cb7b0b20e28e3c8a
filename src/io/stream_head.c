/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The "%pm:" lines in the head of a matrix: rows, cols, order, name, made-by; those of version 2
 * are in io/stream_extras.c. */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/formats.h"
#include "pm/alloc.h"
#include "text/escape.h"
#include "text/number.h"

static pm_status bad_escape(const pm_source *s, pm_error *err)
{
    return pm_source_fail(s, err, "expected \\\\, \\s, \\xHH or \\e after a backslash");
}

pm_status pm_stream_text(const pm_source *s, char *text, char **out, pm_error *err)
{
    text += strspn(text, " \t");
    int64_t length = (int64_t)strlen(text);
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\t'))
        --length;
    if (pm_unescape(text, &length) != PM_UNESCAPE_DONE)
        return bad_escape(s, err);
    char *copy = pm_alloc_array(length + 1, 1);
    if (!copy)
        return pm_fail_memory(err, "a name");
    memcpy(copy, text, (size_t)length);
    copy[length] = '\0';
    *out = copy;
    return PM_OK;
}

/* ---- one line ---- */

static pm_status append_part(pm_stream_head *h, const pm_stream_labels *side, const char *text,
                             int64_t length, pm_error *err)
{
    if (PM_GROW(h->part, h->part_cap, h->part_len + length + 1))
        return pm_fail_memory(err, "a label");
    memcpy(h->part + h->part_len, text, (size_t)length);
    h->part_len += length;
    h->part_of = side;
    return PM_OK;
}

static pm_status take_label(pm_stream_head *h, pm_stream_labels *side, char *text, int64_t length,
                            bool is_last, pm_error *err)
{
    pm_unescape_end end = pm_unescape(text, &length);
    if (end == PM_UNESCAPE_BAD || (end == PM_UNESCAPE_GOES_ON && !is_last))
        return bad_escape(h->source, err);
    if (end == PM_UNESCAPE_GOES_ON)
        return append_part(h, side, text, length, err);
    if (h->part_of) {
        pm_status status = append_part(h, side, text, length, err);
        if (status)
            return status;
        text = h->part;
        length = h->part_len;
        h->part_len = 0;
        h->part_of = NULL;
    }
    return pm_labels_append(&side->labels, text, length, err);
}

static pm_status take_labels(pm_stream_head *h, pm_stream_labels *side, char *rest, pm_error *err)
{
    char *text;
    int64_t length;
    side->line = pm_source_line_number(h->source);
    while (pm_field_next(&rest, &text, &length)) {
        pm_status status = take_label(h, side, text, length, *rest == '\0', err);
        if (status)
            return status;
    }
    return PM_OK;
}

static pm_status take_order(pm_stream_head *h, char *rest, pm_error *err)
{
    char *text, quote[PM_QUOTE];
    int64_t length, number;
    h->order_line = pm_source_line_number(h->source);
    while (pm_field_next(&rest, &text, &length)) {
        if ((*text != 'r' && *text != 'c') || !pm_size_parse(text + 1, length - 1, &number)
            || number < 1 || number > INT32_MAX)
            return pm_source_fail(h->source, err,
                                  "expected a row such as r3 or a column such as c5, not %s",
                                  pm_quote(text, length, quote));
        if (PM_GROW(h->order, h->order_cap, h->order_len + 1))
            return pm_fail_memory(err, "an order");
        h->order[h->order_len++] = (int32_t)(*text == 'r' ? number - 1 : -number);
    }
    return PM_OK;
}

static pm_status take_name(pm_stream_head *h, char *rest, pm_error *err)
{
    if (h->name)
        return pm_source_fail(h->source, err, "expected one name, this is the second");
    return pm_stream_text(h->source, rest, &h->name, err);
}

pm_status pm_stream_head_line(void *head, char *text, pm_error *err)
{
    pm_stream_head *h = head;
    const pm_source *s = h->source;
    char *word, quote[PM_QUOTE];
    int64_t length;
    if (strlen("%pm:") + strlen(text) > PM_STREAM_LINE_MAX)
        return pm_source_fail(s, err, "expected at most %d bytes in a '%%pm:' line of a matrix",
                              (int)PM_STREAM_LINE_MAX);
    pm_field_next(&text, &word, &length);
    const pm_stream_labels *of = pm_field_is(word, length, "rows")   ? &h->rows
                                 : pm_field_is(word, length, "cols") ? &h->cols
                                                                     : NULL;
    if (h->part_of && h->part_of != of)
        return pm_source_fail(s, err, "expected the rest of the last label of the line before");
    if (of)
        return take_labels(h, of == &h->rows ? &h->rows : &h->cols, text, err);
    if (pm_field_is(word, length, "order"))
        return take_order(h, text, err);
    if (pm_field_is(word, length, "name"))
        return take_name(h, text, err);
    if (pm_field_is(word, length, "made-by"))
        return PM_OK;
    if (pm_field_is(word, length, "factor") || pm_field_is(word, length, "times"))
        return pm_source_fail(s, err, "expected %.*s before the banner, not after it", (int)length,
                              word);
    bool is_known;
    pm_status status = pm_stream_extras_line(h, word, length, text, &is_known, err);
    if (status || is_known)
        return status;
    return pm_source_fail(s, err,
                          "expected rows, cols, order, name or made-by after '%%pm:', not %s",
                          pm_quote(word, length, quote));
}

/* ---- checks against the sizes ---- */

static pm_status check_labels(const pm_stream_head *h, const pm_stream_labels *l, const char *what,
                              int64_t size, pm_error *err)
{
    if (!l->line || l->labels.count == size)
        return PM_OK;
    return pm_fail(err, PM_EDATA,
                   "%s:%" PRId64 ": expected %" PRId64 " labels, one for each %s, not %" PRId64,
                   pm_source_name(h->source), l->line, size, what, l->labels.count);
}

static pm_status bad_vertex(const pm_stream_head *h, int32_t v, const char *what, pm_error *err)
{
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": the order names %s %" PRId64 ", %s",
                   pm_source_name(h->source), h->order_line, v < 0 ? "column" : "row",
                   v < 0 ? -(int64_t)v : (int64_t)v + 1, what);
}

/* Numbers the columns from nrows on, and checks that the order has every vertex exactly once. */
static pm_status finish_order(pm_stream_head *h, int64_t nrows, int64_t ncols, pm_error *err)
{
    pm_status status = PM_OK;
    if (!h->order_line)
        return PM_OK;
    if (nrows + ncols > INT32_MAX)
        return pm_fail(err, PM_UNABLE, "%s:%" PRId64 ": too many rows and columns for an order",
                       pm_source_name(h->source), h->order_line);
    bool *seen = pm_calloc_array(nrows + ncols, sizeof *seen);
    if (!seen)
        return pm_fail_memory(err, "an order");
    for (int64_t k = 0; k < h->order_len; ++k) {
        int32_t v = h->order[k];
        int64_t j = -1 - (int64_t)v, at = v < 0 ? nrows + j : v;
        if (v < 0 ? j >= ncols : v >= nrows) {
            status = bad_vertex(h, v, "which the matrix does not have", err);
            goto done;
        }
        if (seen[at]) {
            status = bad_vertex(h, v, "which it has named before", err);
            goto done;
        }
        seen[at] = true;
        h->order[k] = (int32_t)at;
    }
    if (h->order_len < nrows + ncols)
        status =
            pm_fail(err, PM_EDATA,
                    "%s:%" PRId64 ": expected all %" PRId64 " rows and columns in the order, not "
                    "%" PRId64,
                    pm_source_name(h->source), h->order_line, nrows + ncols, h->order_len);
done:
    free(seen);
    return status;
}

pm_status pm_stream_head_finish(pm_stream_head *h, pm_node *e, pm_error *err)
{
    pm_matrix *a = &e->matrix;
    if (h->part_of)
        return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": expected the rest of the last label",
                       pm_source_name(h->source), h->part_of->line);
    if (h->name && e->name)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected one name, before the matrix or in its head",
                       pm_source_name(h->source), e->line);
    pm_status status = check_labels(h, &h->rows, "row", a->nrows, err);
    if (!status)
        status = check_labels(h, &h->cols, "column", a->ncols, err);
    if (!status)
        status = finish_order(h, a->nrows, h->extras.graph_line ? 0 : a->ncols, err);
    if (status)
        return status;
    pm_labels_free(&a->row_labels);
    pm_labels_free(&a->col_labels);
    a->row_labels = h->rows.labels;
    a->col_labels = h->cols.labels;
    e->order = h->order;
    e->order_len = h->order_len;
    if (h->name)
        e->name = h->name;
    h->rows.labels = h->cols.labels = (pm_labels){0};
    h->order = NULL;
    h->name = NULL;
    return pm_stream_extras_finish(h, e, err);
}

void pm_stream_head_free(pm_stream_head *h)
{
    pm_labels_free(&h->rows.labels);
    pm_labels_free(&h->cols.labels);
    free(h->order);
    free(h->name);
    free(h->part);
    pm_stream_extras_free(&h->extras);
    *h = (pm_stream_head){0};
}
