/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/column_forest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/find_entry.h"
#include "pm/alloc.h"
#include "sinkhorn/stochastic_units.h"

/* ---- growing ---- */

/* Of each entry: how many octaves it is below 1, and what it is. */
enum { HUB = 0x80, EDGE = 0x40, OCTAVE = 0x3f };

enum { AHEAD = 16 }; /* rows and entries that memory is asked for before they are read */

static int32_t root(int32_t *parent, int32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

/* b: 1 .. 2^52 */
static int octaves_below_one(int64_t b)
{
    return __builtin_clzll((unsigned long long)b) - (63 - PM_STOCHASTIC_BITS);
}

/* Sets the octaves of the entries of row i, and which one is the hub: the first of the largest ones.  Returns a bit for each octave. */
static uint64_t mark_row(const pm_matrix *a, const double *x, int64_t i, uint8_t *mark,
                         int32_t *hub_column)
{
    uint64_t found = 0;
    int64_t hub = a->rowptr[i];
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        mark[k] = (uint8_t)octaves_below_one(pm_stochastic_rounded(x[k]));
        found |= UINT64_C(1) << mark[k];
        hub = x[k] > x[hub] ? k : hub;
    }
    mark[hub] |= HUB;
    *hub_column = a->colind[hub];
    return found;
}

/* The next entries of an octave, at most AHEAD: their columns are asked for together. */
typedef struct {
    int64_t entry[AHEAD];
    int32_t hub[AHEAD]; /* of its row */
    int count;
} candidates;

/* Those from entry *k and row *i on.  Then *k is the entry after the last one, and *i the row of the last one. */
static void find_candidates(const pm_matrix *a, int octave, const int32_t *hub,
                            const int32_t *parent, const uint8_t *mark, int64_t *k, int64_t *i,
                            candidates *c)
{
    const int64_t nnz = pm_matrix_nnz(a);
    const uint8_t *at;
    c->count = 0;
    while (c->count < AHEAD && (at = memchr(mark + *k, octave, (size_t)(nnz - *k)))) {
        *k = at - mark;
        while (a->rowptr[*i + 1] <= *k)
            ++*i;
        __builtin_prefetch(&parent[a->colind[*k]], 1);
        __builtin_prefetch(&parent[hub[*i]], 1);
        c->hub[c->count] = hub[*i];
        c->entry[c->count++] = (*k)++;
    }
}

/* Entries of this octave, in their order, become edges where they join two trees.  Returns how many. */
static int64_t add_octave(const pm_matrix *a, int octave, const int32_t *hub, int32_t *parent,
                          uint8_t *mark)
{
    int64_t added = 0, k = 0, i = 0;
    candidates c;
    do {
        find_candidates(a, octave, hub, parent, mark, &k, &i, &c);
        for (int n = 0; n < c.count; ++n) {
            const int32_t p = root(parent, a->colind[c.entry[n]]), q = root(parent, c.hub[n]);
            if (p != q) {
                parent[p] = q;
                mark[c.entry[n]] |= EDGE;
                ++added;
            }
        }
    } while (c.count == AHEAD);
    return added;
}

/* Kruskal's algorithm, one octave after the other.  A scan for each octave takes less time than sorting and
 * a byte an entry.  Sets all marks. */
static pm_status grow(const pm_matrix *a, const double *x, int threads, uint8_t *mark,
                      pm_error *err)
{
    uint64_t octaves = 0;
    int64_t edges = 0;
    int32_t *hub = pm_alloc_array(a->nrows, sizeof *hub);
    int32_t *parent = pm_alloc_array(a->ncols, sizeof *parent);
    const bool has_memory = hub && parent;
    if (has_memory) {
#pragma omp parallel for num_threads(threads) reduction(| : octaves) if (threads > 1)
        for (int64_t i = 0; i < a->nrows; ++i)
            octaves |= mark_row(a, x, i, mark, &hub[i]);
        for (int64_t j = 0; j < a->ncols; ++j)
            parent[j] = (int32_t)j;
        for (int octave = 0; octave <= PM_STOCHASTIC_BITS && edges < a->ncols - 1; ++octave)
            if (octaves >> octave & 1)
                edges += add_octave(a, octave, hub, parent, mark);
    }
    free(hub);
    free(parent);
    return has_memory ? PM_OK : pm_fail_memory(err, "doubly stochastic matrix");
}

static void add_edge(pm_column_forest *f, int32_t j, int64_t i)
{
    ++f->degree[j];
    f->neighbours[j] ^= (int32_t)i;
}

static void set_bit(uint64_t *bits, int64_t k)
{
    bits[k / 64] |= UINT64_C(1) << k % 64;
}

