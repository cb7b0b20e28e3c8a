/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/coarse.h"

#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "sinkhorn/joined_rows.h"

enum {
    ROWS_LEAST = 10000,
    CLUSTERS_MOST = 1000, /* of the last level */
    SIZE = 12,            /* items of a cluster */
    FEW = 4,              /* items for each cluster: more are not wanted, */
    WILL_DO = 2,          /* and so many will do where they took long to find */
    WORK = 20,            /* to factorize the equations takes so many operations for each entry */
    PAIRS_MOST = 50,      /* of entries of a column, for each entry in the mean */
    VISITS_MOST =
        400, /* of such pairs, for each entry, while clusters are found: then it gives up; systems that were found needed 5 to 116 */
    PART_LEAST = 20000,  /* items of a part, at least, in which clusters are found side by side */
    PARTS_OF_THREAD = 8, /* for fewer parts another thread would take more memory than is spared */
    THREADS_MOST = PM_COARSE_PARTS / PARTS_OF_THREAD,
    SAMPLES = 3 /* parts */
};
#define ENTRIES_MOST UINT32_MAX

/* An item joins a cluster only where A between them is at least this share of the smaller one of their diagonals, summed: else a
 * step of Jacobi's method would not even out what differs within the cluster. */
#define FIRST_SHARE 0.2
#define LEAST_SHARE 0x1p-10
/* Where ties are weaker Jacobi's method changes nothing: numbers would become too large. */
#define LEAST_DIAGONAL 0x1p-100
/* Entries of the matrices, times the visits to their level in a cycle, for each entry of X: where there are more, a cycle takes too long. */
#define MOST_WORK 4.0
/* A cycle takes as long as 1 + WORK_PRODUCTS times these products (lattices, meshes). */
#define WORK_PRODUCTS 6.0
#define MANY_LEFT                                                                                  \
    0.75 /* clusters over items: it gives up; where more are left the systems take longer than they save */

static void level_free(pm_coarse_level *l)
{
    free(l->cluster);
    free(l->of_part);
    pm_coarse_last_free(&l->last);
    pm_coarse_matrix_free(&l->a);
    free(l->inverse);
    free(l->v.rest);
    free(l->v.step);
    free(l->v.image);
    free(l->v.other);
    free(l->v.left);
    *l = (pm_coarse_level){0};
}

void pm_coarse_free(pm_coarse *c)
{
    for (int k = 0; k < c->levels; ++k)
        level_free(&c->level[k]);
    *c = (pm_coarse){0};
}

/* ---- clusters ---- */

/* In a part of the items: others join no cluster of it. */
typedef struct {
    const pm_joined *y;
    const float *diagonal; /* of A, for the items */
    double least_share;
    /* Of the items of the part: minus the sum of A between the item and the cluster that grows; else 0.  Each thread has memory for
     * the largest part, and for its columns. */
    float *weight;
    pm_joined_columns *columns;
    int32_t *near; /* the items with a weight */
    int64_t nears, room;
    double inside; /* the sum of the diagonal over the items of the cluster */
    int64_t from, to;
    int64_t visits; /* pairs of entries of a column, so far */
    int32_t count;  /* clusters of the part */
} growth;

