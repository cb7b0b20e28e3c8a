/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/edge_sides.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/integer_text.h"
#include "edges/edge_runs.h"
#include "edges/label_spelling.h"
#include "pm/alloc.h"

enum { AHEAD = 24 /* edges: labels are in no order, so memory is asked for ahead */ };

void pm_edge_sides_free(pm_edge_table *x)
{
    for (int k = 0; k < 2; ++k) {
        pm_label_map_free(&x->sides[k].map);
        pm_integer_set_free(&x->sides[k].values);
        free(x->sides[k].position);
        x->sides[k].position = NULL;
    }
}

/* ---- from values to numbers ---- */

static pm_status number(pm_edge_side *d, int32_t *end, pm_error *err)
{
    return pm_label_number_of_integer(&d->map, *end, end, err);
}

pm_status pm_edge_sides_name(pm_edge_table *x, pm_error *err)
{
    pm_status status = PM_OK;
    if (!x->are_values)
        return PM_OK;
    for (int64_t e = 0; e < x->to.count && !status; ++e) {
        status = number(&x->sides[0], &x->to.at[e].row, err);
        if (!status)
            status = number(&x->sides[x->one_set ? 0 : 1], &x->to.at[e].col, err);
    }
    for (int k = 0; k < 2; ++k)
        pm_integer_set_free(&x->sides[k].values);
    x->are_values = false;
    return status;
}

/* ---- labels that do not fit the size line ---- */

/* The first edge with this end on side k; both ends where there is one set. */
static int64_t line_of_end(const pm_edge_table *x, int k, int32_t end)
{
    for (int64_t e = 0; e < x->to.count; ++e)
        if ((k ? x->to.at[e].col : x->to.at[e].row) == end
            || (x->one_set && x->to.at[e].col == end))
            return pm_text_lines_find(&x->to.lines, e);
    return 0;
}

/* expected: what was expected instead; hint: the end of the message. */
static pm_status fail_at_label(const pm_edge_table *x, int k, int32_t end, const char *expected,
                               const char *hint, pm_error *err)
{
    const pm_edge_side *d = &x->sides[k];
    char quote[PM_QUOTE], none[24];
    const char *text = x->are_values ? pm_decimal(end, none) : pm_label(&d->map.labels, end, none);
    return pm_fail(err, PM_EDATA,
                   "%s:%" PRId64 ": expected %s %" PRId64 " as the size line says, not %s%s",
                   pm_source_name(x->s), line_of_end(x, k, end), expected, d->size,
                   pm_quote(text, (int64_t)strlen(text), quote), hint);
}

static const char *vertex_of(const pm_edge_table *x, int k)
{
    return x->one_set ? "vertex" : k ? "column" : "row";
}

static pm_status fail_at_position(const pm_edge_table *x, int k, int32_t end, pm_error *err)
{
    char expected[32];
    snprintf(expected, sizeof expected, "a %s from 1 to", vertex_of(x, k));
    return fail_at_label(x, k, end, expected, "", err);
}

/* A label of the map, quoted. */
static const char *quote_label(const pm_edge_side *d, int32_t label, char quote[PM_QUOTE])
{
    char room[24];
    const char *text = pm_label(&d->map.labels, label, room);
    return pm_quote(text, (int64_t)strlen(text), quote);
}

/* There are more names than the size line says.  first: the first label of each kind. */
static pm_status fail_at_names(const pm_edge_table *x, int k, const int32_t first[PM_LABEL_KINDS],
                               pm_error *err)
{
    const pm_edge_side *d = &x->sides[k];
    char expected[48], quote[PM_QUOTE], hint[PM_QUOTE + 120] = "";
    snprintf(expected, sizeof expected, "%slabels up to number",
             x->one_set ? ""
             : k        ? "column "
                        : "row ");
    if (first[PM_LABEL_INTEGER] >= 0)
        snprintf(
            hint, sizeof hint,
            "; all its labels are names, not numbers, because %s in line %" PRId64 " is no number",
            quote_label(d, first[PM_LABEL_NAME], quote), line_of_end(x, k, first[PM_LABEL_NAME]));
    return fail_at_label(x, k, (int32_t)d->size, expected, hint, err);
}

/* Some labels are positions, and this one is a number in another spelling. */
static pm_status fail_at_spelling(const pm_edge_table *x, int k, int32_t integer, int32_t number,
                                  pm_error *err)
{
    const pm_edge_side *d = &x->sides[k];
    char expected[PM_QUOTE + 120], quote[PM_QUOTE];
    snprintf(expected, sizeof expected, "a %s in digits only, as %s in line %" PRId64 ", from 1 to",
             vertex_of(x, k), quote_label(d, integer, quote), line_of_end(x, k, integer));
    return fail_at_label(x, k, number, expected,
                         "; write it without a sign, a point, an exponent and leading zeros, or "
                         "put a letter before all numbers that are names",
                         err);
}

/* ---- values ---- */

static bool is_position(const pm_edge_side *d, int32_t value)
{
    return value >= 1 && value <= d->size;
}

/* Values under a size line are positions. */
static pm_status check_positions(const pm_edge_table *x, int k, pm_error *err)
{
    const pm_edge_side *d = &x->sides[k];
    if (!pm_integer_set_has(&d->values, 0) && pm_integer_set_largest(&d->values) <= d->size)
        return PM_OK;
    for (int64_t e = 0; e < x->to.count; ++e) {
        const pm_coordinates *at = &x->to.at[e];
        const int32_t first = k ? at->col : at->row;
        if (!is_position(d, first))
            return fail_at_position(x, k, first, err);
        if (x->one_set && !is_position(d, at->col))
            return fail_at_position(x, k, at->col, err);
    }
    return PM_OK;
}

