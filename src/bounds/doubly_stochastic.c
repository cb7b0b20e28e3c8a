/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/doubly_stochastic.h"

#include <stdlib.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"

#define ONE (INT64_C(1) << PM_STOCHASTIC_BITS)
/* Residuals at which the sums are made exact; smaller ones are tried where that fails. */
#define FIRST_TARGET 0x1p-27
#define CLOSER       0x1p-7
#define TOLERANCE    0x1p-46

typedef __int128 wide; /* a line of 2^31 entries of 2^52 */

/* ---- the spanning forest ---- */

typedef struct {
    int64_t k;
    int32_t row;
} edge;

static int32_t root(int32_t *parent, int32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

typedef struct {
    edge *edges;     /* all edges, the largest octave first; later those of the forest come first */
    int32_t *parent; /* of the union-find structure */
    int32_t *degree; /* in the remaining forest */
    int64_t *joined; /* XOR of the numbers of the remaining forest edges at a vertex */
    wide *missing;   /* 2^52 minus the sum of a line */
    int64_t nforest;
} forest;

static pm_status forest_init(const pm_matrix *a, forest *f, pm_error *err)
{
    int64_t nv = a->nrows + a->ncols;
    *f = (forest){.edges = pm_alloc_array(pm_matrix_nnz(a), sizeof *f->edges),
                  .parent = pm_alloc_array(nv, sizeof *f->parent),
                  .degree = pm_alloc_array(nv, sizeof *f->degree),
                  .joined = pm_alloc_array(nv, sizeof *f->joined),
                  .missing = pm_alloc_array(nv, sizeof *f->missing)};
    bool complete = f->edges && f->parent && f->degree && f->joined && f->missing;
    return complete ? PM_OK : pm_fail_memory(err, "doubly stochastic matrix");
}

static void forest_free(forest *f)
{
    free(f->edges);
    free(f->parent);
    free(f->degree);
    free(f->joined);
    free(f->missing);
}

/* b: 1 .. 2^52 */
static int octaves_below_one(int64_t b)
{
    return __builtin_clzll((unsigned long long)b) - (63 - PM_STOCHASTIC_BITS);
}

/* Sorts the edges by the octave of b, 2^52 first. */
static void sort_edges(const pm_matrix *a, const int64_t *b, edge *edges)
{
    int64_t at[PM_STOCHASTIC_BITS + 2] = {0};
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        ++at[octaves_below_one(b[k]) + 1];
    for (int o = 0; o <= PM_STOCHASTIC_BITS; ++o)
        at[o + 1] += at[o];
    for (int32_t i = 0; i < (int32_t)a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            edges[at[octaves_below_one(b[k])]++] = (edge){k, i};
}

/* Kruskal's algorithm. */
static void forest_grow(const pm_matrix *a, const int64_t *b, forest *f)
{
    int32_t nrows = (int32_t)a->nrows, nv = nrows + (int32_t)a->ncols;
    f->nforest = 0;
    sort_edges(a, b, f->edges);
    for (int32_t v = 0; v < nv; ++v) {
        f->parent[v] = v;
        f->degree[v] = 0;
        f->joined[v] = 0;
    }
    for (int64_t e = 0; e < pm_matrix_nnz(a) && f->nforest < nv - 1; ++e) {
        int32_t i = f->edges[e].row, j = nrows + a->colind[f->edges[e].k];
        int32_t p = root(f->parent, i), q = root(f->parent, j);
        if (p == q)
            continue;
        f->parent[p] = q;
        f->edges[f->nforest] = f->edges[e];
        ++f->degree[i];
        ++f->degree[j];
        f->joined[i] ^= f->nforest;
        f->joined[j] ^= f->nforest++;
    }
}

static bool is_settled(const pm_matrix *a, const forest *f, int threads)
{
    bool is_other = false;
#pragma omp parallel for num_threads(threads) reduction(|| : is_other) if (threads > 1)
    for (int64_t v = 0; v < a->nrows + a->ncols; ++v)
        is_other = is_other || f->missing[v];
    return !is_other;
}

/* From the leaves inwards: each vertex gets its missing sum from its last edge. */
static bool forest_settle(const pm_matrix *a, forest *f, int64_t *b)
{
    int32_t nrows = (int32_t)a->nrows, nv = nrows + (int32_t)a->ncols;
    for (int32_t start = 0; start < nv; ++start)
        for (int32_t v = start; f->degree[v] == 1;) {
            const edge *e = &f->edges[f->joined[v]];
            int32_t i = e->row, j = nrows + a->colind[e->k], other = v == i ? j : i;
            wide now = b[e->k] + f->missing[v];
            if (now < 1 || now > ONE)
                return false;
            b[e->k] = (int64_t)now;
            f->missing[other] -= f->missing[v];
            f->missing[v] = 0;
            f->joined[other] ^= f->joined[v];
            f->degree[v] = 0;
            --f->degree[other];
            v = other;
        }
    return true;
}

/* The nearest multiple of 2^-52, from 1 to 2^52 units.  x: 0 to 2.  The sum below is exact, or less than 1. */
static int64_t rounded(double x)
{
    int64_t q = (int64_t)(x * (double)ONE + 0.5);
    return q < 1 ? 1 : q > ONE ? ONE : q;
}

/* b, and what is missing in the rows.  Returns false when some x is not from 0 to 2: overflow or underflow in the
 * scaling. */
static bool round_rows(const pm_matrix *a, const double *x, int threads, forest *f, int64_t *b)
{
    bool is_bad = false;
#pragma omp parallel for num_threads(threads) reduction(|| : is_bad) if (threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        wide missing = ONE;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const bool is_good = x[k] >= 0 && x[k] <= 2;
            is_bad = is_bad || !is_good;
            b[k] = is_good ? rounded(x[k]) : 1;
            missing -= b[k];
        }
        f->missing[i] = missing;
    }
    return !is_bad;
}

static void sum_columns(const pm_matrix *a, const int64_t *b, int threads, forest *f)
{
    wide *missing = f->missing + a->nrows;
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part) {
        const pm_column_range range = pm_column_range_of(a->ncols, part, threads);
        for (uint32_t j = 0; j < range.count; ++j)
            missing[range.from + j] = ONE;
        for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
            if (pm_column_is_in(range, a->colind[k]))
                missing[a->colind[k]] -= b[k];
    }
}

static bool make_exact(const pm_matrix *a, const double *x, int threads, forest *f, int64_t *b)
{
    if (!round_rows(a, x, threads, f, b))
        return false;
    sum_columns(a, b, threads, f);
    if (is_settled(a, f, threads))
        return true;
    forest_grow(a, b, f);
    return forest_settle(a, f, b) && is_settled(a, f, threads);
}

pm_status pm_doubly_stochastic(const pm_matrix *a, pm_sinkhorn *s, int64_t most, int64_t *b,
                               bool *found, pm_error *err)
{
    forest f = {0};
    pm_status status = forest_init(a, &f, err);
    *found = false;
    for (double target = FIRST_TARGET; !status && !*found; target *= CLOSER) {
        status = pm_sinkhorn_improve(s, target, most, err);
        if (!status)
            *found = make_exact(a, s->x, s->on.x.threads, &f, b);
        if (target < TOLERANCE || !(s->residual <= target))
            break;
    }
    forest_free(&f);
    return status;
}
