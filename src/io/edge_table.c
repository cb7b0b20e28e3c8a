/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/edge_table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edges/label_spelling.h"
#include "io/edge_sides.h"
#include "io/one_set.h"
#include "pm/alloc.h"
#include "pm/settings.h"

void pm_edge_table_begin(pm_edge_table *x, pm_source *s, const pm_read_options *opt)
{
    *x = (pm_edge_table){.s = s,
                         .opt = opt,
                         .watch = pm_reading_watch_begin(),
                         .one_set = opt->graph,
                         .are_values = true};
    x->sides[0].size = -1;
    x->sides[1].size = -1;
}

void pm_edge_table_free(pm_edge_table *x)
{
    pm_triples_free(&x->to);
    pm_edge_sides_free(x);
}

pm_status pm_edge_table_look(pm_edge_table *x, pm_error *err)
{
    if (x->to.count < x->watch.look_at)
        return PM_OK;
    pm_reading_shape now = {.entries = (double)x->to.count,
                            .values = x->to.field == PM_PATTERN   ? 0
                                      : x->to.field == PM_COMPLEX ? 2
                                                                  : 1,
                            .one_set = x->one_set,
                            .has_sizes = x->sides[0].size >= 0};
    for (int k = 0; k < (x->one_set ? 1 : 2); ++k) {
        const pm_label_map *m = &x->sides[k].map;
        if (x->are_values) {
            now.labels[k] = (double)pm_integer_set_count(&x->sides[k].values);
            now.largest[k] = (double)pm_integer_set_largest(&x->sides[k].values);
            continue;
        }
        now.labels[k] = (double)m->labels.count;
        now.largest[k] = m->has_names ? -1 : (double)m->ndirect;
        now.bytes[k] = m->labels.count ? (double)m->labels.bytes / now.labels[k] : 0;
    }
    now.rows = now.labels[0]; /* there are no fewer */
    now.cols = now.labels[x->one_set ? 0 : 1];
    return pm_reading_watch_look(&x->watch, x->s, x->opt, &now, err);
}

/* The weights so far become complex, with imaginary parts 0. */
static pm_status make_complex(pm_triples *t, pm_error *err)
{
    if (PM_GROW(t->im, t->cap_im, t->count + 1))
        return pm_fail_memory(err, "complex weights");
    for (int64_t k = 0; k < t->count; ++k)
        t->im[k] = (pm_dyadic){0};
    t->field = PM_COMPLEX;
    return PM_OK;
}

int32_t pm_edge_table_most(const pm_edge_table *x)
{
    enum { LEAST = 1 << 24, OF_EDGE = 16 }; /* 4 MiB; 4 bytes an edge */
    const int64_t edges = x->expected > x->to.count ? x->expected : x->to.count;
    return edges < LEAST / OF_EDGE                   ? LEAST
           : edges < (INT32_MAX - OF_EDGE) / OF_EDGE ? (int32_t)(OF_EDGE * edges)
                                                     : INT32_MAX - 1;
}

/* Adds the value to those of a side. */
static pm_status put_value(pm_edge_side *d, int32_t value, pm_error *err)
{
    pm_status status = pm_integer_set_reaches(&d->values, value)
                           ? PM_OK
                           : pm_integer_set_reach(&d->values, value, err);
    if (!status)
        pm_integer_set_put(&d->values, value);
    return status;
}

/* The values of both labels.  Returns false when they are no such integers. */
static bool are_values(const pm_edge_table *x, const char *const text[2], const int64_t length[2],
                       int32_t end[2])
{
    const int64_t most = pm_edge_table_most(x);
    for (int k = 0; k < 2; ++k) {
        int64_t v;
        if (!pm_label_integer(text[k], length[k], &v) || v < 0 || v > most)
            return false;
        end[k] = (int32_t)v;
    }
    return true;
}

/* The ends of an edge with these labels. */
static pm_status find_ends(pm_edge_table *x, const char *const text[2], const int64_t length[2],
                           int32_t end[2], pm_error *err)
{
    const bool has_values = x->are_values && are_values(x, text, length, end);
    pm_status status = has_values ? PM_OK : pm_edge_sides_name(x, err);
    for (int k = 0; k < 2 && !status; ++k) {
        pm_edge_side *d = &x->sides[x->one_set ? 0 : k];
        status = has_values ? put_value(d, end[k], err)
                            : pm_label_number(&d->map, text[k], length[k], &end[k], err);
    }
    return status;
}

/* "1" and "1" with a no-break space would be two vertices. */
static pm_status check_visible(const pm_edge_table *x, const char *const text[2],
                               const int64_t length[2], pm_error *err)
{
    char quote[PM_QUOTE];
    for (int k = 0; k < 2; ++k) {
        const uint32_t found = pm_label_invisible_end(text[k], length[k]);
        if (found)
            return pm_source_fail(x->s, err,
                                  "expected a label, found the invisible character U+%04" PRIX32
                                  " at an end of %s: remove it",
                                  found, pm_quote(text[k], length[k], quote));
    }
    return PM_OK;
}

