/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum {
    ROWS_LEAST = 10000,
    CLUSTERS_MOST = 2000, /* of the last level */
    FINER = 8,            /* rows of the clusters of a level over those of the level before */
    WORK = 20,            /* to factorize the equations takes so many operations for each entry */
    PAIRS_MOST = 50       /* of clusters that a column joins, for each entry in the mean */
};
#define NONE_LEFT 0x1p-40 /* of a diagonal element: its component has no other equation */

static void level_free(pm_coarse_level *l)
{
    free(l->cluster);
    free(l->member);
    free(l->start);
    free(l->first);
    free(l->part);
    free(l->matrix);
    *l = (pm_coarse_level){0};
}

void pm_coarse_free(pm_coarse *c)
{
    for (int k = 0; k < c->levels; ++k)
        level_free(&c->level[k]);
    *c = (pm_coarse){0};
}

/* ---- clusters ---- */

typedef struct {
    const pm_csr *rows, *cols;
    int32_t *cluster, *queue;
    int64_t head, tail; /* of the queue: rows whose neighbours come next */
    int64_t size;       /* of a cluster */
} growth;

/* A cluster from a row: the nearest rows that have none yet.  Returns how many. */
static int64_t grow(growth *g, int32_t from, int number)
{
    int64_t count = 1;
    g->head = g->tail = 0;
    g->queue[g->tail++] = from;
    g->cluster[from] = number;
    while (g->head < g->tail) {
        const int32_t i = g->queue[g->head++];
        for (int64_t k = g->rows->rowptr[i]; k < g->rows->rowptr[i + 1]; ++k) {
            const int32_t j = g->rows->colind[k];
            for (int64_t l = g->cols->rowptr[j]; l < g->cols->rowptr[j + 1]; ++l) {
                const int32_t other = g->cols->colind[l];
                if (g->cluster[other] >= 0)
                    continue;
                if (count == g->size)
                    return count;
                g->cluster[other] = number;
                g->queue[g->tail++] = other;
                ++count;
            }
        }
    }
    return count;
}

/* The cluster of a neighbour of a row in the queue that is in another one; -1: there is none. */
static int32_t cluster_beside(const growth *g, int number)
{
    for (int64_t at = 0; at < g->tail; ++at)
        for (int64_t k = g->rows->rowptr[g->queue[at]]; k < g->rows->rowptr[g->queue[at] + 1];
             ++k) {
            const int32_t j = g->rows->colind[k];
            for (int64_t l = g->cols->rowptr[j]; l < g->cols->rowptr[j + 1]; ++l) {
                const int32_t other = g->cluster[g->cols->colind[l]];
                if (other >= 0 && other != number)
                    return other;
            }
        }
    return -1;
}

/* Returns the number of clusters; more than `most`: it gave up. */
static int64_t find_clusters(growth *g, int64_t n, int64_t most)
{
    int64_t count = 0;
    memset(g->cluster, 0xff, (size_t)n * sizeof *g->cluster);
    for (int32_t i = 0; i < n && count <= most; ++i) {
        if (g->cluster[i] >= 0)
            continue;
        const bool is_small = grow(g, i, (int)count) < g->size / 4;
        const int32_t beside = is_small ? cluster_beside(g, (int)count) : -1;
        for (int64_t at = 0; beside >= 0 && at < g->tail; ++at)
            g->cluster[g->queue[at]] = beside;
        count += beside < 0;
    }
    return count;
}

/* below: NULL, or the level whose clusters are the items. */
static void list_members(const pm_coarse_level *below, pm_coarse_level *l)
{
    memset(l->start, 0, (size_t)(l->count + 1) * sizeof *l->start);
    for (int64_t i = 0; i < l->items; ++i)
        ++l->start[l->cluster[i] + 1];
    for (int64_t k = 0; k < l->count; ++k)
        l->start[k + 1] += l->start[k];
    for (int64_t i = 0; i < l->items; ++i)
        l->member[l->start[l->cluster[i]]++] = (int32_t)i;
    memmove(l->start + 1, l->start, (size_t)l->count * sizeof *l->start);
    l->start[0] = 0;
    for (int64_t k = 0; k < l->count; ++k) {
        const int32_t item = l->member[l->start[k]];
        l->first[k] = l->start[k] == l->start[k + 1] ? -1 : below ? below->first[item] : item;
    }
}

/* The sum over columns of the square of the clusters that they join. */
static bool has_few_pairs(const pm_csr *cols)
{
    double pairs = 0;
    for (int64_t j = 0; j < cols->nrows; ++j) {
        const double entries = (double)(cols->rowptr[j + 1] - cols->rowptr[j]);
        pairs += fmin(entries, CLUSTERS_MOST) * fmin(entries, CLUSTERS_MOST);
    }
    return pairs <= PAIRS_MOST * (double)cols->rowptr[cols->nrows];
}

/* A cluster of the level below belongs to that of its first row. */
static void join_below(const pm_coarse_level *below, const int32_t *of_row, pm_coarse_level *l)
{
    for (int64_t c = 0; c < below->count; ++c)
        l->cluster[c] = below->first[c] < 0 ? 0 : of_row[below->first[c]];
}

