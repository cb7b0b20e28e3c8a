/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Edge lists: each line is "left right [weight]".  Lines that start with # or % are comments.
 *
 * The labels of a side mean:
 *   with a size line "# pm-edges ROWS COLS", all labels integers: positions, from 1 to the size;
 *   with a size line, other labels: names, at most the size, in the order of appearance; vertices
 *     without an edge come last, with empty names;
 *   without a size line: names; the rows (columns) are the labels that appear, ascending when all
 *     are integers, else in the order of appearance.
 * io/label_map.h says which labels are integers.  For a one-sided graph both fields name vertices
 * of one set, and a size line is refused because it gives the sizes of two sides. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/formats.h"
#include "io/label_map.h"
#include "io/number.h"
#include "pm/alloc.h"

typedef struct {
    pm_label_map map;
    int64_t size;      /* announced, or -1 */
    int32_t *position; /* label number -> row or column */
    int64_t count;
} side;

typedef struct {
    pm_source *s;
    const pm_read_options *opt;
    pm_triples to; /* row and col are numbers of labels until the last step */
    side sides[2]; /* with --graph only the first one */
    int fields;    /* of the first edge: 2 or 3; 0 before it */
    bool has_real;
} list;

static void sides_free(list *x)
{
    for (int k = 0; k < 2; ++k) {
        pm_label_map_free(&x->sides[k].map);
        free(x->sides[k].position);
        x->sides[k].position = NULL;
    }
}

static void list_free(list *x)
{
    pm_triples_free(&x->to);
    sides_free(x);
}

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

    int32_t end[2];
    pm_dyadic weight = {0};
    pm_status status = PM_OK;
    for (int k = 0; k < 2 && !status; ++k)
        status = pm_label_number(&x->sides[x->opt->graph ? 0 : k].map, field[k], length[k], &end[k],
                                 err);
    if (!status && got == 3)
        status = read_weight(x, field[2], length[2], &weight, err);
    if (!status)
        status = pm_triples_add(&x->to, end[0], end[1], pm_source_line_number(x->s),
                                got == 3 ? &weight : NULL, NULL, err);
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

/* ---- sides ---- */

/* Fails because the label does not fit the size line; expected: what was expected instead. */
static pm_status fail_at_label(const list *x, int k, int32_t number, const char *expected,
                               pm_error *err)
{
    const side *d = &x->sides[k];
    int64_t line = 0;
    char quote[PM_QUOTE], none[24];
    for (int64_t e = 0; e < x->to.count && !line; ++e)
        if ((k ? x->to.at[e].col : x->to.at[e].row) == number)
            line = x->to.at[e].line;
    const char *text = pm_label(&d->map.labels, number, none);
    return pm_fail(err, PM_EDATA,
                   "%s:%" PRId64 ": expected %s %" PRId64 " as the size line says, not %s",
                   pm_source_name(x->s), line, expected, d->size,
                   pm_quote(text, (int64_t)strlen(text), quote));
}

/* Integer labels under a size line are positions. */
static pm_status position_integers(list *x, int k, pm_error *err)
{
    side *d = &x->sides[k];
    for (int64_t number = 0; number < d->map.labels.count; ++number) {
        char none[24];
        int64_t v = 0;
        const char *text = pm_label(&d->map.labels, number, none);
        pm_label_integer(text, (int64_t)strlen(text), &v);
        if (v < 1 || v > d->size)
            return fail_at_label(x, k, (int32_t)number,
                                 k ? "a column from 1 to" : "a row from 1 to", err);
        d->position[number] = (int32_t)(v - 1);
    }
    d->count = d->size;
    return PM_OK;
}

/* Vertices of the size line that have no edge get the label "". */
static pm_status add_unnamed(side *d, pm_error *err)
{
    pm_label_map *m = &d->map;
    pm_status status = PM_OK;
    while (m->labels.count < d->size && !status)
        status = pm_labels_append(&m->labels, "", 0, &m->cap_pool, &m->cap_offset, err);
    return status;
}

/* Labels are names, in their order; integers 1, 2, ..., n need no labels. */
static pm_status position_names(side *d, pm_labels *out, pm_error *err)
{
    int64_t n = d->map.labels.count, v;
    int32_t *order = pm_alloc_array(n, sizeof *order);
    if (!order)
        return pm_fail_memory(err, "labels");
    pm_status status = pm_label_order(&d->map, order, err);
    bool is_count = true;
    for (int64_t k = 0; k < n && !status; ++k) {
        const char *text = d->map.labels.pool + d->map.labels.offset[order[k]];
        is_count = is_count && pm_label_integer(text, (int64_t)strlen(text), &v) && v == k + 1;
        d->position[order[k]] = (int32_t)k;
    }
    if (!status && !is_count)
        status = pm_labels_select(&d->map.labels, order, n, out, err);
    d->count = n;
    free(order);
    return status;
}

