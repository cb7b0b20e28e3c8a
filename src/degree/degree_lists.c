/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "degree/degree_lists.h"

#include <math.h>

#include "pm/alloc.h"
#include "sampler/vertex_key.h"

uint32_t *pm_degree_integer_entries(const pm_neighbours *l)
{
    uint32_t *part = pm_alloc_array(l->nnz, sizeof *part);
    for (int32_t i = 0; part && i < l->n; ++i) {
        double most = 0;
        for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k)
            most = fmax(most, l->rowval[k]);
        for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k)
            part[k] = (uint32_t)fmax(round(ldexp(l->rowval[k] / most, 24)), 1);
    }
    return part;
}

/* What is left: key of the rows, number of rows of each column; 0 for a column taken. */
typedef struct {
    uint32_t *key;
    int32_t *left;
} rest;

size_t pm_degree_lists_scratch(const pm_neighbours *l)
{
    return (size_t)l->n * (sizeof(uint32_t) + sizeof(int32_t));
}

static rest rest_at(const pm_neighbours *l, void *scratch)
{
    rest r = {.key = scratch};
    r.left = (int32_t *)(r.key + l->n);
    return r;
}

void pm_degree_lists_start(const pm_degree_lists *g, void *scratch)
{
    const pm_neighbours *l = g->lists;
    rest r = rest_at(l, scratch);
    for (int32_t i = 0; i < l->n; ++i) {
        r.key[i] = pm_vertex_key(i, l->rowptr[i + 1] - l->rowptr[i]);
        r.left[i] = l->colptr[i + 1] - l->colptr[i];
    }
}

static uint64_t part_of(const pm_degree_lists *g, const rest *r, int32_t k)
{
    uint64_t t = g->table[r->left[g->lists->colind[k]]];
    return g->parts ? t * g->parts[k] : t;
}

/* The place that is the only choice, or -1 (then *total: sum of the parts), or -2: a dead end. */
static int32_t look_along(const pm_degree_lists *g, const rest *r, int32_t i, uint64_t *total)
{
    const pm_neighbours *l = g->lists;
    int32_t choices = 0, last = -2, must = -1;
    uint64_t sum = 0;
    for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k) {
        int32_t c = r->left[l->colind[k]];
        if (c == 0)
            continue;
        if (g->forces && c == 1) {
            if (must >= 0)
                return -2;
            must = k;
        }
        sum += part_of(g, r, k);
        last = k;
        ++choices;
    }
    *total = sum;
    return must >= 0 ? must : choices > 1 ? -1 : last;
}

static int32_t choose(const pm_degree_lists *g, const rest *r, int32_t i, uint64_t total,
                      pm_sample_sequence *s, pm_wide_product *w)
{
    const pm_neighbours *l = g->lists;
    uint64_t at = pm_sample_sequence_below(s, total);
    for (int32_t k = l->rowptr[i];; ++k) {
        if (r->left[l->colind[k]] == 0)
            continue;
        uint64_t part = part_of(g, r, k);
        if (at < part) {
            pm_wide_product_multiply(w, (double)total / (double)part);
            return k;
        }
        at -= part;
    }
}

/* Row i gets the column at place k; 0 when another column has no row left. */
static int take(const pm_neighbours *l, rest *r, int32_t i, int32_t k)
{
    int32_t j = l->colind[k];
    r->left[j] = 0;
    for (int32_t at = l->colptr[j]; at < l->colptr[j + 1]; ++at)
        r->key[l->rowind[at]] -= PM_VERTEX_KEY_DEGREE;
    r->key[i] = ~UINT32_C(0);
    int alive = 1;
    for (int32_t at = l->rowptr[i]; at < l->rowptr[i + 1]; ++at) {
        int32_t *left = &r->left[l->colind[at]];
        alive &= *left != 1;
        *left -= *left > 0;
    }
    return alive;
}

void pm_degree_lists_assign(const pm_degree_lists *g, void *scratch, int32_t i, int32_t j)
{
    const pm_neighbours *l = g->lists;
    rest r = rest_at(l, scratch);
    for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k)
        if (l->colind[k] == j)
            take(l, &r, i, k);
}

pm_wide_product pm_degree_lists_draw_rest(const pm_degree_lists *g, void *scratch, int32_t steps,
                                          pm_sample_sequence *s)
{
    const pm_neighbours *l = g->lists;
    rest r = rest_at(l, scratch);
    pm_wide_product w = {1, 0};
    const pm_wide_product dead = {0, 0};
    for (int32_t step = l->n - steps; step < l->n; ++step) {
        int32_t i = g->in_sequence ? step : pm_vertex_key_vertex(pm_vertex_key_min(r.key, l->n));
        uint64_t total = 0;
        int32_t k = look_along(g, &r, i, &total);
        if (k == -1)
            k = choose(g, &r, i, total, s, &w);
        if (k < 0)
            return dead;
        if (l->rowval)
            pm_wide_product_multiply(&w, l->rowval[k]);
        if (!take(l, &r, i, k))
            return dead;
    }
    return w;
}

pm_wide_product pm_degree_lists_draw(const pm_degree_lists *g, void *scratch, pm_sample_sequence *s)
{
    pm_degree_lists_start(g, scratch);
    return pm_degree_lists_draw_rest(g, scratch, g->lists->n, s);
}
