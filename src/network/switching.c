/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "network/switching.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

enum { STOP_CHECK = 4096, MOST_ATTEMPTS = 100 /* for a switch */ };

double pm_switching_attempts(const pm_matrix *a, double switches_of_edge)
{
    const double m = (double)pm_matrix_nnz(a), cells = (double)a->nrows * (double)a->ncols;
    const double absent = 1 - (cells > 0 ? m / cells : 0);
    return ceil(switches_of_edge * m * fmin(1 / (absent * absent), MOST_ATTEMPTS));
}

/* ---- the set of edges: open addressing ---- */

typedef struct {
    uint64_t *slot; /* 0: empty */
    uint64_t mask;
} edge_set;

static uint64_t key_of(int64_t row, int64_t col)
{
    return ((uint64_t)row << 32 | (uint64_t)col) + 1;
}

static uint64_t home_of(const edge_set *s, uint64_t key)
{
    uint64_t x = key * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ x >> 32) & s->mask;
}

/* Where the key is, or the empty slot where it would be. */
static uint64_t find(const edge_set *s, uint64_t key)
{
    uint64_t at = home_of(s, key);
    while (s->slot[at] && s->slot[at] != key)
        at = (at + 1) & s->mask;
    return at;
}

static bool has(const edge_set *s, uint64_t key)
{
    return s->slot[find(s, key)] != 0;
}

static void insert(edge_set *s, uint64_t key)
{
    s->slot[find(s, key)] = key;
}

/* Moves later keys of the same run back, so that no search ends too early. */
static void erase(edge_set *s, uint64_t key)
{
    uint64_t gap = find(s, key);
    for (uint64_t at = (gap + 1) & s->mask; s->slot[at]; at = (at + 1) & s->mask) {
        uint64_t home = home_of(s, s->slot[at]);
        if (((at - home) & s->mask) >= ((at - gap) & s->mask)) {
            s->slot[gap] = s->slot[at];
            gap = at;
        }
    }
    s->slot[gap] = 0;
}

/* ---- switching ---- */

typedef struct {
    pm_matrix *a;
    int32_t *row; /* of each entry */
    edge_set edges;
} switching;

static pm_status init(pm_matrix *a, switching *s, pm_error *err)
{
    const int64_t m = pm_matrix_nnz(a);
    uint64_t slots = 16;
    while (slots < 2 * (uint64_t)m)
        slots *= 2;
    *s = (switching){a,
                     pm_alloc_array(m, sizeof *s->row),
                     {pm_calloc_array((int64_t)slots, sizeof *s->edges.slot), slots - 1}};
    if (!s->row || !s->edges.slot)
        return pm_fail_memory(err, "edge switching");
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            s->row[k] = (int32_t)i;
            insert(&s->edges, key_of(i, a->colind[k]));
        }
    return PM_OK;
}

static bool attempt(switching *s, pm_random *random)
{
    const uint64_t m = (uint64_t)pm_matrix_nnz(s->a);
    const uint64_t e = pm_random_below(random, m), f = pm_random_below(random, m);
    int32_t *j = &s->a->colind[e], *l = &s->a->colind[f];
    const uint64_t first = key_of(s->row[e], *l), second = key_of(s->row[f], *j);
    if (has(&s->edges, first) || has(&s->edges, second))
        return false; /* also where the edges share a vertex */
    erase(&s->edges, key_of(s->row[e], *j));
    erase(&s->edges, key_of(s->row[f], *l));
    insert(&s->edges, first);
    insert(&s->edges, second);
    const int32_t other = *j;
    *j = *l;
    *l = other;
    return true;
}

/* The entries of each row by ascending columns: the transpose has them so. */
static pm_status sort_rows(pm_matrix *a, pm_error *err)
{
    pm_matrix t = {0}, sorted = {0};
    pm_status status = pm_matrix_transpose(a, &t, err);
    if (!status)
        status = pm_matrix_transpose(&t, &sorted, err);
    pm_matrix_free(&t);
    if (status)
        return status;
    pm_matrix_free(a);
    *a = sorted;
    return PM_OK;
}

pm_status pm_switching_run(pm_matrix *a, double attempts, pm_random *random, const pm_run *run,
                           int64_t *done, pm_error *err)
{
    *done = 0;
    if (pm_matrix_nnz(a) == 0)
        return PM_OK;
    switching s;
    pm_status status = init(a, &s, err);
    for (double k = 0; k < attempts && !status; ++k) {
        *done += attempt(&s, random);
        if (fmod(k, STOP_CHECK) == 0) {
            pm_run_progress(run, k / attempts, "edge switching");
            if (pm_run_stopped(run))
                status = pm_fail(err, PM_ESTOPPED, "stopped during edge switching");
        }
    }
    free(s.row);
    free(s.edges.slot);
    return status ? status : sort_rows(a, err);
}
