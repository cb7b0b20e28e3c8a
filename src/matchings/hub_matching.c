/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matchings/hub_matching.h"

#include <stdlib.h>

#include "cuda/sample_sequence.h"
#include "degree/hub_bound.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "sampler/vertex_key.h"
#include "sampler/weight.h"

/* ---- making ---- */

pm_status pm_hub_matching_make(const pm_matrix *a, uint64_t seed, uint32_t block,
                               pm_hub_matching *out, pm_error *err)
{
    pm_hub_matching h = {.seed = seed, .block = block};
    pm_status status = pm_neighbours_make(a, &h.lists, err);
    if (!status && h.lists.rowval)
        status = pm_fail(err, PM_UNABLE, "rejection works for 0/1 matrices only%s",
                         pm_hint_text(PM_HINT_NO_WEIGHTS));
    if (status)
        goto done;
    const pm_neighbours *l = &h.lists;
    int32_t most =
        l->max_row_degree > l->max_column_degree ? l->max_row_degree : l->max_column_degree;
    h.gamma = pm_alloc_array(most + 1, sizeof *h.gamma);
    if (!h.gamma) {
        status = pm_fail_memory(err, "the table of Huber's bound");
        goto done;
    }
    pm_hub_gamma(h.gamma, most);
    h.bound = pm_hub_choose_side(&h.lists, h.gamma, 1, &h.is_transposed);
    h.scratch = (size_t)l->n * (sizeof(uint32_t) + sizeof(int32_t));
    *out = h;
    h = (pm_hub_matching){0};
done:
    pm_hub_matching_free(&h);
    return status;
}

void pm_hub_matching_free(pm_hub_matching *h)
{
    pm_neighbours_free(&h->lists);
    free(h->gamma);
    *h = (pm_hub_matching){0};
}

/* ---- drawing ---- */

/* The remaining graph: key of the rows, number of rows of each column; 0 for a used column. */
typedef struct {
    uint32_t *key;
    int32_t *left;
} rest;

static void start(const pm_neighbours *l, rest *r)
{
    for (int32_t i = 0; i < l->n; ++i) {
        r->key[i] = pm_vertex_key(i, l->rowptr[i + 1] - l->rowptr[i]);
        r->left[i] = l->colptr[i + 1] - l->colptr[i];
    }
}

/* The index of the column that row i gets; -1: the try fails. */
static int32_t choose(const pm_hub_matching *h, const rest *r, int32_t i, pm_sample_sequence *s)
{
    const pm_neighbours *l = &h->lists;
    double shrink = 1,
           at = pm_sample_sequence_unit(s); /* a column of row i that has other rows left */
    int32_t must = -1;
    for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k) {
        int32_t c = r->left[l->colind[k]];
        if (c == 1 && must >= 0)
            return -1;
        if (c == 1)
            must = k;
        else if (c > 1)
            shrink *= h->gamma[c - 1] / h->gamma[c];
    }
    if (must >= 0)
        return at < shrink ? must : -1;
    for (int32_t k = l->rowptr[i]; k < l->rowptr[i + 1]; ++k) {
        int32_t c = r->left[l->colind[k]];
        if (c == 0)
            continue;
        at -= shrink / h->gamma[c - 1];
        if (at < 0)
            return k;
    }
    return -1;
}

static void take(const pm_neighbours *l, rest *r, int32_t i, int32_t j)
{
    r->left[j] = 0;
    for (int32_t at = l->colptr[j]; at < l->colptr[j + 1]; ++at)
        r->key[l->rowind[at]] -= PM_VERTEX_KEY_DEGREE;
    r->key[i] = ~UINT32_C(0);
    for (int32_t at = l->rowptr[i]; at < l->rowptr[i + 1]; ++at)
        r->left[l->colind[at]] -= r->left[l->colind[at]] > 0;
}

static bool try(const pm_hub_matching *h, rest *r, pm_sample_sequence *s, int32_t *col_of)
{
    const pm_neighbours *l = &h->lists;
    start(l, r);
    for (int32_t step = 0; step < l->n; ++step) {
        int32_t i = pm_vertex_key_vertex(pm_vertex_key_min(r->key, l->n)), k = choose(h, r, i, s);
        if (k < 0)
            return false;
        int32_t j = l->colind[k];
        col_of[h->is_transposed ? j : i] = h->is_transposed ? i : j;
        take(l, r, i, j);
    }
    return true;
}

int64_t pm_hub_matching_draw(const pm_hub_matching *h, void *scratch, uint64_t sample, int64_t most,
                             const pm_run *run, int32_t *col_of)
{
    rest r = {.key = scratch};
    r.left = (int32_t *)(r.key + h->lists.n);
    pm_sample_sequence s = pm_sample_sequence_of(h->seed, h->block, sample);
    for (int64_t tries = 1; tries <= most && !pm_run_stopped(run); ++tries)
        if (try(h, &r, &s, col_of))
            return tries;
    return 0;
}
