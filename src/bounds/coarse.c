/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/coarse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"

enum {
    ROWS_LEAST = 10000,
    CLUSTERS_MOST = 1000, /* of the last level */
    SIZE = 6,             /* items of a cluster */
    WORK = 20,            /* to factorize the equations takes so many operations for each entry */
    PAIRS_MOST = 50,      /* of entries of a column, for each entry in the mean */
    PARTS = 64,        /* of the items, in which clusters are found side by side: at most so many */
    PART_LEAST = 20000 /* items of a part, at least */
};
#define ENTRIES_MOST UINT32_MAX /* places of entries have 32 bits */
#define NONE_LEFT    0x1p-40    /* of a diagonal element: its component has no other equation */

/* An item joins a cluster only where A between them is at least this share of the smaller one of their diagonals, summed: else a
 * step of Jacobi's method would not even out what differs within the cluster. */
#define FIRST_SHARE 0.2
#define LEAST_SHARE 0x1p-10
#define MANY_LEFT   0.9 /* clusters over items: it gives up */

static void level_free(pm_coarse_level *l)
{
    free(l->cluster);
    free(l->member);
    free(l->start);
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

/* ---- the matrix of a level ---- */

/* The pattern of Y by items or by columns.  The values are stored once: by the items in X, where they come from, by the columns in the
 * others, which are made so.  The other side has their places. */
typedef struct {
    int64_t lines;
    const int64_t *ptr;
    const int32_t *ind;
    const uint32_t *place; /* NULL: in the same order as the values */
    void *owned[3];
} side;

/* Y = P^T X, P the clusters of the level below; the entries that a cluster has in a column are one entry.  Columns with one
 * entry are left out: they add nothing to A.  value: NULL where they are row_i col_j. */
typedef struct {
    side a, t; /* by items, by columns */
    const double *value, *row, *col;
    double *owned_value;
} joined;

static void side_free(side *s)
{
    for (int k = 0; k < 3; ++k)
        free(s->owned[k]);
    *s = (side){0};
}

static void joined_free(joined *y)
{
    side_free(&y->a);
    side_free(&y->t);
    free(y->owned_value);
    *y = (joined){0};
}

static int64_t place_of(const side *s, int64_t k)
{
    return s->place ? (int64_t)s->place[k] : k;
}

/* Entry k of t, in column j. */
static double by_column(const joined *y, int64_t k, int64_t j)
{
    return y->value ? y->value[place_of(&y->t, k)] : y->row[y->t.ind[k]] * y->col[j];
}

/* Entry k of a, of item i. */
static double by_item(const joined *y, int64_t k, int64_t i)
{
    return y->value ? y->value[place_of(&y->a, k)] : y->row[i] * y->col[y->a.ind[k]];
}

/* Returns the number of columns.  part: [clusters], of zeros, which it has again at the end. */
static int64_t join_entries(const joined *from, const int32_t *cluster, double *part, int64_t *ptr,
                            int32_t *ind, double *value)
{
    int64_t at = 0, columns = 0;
    ptr[0] = 0;
    for (int64_t j = 0; j < from->t.lines; ++j) {
        for (int64_t k = from->t.ptr[j]; k < from->t.ptr[j + 1]; ++k) {
            const int32_t c = cluster[from->t.ind[k]];
            if (part[c] == 0)
                ind[at++] = c;
            part[c] += by_column(from, k, j);
        }
        for (int64_t k = ptr[columns]; k < at; ++k) {
            value[k] = part[ind[k]];
            part[ind[k]] = 0;
        }
        if (at > ptr[columns] + 1)
            ptr[++columns] = at;
        at = ptr[columns];
    }
    return columns;
}

/* ptr: from the starts of the lines; they are there again at the end. */
static void find_places(const side *from, int64_t lines, int threads, int64_t *ptr, uint32_t *place)
{
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        const pm_column_range range = pm_column_range_of(lines, part, threads);
        for (int64_t k = 0; k < from->ptr[from->lines]; ++k)
            if (pm_column_is_in(range, from->ind[k]))
                place[ptr[from->ind[k]]++] = (uint32_t)k;
    }
    pm_transposed_rewind(ptr, lines);
}