pm_status pm_edge_table_add(pm_edge_table *x, const char *const text[2], const int64_t length[2],
                            pm_dyadic *weight, pm_dyadic *imaginary, pm_error *err)
{
    int32_t end[2];
    pm_dyadic zero = {0};
    pm_status status = check_visible(x, text, length, err);
    if (!status && imaginary && x->to.field != PM_COMPLEX)
        status = make_complex(&x->to, err);
    if (!status)
        status = find_ends(x, text, length, end, err);
    if (!status)
        status = pm_triples_add(&x->to, end[0], end[1], pm_source_line_number(x->s), weight,
                                x->to.field != PM_COMPLEX ? NULL
                                : imaginary               ? imaginary
                                                          : &zero,
                                err);
    return status ? status : pm_edge_table_look(x, err);
}

/* The ends of the edges on this side, as values of d. */
static pm_status put_values(pm_edge_side *d, const pm_integer_edge *edges, int64_t count, int side,
                            int32_t *const number[2], pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t e = 0; e < count && !status; ++e)
        status = put_value(d, number[side][e] = edges[e].end[side], err);
    return status;
}

/* Labels are in no order: the memory of those that come is asked for ahead. */
enum { AHEAD = 24, AMONG = 512 /* edges that are added together */ };

static void ask_for(const pm_label_map *m, int32_t label)
{
    if (label < m->ndirect)
        __builtin_prefetch(&m->direct[label]);
}

static pm_status number_label(pm_label_map *m, int32_t label, int32_t *number, pm_error *err)
{
    if (label >= m->ndirect || !m->direct[label])
        return pm_label_number_of_integer(m, label, number, err);
    *number = m->direct[label] - 1;
    return PM_OK;
}

/* The labels of one set, in the order of the text. */
static pm_status number_both(pm_label_map *m, const pm_integer_edge *edges, int64_t count,
                             int32_t *const number[2], pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t e = 0; e < count && !status; ++e) {
        for (int end = 0; end < 2 && e + AHEAD < count; ++end)
            ask_for(m, edges[e + AHEAD].end[end]);
        status = number_label(m, edges[e].end[0], &number[0][e], err);
        if (!status)
            status = number_label(m, edges[e].end[1], &number[1][e], err);
    }
    return status;
}

pm_status pm_edge_table_number(pm_edge_table *x, const pm_integer_edge *edges, int64_t count,
                               int side, int32_t *const number[2], pm_error *err)
{
    pm_label_map *m = &x->sides[side].map;
    pm_status status = PM_OK;
    if (x->are_values && x->one_set) { /* both ends by one thread: they are in one set */
        for (int end = 0; end < 2 && side == 0 && !status; ++end)
            status = put_values(&x->sides[0], edges, count, end, number, err);
        return status;
    }
    if (x->are_values)
        return put_values(&x->sides[side], edges, count, side, number, err);
    if (x->one_set)
        return side == 0 ? number_both(m, edges, count, number, err) : PM_OK;
    for (int64_t e = 0; e < count && !status; ++e) {
        if (e + AHEAD < count)
            ask_for(m, edges[e + AHEAD].end[side]);
        status = number_label(m, edges[e].end[side], &number[side][e], err);
    }
    return status;
}

pm_status pm_edge_table_add_run(pm_edge_table *x, int32_t *const number[2], const pm_edge_lines *of,
                                int64_t count, int64_t line, pm_error *err)
{
    pm_status status = PM_OK;
    pm_coordinates places[AMONG];
    x->has_real = x->has_real || of->has_real;
    for (int64_t from = 0; from < count && !status; from += AMONG) {
        const int64_t some = count - from < AMONG ? count - from : AMONG;
        for (int64_t e = 0; e < some; ++e)
            places[e] = (pm_coordinates){number[0][from + e], number[1][from + e]};
        status = pm_triples_add_many(&x->to, places, of->weight ? of->weight + from : NULL, some,
                                     line + from, err);
    }
    return status;
}

/* ---- the whole ---- */

static pm_status find_shared(const pm_edge_table *x, pm_shared_labels *out, pm_error *err)
{
    const pm_edge_side *rows = &x->sides[0], *cols = &x->sides[1];
    return x->are_values ? pm_shared_values_find(&rows->values, &cols->values, out, err)
                         : pm_shared_labels_find(&rows->map, rows->position, &cols->map,
                                                 cols->position, out, err);
}

