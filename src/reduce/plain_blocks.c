/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "reduce/plain_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "dm/connected.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "pm/dm.h"
#include "reduce/bound.h"

enum { MERGED = 2 /* entries of a line whose neighbours are merged */ };

/* ---- degrees ---- */

/* *out: of the columns; freed by the caller. */
static pm_status count_columns(const pm_matrix *a, const pm_run *run, int64_t **out, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a);
    int64_t *degree = pm_alloc_array(a->ncols, sizeof *degree);
    if (!degree)
        return pm_fail_memory(err, "degrees");
    pm_transposed_count(a->ncols, nnz, a->colind, pm_transposed_threads(nnz, run), degree);
    *out = degree;
    return PM_OK;
}

static bool has_short_line(const pm_matrix *a, const int64_t *column_degree)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        if (a->rowptr[i + 1] - a->rowptr[i] <= MERGED || column_degree[i] <= MERGED)
            return true;
    return false;
}

/* All lines have the same number of entries, at least two. */
static bool is_regular(const pm_matrix *a, const int64_t *column_degree)
{
    const int64_t d = a->nrows ? column_degree[0] : 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        if (a->rowptr[i + 1] - a->rowptr[i] != d || column_degree[i] != d)
            return false;
    return d >= 2;
}

/* ---- one block ---- */

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

static pm_status make_capacities(int64_t n, int32_t **out, pm_error *err)
{
    int32_t *cap = pm_alloc_array(n, sizeof *cap);
    if (!cap)
        return pm_fail_memory(err, "a block");
    for (int64_t i = 0; i < n; ++i)
        cap[i] = 1;
    *out = cap;
    return PM_OK;
}

/* *has_rule: a rule of opt applies to the block. */
static pm_status check_rules(const pm_block *b, const pm_reduce_options *opt, const pm_run *run,
                             bool *has_rule, pm_error *err)
{
    int64_t *degree = NULL;
    if (!opt->degree2)
        return PM_OK;
    pm_status status = count_columns(&b->a, run, &degree, err);
    if (!status)
        *has_rule = has_short_line(&b->a, degree);
    free(degree);
    return status;
}

/* *b, whose matrix is set, gets all else. */
static pm_status complete(pm_block *b, const pm_run *run, pm_error *err)
{
    int64_t *degree = NULL;
    pm_status status = count_columns(&b->a, run, &degree, err);
    if (status)
        return status;
    b->n = b->a.nrows;
    b->log2_bound = bound_of(&b->a, degree);
    free(degree);
    status = make_capacities(b->a.nrows, &b->row_cap, err);
    return status ? status : make_capacities(b->a.ncols, &b->col_cap, err);
}

/* Afterwards, so that the arrays of a decomposition need not be there. */
static pm_status complete_all(pm_reduced *out, const pm_run *run, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t k = 0; k < out->nblocks && !status; ++k)
        status = complete(&out->blocks[k], run, err);
    return status;
}

/* Without labels, as blocks are. */
static pm_status copy_matrix(const pm_matrix *a, const pm_run *run, pm_matrix *out, pm_error *err)
{
    const int64_t n = a->nrows, nnz = pm_matrix_nnz(a);
    const int threads = pm_transposed_threads(nnz, run);
    pm_status status = pm_matrix_alloc(out, PM_PATTERN, n, n, nnz, err);
    if (status)
        return status;
    memcpy(out->rowptr, a->rowptr, (size_t)(n + 1) * sizeof *out->rowptr);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t k = 0; k < nnz; ++k)
        out->colind[k] = a->colind[k];
    return PM_OK;
}

/* ---- all blocks ---- */

static pm_status room_for(int64_t blocks, pm_reduced *out, pm_error *err)
{
    out->blocks = pm_calloc_array(blocks, sizeof *out->blocks);
    return out->blocks ? PM_OK : pm_fail_memory(err, "blocks");
}

static pm_status take_whole(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                            pm_reduced *out, bool *has_rule, pm_error *err)
{
    pm_status status = room_for(1, out, err);
    if (status)
        return status;
    out->nblocks = 1;
    status = copy_matrix(a, run, &out->blocks[0].a, err);
    return status ? status : check_rules(&out->blocks[0], opt, run, has_rule, err);
}