/* The other side, whose values are in the order of `from`; without places where there are none.  lines: of it. */
static pm_status transpose(const side *from, int64_t lines, bool has_values, int threads, side *out,
                           pm_error *err)
{
    const int64_t entries = from->ptr[from->lines];
    int64_t *ptr = pm_alloc_array(lines + 1, sizeof *ptr);
    int32_t *ind = pm_alloc_array(entries, sizeof *ind);
    uint32_t *place = has_values ? pm_alloc_array(entries, sizeof *place) : NULL;
    *out = (side){lines, ptr, ind, place, {ptr, ind, place}};
    if (!ptr || !ind || (has_values && !place)) {
        side_free(out);
        return pm_fail_memory(err, "a coarse system");
    }
    pm_transposed_make(from->lines, lines, from->ptr, from->ind, threads, ptr, ind, NULL);
    if (has_values)
        find_places(from, lines, threads, ptr, place);
    return PM_OK;
}

/* The clusters of *y as items; it is freed, even where this fails. */
static pm_status join(joined *y, const pm_coarse_level *l, pm_error *err)
{
    const int64_t n = y->t.lines, entries = y->t.ptr[n];
    int64_t *ptr = pm_alloc_array(n + 1, sizeof *ptr), columns = 0;
    int32_t *ind = pm_alloc_array(entries, sizeof *ind);
    double *value = pm_alloc_array(entries, sizeof *value);
    const bool has_memory = ptr && ind && value;
    side_free(&y->a);
    if (has_memory) {
        memset(l->part, 0, (size_t)l->count * sizeof *l->part);
        columns = join_entries(y, l->cluster, l->part, ptr, ind, value);
    }
    joined_free(y);
    if (has_memory) {
        const int64_t left = ptr[columns] + 1; /* one more: an array is not empty */
        int64_t ptrs = n + 1, inds = entries, values = entries;
        pm_shrink_array((void **)&ptr, &ptrs, columns + 1, sizeof *ptr);
        pm_shrink_array((void **)&ind, &inds, left, sizeof *ind);
        pm_shrink_array((void **)&value, &values, left, sizeof *value);
    }
    *y = (joined){.t = {columns, ptr, ind, NULL, {ptr, ind}}, .value = value, .owned_value = value};
    return has_memory ? transpose(&y->t, l->count, true, 1, &y->a, err)
                      : pm_fail_memory(err, "a coarse system");
}

/* The diagonal of A. */
static pm_status make_diagonal(const joined *y, double *diagonal, int threads, pm_error *err)
{
    double *total = pm_alloc_array(y->t.lines, sizeof *total); /* of the columns */
    if (!total)
        return pm_fail_memory(err, "a coarse system");
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t j = 0; j < y->t.lines; ++j) {
        total[j] = 0;
        for (int64_t k = y->t.ptr[j]; k < y->t.ptr[j + 1]; ++k)
            total[j] += by_column(y, k, j);
    }
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < y->a.lines; ++i) {
        diagonal[i] = 0;
        for (int64_t k = y->a.ptr[i]; k < y->a.ptr[i + 1]; ++k) {
            const double x = by_item(y, k, i);
            diagonal[i] += x * (total[y->a.ind[k]] - x);
        }
    }
    free(total);
    return PM_OK;
}

/* ---- clusters ---- */

/* In a part of the items: others join no cluster of it. */
typedef struct {
    const joined *y;
    const double *diagonal; /* of A, for the items */
    double least_share;
    double *
        weight; /* [items]: minus the sum of A between the item and the cluster that grows; else 0 */
    int32_t *near; /* the items with a weight; memory for all of the part */
    int64_t nears;
    double inside; /* the sum of the diagonal over the items of the cluster */
    int64_t from, to;
    int32_t count; /* clusters of the part */
} growth;

/* The item joins the cluster. */
static void add_item(growth *g, pm_coarse_level *l, int32_t i)
{
    const side *a = &g->y->a, *t = &g->y->t;
    l->cluster[i] = g->count;
    g->inside += g->diagonal[i];
    for (int64_t k = a->ptr[i]; k < a->ptr[i + 1]; ++k) {
        const int32_t j = a->ind[k];
        const double x = by_item(g->y, k, i);
        for (int64_t m = t->ptr[j]; m < t->ptr[j + 1]; ++m) {
            const int32_t other = t->ind[m];
            const double weight = x * by_column(g->y, m, j);
            if (other == i || other < g->from || other >= g->to
                || !(weight > 0)) /* it may be too small for a number */
                continue;
            if (g->weight[other] == 0)
                g->near[g->nears++] = other;
            g->weight[other] += weight;
        }
    }
}