/* Other values are names: positions are their ranks, and 1, 2, ..., n need no labels. */
static pm_status list_values(const pm_integer_set *values, int64_t count, pm_labels *out,
                             pm_error *err)
{
    pm_status status = PM_OK;
    if (!pm_integer_set_has(values, 0) && pm_integer_set_largest(values) == count)
        return PM_OK;
    for (int64_t v = pm_integer_set_next(values, 0); v >= 0 && !status;
         v = pm_integer_set_next(values, v + 1))
        status = pm_labels_append_integer(out, (int32_t)v, err);
    return status;
}

static pm_status place_values(pm_edge_table *x, int k, pm_labels *out, pm_error *err)
{
    pm_edge_side *d = &x->sides[k];
    d->count = d->size >= 0 ? d->size : pm_integer_set_rank_all(&d->values);
    return d->size >= 0 ? check_positions(x, k, err) : list_values(&d->values, d->count, out, err);
}

/* ---- numbers ---- */

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

/* The first label that is no short integer. */
static int32_t find_long_integer(const pm_labels *labels)
{
    char room[24];
    int32_t i = 0;
    for (int64_t ignored; i < labels->count; ++i) {
        const char *text = pm_label(labels, i, room);
        if (!pm_label_integer(text, (int64_t)strlen(text), &ignored))
            break;
    }
    return i;
}

/* Names under a size line.  Numbers that are written in several ways are no names. */
static pm_status check_names(pm_edge_table *x, int k, pm_error *err)
{
    pm_edge_side *d = &x->sides[k];
    int32_t first[PM_LABEL_KINDS];
    pm_label_kinds_find(&d->map.labels, first);
    const bool has_integers = first[PM_LABEL_INTEGER] >= 0,
               has_numbers = first[PM_LABEL_NUMBER] >= 0;
    if (first[PM_LABEL_NAME] < 0 && has_integers)
        return has_numbers
                   ? fail_at_spelling(x, k, first[PM_LABEL_INTEGER], first[PM_LABEL_NUMBER], err)
                   : fail_at_position(x, k, find_long_integer(&d->map.labels), err);
    if (d->map.labels.count > d->size)
        return fail_at_names(x, k, first, err);
    return add_unnamed(d, err);
}

static pm_status place_numbers(pm_edge_table *x, int k, pm_labels *out, pm_error *err)
{
    pm_edge_side *d = &x->sides[k];
    const bool is_sized = d->size >= 0, has_names = d->map.has_names;
    pm_status status = is_sized && has_names ? check_names(x, k, err) : PM_OK;
    if (status)
        return status;
    d->position = pm_alloc_array(d->map.labels.count, sizeof *d->position);
    if (!d->position)
        return pm_fail_memory(err, "labels");
    return is_sized && !has_names ? position_integers(x, k, err) : position_names(d, out, err);
}

/* ---- both ---- */

pm_status pm_edge_side_place(pm_edge_table *x, int k, pm_labels *out, pm_error *err)
{
    return x->are_values ? place_values(x, k, out, err) : place_numbers(x, k, out, err);
}

pm_status pm_edge_sides_place(pm_edge_table *x, pm_labels labels[2], pm_error *err)
{
    const int threads = pm_edge_threads(x->to.count, 2, x->opt->run);
    pm_status status[2];
    pm_error why[2];
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int k = 0; k < 2; ++k)
        status[k] = pm_edge_side_place(x, k, &labels[k], &why[k]);
    for (int k = 0; k < 2; ++k)
        if (status[k]) {
            if (err)
                *err = why[k];
            return status[k];
        }
    return PM_OK;
}

pm_status pm_edge_sides_doubt(const pm_edge_table *x, pm_reading *about, pm_error *err)
{
    char quotes[2][PM_QUOTE];
    for (int k = 0; k < (x->one_set ? 1 : 2) && !x->are_values; ++k) {
        const pm_edge_side *d = &x->sides[k];
        int32_t pair[2] = {-1, -1};
        pm_status status = d->map.has_names ? pm_label_find_respelled(&d->map, pair, err) : PM_OK;
        if (status)
            return status;
        if (pair[0] < 0)
            continue;
        const char *word = x->one_set ? "vertices" : k ? "columns" : "rows";
        snprintf(about->warning, sizeof about->warning,
                 "read with %s in line %" PRId64 " and %s in line %" PRId64
                 " as the names of two %s; write this number in one way if it is one",
                 quote_label(d, pair[0], quotes[0]), line_of_end(x, k, pair[0]),
                 quote_label(d, pair[1], quotes[1]), line_of_end(x, k, pair[1]), word);
        return PM_OK;
    }
    return PM_OK;
}

/* Where the label of an end is: its row or column. */
static int32_t position_of(const pm_edge_table *x, int k, int32_t end)
{
    const pm_edge_side *d = &x->sides[k];
    if (!x->are_values)
        return d->position[end];
    return d->size >= 0 ? end - 1 : (int32_t)pm_integer_set_rank(&d->values, end);
}

void pm_edge_sides_move(pm_edge_table *x, int right)
{
    const int threads = pm_edge_threads(x->to.count, INT_MAX, x->opt->run);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t e = 0; e < x->to.count; ++e) {
        const pm_coordinates *later = &x->to.at[e + AHEAD < x->to.count ? e + AHEAD : e];
        if (!x->are_values) {
            __builtin_prefetch(&x->sides[0].position[later->row]);
            __builtin_prefetch(&x->sides[right].position[later->col]);
        }
        x->to.at[e].row = position_of(x, 0, x->to.at[e].row);
        x->to.at[e].col = position_of(x, right, x->to.at[e].col);
    }
    pm_edge_sides_free(x);
}
