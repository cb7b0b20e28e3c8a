/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From entries in any order to compressed rows; matrix/triples_sort.h sorts them. */
#include "config.h"

#include "pm/matrix.h"

#include <assert.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "matrix/exponents.h"
#include "matrix/transposed.h"
#include "matrix/triples_sort.h"
#include "pm/alloc.h"
#include "pm/settings.h"

/* ---- text lines ---- */

int64_t pm_text_lines_find(const pm_text_lines *lines, int64_t entry)
{
    int64_t low = 0,
            high = lines->count; /* the last mark at or before the entry is in low .. high - 1 */
    if (high == 0)
        return 0;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (lines->mark[middle].entry <= entry)
            low = middle;
        else
            high = middle;
    }
    return lines->mark[low].line ? lines->mark[low].line + entry - lines->mark[low].entry : 0;
}

/* The line follows that of the entry before, or both are unknown. */
static bool continues(const pm_text_lines *lines, int64_t entry, int64_t line)
{
    if (lines->count == 0)
        return false;
    const int64_t first = lines->mark[lines->count - 1].line;
    return first ? line == first + entry - lines->mark[lines->count - 1].entry : line == 0;
}

/* Returns nonzero when out of memory. */
static int mark_line(pm_text_lines *lines, int64_t entry, int64_t line)
{
    if (PM_GROW(lines->mark, lines->cap, lines->count + 1))
        return -1;
    lines->mark[lines->count].entry = entry;
    lines->mark[lines->count++].line = line;
    return 0;
}

/* ---- entries ---- */

pm_status pm_triples_add(pm_triples *t, int64_t row, int64_t col, int64_t line, pm_dyadic *v_re,
                         pm_dyadic *v_im, pm_error *err)
{
    assert((t->field == PM_PATTERN) == !v_re && (t->field == PM_COMPLEX) == !!v_im);
    int64_t want = t->count + 1;
    if (!continues(&t->lines, t->count, line) && mark_line(&t->lines, t->count, line))
        return pm_fail(err, PM_ENOMEM, "out of memory: %" PRId64 " entries", want);
    if (PM_GROW(t->at, t->cap, want) || (v_re && PM_GROW(t->re, t->cap_re, want))
        || (v_im && PM_GROW(t->im, t->cap_im, want)))
        return pm_fail(err, PM_ENOMEM, "out of memory: %" PRId64 " entries", want);
    t->at[t->count] = (pm_coordinates){(int32_t)row, (int32_t)col};
    if (v_re) {
        t->re[t->count] = *v_re;
        *v_re = (pm_dyadic){0};
    }
    if (v_im) {
        t->im[t->count] = *v_im;
        *v_im = (pm_dyadic){0};
    }
    t->count = want;
    return PM_OK;
}

pm_status pm_triples_add_many(pm_triples *t, const pm_coordinates *at, const pm_dyadic *re,
                              int64_t count, int64_t line, pm_error *err)
{
    const int64_t want = t->count + count;
    assert(t->field != PM_COMPLEX && (t->field == PM_PATTERN) == !re);
    if (count == 0)
        return PM_OK;
    if ((!continues(&t->lines, t->count, line) && mark_line(&t->lines, t->count, line))
        || PM_GROW(t->at, t->cap, want) || (re && PM_GROW(t->re, t->cap_re, want)))
        return pm_fail(err, PM_ENOMEM, "out of memory: %" PRId64 " entries", want);
    memcpy(t->at + t->count, at, (size_t)count * sizeof *at);
    if (re)
        memcpy(t->re + t->count, re, (size_t)count * sizeof *re);
    t->count = want;
    return PM_OK;
}

void pm_triples_free(pm_triples *t)
{
    for (int64_t k = 0; k < t->count; ++k) {
        if (t->re)
            pm_dyadic_clear(&t->re[k]);
        if (t->im)
            pm_dyadic_clear(&t->im[k]);
    }
    free(t->at);
    free(t->lines.mark);
    free(t->re);
    free(t->im);
    *t = (pm_triples){0};
}