/* The item that is nearest to the cluster that grows: one without a cluster, or one of another cluster; -1: none is near enough. */
static int32_t nearest(const growth *g, const pm_coarse_level *l, bool is_free)
{
    int32_t best = -1;
    double most = g->least_share;
    for (int64_t k = 0; k < g->nears; ++k) {
        const int32_t i = g->near[k];
        if (is_free ? l->cluster[i] >= 0 : l->cluster[i] < 0 || l->cluster[i] == g->count)
            continue;
        const double share = g->weight[i] / fmin(g->diagonal[i], g->inside);
        if (share >= most) {
            most = share;
            best = i;
        }
    }
    return best;
}

/* A cluster from an item; a single item joins another cluster, where one is near enough. */
static void grow(growth *g, pm_coarse_level *l, int32_t from)
{
    int size = 0;
    g->inside = 0;
    g->nears = 0;
    for (int32_t next = from; next >= 0 && size < SIZE; next = nearest(g, l, true)) {
        add_item(g, l, next);
        ++size;
    }
    const int32_t beside = size == 1 ? nearest(g, l, false) : -1;
    if (beside >= 0)
        l->cluster[from] = l->cluster[beside];
    else
        ++g->count;
    for (int64_t k = 0; k < g->nears; ++k)
        g->weight[g->near[k]] = 0;
}

/* Side by side in parts of the items, which depend on the number of items alone. */
static void find_clusters(const growth *g, int threads, pm_coarse_level *l)
{
    const int64_t wanted = l->items / PART_LEAST;
    const int parts = wanted < 1 ? 1 : wanted < PARTS ? (int)wanted : PARTS;
    int32_t first[PARTS + 1] = {0};
    memset(l->cluster, 0xff, (size_t)l->items * sizeof *l->cluster);
#pragma omp parallel num_threads(threads) if (threads > 1 && parts > 1)
    {
#pragma omp for schedule(dynamic, 1)
        for (int p = 0; p < parts; ++p) {
            growth part = *g;
            part.from = l->items * p / parts;
            part.to = l->items * (p + 1) / parts;
            part.near = g->near + part.from;
            for (int64_t i = part.from; i < part.to; ++i)
                if (l->cluster[i] < 0)
                    grow(&part, l, (int32_t)i);
            first[p + 1] = part.count;
        }
#pragma omp single
        for (int p = 0; p < parts; ++p)
            first[p + 1] += first[p];
#pragma omp for
        for (int p = 0; p < parts; ++p)
            for (int64_t i = l->items * p / parts; i < l->items * (p + 1) / parts; ++i)
                l->cluster[i] += first[p];
    }
    l->count = first[parts];
}

static void list_members(pm_coarse_level *l)
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
}

/* Clusters of the items; *least_share is halved until they are few.  diagonal: [items]. */
static pm_status level_make(const joined *y, const double *diagonal, double *least_share,
                            int threads, pm_coarse_level *l, pm_error *err)
{
    growth g = {.y = y, .diagonal = diagonal};
    l->items = y->a.lines;
    l->cluster = pm_alloc_array(l->items, sizeof *l->cluster);
    g.weight = pm_calloc_array(l->items, sizeof *g.weight);
    g.near = pm_alloc_array(l->items, sizeof *g.near);
    bool has_memory = l->cluster && g.weight && g.near;
    while (has_memory) {
        g.least_share = *least_share;
        find_clusters(&g, threads, l);
        if (l->count <= l->items / 2 || *least_share < LEAST_SHARE)
            break;
        *least_share /= 2;
    }
    free(g.weight);
    free(g.near);
    if (has_memory) {
        l->member = pm_alloc_array(l->items, sizeof *l->member);
        l->start = pm_alloc_array(l->count + 1, sizeof *l->start);
        l->part = pm_alloc_array(l->count, sizeof *l->part);
        has_memory = l->member && l->start && l->part;
    }
    if (!has_memory)
        return pm_fail_memory(err, "a coarse system");
    list_members(l);
    return PM_OK;
}

