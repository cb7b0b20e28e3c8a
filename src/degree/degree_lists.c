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

/* The unmatched rows and columns. */
typedef struct {
    uint32_t *key; /* of each row: sampler/vertex_key.h */
    int32_t *left; /* unmatched rows of each column; 0: the column is matched */
} remaining;

size_t pm_degree_lists_scratch(const pm_neighbours *l)
{
    return (size_t)l->n * (sizeof(uint32_t) + sizeof(int32_t));
}

static remaining remaining_at(const pm_neighbours *l, void *scratch)
{
    remaining r = {.key = scratch};
    r.left = (int32_t *)(r.key + l->n);
    return r;
}

void pm_degree_lists_start(const pm_degree_lists *g, void *scratch)
{
    const pm_neighbours *l = g->lists;
    remaining r = remaining_at(l, scratch);
    for (int32_t i = 0; i < l->n; ++i) {
        r.key[i] = pm_vertex_key(i, l->rowptr[i + 1] - l->rowptr[i]);
        r.left[i] = l->colptr[i + 1] - l->colptr[i];
    }
}

/* v_ij T(c_j) of position k. */
static uint64_t integer_share(const pm_degree_lists *g, const remaining *r, int32_t k)
{
    uint64_t t = g->table[r->left[g->lists->colind[k]]];
    return g->integer_entries ? t * g->integer_entries[k] : t;
}

/* Returns the position in row i that is the only choice; -1 when there are several (then *total is
 * the sum of their shares); -2 at a dead end. */
static int32_t scan_row(const pm_degree_lists *g, const remaining *r, int32_t i, uint64_t *total)
{
    const pm_neighbours *l = g->lists;
    int32_t choices = 0, last = -2, forced = -1;
    uint64_t sum = 0;
    for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k) {
        int32_t c = r->left[l->colind[k]];
        if (c == 0)
            continue;
        if (g->forces && c == 1) {
            if (forced >= 0)
                return -2;
            forced = k;
        }
        sum += integer_share(g, r, k);
        last = k;
        ++choices;
    }
    *total = sum;
    return forced >= 0 ? forced : choices > 1 ? -1 : last;
}

/* Chooses a position of row i by the shares, whose sum is `total`; multiplies *w by
 * 1 / probability. */
static int32_t choose(const pm_degree_lists *g, const remaining *r, int32_t i, uint64_t total,
                      pm_sample_sequence *s, pm_wide_product *w)
{
    const pm_neighbours *l = g->lists;
    uint64_t at = pm_sample_sequence_below(s, total);
    for (int32_t k = l->rowptr[i];; ++k) {
        if (r->left[l->colind[k]] == 0)
            continue;
        uint64_t part = integer_share(g, r, k);
        if (at < part) {
            pm_wide_product_multiply(w, (double)total / (double)part);
            return k;
        }
        at -= part;
    }
}

/* Matches row i with the column at position k.  Returns 0 if another column has no unmatched row
 * left. */
static int match(const pm_neighbours *l, remaining *r, int32_t i, int32_t k)
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
    remaining r = remaining_at(l, scratch);
    for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k)
        if (l->colind[k] == j)
            match(l, &r, i, k);
}

pm_wide_product pm_degree_lists_draw_rest(const pm_degree_lists *g, void *scratch, int32_t steps,
                                          pm_sample_sequence *s)
{
    const pm_neighbours *l = g->lists;
    remaining r = remaining_at(l, scratch);
    pm_wide_product w = {1, 0};
    const pm_wide_product dead = {0, 0};
    for (int32_t step = l->n - steps; step < l->n; ++step) {
        int32_t i = g->in_sequence ? step : pm_vertex_key_vertex(pm_vertex_key_min(r.key, l->n));
        uint64_t total = 0;
        int32_t k = scan_row(g, &r, i, &total);
        if (k == -1)
            k = choose(g, &r, i, total, s, &w);
        if (k < 0)
            return dead;
        if (l->rowval)
            pm_wide_product_multiply(&w, l->rowval[k]);
        if (!match(l, &r, i, k))
            return dead;
    }
    return w;
}

pm_wide_product pm_degree_lists_draw(const pm_degree_lists *g, void *scratch, pm_sample_sequence *s)
{
    pm_degree_lists_start(g, scratch);
    return pm_degree_lists_draw_rest(g, scratch, g->lists->n, s);
}