static inline __attribute__((always_inline)) void ask_for_columns(const pm_matrix *a, int64_t i,
                                                                  const pm_column_forest *f)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        __builtin_prefetch(&f->degree[a->colind[k]], 1);
        __builtin_prefetch(&f->neighbours[a->colind[k]], 1);
    }
}

static void take_marks(const pm_matrix *a, const uint8_t *mark, double *x, pm_column_forest *f)
{
    for (int64_t i = 0; i < a->nrows; ++i) {
        const int64_t from = a->rowptr[i], to = a->rowptr[i + 1];
        int64_t hub = from;
        if (i + AHEAD < a->nrows)
            ask_for_columns(a, i + AHEAD, f);
        while (!(mark[hub] & HUB))
            ++hub;
        set_bit(f->is_hub, hub);
        x[hub] = pm_stochastic_multiple(pm_stochastic_rounded(x[hub]));
        for (int64_t k = from; k < to; ++k)
            if (mark[k] & EDGE) {
                set_bit(f->is_edge, k);
                x[k] = pm_stochastic_multiple(pm_stochastic_rounded(x[k]));
                add_edge(f, a->colind[k], i);
                add_edge(f, a->colind[hub], i);
            }
    }
}

pm_status pm_column_forest_make(const pm_matrix *a, double *x, int threads, pm_column_forest *out,
                                pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a), words = nnz / 64 + 1;
    *out = (pm_column_forest){.last_row = -1};
    uint8_t *mark = pm_alloc_array(nnz, sizeof *mark);
    pm_status status =
        mark ? grow(a, x, threads, mark, err) : pm_fail_memory(err, "doubly stochastic matrix");
    if (!status) {
        out->degree = pm_calloc_array(a->ncols, sizeof *out->degree);
        out->neighbours = pm_calloc_array(a->ncols, sizeof *out->neighbours);
        out->is_hub = pm_calloc_array(words, sizeof *out->is_hub);
        out->is_edge = pm_calloc_array(words, sizeof *out->is_edge);
        if (out->degree && out->neighbours && out->is_hub && out->is_edge)
            take_marks(a, mark, x, out);
        else
            status = pm_fail_memory(err, "doubly stochastic matrix");
    }
    free(mark);
    if (status)
        pm_column_forest_free(out);
    return status;
}

void pm_column_forest_free(pm_column_forest *f)
{
    free(f->degree);
    free(f->neighbours);
    free(f->is_hub);
    free(f->is_edge);
    *f = (pm_column_forest){0};
}

/* ---- moving ---- */

/* The first bit from k on. */
static int64_t next_bit(const uint64_t *bits, int64_t k)
{
    uint64_t word = bits[k / 64] >> k % 64;
    if (word)
        return k + __builtin_ctzll(word);
    for (k = k / 64 + 1; !bits[k]; ++k)
        ;
    return k * 64 + __builtin_ctzll(bits[k]);
}

static int64_t hub_of(const pm_matrix *a, pm_column_forest *f, int64_t i)
{
    if (f->last_row != i) {
        f->last_hub = next_bit(f->is_hub, a->rowptr[i]);
        f->last_row = i;
    }
    return f->last_hub;
}

/* Adds units to an entry of the forest.  Returns false, with no change, where the sum may not be exact. */
static bool add_units(double *x, int64_t units)
{
    int64_t now;
    if (__builtin_add_overflow((int64_t)(*x * (double)PM_STOCHASTIC_ONE), units, &now)
        || llabs(now) > 2 * PM_STOCHASTIC_ONE)
        return false;
    *x = pm_stochastic_multiple(now);
    return true;
}

/* What the other entries of row i leave of 1 for its hub.  Returns false where the hub could not be exact. */
static bool rest_of_row(const pm_matrix *a, const double *x, int64_t i, int64_t hub, int64_t *rest)
{
    *rest = PM_STOCHASTIC_ONE;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
        if (k != hub && !pm_stochastic_take(rest, pm_stochastic_rounded(x[k])))
            return false;
    return llabs(*rest) <= 2 * PM_STOCHASTIC_ONE;
}

bool pm_column_forest_fill_rows(const pm_matrix *a, const pm_column_forest *f, int64_t *missing,
                                double *x)
{
    for (int64_t i = 0; i < a->nrows; ++i) {
        const int64_t hub = next_bit(f->is_hub, a->rowptr[i]);
        int64_t rest;
        if (!rest_of_row(a, x, i, hub, &rest))
            return false;
        const int64_t more = rest - pm_stochastic_rounded(x[hub]);
        if (!pm_stochastic_take(&missing[a->colind[hub]], more))
            return false;
        x[hub] = pm_stochastic_multiple(rest);
    }
    return true;
}

