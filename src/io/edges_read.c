/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge lists: each line is "left right [weight]".  Lines that start with # or % are comments.
 * io/edge_table.h says what the labels mean.  A size line is "# pm-edges ROWS COLS"; it is refused for a
 * one-sided graph because it gives the sizes of two sides. */
#include "config.h"

#include <string.h>

#include "io/edge_table.h"
#include "io/formats.h"
#include "io/number.h"

typedef pm_edge_table list;

/* ---- lines ---- */

static pm_status read_size(const list *x, char **line, int64_t *size, pm_error *err)
{
    char *field, quote[PM_QUOTE];
    int64_t length;
    if (pm_field_next(line, &field, &length) && pm_size_parse(field, length, size)
        && *size <= INT32_MAX)
        return PM_OK;
    return pm_source_fail(x->s, err, "expected a size from 0 to %d after 'pm-edges', not %s",
                          INT32_MAX, pm_quote(field, length, quote));
}

/* A comment line, which may be the size line. */
static pm_status read_comment(list *x, char *line, pm_error *err)
{
    static const char word[] = "pm-edges";
    char *field;
    int64_t length;
    if (!pm_field_next(&line, &field, &length) || length != (int64_t)strlen(word)
        || memcmp(field, word, strlen(word)) != 0)
        return PM_OK;
    if (x->opt->graph)
        return pm_source_fail(x->s, err,
                              "expected the edges of a one-sided graph, found the size line of a "
                              "two-sided one");
    if (x->fields || x->sides[0].size >= 0)
        return pm_source_fail(x->s, err, "expected one size line, before the first edge");
    pm_status status = read_size(x, &line, &x->sides[0].size, err);
    if (!status)
        status = read_size(x, &line, &x->sides[1].size, err);
    if (!status && pm_field_next(&line, &field, &length))
        status = pm_source_fail(x->s, err, "expected '# pm-edges ROWS COLS' and nothing more");
    return status;
}

static pm_status fail_fields(const list *x, int got, pm_error *err)
{
    if (x->fields)
        return pm_source_fail(x->s, err, "expected %d fields as in the first edge, not %s%d",
                              x->fields, got > 3 ? "more than " : "", got > 3 ? 3 : got);
    if (got > 3)
        return pm_source_fail(x->s, err,
                              "expected 'left right [weight]', found more than 3 fields (complex "
                              "weights need Matrix Market)");
    return pm_source_fail(x->s, err, "expected 'left right [weight]', found 1 field");
}

static pm_status read_weight(list *x, const char *text, int64_t length, pm_dyadic *weight,
                             pm_error *err)
{
    bool is_integer;
    pm_status status = pm_read_value(x->s, text, length, PM_REAL, weight, &is_integer, err);
    if (!status && !is_integer)
        x->has_real = true;
    return status;
}

/* An edge whose first field has been cut off already. */
static pm_status read_edge(list *x, char *rest, char *field[3], int64_t length[3], pm_error *err)
{
    char *extra;
    int64_t ignored;
    int got = 1;
    while (got < 3 && pm_field_next(&rest, &field[got], &length[got]))
        ++got;
    if (got == 3 && pm_field_next(&rest, &extra, &ignored))
        ++got;
    if (got < 2 || got > 3 || (x->fields && got != x->fields))
        return fail_fields(x, got, err);
    if (!x->fields)
        x->to.field = got == 3 ? PM_REAL : PM_PATTERN;
    x->fields = got;

    pm_dyadic weight = {0};
    pm_status status = got == 3 ? read_weight(x, field[2], length[2], &weight, err) : PM_OK;
    if (!status)
        status = pm_edge_table_add(x, field, length, got == 3 ? &weight : NULL, err);
    pm_dyadic_clear(&weight);
    return status;
}

static pm_status read_lines(list *x, pm_error *err)
{
    for (;;) {
        char *line, *field[3];
        int64_t length[3];
        pm_status status = pm_source_line(x->s, &line, &length[0], err);
        if (status || !line)
            return status;
        if (!pm_field_next(&line, &field[0], &length[0]))
            continue;
        if (*field[0] == '#' || *field[0] == '%')
            status = read_comment(x, field[0] + 1, err);
        else
            status = read_edge(x, line, field, length, err);
        if (status)
            return status;
    }
}

/* ---- the whole ---- */

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    (void)state;
    list x;
    pm_edge_table_begin(&x, s, opt);
    pm_status status = read_lines(&x, err);
    if (!status && !x.fields && x.sides[0].size < 0)
        status = pm_source_fail(s, err,
                                "expected an edge 'left right [weight]' or a line '# pm-edges ROWS "
                                "COLS', found none");
    if (status)
        goto done;
    status = pm_edge_table_matrix(&x, &e->matrix, about, err);
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
done:
    pm_edge_table_free(&x);
    return status;
}

/* Any text without control characters: this format is tried last. */
static bool sniff(const char *bytes, int64_t got)
{
    for (int64_t k = 0; k < got;) {
        unsigned char c = (unsigned char)bytes[k++];
        int more = c < 0x80 ? 0 : c < 0xc2 ? -1 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : c < 0xf5 ? 3 : -1;
        if (more < 0 || c == 0x7f || (c < ' ' && !(c >= '\t' && c <= '\r')))
            return false;
        for (; more > 0 && k < got; --more)
            if (((unsigned char)bytes[k++] & 0xc0) != 0x80)
                return false;
    }
    return true;
}

const pm_format pm_format_edges = {
    .name = "edges", .sniff = sniff, .next = next, .one_graph = true};