static pm_status position_side(list *x, int k, pm_labels *out, pm_error *err)
{
    side *d = &x->sides[k];
    bool positions = d->size >= 0 && !d->map.has_names;
    if (d->size >= 0 && d->map.has_names) {
        if (d->map.labels.count > d->size)
            return fail_at_label(x, k, (int32_t)d->size,
                                 k ? "column labels up to number" : "row labels up to number", err);
        pm_status status = add_unnamed(d, err);
        if (status)
            return status;
    }
    d->position = pm_alloc_array(d->map.labels.count, sizeof *d->position);
    if (!d->position)
        return pm_fail_memory(err, "labels");
    return positions ? position_integers(x, k, err) : position_names(d, out, err);
}

/* ---- the whole ---- */

static pm_status build_two_sided(list *x, pm_matrix *out, pm_reading *about, pm_error *err)
{
    pm_labels labels[2] = {{0}, {0}};
    pm_status status = PM_OK;
    for (int k = 0; k < 2 && !status; ++k)
        status = position_side(x, k, &labels[k], err);
    if (status)
        goto done;
    for (int64_t e = 0; e < x->to.count; ++e) {
        x->to.at[e].row = x->sides[0].position[x->to.at[e].row];
        x->to.at[e].col = x->sides[1].position[x->to.at[e].col];
    }
    sides_free(x); /* before the step that needs most memory */
    x->to.nrows = x->sides[0].count;
    x->to.ncols = x->sides[1].count;
    if (x->sides[0].size < 0)
        snprintf(about->note, sizeof about->note,
                 "no size line: %" PRId64 " rows and %" PRId64
                 " columns, from the labels; vertices without edges are not listed",
                 x->to.nrows, x->to.ncols);
    status = pm_matrix_from_triples(&x->to, x->opt->duplicates, pm_source_name(x->s), out, err);
    if (status)
        goto done;
    out->row_labels = labels[0];
    out->col_labels = labels[1];
    memset(labels, 0, sizeof labels);
done:
    pm_labels_free(&labels[0]);
    pm_labels_free(&labels[1]);
    return status;
}

static pm_status build_one_sided(list *x, pm_matrix *out, pm_reading *about, pm_error *err)
{
    pm_onesided g = {0};
    pm_status status = position_side(x, 0, &g.labels, err);
    if (status)
        goto done;
    for (int64_t e = 0; e < x->to.count; ++e) {
        x->to.at[e].row = x->sides[0].position[x->to.at[e].row];
        x->to.at[e].col = x->sides[0].position[x->to.at[e].col];
    }
    sides_free(x); /* before the step that needs most memory */
    g.nvertices = x->sides[0].count;
    g.edges = x->to;
    x->to = (pm_triples){0};
    snprintf(about->note, sizeof about->note,
             "read as the edges of a one-sided graph on %" PRId64
             " vertices, from the labels; vertices without edges are not listed",
             g.nvertices);
    status = pm_onesided_matrix(&g, x->opt->duplicates, pm_source_name(x->s), out, err);
done:
    pm_onesided_free(&g);
    return status;
}

static pm_status next(pm_source *s, const pm_read_options *opt, void **state, pm_node *e,
                      pm_reading *about, pm_error *err)
{
    (void)state;
    list x = {.s = s, .opt = opt};
    x.sides[0] = (side){.size = -1};
    x.sides[1] = (side){.size = -1};
    pm_status status = read_lines(&x, err);
    if (!status && !x.fields && x.sides[0].size < 0)
        status = pm_source_fail(s, err,
                                "expected an edge 'left right [weight]' or a line '# pm-edges ROWS "
                                "COLS', found none");
    if (status)
        goto done;
    if (x.fields == 3 && !x.has_real)
        x.to.field = PM_INTEGER;
    status = opt->graph ? build_one_sided(&x, &e->matrix, about, err)
                        : build_two_sided(&x, &e->matrix, about, err);
    e->kind = PM_NODE_MATRIX;
    e->line = 1;
done:
    list_free(&x);
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