/* Settles a leaf.  Returns the other column; -1: a number is too large. */
static int32_t settle_leaf(const pm_matrix *a, pm_column_forest *f, int64_t *missing, double *x,
                           int32_t j)
{
    const int64_t i = f->neighbours[j], own = pm_matrix_find(a, i, j), hub = hub_of(a, f, i);
    const int64_t edge = own == hub ? next_bit(f->is_edge, a->rowptr[i]) : own;
    const int64_t other = own == hub ? edge : hub, units = missing[j];
    const int32_t to = a->colind[other];
    int64_t now;
    if (units == INT64_MIN || __builtin_add_overflow(missing[to], units, &now)
        || !add_units(&x[hub], own == hub ? units : -units))
        return -1;
    if (!add_units(&x[edge], own == hub ? -units : units))
        return -1; /* the hub follows from the others */
    missing[to] = now;
    f->is_edge[edge / 64] &= ~(UINT64_C(1) << edge % 64);
    f->degree[j] = ~to;
    f->neighbours[to] ^= (int32_t)i;
    --f->degree[to];
    return to;
}

/* Columns that are settled side by side: each waits for memory in three steps. */
typedef struct {
    int32_t column[AHEAD];
    int count;
} leaves;

/* Leaves from column *start on, as many as there is room for; *start follows the last one. */
static void find_leaves(const pm_column_forest *f, int64_t ncols, int64_t *start, leaves *l)
{
    l->count = 0;
    for (; *start < ncols && l->count < AHEAD; ++*start)
        if (f->degree[*start] == 1)
            l->column[l->count++] = (int32_t)*start;
}

/* Asks for the entries of the rows of leaves, and for what is known of them. */
static inline __attribute__((always_inline)) void
ask_for_rows(const pm_matrix *a, const pm_column_forest *f, const leaves *l, const double *x)
{
    for (int c = 0; c < l->count; ++c)
        __builtin_prefetch(&a->rowptr[f->neighbours[l->column[c]]]);
    for (int c = 0; c < l->count; ++c) {
        const int64_t k = a->rowptr[f->neighbours[l->column[c]]];
        __builtin_prefetch(&a->colind[k]);
        __builtin_prefetch(&x[k], 1);
        __builtin_prefetch(&f->is_hub[k / 64]);
        __builtin_prefetch(&f->is_edge[k / 64], 1);
    }
}

/* Settles leaves, then the columns that have become leaves thereby, to the end.  Returns false where a number is too large. */
static bool settle_leaves(const pm_matrix *a, pm_column_forest *f, leaves *l, int64_t *missing,
                          double *x)
{
    while (l->count > 0) {
        int left = 0;
        ask_for_rows(a, f, l, x);
        for (int c = 0; c < l->count; ++c) {
            const int32_t j = l->column[c];
            if (f->degree[j] != 1) /* the other end of an edge between two leaves */
                continue;
            const int32_t next = settle_leaf(a, f, missing, x, j);
            if (next < 0)
                return false;
            if (f->degree[next] == 1)
                l->column[left++] = next;
        }
        l->count = left;
    }
    return true;
}

bool pm_column_forest_settle(const pm_matrix *a, pm_column_forest *f, int64_t *missing, double *x)
{
    leaves l;
    for (int64_t start = 0; start < a->ncols;) {
        find_leaves(f, a->ncols, &start, &l);
        if (!settle_leaves(a, f, &l, missing, x))
            return false;
    }
    bool is_short = false;
    for (int64_t j = 0; j < a->ncols; ++j)
        is_short = is_short || (f->degree[j] >= 0 && missing[j]);
    return !is_short;
}

/* Where nothing was settled the hub is what it was. */
static void undo_hub(const pm_matrix *a, const pm_column_forest *f, int64_t i, double *x)
{
    const int64_t hub = next_bit(f->is_hub, a->rowptr[i]);
    int64_t rest;
    if (rest_of_row(a, x, i, hub, &rest))
        x[hub] = pm_stochastic_multiple(rest < 1                   ? 1
                                        : rest > PM_STOCHASTIC_ONE ? PM_STOCHASTIC_ONE
                                                                   : rest);
}

/* An edge was settled once, a hub with each edge of its row: it follows from the others. */
void pm_column_forest_undo(const pm_matrix *a, const pm_column_forest *f, const int64_t *missing,
                           double *x)
{
    for (int64_t j = 0; j < a->ncols; ++j)
        if (f->degree[j] < 0) {
            const int64_t i = f->neighbours[j], hub = next_bit(f->is_hub, a->rowptr[i]);
            const int64_t own = pm_matrix_find(a, i, j);
            if (own != hub)
                add_units(&x[own], -missing[j]);
            else
                add_units(&x[pm_matrix_find(a, i, ~f->degree[j])], missing[j]);
        }
    for (int64_t i = 0; i < a->nrows; ++i)
        undo_hub(a, f, i, x);
}