pm_status pm_coarse_check(const pm_workspace *w, bool *is_possible, pm_error *err)
{
    const pm_csr *a = &w->x.a;
    const int64_t entries = a->rowptr[a->nrows];
    *is_possible = false;
    if (a->nrows < ROWS_LEAST || entries > ENTRIES_MOST)
        return PM_OK;
    int64_t *count = pm_alloc_array(a->ncols, sizeof *count);
    if (!count)
        return pm_fail_memory(err, "a coarse system");
    pm_transposed_count(a->ncols, entries, a->colind, w->x.threads, count);
    double pairs = 0;
    for (int64_t j = 0; j < a->ncols; ++j)
        pairs += (double)count[j] * (double)count[j];
    free(count);
    *is_possible = pairs <= PAIRS_MOST * (double)entries;
    return PM_OK;
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

/* A, the lower triangle. */
static void make_equations(const joined *y, double *matrix)
{
    const int64_t m = y->a.lines;
    memset(matrix, 0, (size_t)(m * m) * sizeof *matrix);
    for (int64_t j = 0; j < y->t.lines; ++j)
        for (int64_t k = y->t.ptr[j]; k < y->t.ptr[j + 1]; ++k)
            for (int64_t l = y->t.ptr[j]; l < k; ++l) {
                const int64_t p = y->t.ind[k], q = y->t.ind[l];
                const double x = by_column(y, k, j) * by_column(y, l, j);
                matrix[p * (m + 1)] += x;
                matrix[q * (m + 1)] += x;
                matrix[p > q ? p * m + q : q * m + p] -= x;
            }
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

/* The equations of a level, whose clusters are the items of y. */
static pm_status set_equations(const joined *y, bool is_last, int threads, pm_coarse_level *l,
                               pm_error *err)
{
    l->matrix = pm_alloc_array(is_last ? l->count * l->count : l->count, sizeof *l->matrix);
    if (!l->matrix)
        return pm_fail_memory(err, "a coarse system");
    if (is_last) {
        make_equations(y, l->matrix);
        factorize(l);
        return PM_OK;
    }
    pm_status status = make_diagonal(y, l->matrix, threads, err);
    for (int64_t k = 0; !status && k < l->count; ++k)
        l->matrix[k] = l->matrix[k] > 0 ? 1 / l->matrix[k] : 0;
    return status;
}

/* Clusters of the items of y. */
static pm_status add_level(const joined *y, double *least_share, int threads, pm_coarse_level *l,
                           pm_error *err)
{
    double *diagonal = pm_alloc_array(y->a.lines, sizeof *diagonal);
    pm_status status = diagonal ? make_diagonal(y, diagonal, threads, err)
                                : pm_fail_memory(err, "a coarse system");
    if (!status)
        status = level_make(y, diagonal, least_share, threads, l, err);
    free(diagonal);
    return status;
}

/* One level after the other, until there are few clusters.  *y: of the rows; freed. */
static pm_status add_levels(joined *y, double wanted, pm_coarse *c, bool *found, pm_error *err)
{
    double least_share = FIRST_SHARE;
    pm_status status = PM_OK;
    *found = false;
    while (!status && !*found && c->levels < PM_COARSE_LEVELS) {
        pm_coarse_level *l = &c->level[c->levels++];
        status = add_level(y, &least_share, c->threads, l, err);
        if (!status && (double)l->count > MANY_LEFT * (double)l->items)
            break;
        if (!status)
            status = join(y, l, err);
        *found = !status && (double)l->count <= wanted;
        if (!status)
            status = set_equations(y, *found, c->threads, l, err);
    }
    joined_free(y);
    return status;
}

pm_status pm_coarse_make(const pm_workspace *w, pm_coarse *out, bool *found, pm_error *err)
{
    const int64_t n = w->x.a.nrows;
    const double wanted = fmin(cbrt(3.0 * WORK * (double)w->x.a.rowptr[n]), CLUSTERS_MOST);
    joined y = {.a = {.lines = n, .ptr = w->x.a.rowptr, .ind = w->x.a.colind},
                .value = w->x.a.value};
    if (w->is_product) {
        y.row = w->vector[w->row];
        y.col = w->vector[w->col];
    }
    *out = (pm_coarse){.threads = w->threads};
    pm_status status = transpose(&y.a, w->x.a.ncols, y.value != NULL, w->x.threads, &y.t, err);
    *found = false;
    if (!status)
        status = add_levels(&y, wanted, out, found, err);
    joined_free(&y);
    if (status || !*found) {
        pm_coarse_free(out);
        *found = false;
    }
    return status;
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
