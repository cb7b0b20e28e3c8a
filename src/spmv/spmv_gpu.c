/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/spmv_gpu.h"

#include <stdlib.h>

#include "pm/alloc.h"

/* ---- in an open session ---- */

static int64_t value_bytes(const pm_spmv_kind *kind)
{
    return kind->is_single ? sizeof(float) : sizeof(double);
}

pm_status pm_spmv_gpu_array(pm_gpu_session *s, const void *from, int64_t bytes,
                            unsigned long long *address, pm_error *err)
{
    pm_gpu_array array;
    pm_status status = pm_gpu_session_array(s, bytes > 0 ? bytes : 8, &array, err);
    if (!status && from && bytes > 0)
        status = pm_gpu_session_put(s, array, from, bytes, err);
    if (!status)
        *address = array;
    return status;
}

static pm_status put_index(pm_gpu_session *s, const pm_csr *a, int64_t value_size,
                           pm_spmv_arrays *out, pm_error *err)
{
    int64_t tiles = pm_spmv_tiles(a), most = tiles > a->nrows ? tiles : a->nrows;
    uint32_t *word = pm_alloc_array(most + 1, sizeof *word);
    if (!word)
        return pm_fail_memory(err, "sparse matrix");
    for (int64_t i = 0; i <= a->nrows; ++i)
        word[i] = (uint32_t)a->rowptr[i];
    pm_status status = pm_spmv_gpu_array(s, word, 4 * (a->nrows + 1), &out->rowptr, err);
    if (!status) {
        pm_spmv_tile_rows(a, word);
        out->tiles = tiles;
        status = pm_spmv_gpu_array(s, word, 4 * (tiles + 1), &out->tile_row, err);
    }
    free(word);
    return status ? status : pm_spmv_gpu_array(s, NULL, tiles * value_size, &out->carry, err);
}

pm_status pm_spmv_gpu_rows(pm_gpu_session *s, const pm_csr *a, unsigned long long *address,
                           pm_error *err)
{
    int32_t *row;
    pm_status status = pm_csr_rows_of_entries(a, &row, err);
    if (status)
        return status;
    status = pm_spmv_gpu_array(s, row, 4 * a->rowptr[a->nrows], address, err);
    free(row);
    return status;
}

pm_status pm_spmv_gpu_load(pm_gpu_session *s, const pm_csr *a, const pm_spmv_kind *kind,
                           const void *value, pm_spmv_arrays *out, pm_error *err)
{
    const int64_t nnz = a->rowptr[a->nrows], size = value_bytes(kind);
    if (nnz > INT32_MAX || a->nrows >= INT32_MAX)
        return pm_fail(err, PM_UNABLE,
                       "GPU: products of matrices with at most 2147483647 entries and rows");
    *out = (pm_spmv_arrays){.nrows = a->nrows, .nnz = nnz};
    pm_status status =
        kind->is_coo ? pm_spmv_gpu_rows(s, a, &out->row, err) : put_index(s, a, size, out, err);
    if (!status)
        status = pm_spmv_gpu_array(s, a->colind, 4 * nnz, &out->column, err);
    if (!status && kind->has_values)
        status = pm_spmv_gpu_array(s, value, size * nnz, &out->value, err);
    return status;
}

pm_status pm_spmv_gpu_launch(pm_gpu_session *s, pm_spmv_kernel kernel, pm_spmv_arrays *a,
                             int64_t resident, pm_error *err)
{
    pm_spmv_launch launch[3];
    pm_status status = PM_OK;
    int n = pm_spmv_launches(kernel, a, resident, launch);
    for (int i = 0; i < n && !status; ++i) {
        void *arguments[] = {a};
        a->blocks = (int)launch[i].blocks;
        status = pm_gpu_session_launch(s, launch[i].name, launch[i].blocks, launch[i].threads, 0,
                                       arguments, err);
    }
    return status;
}

/* ---- in a session of its own ---- */