/* Clusters of about so many rows.  *found: there are at most `most`, and more than one. */
static pm_status level_make(const pm_workspace *w, int64_t size, int64_t most, bool is_last,
                            const pm_coarse_level *below, pm_coarse_level *l, bool *found,
                            pm_error *err)
{
    const int64_t n = w->x.a.nrows;
    growth g = {.rows = &w->x.a, .cols = &w->x.t, .size = size};
    g.cluster = pm_alloc_array(n, sizeof *g.cluster);
    g.queue = pm_alloc_array(n, sizeof *g.queue);
    bool has_memory = g.cluster && g.queue;
    l->count = has_memory ? find_clusters(&g, n, most) : 0;
    l->items = below ? below->count : n;
    *found = l->count > 1 && l->count <= most;
    if (*found) {
        l->cluster = below ? pm_alloc_array(l->items, sizeof *l->cluster) : g.cluster;
        l->member = pm_alloc_array(l->items, sizeof *l->member);
        l->start = pm_alloc_array(l->count + 1, sizeof *l->start);
        l->first = pm_alloc_array(l->count, sizeof *l->first);
        l->part = pm_alloc_array(l->count, sizeof *l->part);
        l->matrix = pm_alloc_array(is_last ? l->count * l->count : l->count, sizeof *l->matrix);
        has_memory = l->cluster && l->member && l->start && l->first && l->part && l->matrix;
    }
    if (*found && has_memory && below)
        join_below(below, g.cluster, l);
    if (*found && has_memory)
        list_members(below, l);
    if (g.cluster != l->cluster)
        free(g.cluster);
    free(g.queue);
    return has_memory ? PM_OK : pm_fail_memory(err, "a coarse system");
}

bool pm_coarse_is_possible(const pm_workspace *w)
{
    return w->x.a.nrows >= ROWS_LEAST && has_few_pairs(&w->x.t);
}

pm_status pm_coarse_make(const pm_workspace *w, pm_coarse *out, bool *found, pm_error *err)
{
    const int64_t n = w->x.a.nrows;
    *out = (pm_coarse){.n = n, .threads = w->threads};
    *found = true;
    const double wanted = fmin(cbrt(3.0 * WORK * (double)w->x.a.rowptr[n]), CLUSTERS_MOST / 2.0);
    const int64_t last = (int64_t)((double)n / wanted) + 1;
    pm_status status = PM_OK;
    for (int64_t size = FINER; *found && !status; size *= FINER) {
        const bool is_last = size * FINER / 2 > last;
        pm_coarse_level *l = &out->level[out->levels++];
        status = level_make(w, is_last ? last : size, is_last ? CLUSTERS_MOST : n, is_last,
                            out->levels > 1 ? l - 1 : NULL, l, found, err);
        if (is_last)
            break;
    }
    if (status || !*found) {
        pm_coarse_free(out);
        *found = false;
    }
    return status;
}

/* ---- the equations ---- */

static double entry(const pm_workspace *w, int64_t l, int32_t i, int64_t j)
{
    return w->is_product ? w->vector[w->row][i] * w->vector[w->col][j] : w->x.t.value[l];
}

/* The cluster of each row in a level, and room for those that a column joins. */
typedef struct {
    int32_t *at, *joined;
} rows;

/* The sums of a column over the clusters that it joins, in l->part.  Returns how many these are. */
static int sum_column(const pm_coarse_level *l, const pm_workspace *w, int64_t j, rows *r)
{
    const pm_csr *cols = &w->x.t;
    int count = 0;
    for (int64_t k = cols->rowptr[j]; k < cols->rowptr[j + 1]; ++k) {
        const int32_t c = r->at[cols->colind[k]];
        if (l->part[c] == 0)
            r->joined[count++] = c;
        l->part[c] += entry(w, k, cols->colind[k], j);
    }
    return count;
}

/* P^T diag(R) P.  stride: from one diagonal element to the next one. */
static void begin_equations(const pm_coarse *c, pm_coarse_level *l, int64_t size, int64_t stride,
                            const double *sums, const rows *r)
{
    memset(l->matrix, 0, (size_t)size * sizeof *l->matrix);
    memset(l->part, 0, (size_t)l->count * sizeof *l->part);
    for (int64_t i = 0; i < c->n; ++i)
        l->matrix[r->at[i] * stride] += sums[i];
}

/* 1 over the diagonal of P^T A P; 0 for a cluster that is a component, or empty. */
static void make_diagonal(const pm_coarse *c, pm_coarse_level *l, const pm_workspace *w,
                          const double *sums, rows *r)
{
    begin_equations(c, l, l->count, 1, sums, r);
    for (int64_t j = 0; j < w->x.t.nrows; ++j) {
        const int count = sum_column(l, w, j, r);
        for (int p = 0; p < count; ++p) {
            l->matrix[r->joined[p]] -= l->part[r->joined[p]] * l->part[r->joined[p]];
            l->part[r->joined[p]] = 0;
        }
    }
    for (int64_t i = 0; i < c->n; ++i)
        l->part[r->at[i]] += sums[i];
    for (int64_t k = 0; k < l->count; ++k)
        l->matrix[k] = l->matrix[k] > NONE_LEFT * l->part[k] ? 1 / l->matrix[k] : 0;
}