/* The item joins the cluster. */
static void add_item(growth *g, pm_coarse_level *l, int32_t i)
{
    const pm_joined *y = g->y;
    const pm_joined_columns *t = g->columns;
    const int64_t end = pm_joined_start(y, i + 1);
    l->cluster[i] = g->count;
    g->inside += g->diagonal[i];
    for (int64_t k = pm_joined_start(y, i); k < end; ++k) {
        const int32_t j = y->ind[k];
        const double x = pm_joined_value(y, k, i);
        bool is_last = false;
        for (int64_t m = t->start[k - t->base]; !is_last; ++m) {
            is_last = t->item[m] < 0;
            const int32_t other = is_last ? ~t->item[m] : t->item[m];
            ++g->visits;
            if (other == i)
                continue;
            const double weight = x * pm_joined_at(y, other, j);
            if (!(weight >= FLT_MIN)) /* smaller numbers take longer */
                continue;
            float *sum = &g->weight[other - g->from];
            if (*sum == 0)
                g->near[g->nears++] = other;
            *sum += (float)weight;
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
        const double share = g->weight[i - g->from] / fmin(g->diagonal[i], g->inside);
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
        g->weight[g->near[k] - g->from] = 0;
}

static int64_t start_of_part(const pm_coarse_level *l, int p)
{
    return pm_coarse_start(l->items, l->parts, p);
}

/* The most entries of a part. */
static int64_t entries_of_part(const pm_joined *y, const pm_coarse_level *l)
{
    int64_t most = 0;
    for (int p = 0; p < l->parts; ++p) {
        const int64_t entries =
            pm_joined_start(y, start_of_part(l, p + 1)) - pm_joined_start(y, start_of_part(l, p));
        most = entries > most ? entries : most;
    }
    return most;
}

/* Clusters of a part of the items; their numbers begin with 0.  Adds to *visits. */
static int32_t clusters_of_part(const growth *g, pm_coarse_level *l, int p, int thread,
                                int64_t *visits)
{
    growth part = *g;
    part.from = start_of_part(l, p);
    part.to = start_of_part(l, p + 1);
    part.weight = g->weight + thread * g->room;
    part.near = g->near + thread * g->room;
    part.columns = g->columns + thread;
    part.visits = 0;
    pm_joined_columns_set(part.columns, part.y, part.from, part.to);
    for (int64_t i = part.from; i < part.to; ++i)
        l->cluster[i] = -1;
    for (int64_t i = part.from; i < part.to; ++i)
        if (l->cluster[i] < 0)
            grow(&part, l, (int32_t)i);
    *visits += part.visits;
    return part.count;
}

/* Whether even with the least share there would be too many clusters, in each of SAMPLES parts.  Rows in random order have most of
 * their ties with other parts; to find this with one share after the other takes as long as many products. */
static bool is_hopeless(growth *g, pm_coarse_level *l)
{
    growth least = *g;
    least.least_share = LEAST_SHARE;
    for (int sample = 0; sample < SAMPLES; ++sample) {
        const int p = (l->parts - 1) * sample / (SAMPLES - 1);
        const double items = (double)(start_of_part(l, p + 1) - start_of_part(l, p));
        if (l->parts < SAMPLES
            || clusters_of_part(&least, l, p, 0, &g->visits) <= MANY_LEFT * items)
            return false;
    }
    return true;
}

/* Side by side in the parts of the items. */
static void find_clusters(growth *g, int threads, pm_coarse_level *l)
{
    int64_t visits = 0;
    l->first[0] = 0;
#pragma omp parallel num_threads(threads) if (threads > 1 && l->parts > 1)
    {
#pragma omp for schedule(dynamic, 1) reduction(+ : visits)
        for (int p = 0; p < l->parts; ++p)
            l->first[p + 1] = clusters_of_part(g, l, p, omp_get_thread_num(), &visits);
#pragma omp single
        for (int p = 0; p < l->parts; ++p)
            l->first[p + 1] += l->first[p];
#pragma omp for
        for (int p = 0; p < l->parts; ++p)
            for (int64_t i = start_of_part(l, p); i < start_of_part(l, p + 1); ++i)
                l->cluster[i] += l->first[p];
    }
    l->count = l->first[l->parts];
    g->visits += visits;
}

/* The number of parts depends on the number of items alone. */
static int parts_of(int64_t items)
{
    const int64_t wanted = items / PART_LEAST;
    return wanted < 1 ? 1 : wanted < PM_COARSE_PARTS ? (int)wanted : PM_COARSE_PARTS;
}

/* Each has memory for one part. */
static int threads_of(const pm_coarse_level *l)
{
    const int share = l->parts / PARTS_OF_THREAD;
    return share > 1 ? share : 1;
}

/* From one level to the next. */
typedef struct {
    double least_share;
    int64_t visits; /* that are left */
} effort;

/* Clusters of the items; the least share is halved until they are few, or until there are no visits left: then each item is one, if they
 * are too many.
 * diagonal: [items]. */
static pm_status level_make(const pm_joined *y, const float *diagonal, effort *left, int threads,
                            pm_coarse_level *l, pm_error *err)
{
    growth g = {.y = y, .diagonal = diagonal};
    pm_joined_columns columns[THREADS_MOST] = {{0}};
    l->items = y->items;
    l->parts = parts_of(l->items);
    threads = threads < threads_of(l) ? threads : threads_of(l);
    l->cluster = pm_alloc_array(l->items, sizeof *l->cluster);
    g.room = l->items / l->parts + 1;
    g.weight = pm_calloc_array(threads * g.room, sizeof *g.weight);
    g.near = pm_alloc_array(threads * g.room, sizeof *g.near);
    g.columns = columns;
    bool has_memory = l->cluster && g.weight && g.near;
    const int64_t entries = entries_of_part(y, l);
    for (int t = 0; t < threads && has_memory; ++t)
        has_memory = pm_joined_columns_make(entries, &columns[t], NULL) == PM_OK;
    const bool hopeless = has_memory && is_hopeless(&g, l);
    l->count = l->items;
    while (has_memory && !hopeless) {
        g.least_share = left->least_share;
        find_clusters(&g, threads, l);
        if (l->count <= l->items / FEW || left->least_share < LEAST_SHARE)
            break;
        left->least_share /= 2;
        if (g.visits > left->visits) {
            l->count = l->count <= l->items / WILL_DO ? l->count : l->items;
            break;
        }
    }
    left->visits -= g.visits;
    free(g.weight);
    free(g.near);
    for (int t = 0; t < threads; ++t)
        pm_joined_columns_free(&columns[t]);
    return has_memory ? PM_OK : pm_fail_memory(err, "a coarse system");
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

static float inverse_of(double diagonal)
{
    return diagonal >= LEAST_DIAGONAL ? (float)(1 / diagonal) : 0;
}

/* P^T A P, and its diagonal, which is inverted when the next level has clusters. */
static pm_status set_matrix(const pm_joined *y, bool is_first, int threads, pm_coarse_level *l,
                            pm_error *err)
{
    float **vector[] = {&l->v.rest, &l->v.step, &l->v.image, &l->v.other, &l->v.left};
    const int vectors = sizeof vector / sizeof *vector;
    const bool is_elsewhere = is_first && vectors * l->count <= l->items;
    l->inverse = pm_alloc_array(l->count, sizeof *l->inverse);
    pm_status status = l->inverse ? pm_coarse_matrix_make(y, threads, l->inverse, &l->a, err)
                                  : pm_fail_memory(err, "a coarse system");
    for (int k = 0; k < vectors && !is_elsewhere && !status; ++k)
        if (!(*vector[k] = pm_alloc_array(l->count, sizeof **vector[k])))
            status = pm_fail_memory(err, "a coarse system");
    return status;
}

static void invert(pm_coarse_level *l)
{
    for (int64_t k = 0; k < l->count; ++k)
        l->inverse[k] = inverse_of(l->inverse[k]);
}

static pm_status set_last(const pm_joined *y, pm_coarse_level *l, pm_error *err)
{
    l->v.rest = pm_alloc_array(l->count, sizeof *l->v.rest);
    l->v.step = pm_alloc_array(l->count, sizeof *l->v.step);
    return l->v.rest && l->v.step ? pm_coarse_last_make(y, &l->last, err)
                                  : pm_fail_memory(err, "a coarse system");
}

/* Clusters of the items of y, which are the rows, or the clusters of the level before. */
static pm_status add_level(const pm_joined *y, pm_coarse_level *before, effort *left, int threads,
                           pm_coarse_level *l, pm_error *err)
{
    if (before) {
        pm_status status = level_make(y, before->inverse, left, threads, l, err);
        invert(before);
        return status;
    }
    float *diagonal = pm_alloc_array(y->items, sizeof *diagonal);
    pm_status status =
        diagonal ? pm_joined_diagonal(y, diagonal, err) : pm_fail_memory(err, "a coarse system");
    if (!status)
        status = level_make(y, diagonal, left, threads, l, err);
    free(diagonal);
    return status;
}

static pm_status join(pm_joined *y, const pm_coarse_level *l, pm_error *err)
{
    int32_t part[PM_COARSE_PARTS + 1];
    for (int p = 0; p <= l->parts; ++p)
        part[p] = (int32_t)start_of_part(l, p);
    const pm_joined_clusters clusters = {l->cluster, l->count, l->parts, part, l->first};
    return pm_joined_join(y, &clusters, err);
}

/* Where no part has too many clusters, their numbers take 16 bits from here on. */
static void fold_clusters(pm_coarse_level *l)
{
    int64_t room = 2 * l->items;
    for (int p = 0; p < l->parts; ++p)
        if (l->first[p + 1] - l->first[p] > UINT16_MAX)
            return;
    void *array = l->cluster; /* has both kinds for a while */
    for (int p = 0; p < l->parts; ++p)
        for (int64_t i = start_of_part(l, p); i < start_of_part(l, p + 1); ++i) {
            int32_t c;
            memcpy(&c, (const char *)array + (size_t)i * sizeof c, sizeof c);
            const uint16_t own = (uint16_t)(c - l->first[p]);
            memcpy((char *)array + (size_t)i * sizeof own, &own, sizeof own);
        }
    pm_shrink_array(&array, &room, l->items, sizeof *l->of_part);
    l->cluster = NULL;
    l->of_part = array;
}

/* One level after the other, until there are few clusters.  *y: of the rows. */
static pm_status add_levels(pm_joined *y, double wanted, pm_coarse *c, bool *found, pm_error *err)
{
    const double entries = (double)pm_joined_start(y, y->items);
    effort left = {FIRST_SHARE, VISITS_MOST * pm_joined_start(y, y->items)};
    double work = 0, visits = 1;
    pm_status status = PM_OK;
    *found = false;
    while (!status && !*found && work <= MOST_WORK && c->levels < PM_COARSE_LEVELS) {
        pm_coarse_level *before = c->levels ? &c->level[c->levels - 1] : NULL;
        pm_coarse_level *l = &c->level[c->levels++];
        status = add_level(y, before, &left, c->threads, l, err);
        if (!status && (double)l->count > MANY_LEFT * (double)l->items)
            break;
        if (!status)
            status = join(y, l, err);
        if (!status)
            fold_clusters(l);
        *found = !status && (double)l->count <= wanted;
        if (!status)
            status = *found ? set_last(y, l, err) : set_matrix(y, !before, c->threads, l, err);
        work += status ? 0 : visits * (double)pm_coarse_entries(&l->a) / entries;
        visits *= PM_COARSE_VISITS;
    }
    *found = *found && work <= MOST_WORK;
    c->products = (int)lrint(1 + WORK_PRODUCTS * work);
    return status;
}

pm_status pm_coarse_make(const pm_workspace *w, pm_coarse *out, bool *found, pm_error *err)
{
    const int64_t n = w->x.a.nrows;
    const double wanted = fmin(cbrt(3.0 * WORK * (double)w->x.a.rowptr[n]), CLUSTERS_MOST);
    const pm_csr *a = &w->x.a;
    pm_joined y = {.items = n,
                   .columns = a->ncols,
                   .rowptr = a->rowptr,
                   .ind = a->colind,
                   .value = a->narrow,
                   .x = a->value};
    if (w->is_product)
        y.between = pm_workspace_products(w);
    *out = (pm_coarse){.threads = w->threads};
    *found = false;
    pm_status status = add_levels(&y, wanted, out, found, err);
    pm_joined_free(&y);
    if (status || !*found) {
        pm_coarse_free(out);
        *found = false;
    }
    return status;
}
