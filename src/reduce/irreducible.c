/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "reduce/irreducible.h"

#include <stdlib.h>

#include "dm/connected.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "reduce/bound.h"

enum { LEAST_ROWS = 3 };

/* Entries of a line to which no rule applies. */
static int64_t least_degree(const pm_reduce_options *opt)
{
    return opt->degree2 ? 3 : 2;
}

static bool has_long_lines(const pm_matrix *a, const int64_t *column_degree, int64_t least)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        if (a->rowptr[i + 1] - a->rowptr[i] < least || column_degree[i] < least)
            return false;
    return true;
}

/* All lines have the same number of entries. */
static bool is_regular(const pm_matrix *a, const int64_t *column_degree)
{
    const int64_t d = column_degree[0];
    for (int64_t i = 0; i < a->nrows; ++i)
        if (a->rowptr[i + 1] - a->rowptr[i] != d || column_degree[i] != d)
            return false;
    return true;
}

/* *is_one: a is one fully indecomposable block.  Each entry of a regular graph is in a perfect matching: its edges
 * are a union of disjoint perfect matchings (Koenig 1916).  A graph with this property is one block if it is
 * connected (Lovasz and Plummer 1986, theorem 4.1.1), and no matching is needed to see that. */
static pm_status is_one_block(const pm_matrix *a, const int64_t *column_degree, const pm_run *run,
                              bool *is_one, pm_error *err)
{
    pm_dm d = {0};
    if (is_regular(a, column_degree))
        return pm_connected_find(a, run, is_one, err);
    pm_status status = pm_dm_decompose(a, run, &d, err);
    *is_one = !status && d.rank == a->nrows && d.nblocks == 1;
    pm_dm_free(&d);
    return status;
}

static void add_line(pm_bound *b, int side, int64_t degree)
{
    const pm_line line = {.cap = 1, .degree = degree, .ones = degree};
    pm_bound_add(b, side, &line);
}

static double bound_of(const pm_matrix *a, const int64_t *column_degree)
{
    pm_bound b = {0};
    for (int64_t i = 0; i < a->nrows; ++i)
        add_line(&b, 0, a->rowptr[i + 1] - a->rowptr[i]);
    for (int64_t j = 0; j < a->ncols; ++j)
        add_line(&b, 1, column_degree[j]);
    return pm_bound_log2(&b);
}

/* The block without labels, as blocks are. */
static pm_status copy_block(const pm_matrix *a, double bound, int threads, pm_reduced *out,
                            pm_error *err)
{
    const int64_t n = a->nrows, nnz = pm_matrix_nnz(a);
    pm_block *b = pm_calloc_array(1, sizeof *b);
    if (!b)
        return pm_fail_memory(err, "a block");
    pm_status status = pm_matrix_alloc(&b->a, PM_PATTERN, n, n, nnz, err);
    b->row_cap = pm_alloc_array(n, sizeof *b->row_cap);
    b->col_cap = pm_alloc_array(n, sizeof *b->col_cap);
    if (!status && !(b->row_cap && b->col_cap))
        status = pm_fail_memory(err, "a block");
    if (status) {
        pm_block_free(b);
        free(b);
        return status;
    }
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < n; ++i) {
        b->row_cap[i] = b->col_cap[i] = 1;
        b->a.rowptr[i + 1] = a->rowptr[i + 1];
    }
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t k = 0; k < nnz; ++k)
        b->a.colind[k] = a->colind[k];
    b->n = n;
    b->log2_bound = bound;
    *out = (pm_reduced){.nblocks = 1, .blocks = b};
    pm_dyadic_set_si(&out->factor_re, 1);
    return PM_OK;
}

pm_status pm_reduce_irreducible(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                                pm_reduced *out, bool *is_irreducible, pm_error *err)
{
    *is_irreducible = false;
    if (a->re || !opt->blocks || opt->twins || a->nrows < LEAST_ROWS
        || pm_matrix_nnz(a) > INT32_MAX)
        return PM_OK;
    const int threads = pm_transposed_threads(pm_matrix_nnz(a), run);
    pm_status status = PM_OK;
    int64_t *degree = pm_alloc_array(a->ncols, sizeof *degree);
    if (!degree)
        return pm_fail_memory(err, "degrees");
    pm_transposed_count(a->ncols, pm_matrix_nnz(a), a->colind, threads, degree);
    if (has_long_lines(a, degree, least_degree(opt)))
        status = is_one_block(a, degree, run, is_irreducible, err);
    if (*is_irreducible)
        status = copy_block(a, bound_of(a, degree), threads, out, err);
    free(degree);
    return status;
}