/* P^T A P, the lower triangle. */
static void make_equations(const pm_coarse *c, pm_coarse_level *l, const pm_workspace *w,
                           const double *sums, rows *r)
{
    const int64_t m = l->count;
    begin_equations(c, l, m * m, m + 1, sums, r);
    for (int64_t j = 0; j < w->x.t.nrows; ++j) {
        const int count = sum_column(l, w, j, r);
        for (int p = 0; p < count; ++p)
            for (int q = 0; q < count; ++q)
                if (r->joined[q] <= r->joined[p])
                    l->matrix[r->joined[p] * m + r->joined[q]] -=
                        l->part[r->joined[p]] * l->part[r->joined[q]];
        for (int p = 0; p < count; ++p)
            l->part[r->joined[p]] = 0;
    }
}

static double dot(const double *x, const double *y, int64_t n)
{
    double sum[4] = {0}, rest = 0;
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k)
            sum[k] += x[i + k] * y[i + k];
    for (; i < n; ++i)
        rest += x[i] * y[i];
    return sum[0] + sum[1] + (sum[2] + sum[3]) + rest;
}

/* The last line follows from the others, as does one of each component: its unknown is 0. */
static void factorize(pm_coarse_level *l)
{
    const int64_t m = l->count;
    for (int64_t i = 0; i < m - 1; ++i) {
        double *row = l->matrix + i * m;
        const double whole = row[i];
        for (int64_t j = 0; j < i; ++j)
            row[j] = (row[j] - dot(row, l->matrix + j * m, j)) / l->matrix[j * (m + 1)];
        const double pivot = whole - dot(row, row, i);
        row[i] = pivot > NONE_LEFT * whole ? sqrt(pivot) : INFINITY;
    }
}

pm_status pm_coarse_set(pm_coarse *c, const pm_workspace *w, int sums, pm_error *err)
{
    rows r = {pm_alloc_array(c->n, sizeof *r.at), pm_alloc_array(c->n, sizeof *r.joined)};
    const double *sum = w->vector[sums];
    const bool has_memory = r.at && r.joined;
    for (int k = 0; k < c->levels && has_memory; ++k) {
        pm_coarse_level *l = &c->level[k];
        for (int64_t i = 0; i < c->n; ++i)
            r.at[i] = l->cluster[k ? r.at[i] : i];
        (k + 1 < c->levels ? make_diagonal : make_equations)(c, l, w, sum, &r);
    }
    if (has_memory)
        factorize(&c->level[c->levels - 1]);
    free(r.at);
    free(r.joined);
    return has_memory ? PM_OK : pm_fail_memory(err, "a coarse system");
}

/* ---- a step ---- */

static void solve(const pm_coarse_level *l)
{
    const int64_t m = l->count, last = m - 1;
    double *x = l->part;
    for (int64_t i = 0; i < last; ++i)
        x[i] = (x[i] - dot(l->matrix + i * m, x, i)) / l->matrix[i * (m + 1)];
    for (int64_t i = last - 1; i >= 0; --i) {
        x[i] /= l->matrix[i * (m + 1)];
        for (int64_t j = 0; j < i; ++j)
            x[j] -= l->matrix[i * m + j] * x[i];
    }
    x[last] = 0;
}

static void sum_clusters(const pm_coarse *c, const pm_coarse_level *l, const double *from)
{
#pragma omp parallel for num_threads(c->threads) if (c->threads > 1)
    for (int64_t k = 0; k < l->count; ++k) {
        l->part[k] = 0;
        for (int32_t at = l->start[k]; at < l->start[k + 1]; ++at)
            l->part[k] += from[l->member[at]];
    }
}

/* to[item] += the number of its cluster */
static void add_clusters(const pm_coarse *c, const pm_coarse_level *l, double *to)
{
#pragma omp parallel for num_threads(c->threads) if (c->threads > 1)
    for (int64_t i = 0; i < l->items; ++i)
        to[i] += l->part[l->cluster[i]];
}

void pm_coarse_add(const pm_coarse *c, pm_workspace *w, int rest, int z)
{
    const pm_coarse_level *l = c->level;
    for (int k = 0; k < c->levels; ++k)
        sum_clusters(c, &l[k], k ? l[k - 1].part : w->vector[rest]);
    solve(&l[c->levels - 1]);
    for (int k = c->levels - 1; k > 0; --k) {
        for (int64_t m = 0; m < l[k - 1].count; ++m)
            l[k - 1].part[m] *= l[k - 1].matrix[m];
        add_clusters(c, &l[k], l[k - 1].part);
    }
    add_clusters(c, l, w->vector[z]);
}
