/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/edge_table.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edges/edge_runs.h"
#include "io/one_set.h"
#include "pm/alloc.h"
#include "pm/settings.h"

void pm_edge_table_begin(pm_edge_table *x, pm_source *s, const pm_read_options *opt)
{
    *x = (pm_edge_table){
        .s = s, .opt = opt, .watch = pm_reading_watch_begin(), .one_set = opt->graph};
    x->sides[0].size = -1;
    x->sides[1].size = -1;
}

static void sides_free(pm_edge_table *x)
{
    for (int k = 0; k < 2; ++k) {
        pm_label_map_free(&x->sides[k].map);
        free(x->sides[k].position);
        x->sides[k].position = NULL;
    }
}

void pm_edge_table_free(pm_edge_table *x)
{
    pm_triples_free(&x->to);
    sides_free(x);
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

pm_status pm_edge_table_add(pm_edge_table *x, const char *const text[2], const int64_t length[2],
                            pm_dyadic *weight, pm_dyadic *imaginary, pm_error *err)
{
    int32_t end[2];
    pm_dyadic zero = {0};
    pm_status status = PM_OK;
    if (imaginary && x->to.field != PM_COMPLEX)
        status = make_complex(&x->to, err);
    for (int k = 0; k < 2 && !status; ++k)
        status =
            pm_label_number(&x->sides[x->one_set ? 0 : k].map, text[k], length[k], &end[k], err);
    if (!status)
        status = pm_triples_add(&x->to, end[0], end[1], pm_source_line_number(x->s), weight,
                                x->to.field != PM_COMPLEX ? NULL
                                : imaginary               ? imaginary
                                                          : &zero,
                                err);
    return status ? status : pm_edge_table_look(x, err);
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
    if (x->one_set)
        return side == 0 ? number_both(m, edges, count, number, err) : PM_OK;
    for (int64_t e = 0; e < count && !status; ++e) {
        if (e + AHEAD < count)
            ask_for(m, edges[e + AHEAD].end[side]);
        status = number_label(m, edges[e].end[side], &number[side][e], err);
    }
    return status;
}

pm_status pm_edge_table_add_run(pm_edge_table *x, int32_t *const number[2], int64_t count,
                                int64_t line, pm_error *err)
{
    pm_status status = PM_OK;
    pm_coordinates places[AMONG];
    for (int64_t from = 0; from < count && !status; from += AMONG) {
        const int64_t some = count - from < AMONG ? count - from : AMONG;
        for (int64_t e = 0; e < some; ++e)
            places[e] = (pm_coordinates){number[0][from + e], number[1][from + e]};
        status = pm_triples_add_places(&x->to, places, some, line + from, err);
    }
    return status;
}

/* ---- sides ---- */

/* Fails because the label does not fit the size line; expected: what was expected instead. */
static pm_status fail_at_label(const pm_edge_table *x, int k, int32_t number, const char *expected,
                               pm_error *err)
{
    const pm_edge_side *d = &x->sides[k];
    int64_t line = 0;
    char quote[PM_QUOTE], none[24];
    for (int64_t e = 0; e < x->to.count && !line; ++e)
        if ((k ? x->to.at[e].col : x->to.at[e].row) == number
            || (x->one_set && x->to.at[e].col == number))
            line = pm_text_lines_find(&x->to.lines, e);
    const char *text = pm_label(&d->map.labels, number, none);
    return pm_fail(err, PM_EDATA,
                   "%s:%" PRId64 ": expected %s %" PRId64 " as the size line says, not %s",
                   pm_source_name(x->s), line, expected, d->size,
                   pm_quote(text, (int64_t)strlen(text), quote));
}

static pm_status fail_at_position(const pm_edge_table *x, int k, int32_t number, pm_error *err)
{
    return fail_at_label(x, k, number,
                         x->one_set ? "a vertex from 1 to"
                         : k        ? "a column from 1 to"
                                    : "a row from 1 to",
                         err);
}

/* Integer labels under a size line are positions. */
static pm_status position_integers(pm_edge_table *x, int k, pm_error *err)
{
    pm_edge_side *d = &x->sides[k];
    int64_t *value = pm_alloc_array(d->map.labels.count, sizeof *value);
    int64_t good = 0;
    if (!value)
        return pm_fail_memory(err, "labels");
    pm_label_values(&d->map, value);
    for (; good < d->map.labels.count && value[good] >= 1 && value[good] <= d->size; ++good)
        d->position[good] = (int32_t)(value[good] - 1);
    free(value);
    if (good < d->map.labels.count)
        return fail_at_position(x, k, (int32_t)good, err);
    d->count = d->size;
    return PM_OK;
}

static bool is_whole(const char *text)
{
    const char *digits = text + (*text == '-');
    const size_t length = strlen(digits);
    return length > 0 && strspn(digits, "0123456789") == length
           && (*digits != '0' || strcmp(text, "0") == 0);
}

/* The first integer that is too long for a label map, where all labels are integers; -1: there is none, or a label is a name. */
static int32_t find_long_integer(const pm_label_map *m)
{
    enum { LONGEST = 18 };
    char none[24];
    int32_t first = -1;
    for (int32_t i = 0; i < m->labels.count; ++i) {
        const char *text = pm_label(&m->labels, i, none);
        if (!is_whole(text))
            return -1;
        if (first < 0 && strlen(text) - (*text == '-') > LONGEST)
            first = i;
    }
    return first;
}

/* Vertices of the size line that have no edge get the label "". */
static pm_status add_unnamed(pm_edge_side *d, pm_error *err)
{
    pm_label_map *m = &d->map;
    pm_status status = PM_OK;
    while (m->labels.count < d->size && !status)
        status = pm_labels_append(&m->labels, "", 0, err);
    return status;
}

/* Labels are names, in their order; integers 1, 2, ..., n need no labels. */
static pm_status position_names(pm_edge_side *d, pm_labels *out, pm_error *err)
{
    int64_t n = d->map.labels.count;
    int32_t *order = pm_alloc_array(n, sizeof *order);
    if (!order)
        return pm_fail_memory(err, "labels");
    pm_status status = pm_label_order(&d->map, order, err);
    for (int64_t k = 0; k < n && !status; ++k)
        d->position[order[k]] = (int32_t)k;
    if (!status && !pm_labels_are_counted(&d->map))
        status = pm_labels_select(&d->map.labels, order, n, out, err);
    d->count = n;
    free(order);
    return status;
}

static pm_status position_side(pm_edge_table *x, int k, pm_labels *out, pm_error *err)
{
    pm_edge_side *d = &x->sides[k];
    bool positions = d->size >= 0 && !d->map.has_names;
    if (d->size >= 0 && d->map.has_names) {
        const int32_t beyond = find_long_integer(&d->map);
        if (beyond >= 0)
            return fail_at_position(x, k, beyond, err);
        if (d->map.labels.count > d->size)
            return fail_at_label(x, k, (int32_t)d->size,
                                 x->one_set ? "labels up to number"
                                 : k        ? "column labels up to number"
                                            : "row labels up to number",
                                 err);
        pm_status status = add_unnamed(d, err);
        if (status)
            return status;
    }
    d->position = pm_alloc_array(d->map.labels.count, sizeof *d->position);
    if (!d->position)
        return pm_fail_memory(err, "labels");
    return positions ? position_integers(x, k, err) : position_names(d, out, err);
}

/* Both sides. */
static pm_status position_sides(pm_edge_table *x, pm_labels labels[2], pm_error *err)
{
    const int threads = pm_edge_threads(x->to.count, 2, x->opt->run);
    pm_status status[2];
    pm_error why[2];
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int k = 0; k < 2; ++k)
        status[k] = position_side(x, k, &labels[k], &why[k]);
    for (int k = 0; k < 2; ++k)
        if (status[k]) {
            if (err)
                *err = why[k];
            return status[k];
        }
    return PM_OK;
}

