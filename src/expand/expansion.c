/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "expand/expansion.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "reduce/block_edit.h"

/* The rows or the columns: line i has entries in the lines neighbour[start[i]] ..
 * neighbour[start[i+1]-1] of the other side. */
typedef struct {
    const int64_t *start;
    const int32_t *neighbour;
    const int32_t *cap;
    int64_t count;
} side;

/* The effect of a term on the other lines: entries that they lose, and lines that the reductions
 * will then remove. */
typedef struct {
    int32_t entries, lines;
} gain;

/* The cost of the terms of a line. */
typedef struct {
    int64_t work;   /* the sum over the terms of 2^(SCALE - lines) */
    int64_t degree; /* of the line */
    int64_t left;   /* entries that remain, in all terms */
} price;

typedef struct {
    gain gain;
    int32_t first, second; /* entries of the line by their index in it */
} pair;

enum {
    SCALE = 40,
    LONG = 32 /* entries: for a longer line only neighbouring pairs are considered */
};

typedef struct {
    side of[2]; /* rows, columns; the vertices twice */
    int nsides; /* whose lines may be chosen */
    int64_t nnz, min_degree, max_terms;
    pm_matrix turned;
    pm_share *share; /* of the line that is examined */
    pair *pairs;
    bool *is_assigned; /* for the entries of this line */
} search;

/* ---- the terms of one line ---- */

static int64_t degree(const side *s, int64_t i)
{
    return s->start[i + 1] - s->start[i];
}

static const int32_t *neighbours(const side *s, int64_t i)
{
    return &s->neighbour[s->start[i]];
}

/* Entries whose neighbours have capacity 1. */
static int64_t count_single(const side *s, const side *other, int64_t i)
{
    int64_t count = 0;
    for (int64_t k = 0; k < degree(s, i); ++k)
        count += other->cap[neighbours(s, i)[k]] == 1;
    return count;
}

/* A line of two entries that was not merged, because its numbers would become too long, gives two
 * terms. */
static bool can_pair(int64_t entries)
{
    return entries > 2;
}

/* The number of terms that line i gives. */
static int64_t count_terms(const side *s, const side *other, int64_t i)
{
    int64_t d = degree(s, i), single = can_pair(d) ? count_single(s, other, i) : 0;
    return d - single / 2;
}

/* Counts that line l loses an entry. */
static void add_loss(gain *g, const side *s, int64_t l)
{
    int64_t enough = s->cap[l] > 2 ? s->cap[l] : 2;
    ++g->entries;
    g->lines += degree(s, l) - 1 <= enough;
}

/* The entry of vertex i in itself, which removes only i. */
static bool is_loop(const side *s, const side *other, int64_t i, int64_t u)
{
    return s->start == other->start && i == u;
}

/* The effect of a term with the entry of line i in u alone. */
static gain gain_of_one(const side *s, const side *other, int64_t i, int64_t u)
{
    gain g = {0, 0};
    for (int64_t k = 0; k < degree(other, u) && other->cap[u] == 1 && !is_loop(s, other, i, u); ++k)
        if (neighbours(other, u)[k] != i)
            add_loss(&g, s, neighbours(other, u)[k]);
    return g;
}

/* The effect of a term with the entries of line i in u and w. */
static gain gain_of_two(const side *s, const side *other, int64_t i, int64_t u, int64_t w)
{
    const int32_t *x = neighbours(other, u), *x_end = x + degree(other, u);
    const int32_t *y = neighbours(other, w), *y_end = y + degree(other, w);
    gain g = {0, 0};
    if (is_loop(s, other, i, u) || is_loop(s, other, i, w))
        return g;
    while (x < x_end && y < y_end) {
        int32_t least = *x < *y ? *x : *y;
        if (*x == *y && least != i)
            add_loss(&g, s, least);
        x += *x == least;
        y += *y == least;
    }
    return g;
}

static bool is_better(const gain *a, const gain *b)
{
    return a->lines != b->lines ? a->lines > b->lines : a->entries > b->entries;
}