pm_status pm_triples_copy_places(const pm_triples *t, pm_triples *out, pm_error *err)
{
    pm_triples copy = {.count = t->count, .lines = {.count = t->lines.count}};
    copy.at = pm_alloc_array(t->count, sizeof *copy.at);
    copy.lines.mark = pm_alloc_array(t->lines.count, sizeof *copy.lines.mark);
    if (!copy.at || !copy.lines.mark) {
        pm_triples_free(&copy);
        return pm_fail_memory(err, "places of entries");
    }
    if (t->count) {
        memcpy(copy.at, t->at, (size_t)t->count * sizeof *copy.at);
        memcpy(copy.lines.mark, t->lines.mark, (size_t)t->lines.count * sizeof *copy.lines.mark);
    }
    *out = copy;
    return PM_OK;
}

int64_t pm_triples_line(const pm_triples *t, int64_t row, int64_t col)
{
    for (int64_t k = 0; k < t->count; ++k)
        if (t->at[k].row == row && t->at[k].col == col)
            return pm_text_lines_find(&t->lines, k);
    return 0;
}

/* ---- duplicates ---- */

static bool same_value(const pm_triples *t, int64_t d, int64_t e)
{
    return (!t->re || pm_dyadic_equal(&t->re[d], &t->re[e]))
           && (!t->im || pm_dyadic_equal(&t->im[d], &t->im[e]));
}

/* The end of the entries that have the position of entry k of row i. */
static int64_t end_of_position(const pm_sorted_entries *x, int64_t i, int64_t k)
{
    int64_t end = k + 1;
    while (end < x->start[i + 1] && x->col[end] == x->col[k])
        ++end;
    return end;
}

/* Entry `bad` repeats entry `first`. */
static pm_status fail_duplicate(const pm_triples *t, int64_t first, int64_t bad, pm_duplicates how,
                                const char *name, pm_error *err)
{
    const pm_coordinates *at = &t->at[bad];
    const int64_t line = pm_text_lines_find(&t->lines, bad);
    const char *what =
        how == PM_DUPLICATES_IGNORE ? "duplicate edge with another value" : "duplicate edge";
    const char *hint = how == PM_DUPLICATES_IGNORE ? "" : pm_hint_text(PM_HINT_DUPLICATES);
    char number[2][24];
    const pm_labels none = {0}, *names = t->names ? t->names : &none;
    if (line == 0)
        return pm_fail(err, PM_EDATA, "%s: %s %.100s %.100s%s", name, what,
                       pm_label(names, at->row, number[0]), pm_label(names, at->col, number[1]),
                       hint);
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": %s (first at line %" PRId64 ")%s", name, line,
                   what, pm_text_lines_find(&t->lines, first), hint);
}

/* Fails with PM_EDATA at the first entry, by index, that is a duplicate which is not allowed. */
static pm_status check_duplicates(const pm_triples *t, const pm_sorted_entries *x,
                                  pm_duplicates how, const char *name, pm_error *err)
{
    int64_t bad = t->count, first = 0;
    for (int64_t i = 0; i < t->nrows; ++i)
        for (int64_t k = x->start[i], end; k < x->start[i + 1]; k = end) {
            end = end_of_position(x, i, k);
            for (int64_t l = k + 1; l < end; ++l) {
                const int64_t d = x->number[k], e = x->number[l];
                const bool allowed = how == PM_DUPLICATES_IGNORE && same_value(t, d, e);
                if (!allowed && e < bad) {
                    bad = e;
                    first = d;
                }
            }
        }
    return bad == t->count ? PM_OK : fail_duplicate(t, first, bad, how, name, err);
}

/* Whether the duplicates are allowed.  Those of a pattern are sorted again if they are not, with their numbers. */
static pm_status judge_duplicates(const pm_triples *t, const pm_sorted_entries *x,
                                  pm_duplicates how, const char *name, pm_error *err)
{
    pm_sorted_entries numbered;
    if (how == PM_DUPLICATES_SUM || (how == PM_DUPLICATES_IGNORE && t->field == PM_PATTERN))
        return PM_OK;
    if (x->number)
        return check_duplicates(t, x, how, name, err);
    pm_status status = pm_triples_sort(t, true, &numbered, err);
    if (status)
        return status;
    status = check_duplicates(t, &numbered, how, name, err);
    pm_sorted_entries_free(&numbered);
    return status;
}