/* Values as the device has them: the same array, or floats in g->staged. */
static const void *stage(pm_spmv_gpu *g, const double *from, int64_t n)
{
    if (!g->kind.is_single)
        return from;
    float *to = g->staged;
    for (int64_t i = 0; i < n; ++i)
        to[i] = (float)from[i];
    return to;
}

static pm_status put_matrix(pm_spmv_gpu *g, const pm_csr *a, pm_error *err)
{
    const int64_t size = value_bytes(&g->kind);
    const void *value = g->kind.has_values ? stage(g, a->value, a->rowptr[a->nrows]) : NULL;
    pm_status status = pm_spmv_gpu_load(g->session, a, &g->kind, value, &g->arrays, err);
    g->arrays.group = g->choice.group;
    if (!status)
        status = pm_spmv_gpu_array(g->session, NULL, size * a->ncols, &g->arrays.x, err);
    if (!status)
        status = pm_spmv_gpu_array(g->session, NULL, size * a->nrows, &g->arrays.y, err);
    return status ? status : pm_gpu_session_wait(g->session, err);
}

static pm_status open_session(pm_spmv_gpu *g, int device, pm_error *err)
{
    pm_gpu_info info;
    pm_status status = pm_gpu_get_info(device, &info, err);
    if (status)
        return status;
    g->resident = 2 * (int64_t)info.multiprocessors;
    char *text = pm_spmv_text(&g->kind);
    if (!text)
        return pm_fail_memory(err, "sparse matrix");
    status = pm_gpu_session_open(device, text, &g->session, err);
    free(text);
    return status;
}

pm_status pm_spmv_gpu_open(int device, const pm_csr *a, const pm_spmv_kind *kind, pm_spmv_gpu *out,
                           pm_error *err)
{
    const int64_t nnz = a->rowptr[a->nrows];
    pm_spmv_gpu g = {.kind = *kind, .choice = pm_spmv_choose(a), .ncols = a->ncols};
    int64_t most = nnz > a->ncols ? nnz : a->ncols;
    pm_status status = open_session(&g, device, err);
    if (!status && kind->is_single) {
        g.staged = pm_alloc_array(most > a->nrows ? most : a->nrows, sizeof(float));
        if (!g.staged)
            status = pm_fail_memory(err, "sparse matrix");
    }
    if (!status)
        status = put_matrix(&g, a, err);
    if (status)
        pm_spmv_gpu_close(&g);
    else
        *out = g;
    return status;
}

void pm_spmv_gpu_close(pm_spmv_gpu *g)
{
    pm_gpu_session_close(g->session);
    free(g->staged);
    *g = (pm_spmv_gpu){0};
}

pm_status pm_spmv_gpu_put(pm_spmv_gpu *g, const double *x, pm_error *err)
{
    pm_status status = pm_gpu_session_wait(g->session, err); /* staged may be on its way */
    if (status || g->ncols == 0)
        return status;
    return pm_gpu_session_put(g->session, g->arrays.x, stage(g, x, g->ncols),
                              g->ncols * value_bytes(&g->kind), err);
}

pm_status pm_spmv_gpu_multiply(pm_spmv_gpu *g, pm_spmv_kernel kernel, pm_error *err)
{
    return pm_spmv_gpu_launch(g->session, kernel, &g->arrays, g->resident, err);
}

pm_status pm_spmv_gpu_get(pm_spmv_gpu *g, double *y, pm_error *err)
{
    const int64_t n = g->arrays.nrows;
    const bool is_single = g->kind.is_single;
    if (n == 0)
        return PM_OK;
    pm_status status = pm_gpu_session_get(g->session, is_single ? g->staged : (void *)y,
                                          g->arrays.y, n * value_bytes(&g->kind), err);
    const float *from = g->staged;
    for (int64_t i = 0; !status && is_single && i < n; ++i)
        y[i] = from[i];
    return status;
}
