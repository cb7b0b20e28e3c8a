/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/doubly_stochastic.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

#define ONE       (INT64_C(1) << PM_STOCHASTIC_BITS)
#define TOLERANCE 1e-14

typedef __int128 wide; /* a line of 2^31 entries of 2^52 */

/* ---- Sinkhorn ---- */

static void column_sums(const pm_matrix *a, const double *x, double *sum)
{
    for (int64_t j = 0; j < a->ncols; ++j)
        sum[j] = 0;
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        sum[a->colind[k]] += x[k];
}

/* One iteration: columns, then rows.  Returns the largest |column sum - 1| before it. */
static double balance(const pm_matrix *a, double *x, double *scale, double *sum)
{
    double most = 0;
    column_sums(a, x, sum);
    for (int64_t j = 0; j < a->ncols; ++j) {
        most = fmax(most, fabs(sum[j] - 1));
        if (scale)
            scale[j] /= sum[j];
    }
    for (int64_t i = 0; i < a->nrows; ++i) {
        double row = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            row += x[k] /= sum[a->colind[k]];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            x[k] /= row;
    }
    return most;
}

/* ---- the spanning forest ---- */

typedef struct {
    double x;
    int64_t k;
    int32_t row;
} edge;

static int by_size(const void *p, const void *q)
{
    const edge *a = p, *b = q;
    return a->x != b->x ? (a->x < b->x) - (a->x > b->x) : (a->k > b->k) - (a->k < b->k);
}

static int32_t root(int32_t *parent, int32_t v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

typedef struct {
    edge *edges;     /* all edges, the largest first; later those of the forest come first */
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
                  .degree = pm_calloc_array(nv, sizeof *f->degree),
                  .joined = pm_calloc_array(nv, sizeof *f->joined),
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

/* Kruskal's algorithm. */
static void forest_grow(const pm_matrix *a, const double *x, forest *f)
{
    int32_t nrows = (int32_t)a->nrows;
    int64_t nnz = pm_matrix_nnz(a);
    for (int32_t i = 0; i < nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            f->edges[k] = (edge){x[k], k, i};
    qsort(f->edges, (size_t)nnz, sizeof *f->edges, by_size);
    for (int32_t v = 0; v < nrows + (int32_t)a->ncols; ++v)
        f->parent[v] = v;
    for (int64_t e = 0; e < nnz; ++e) {
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
    for (int32_t v = 0; v < nv; ++v)
        if (f->missing[v])
            return false;
    return true;
}

static bool make_exact(const pm_matrix *a, const double *x, forest *f, int64_t *b)
{
    for (int64_t v = 0; v < a->nrows + a->ncols; ++v)
        f->missing[v] = ONE;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            if (!(x[k] >= 0 && x[k] <= 2)) /* overflow or underflow in the scaling */
                return false;
            int64_t q = llround(ldexp(x[k], PM_STOCHASTIC_BITS));
            b[k] = q < 1 ? 1 : q > ONE ? ONE : q;
            f->missing[i] -= b[k];
            f->missing[a->nrows + a->colind[k]] -= b[k];
        }
    forest_grow(a, x, f);
    return forest_settle(a, f, b);
}

pm_status pm_doubly_stochastic(const pm_matrix *a, double *x, int sweeps, double *scale, int64_t *b,
                               bool *found, pm_error *err)
{
    forest f = {0};
    double *sum = pm_alloc_array(a->ncols, sizeof *sum);
    pm_status status =
        sum ? forest_init(a, &f, err) : pm_fail_memory(err, "doubly stochastic matrix");
    if (status)
        goto done;
    for (int64_t j = 0; scale && j < a->ncols; ++j)
        scale[j] = 1;
    while (sweeps-- > 0 && balance(a, x, scale, sum) > TOLERANCE)
        ;
    *found = make_exact(a, x, &f, b);
done:
    forest_free(&f);
    free(sum);
    return status;
}