/* ---- assigning the entries of a line to terms ---- */

static void charge(price *p, const gain *g, int64_t entries)
{
    p->work += INT64_C(1) << (g->lines < SCALE ? SCALE - g->lines : 0);
    p->left += entries - g->entries;
}

static void assign(search *x, int64_t term, int32_t first, int32_t second)
{
    x->share[term] = (pm_share){first, second};
    x->is_assigned[first] = true;
    if (second >= 0)
        x->is_assigned[second] = true;
}

/* The entry not yet assigned with the best effect as a term of its own. */
static int32_t best_unassigned(const search *x, const side *s, const side *other, int64_t i,
                               gain *best)
{
    int32_t found = -1;
    *best = (gain){-1, -1};
    for (int32_t k = 0; k < degree(s, i); ++k) {
        if (x->is_assigned[k])
            continue;
        gain g = gain_of_one(s, other, i, neighbours(s, i)[k]);
        if (is_better(&g, best)) {
            found = k;
            *best = g;
        }
    }
    return found;
}

static int by_gain(const void *a, const void *b)
{
    const pair *x = a, *y = b;
    if (is_better(&x->gain, &y->gain) || is_better(&y->gain, &x->gain))
        return is_better(&x->gain, &y->gain) ? -1 : 1;
    return x->first != y->first ? x->first - y->first : x->second - y->second;
}

/* Lists the pairs of entries not yet assigned, the best first; for a long line only neighbouring
 * pairs.  Returns their number. */
static int64_t list_pairs(search *x, const side *s, const side *other, int64_t i)
{
    int32_t d = (int32_t)degree(s, i);
    const int32_t *u = neighbours(s, i);
    int64_t count = 0;
    for (int32_t k = 0; k < d; ++k)
        for (int32_t m = k + 1; m < d && !x->is_assigned[k]; ++m) {
            if (x->is_assigned[m])
                continue;
            x->pairs[count++] = (pair){gain_of_two(s, other, i, u[k], u[m]), k, m};
            if (d > LONG) {
                k = m;
                break;
            }
        }
    if (count)
        qsort(x->pairs, (size_t)count, sizeof *x->pairs, by_gain);
    return count;
}

/* Assigns the entries of line i to terms.  Returns the number of terms. */
static int64_t assign_all(search *x, const side *s, const side *other, int64_t i, price *p)
{
    int64_t d = degree(s, i), single = count_single(s, other, i), terms = 0;
    int64_t entries = x->nnz - (s->cap[i] == 1 ? d : 0);
    gain g;
    *p = (price){.degree = d};
    for (int32_t k = 0; k < d; ++k)
        x->is_assigned[k] = false;
    for (int32_t k = 0; k < d; ++k)
        if (other->cap[neighbours(s, i)[k]] > 1 || !can_pair(d)) {
            g = gain_of_one(s, other, i, neighbours(s, i)[k]);
            charge(p, &g, entries);
            assign(x, terms++, k, -1);
        }
    if (!can_pair(d))
        return terms;
    if (single % 2) {
        int32_t k = best_unassigned(x, s, other, i, &g);
        charge(p, &g, entries);
        assign(x, terms++, k, -1);
    }
    int64_t npairs = list_pairs(x, s, other, i);
    for (const pair *at = x->pairs; at < x->pairs + npairs; ++at)
        if (!x->is_assigned[at->first] && !x->is_assigned[at->second]) {
            charge(p, &at->gain, entries);
            assign(x, terms++, at->first, at->second);
        }
    return terms;
}

static bool is_cheaper(const price *a, const price *b)
{
    if (a->work != b->work)
        return a->work < b->work;
    return a->degree != b->degree ? a->degree < b->degree : a->left < b->left;
}

/* ---- all lines ---- */

static void search_free(search *x)
{
    pm_matrix_free(&x->turned);
    free(x->share);
    free(x->pairs);
    free(x->is_assigned);
}