static int64_t rows_of(const pm_dm *d, int64_t b)
{
    return d->r[b + 1] - d->r[b];
}

/* The blocks of more than one row by their first rows: of row i, or -1.  *count: their number. */
static pm_status sort_blocks(const pm_dm *d, int32_t **out, int64_t *count, pm_error *err)
{
    int32_t *first = pm_alloc_array(d->nrows, sizeof *first);
    if (!first)
        return pm_fail_memory(err, "blocks");
    for (int64_t i = 0; i < d->nrows; ++i)
        first[i] = -1;
    for (int64_t b = 0; b < d->nblocks; ++b)
        if (rows_of(d, b) > 1) {
            first[d->p[d->r[b]]] = (int32_t)b;
            ++*count;
        }
    *out = first;
    return PM_OK;
}

static pm_status take_each(const pm_matrix *a, const pm_dm *d, const pm_reduce_options *opt,
                           const pm_run *run, pm_reduced *out, bool *has_rule, pm_error *err)
{
    enum { CHECK_EVERY = 4096 }; /* rows */
    pm_dm_cut cut = {0};
    int32_t *first = NULL;
    int64_t count = 0;
    pm_status status = sort_blocks(d, &first, &count, err);
    if (!status)
        status = room_for(count, out, err);
    if (!status)
        status = pm_dm_cut_open(a, d, &cut, err);
    for (int64_t i = 0; i < d->nrows && !status && !*has_rule; ++i) {
        if (i % CHECK_EVERY == 0 && pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during the reductions");
        if (status || first[i] < 0)
            continue;
        pm_block *b = &out->blocks[out->nblocks++];
        status = pm_dm_cut_unlabelled(&cut, first[i], &b->a, err);
        if (!status)
            status = check_rules(b, opt, run, has_rule, err);
    }
    free(first);
    pm_dm_cut_close(&cut);
    return status;
}

static pm_status decompose(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                           pm_reduced *out, bool *has_rule, pm_error *err)
{
    pm_dm d = {0};
    pm_status status = pm_dm_decompose(a, run, &d, err);
    if (status)
        return status;
    const bool is_one = d.nblocks == 1 && a->nrows > 1;
    out->zero = !pm_dm_has_perfect_matching(&d);
    if (!out->zero && !is_one)
        status = take_each(a, &d, opt, run, out, has_rule, err);
    pm_dm_free(&d);
    if (!status && !out->zero && is_one)
        status = take_whole(a, opt, run, out, has_rule, err);
    return status;
}

/* Each entry of a regular graph is in a perfect matching: its edges are a union of disjoint perfect matchings (Koenig
 * 1916).  A graph with this property is one block if it is connected (Lovasz and Plummer 1986, theorem 4.1.1), and no
 * matching is needed to see that. */
static pm_status is_regular_block(const pm_matrix *a, const int64_t *column_degree,
                                  const pm_run *run, bool *is_one, pm_error *err)
{
    *is_one = false;
    return is_regular(a, column_degree) ? pm_connected_find(a, run, is_one, err) : PM_OK;
}

pm_status pm_reduce_plain(const pm_matrix *a, const pm_reduce_options *opt, const pm_run *run,
                          pm_reduced *out, bool *is_plain, pm_error *err)
{
    *is_plain = false;
    if (a->re || !opt->blocks || opt->twins || pm_matrix_nnz(a) > INT32_MAX)
        return PM_OK;
    bool is_one = false, has_rule = false;
    pm_reduced r = {0};
    int64_t *degree = NULL;
    pm_status status = count_columns(a, run, &degree, err);
    if (!status)
        has_rule = opt->degree2 && has_short_line(a, degree);
    if (!status && !has_rule)
        status = is_regular_block(a, degree, run, &is_one, err);
    free(degree);
    if (status || has_rule)
        return status;
    status = (is_one ? take_whole : decompose)(a, opt, run, &r, &has_rule, err);
    if (!status && !has_rule)
        status = complete_all(&r, run, err);
    *is_plain = !status && !has_rule;
    if (*is_plain) {
        if (!r.zero)
            pm_dyadic_set_si(&r.factor_re, 1);
        *out = r;
    } else {
        pm_reduced_free(&r);
    }
    return status;
}