static pm_status build_two_sided(pm_edge_table *x, pm_matrix *out, pm_reading *about, pm_error *err)
{
    pm_labels labels[2] = {{0}, {0}};
    pm_shared_labels shared = {0};
    bool is_sure = x->sides[0].size >= 0 || x->opt->bipartite;
    pm_status status = pm_edge_sides_place(x, labels, err);
    if (!status)
        status = pm_edge_sides_doubt(x, about, err);
    if (!status && !is_sure)
        status = find_shared(x, &shared, err);
    if (status)
        goto done;
    pm_edge_sides_move(x, 1);
    x->to.nrows = x->sides[0].count;
    x->to.ncols = x->sides[1].count;
    if (x->sides[0].size < 0)
        snprintf(about->note, sizeof about->note,
                 "read as %" PRId64 " rows and %" PRId64
                 " columns, from the labels; vertices without edges need a line '# pm-edges ROWS "
                 "COLS'",
                 x->to.nrows, x->to.ncols);
    x->to.run = x->opt->run;
    status = pm_triples_check_exponents(&x->to, pm_source_name(x->s), err);
    if (status)
        goto done;
    status = pm_matrix_from_triples(&x->to, x->opt->duplicates, pm_source_name(x->s), out, err);
    if (status)
        goto done;
    if (!is_sure && !about->warning[0] && pm_one_set_is_likely(out, &shared, x->opt->pattern))
        snprintf(about->warning, sizeof about->warning,
                 "read as two sides, as after a line '# pm-edges ROWS COLS': row %s and column %s "
                 "are different vertices%s",
                 shared.label, shared.label, pm_hint_text(PM_HINT_ONE_SET));
    out->row_labels = labels[0];
    out->col_labels = labels[1];
    memset(labels, 0, sizeof labels);
done:
    pm_shared_labels_free(&shared);
    pm_labels_free(&labels[0]);
    pm_labels_free(&labels[1]);
    return status;
}

static pm_status build_one_sided(pm_edge_table *x, pm_matrix *out, pm_reading *about, pm_error *err)
{
    pm_onesided g = {0};
    pm_status status = pm_edge_side_place(x, 0, &g.labels, err);
    if (!status)
        status = pm_edge_sides_doubt(x, about, err);
    if (status)
        goto done;
    pm_edge_sides_move(x, 0);
    g.nvertices = x->sides[0].count;
    g.directions = x->opt->pattern ? PM_DIRECTIONS_ANY : PM_DIRECTIONS_EQUAL;
    g.edges = x->to;
    x->to = (pm_triples){0};
    snprintf(about->note, sizeof about->note,
             "read as the edges of a graph on one set of %" PRId64 " vert%s%s", g.nvertices,
             g.nvertices == 1 ? "ex" : "ices",
             x->sides[0].size < 0
                 ? ", from the labels; vertices without edges need a line '# pm-graph "
                   "VERTICES'"
                 : "");
    about->one_set = true;
    status = pm_onesided_matrix(&g, x->opt, pm_source_name(x->s), out, about, err);
done:
    pm_onesided_free(&g);
    return status;
}

/* Label k, an integer or not; *v: its value. */
static bool is_integer(const pm_labels *labels, int64_t k, int64_t *v)
{
    char number[24];
    const char *text = pm_label(labels, k, number);
    return pm_label_integer(text, (int64_t)strlen(text), v);
}

static bool are_integers(const pm_labels *labels, int64_t except, int64_t least, int64_t most)
{
    int64_t v;
    for (int64_t k = 0; k < labels->count; ++k)
        if (k != except && (!is_integer(labels, k, &v) || v < least || v > most))
            return false;
    return true;
}

/* The first edge has the numbers of vertices and edges, where the ends are values. */
static bool has_sizes(const pm_edge_table *x)
{
    const int32_t vertices = x->to.at[0].row, edges = x->to.at[0].col;
    return edges == x->to.count - 1 && pm_integer_set_largest(&x->sides[0].values) <= vertices
           && (x->one_set
               || pm_integer_set_largest(&x->sides[1].values)
                      <= (vertices > edges ? vertices : edges));
}

pm_edge_head pm_edge_table_head(const pm_edge_table *x)
{
    enum { LEAST = 4 };
    const pm_labels *rows = &x->sides[0].map.labels,
                    *cols = &x->sides[x->one_set ? 0 : 1].map.labels;
    int64_t lines = x->to.count, vertices, edges;
    if (lines < LEAST || x->fields != 2 || x->sides[0].size >= 0 || x->opt->from)
        return PM_EDGE_HEAD_NONE;
    if (x->are_values)
        return has_sizes(x) ? PM_EDGE_HEAD_SIZES : PM_EDGE_HEAD_NONE;
    int64_t row = x->to.at[0].row, col = x->to.at[0].col;
    bool has_row = is_integer(rows, row, &vertices), has_col = is_integer(cols, col, &edges);
    if (has_row && has_col && edges == lines - 1 && are_integers(rows, -1, 0, vertices)
        && are_integers(cols, -1, 0, vertices > edges ? vertices : edges))
        return PM_EDGE_HEAD_SIZES;
    if (!has_row && !has_col && !x->one_set && are_integers(rows, row, INT64_MIN, INT64_MAX)
        && are_integers(cols, col, INT64_MIN, INT64_MAX))
        return PM_EDGE_HEAD_TITLES;
    return PM_EDGE_HEAD_NONE;
}

pm_status pm_edge_table_matrix(pm_edge_table *x, pm_matrix *out, pm_reading *about, pm_error *err)
{
    pm_triples_shrink(&x->to);
    if (x->to.field == PM_REAL && !x->has_real)
        x->to.field = PM_INTEGER;
    return x->one_set ? build_one_sided(x, out, about, err) : build_two_sided(x, out, about, err);
}