/* ---- exponents ---- */

pm_status pm_triples_check_exponents(const pm_triples *t, const char *name, pm_error *err)
{
    if (t->field <= PM_INTEGER)
        return PM_OK;
    pm_exponents s = pm_exponents_of(t->re, t->im, t->count);
    if (!pm_exponents_are_wide(&s))
        return PM_OK;
    bool is_low_first = s.at_low < s.at_high;
    int64_t first = pm_text_lines_find(&t->lines, is_low_first ? s.at_low : s.at_high);
    int64_t second = pm_text_lines_find(&t->lines, is_low_first ? s.at_high : s.at_low);
    if (second == 0)
        return pm_fail(err, PM_UNABLE, "%s: refused: " PM_EXPONENTS_REFUSAL PM_EXPONENTS_REMEDY,
                       name, (long long)PM_EXPONENTS_MAX, (long long)s.low, (long long)s.high);
    return pm_fail(
        err, PM_UNABLE,
        "%s:%" PRId64 ": refused: " PM_EXPONENTS_REFUSAL " (line %" PRId64 ")" PM_EXPONENTS_REMEDY,
        name, second, (long long)PM_EXPONENTS_MAX, (long long)(is_low_first ? s.high : s.low),
        (long long)(is_low_first ? s.low : s.high), first);
}

/* ---- building ---- */

/* The triples, the same by rows, and what threads find or make of them together. */
typedef struct {
    pm_triples *t;
    const pm_sorted_entries *x;
    pm_matrix *a;
    atomic_int_fast64_t positions;
    atomic_bool has_zero;
} building;

static void count_in_part(void *context, int part, int parts)
{
    building *b = context;
    const pm_sorted_entries *x = b->x;
    const int64_t end = pm_team_first(b->t->nrows, part + 1, parts);
    int64_t positions = 0;
    for (int64_t i = pm_team_first(b->t->nrows, part, parts); i < end; ++i)
        for (int64_t k = x->start[i]; k < x->start[i + 1]; ++k)
            positions += k == x->start[i] || x->col[k] != x->col[k - 1];
    b->positions += positions;
}

/* *x = *v, which becomes 0. */
static void move_value(pm_dyadic *x, pm_dyadic *v)
{
    *x = *v;
    *v = (pm_dyadic){0};
}

/* Sets the value of entry `to` of a from the entries k .. end - 1, all of one position.  Returns false when it is 0. */
static bool merge_values(pm_triples *t, const pm_sorted_entries *x, int64_t k, int64_t end,
                         pm_duplicates how, pm_matrix *a, int64_t to)
{
    if (!a->re)
        return true;
    if (!t->re) {
        pm_dyadic_set_si(&a->re[to], end - k);
        return true;
    }
    move_value(&a->re[to], &t->re[x->number[k]]);
    if (a->im)
        move_value(&a->im[to], &t->im[x->number[k]]);
    for (++k; how == PM_DUPLICATES_SUM && k < end; ++k) {
        pm_dyadic_add(&a->re[to], &a->re[to], &t->re[x->number[k]]);
        if (a->im)
            pm_dyadic_add(&a->im[to], &a->im[to], &t->im[x->number[k]]);
    }
    return !pm_dyadic_is_zero(&a->re[to]) || (a->im && !pm_dyadic_is_zero(&a->im[to]));
}

/* Writes every position once into a, except those of value 0. */
static void fill(pm_triples *t, const pm_sorted_entries *x, pm_duplicates how, pm_matrix *a)
{
    int64_t nnz = 0;
    for (int64_t i = 0; i < t->nrows; ++i) {
        for (int64_t k = x->start[i], end; k < x->start[i + 1]; k = end) {
            end = end_of_position(x, i, k);
            if (merge_values(t, x, k, end, how, a, nnz))
                a->colind[nnz++] = x->col[k];
        }
        a->rowptr[i + 1] = nnz;
    }
}