static bool may_choose(const search *x, int k, int64_t i)
{
    const side *s = &x->of[k];
    return degree(s, i) < x->min_degree && count_terms(s, &x->of[!k], i) <= x->max_terms;
}

/* The number of entries of the longest line that may be chosen. */
static int64_t widest(const search *x)
{
    int64_t most = 0;
    for (int k = 0; k < x->nsides; ++k)
        for (int64_t i = 0; i < x->of[k].count; ++i)
            if (degree(&x->of[k], i) > most && may_choose(x, k, i))
                most = degree(&x->of[k], i);
    return most;
}

/* x: zeroed but for min_degree and max_terms.  *most: see widest(). */
static pm_status search_open(search *x, const pm_block *b, int64_t *most, pm_error *err)
{
    pm_status status = b->general ? PM_OK : pm_matrix_transpose(&b->a, &x->turned, err);
    if (status)
        return status;
    const pm_matrix *turned = b->general ? &b->a : &x->turned;
    x->nsides = b->general ? 1 : 2;
    x->nnz = pm_matrix_nnz(&b->a);
    x->of[0] = (side){b->a.rowptr, b->a.colind, b->row_cap, b->a.nrows};
    x->of[1] = (side){turned->rowptr, turned->colind, b->col_cap, b->a.ncols};
    *most = widest(x);
    x->share = pm_alloc_array(*most, sizeof *x->share);
    x->pairs = pm_alloc_array(LONG * LONG / 2 + *most / 2, sizeof *x->pairs);
    x->is_assigned = pm_alloc_array(*most, sizeof *x->is_assigned);
    return x->share && x->pairs && x->is_assigned ? PM_OK : pm_fail_memory(err, "an expansion");
}

/* *best, whose array of shares is allocated, becomes the cheapest line. */
static pm_status choose(search *x, const pm_run *run, pm_expansion *best, pm_error *err)
{
    price least = {0}, at_hand;
    for (int k = 0; k < x->nsides; ++k)
        for (int64_t i = 0; i < x->of[k].count; ++i) {
            if (pm_run_stopped(run))
                return pm_fail(err, PM_ESTOPPED, "stopped during the choice of an expansion");
            if (!may_choose(x, k, i))
                continue;
            int64_t terms = assign_all(x, &x->of[k], &x->of[!k], i, &at_hand);
            if (best->nterms && !is_cheaper(&at_hand, &least))
                continue;
            least = at_hand;
            best->is_column = k;
            best->line = i;
            best->nterms = terms;
            memcpy(best->share, x->share, (size_t)terms * sizeof *best->share);
        }
    return PM_OK;
}

pm_status pm_expansion_choose(const pm_block *b, int64_t min_degree, int64_t max_terms,
                              const pm_run *run, pm_expansion *out, pm_error *err)
{
    search x = {.min_degree = min_degree, .max_terms = max_terms};
    pm_expansion best = {0};
    int64_t most = 0;
    pm_status status = search_open(&x, b, &most, err);
    if (!status && !(best.share = pm_alloc_array(most, sizeof *best.share)))
        status = pm_fail_memory(err, "an expansion");
    if (!status)
        status = choose(&x, run, &best, err);
    search_free(&x);
    if (status) {
        pm_expansion_free(&best);
        return status;
    }
    *out = best;
    return PM_OK;
}

void pm_expansion_free(pm_expansion *x)
{
    free(x->share);
    *x = (pm_expansion){0};
}

pm_status pm_expansion_term(const pm_block *b, const pm_expansion *x, int64_t k, pm_block *out,
                            int64_t *divisor, pm_error *err)
{
    int64_t start = b->a.rowptr[x->line];
    int64_t keep[2] = {start + x->share[k].first, start + x->share[k].second};
    const int64_t count = x->share[k].second < 0 ? 1 : 2;
    *divisor = b->row_cap[x->line];
    return b->general ? pm_block_restrict_vertex(b, x->line, keep, count, out, err)
                      : pm_block_restrict(b, x->line, keep, count, out, err);
}