/* ---- the whole ---- */

/* Numbers of labels become positions; right: the side of the right ends.  Frees the labels before the
 * step that needs most memory. */
static void place_edges(pm_edge_table *x, int right)
{
    const int threads = pm_edge_threads(x->to.count, INT_MAX, x->opt->run);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t e = 0; e < x->to.count; ++e) {
        const pm_coordinates *later = &x->to.at[e + AHEAD < x->to.count ? e + AHEAD : e];
        __builtin_prefetch(&x->sides[0].position[later->row]);
        __builtin_prefetch(&x->sides[right].position[later->col]);
        x->to.at[e].row = x->sides[0].position[x->to.at[e].row];
        x->to.at[e].col = x->sides[right].position[x->to.at[e].col];
    }
    sides_free(x);
}

static pm_status build_two_sided(pm_edge_table *x, pm_matrix *out, pm_reading *about, pm_error *err)
{
    pm_labels labels[2] = {{0}, {0}};
    pm_shared_labels shared = {0};
    bool is_sure = x->sides[0].size >= 0 || x->opt->bipartite;
    pm_status status = position_sides(x, labels, err);
    if (!status && !is_sure)
        status = pm_shared_labels_find(&x->sides[0].map, x->sides[0].position, &x->sides[1].map,
                                       x->sides[1].position, &shared, err);
    if (status)
        goto done;
    place_edges(x, 1);
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
    if (!is_sure && pm_one_set_is_likely(out, &shared, x->opt->pattern))
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
    pm_status status = position_side(x, 0, &g.labels, err);
    if (status)
        goto done;
    place_edges(x, 0);
    g.nvertices = x->sides[0].count;
    g.directions = x->opt->pattern ? PM_DIRECTIONS_ANY : PM_DIRECTIONS_EQUAL;
    g.edges = x->to;
    g.by_option = x->opt->graph;
    x->to = (pm_triples){0};
    snprintf(about->note, sizeof about->note,
             "read as the edges of a graph on one set of %" PRId64 " vertices%s", g.nvertices,
             x->sides[0].size < 0
                 ? ", from the labels; vertices without edges need a line '# pm-graph "
                   "VERTICES'"
                 : "");
    about->one_set = true;
    status = pm_onesided_matrix(&g, x->opt->duplicates, pm_source_name(x->s), out, err);
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

pm_edge_head pm_edge_table_head(const pm_edge_table *x)
{
    enum { LEAST = 4 };
    const pm_labels *rows = &x->sides[0].map.labels,
                    *cols = &x->sides[x->one_set ? 0 : 1].map.labels;
    int64_t lines = x->to.count, vertices, edges;
    if (lines < LEAST || x->fields != 2 || x->sides[0].size >= 0 || x->opt->from)
        return PM_EDGE_HEAD_NONE;
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