static void look_for_zero(void *context, int part, int parts)
{
    building *b = context;
    const pm_triples *t = b->t;
    const int64_t end = pm_team_first(t->count, part + 1, parts);
    bool is_found = false;
    for (int64_t k = pm_team_first(t->count, part, parts); k < end && !is_found; ++k)
        is_found = pm_dyadic_is_zero(&t->re[k]) && (!t->im || pm_dyadic_is_zero(&t->im[k]));
    if (is_found)
        b->has_zero = true;
}

/* The same where there are neither duplicates nor zeros: the sorted entries are the rows. */
static void fill_distinct(void *context, int part, int parts)
{
    const building *b = context;
    pm_triples *t = b->t;
    const pm_sorted_entries *x = b->x;
    pm_matrix *a = b->a;
    const int64_t end = pm_team_first(t->nrows, part + 1, parts);
    for (int64_t i = pm_team_first(t->nrows, part, parts); i < end; ++i) {
        a->rowptr[i + 1] = x->start[i + 1];
        for (int64_t k = x->start[i]; k < x->start[i + 1]; ++k) {
            a->colind[k] = x->col[k];
            move_value(&a->re[k], &t->re[x->number[k]]);
            if (a->im)
                move_value(&a->im[k], &t->im[x->number[k]]);
        }
    }
}

/* A pattern without duplicates: the sorted entries are its rows. */
static pm_matrix take_pattern(const pm_triples *t, pm_sorted_entries *x)
{
    const pm_matrix a = {.field = PM_PATTERN,
                         .nrows = t->nrows,
                         .ncols = t->ncols,
                         .rowptr = x->start,
                         .colind = x->col};
    x->start = NULL;
    x->col = NULL;
    return a;
}

static pm_status build(pm_triples *t, pm_sorted_entries *x, pm_duplicates how, const char *name,
                       pm_matrix *a, pm_error *err)
{
    const int threads = pm_transposed_threads(t->count, t->run);
    building b = {.t = t, .x = x, .a = a};
    pm_team_run(threads, count_in_part, &b);
    const int64_t positions = b.positions;
    pm_status status = positions < t->count ? judge_duplicates(t, x, how, name, err) : PM_OK;
    if (status)
        return status;
    if (t->field == PM_PATTERN && positions == t->count) {
        *a = take_pattern(t, x);
        return PM_OK;
    }
    const bool counts = t->field == PM_PATTERN && how == PM_DUPLICATES_SUM;
    status = pm_matrix_alloc(a, counts ? PM_INTEGER : t->field, t->nrows, t->ncols, positions, err);
    if (status)
        return status;
    const bool is_distinct = t->re && positions == t->count;
    if (is_distinct)
        pm_team_run(threads, look_for_zero, &b);
    if (is_distinct && !b.has_zero)
        pm_team_run(threads, fill_distinct, &b);
    else
        fill(t, x, how, a);
    if (pm_matrix_is_in_range(a))
        return PM_OK;
    pm_matrix_free(a);
    return pm_fail(err, PM_UNABLE,
                   "%s: the sum of repeated edges is too large or too small: its binary "
                   "exponent is beyond 2^31, or its digits do not fit into memory%s",
                   name, pm_hint_text(PM_HINT_MEMORY));
}

enum { EMPTY_LINES = 1 << 26 };

pm_status pm_matrix_from_triples(pm_triples *t, pm_duplicates how, const char *name, pm_matrix *out,
                                 pm_error *err)
{
    /* a few bytes of input that announce billions of empty rows must not take gigabytes */
    int64_t lines = t->nrows + t->ncols;
    if (lines > EMPTY_LINES && lines > 16 * t->count)
        return pm_fail(err, PM_UNABLE,
                       "%s: refused: %" PRId64 " x %" PRId64 " with %" PRId64
                       " entries: nearly all rows and columns are empty; check the sizes",
                       name, t->nrows, t->ncols, t->count);

    pm_matrix a = {0};
    pm_sorted_entries x;
    pm_status status = pm_triples_sort(t, t->field != PM_PATTERN, &x, err);
    if (status)
        return status;
    status = build(t, &x, how, name, &a, err);
    if (!status) {
        *out = a;
        pm_triples_free(t);
    }
    pm_sorted_entries_free(&x);
    return status;
}
