/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/workspace_gpu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/kernel_text.h"
#include "matrix/transposed.h"
#include "pm/alloc.h"

static const pm_spmv_kind kind = {.semiring = PM_SEMIRING_SUM, .has_values = true};

char *pm_workspace_text(void)
{
    char *products = pm_spmv_text(&kind);
    char *text = products
                     ? pm_kernel_text_make("%s%s%s%s%s%s%s", products, pm_text_iteration_arrays,
                                           pm_text_vector_step, pm_text_linear_entry,
                                           pm_text_vectors, pm_text_message_step, pm_text_messages)
                     : NULL;
    free(products);
    return text;
}

/* ---- opening ---- */

/* Where each entry is in the order of the columns. */
static pm_status put_places(pm_workspace_gpu *g, const pm_csr_pair *p, pm_error *err)
{
    const pm_csr *a = &p->a;
    int32_t *place = pm_alloc_array(a->rowptr[a->nrows], sizeof *place);
    int64_t *next = pm_alloc_array(a->ncols + 1, sizeof *next);
    pm_status status = place && next ? PM_OK : pm_fail_memory(err, "sparse matrix");
    if (!status) {
        memcpy(next, p->t.rowptr, (size_t)a->ncols * sizeof *next);
#pragma omp parallel for num_threads(p->threads) schedule(static, 1) if (p->threads > 1)
        for (int part = 0; part < p->threads; ++part) {
            const pm_column_range range = pm_column_range_of(a->ncols, part, p->threads);
            for (int64_t k = 0; k < a->rowptr[a->nrows]; ++k)
                if (pm_column_is_in(range, a->colind[k]))
                    place[k] = (int32_t)next[a->colind[k]]++;
        }
        status = pm_spmv_gpu_array(g->session, place, 4 * g->entries.nnz, &g->entries.place, err);
    }
    free(place);
    free(next);
    return status;
}

static pm_status load(pm_workspace_gpu *g, const pm_csr_pair *p, int vectors, pm_error *err)
{
    pm_status status = PM_OK;
    const pm_csr *const side[2] = {&p->a, &p->t};
    for (int t = 0; t < 2 && !status; ++t) {
        status = pm_spmv_gpu_load(g->session, side[t], &kind, NULL, &g->x[t], err);
        g->choice[t] = pm_spmv_choose(side[t]);
        g->x[t].group = g->choice[t].group;
    }
    if (status)
        return status;
    const int64_t nnz = g->x[0].nnz;
    g->n = p->a.nrows;
    g->entries = (pm_entry_arrays){
        .column = g->x[0].column, .value = g->x[0].value, .other = g->x[1].value, .nnz = nnz};
    status = pm_spmv_gpu_rows(g->session, &p->a, &g->entries.row, err);
    if (!status)
        status = put_places(g, p, err);
    if (!status)
        status = pm_spmv_gpu_array(g->session, NULL, 8 * nnz, &g->work[0], err);
    if (!status)
        status = pm_spmv_gpu_array(g->session, NULL, 8 * nnz, &g->work[1], err);
    if (!status)
        status = pm_spmv_gpu_array(g->session, NULL, 8 * g->n * (vectors + 1), &g->vectors, err);
    if (!status)
        status = pm_spmv_gpu_array(g->session, NULL, 8 * PM_WORKSPACE_BLOCKS, &g->partial, err);
    if (status)
        return status;
    g->ones = vectors;
    pm_workspace_gpu_map(g, PM_MAP_FILL, 1, g->ones, g->ones, g->ones);
    return PM_OK;
}

pm_status pm_workspace_gpu_open(int device, const pm_csr_pair *pattern, int vectors,
                                pm_workspace_gpu **out, pm_error *err)
{
    pm_gpu_info info;
    pm_status status = pm_gpu_get_info(device, &info, err);
    if (status)
        return status;
    char *text = pm_workspace_text();
    pm_workspace_gpu *g = pm_calloc_array(1, sizeof *g);
    if (!text || !g)
        status = pm_fail_memory(err, "sparse matrix");
    if (!status)
        status = pm_gpu_session_open(device, text, &g->session, err);
    free(text);
    if (!status) {
        g->resident = 2 * (int64_t)info.multiprocessors;
        status = load(g, pattern, vectors, err);
    }
    if (status)
        pm_workspace_gpu_close(g);
    else
        *out = g;
    return status;
}

void pm_workspace_gpu_close(pm_workspace_gpu *g)
{
    if (g)
        pm_gpu_session_close(g->session);
    free(g);
}

/* ---- operations ---- */

enum { THREADS = PM_SPMV_CSR_BLOCK_THREADS };

int64_t pm_workspace_gpu_blocks(int64_t n)
{
    return (n + THREADS - 1) / THREADS;
}

unsigned long long pm_workspace_gpu_vector(const pm_workspace_gpu *g, int x)
{
    return g->vectors + (unsigned long long)(8 * g->n * x);
}

void pm_workspace_gpu_launch(pm_workspace_gpu *g, const char *kernel, int64_t blocks,
                             void *argument)
{
    void *arguments[] = {argument};
    if (!g->status)
        g->status =
            pm_gpu_session_launch(g->session, kernel, blocks, THREADS, 0, arguments, &g->error);
}

static void get(pm_workspace_gpu *g, double *to, unsigned long long from, int64_t count)
{
    if (!g->status)
        g->status = pm_gpu_session_get(g->session, to, from, 8 * count, &g->error);
}

static void put(pm_workspace_gpu *g, unsigned long long to, const double *from, int64_t count)
{
    if (!g->status)
        g->status = pm_gpu_session_put(g->session, to, from, 8 * count, &g->error);
}

void pm_workspace_gpu_put_entries(pm_workspace_gpu *g, unsigned long long to, const double *from)
{
    put(g, to, from, g->entries.nnz);
}

void pm_workspace_gpu_get_entries(pm_workspace_gpu *g, unsigned long long from, double *to)
{
    get(g, to, from, g->entries.nnz);
}

static void scale(pm_workspace_gpu *g, unsigned long long row, unsigned long long col)
{
    pm_entry_arrays e = g->entries;
    e.x = row;
    e.z = col;
    e.blocks = (int)pm_workspace_gpu_blocks(e.nnz);
    pm_workspace_gpu_launch(g, "pm_entries_scale", e.blocks, &e);
}

void pm_workspace_gpu_set(pm_workspace_gpu *g, const double *value)
{
    pm_workspace_gpu_put_entries(g, g->entries.value, value);
    scale(g, 0, 0);
}

void pm_workspace_gpu_scale(pm_workspace_gpu *g, int row, int col)
{
    scale(g, pm_workspace_gpu_vector(g, row), pm_workspace_gpu_vector(g, col));
}

void pm_workspace_gpu_multiply_by(pm_workspace_gpu *g, bool is_transposed, unsigned long long value,
                                  int x, int y)
{
    pm_spmv_arrays a = g->x[is_transposed];
    a.value = value;
    a.x = pm_workspace_gpu_vector(g, x);
    a.y = pm_workspace_gpu_vector(g, y);
    if (!g->status)
        g->status = pm_spmv_gpu_launch(g->session, g->choice[is_transposed].kernel, &a, g->resident,
                                       &g->error);
}

void pm_workspace_gpu_multiply(pm_workspace_gpu *g, bool is_transposed, int x, int y)
{
    pm_workspace_gpu_multiply_by(g, is_transposed, g->x[is_transposed].value, x, y);
}

static void map(pm_workspace_gpu *g, pm_vector_arrays a)
{
    a.blocks = (int)pm_workspace_gpu_blocks(a.n);
    pm_workspace_gpu_launch(g, "pm_vector_map", a.blocks, &a);
}

void pm_workspace_gpu_map_entries(pm_workspace_gpu *g, pm_map op, double s, unsigned long long x,
                                  unsigned long long y)
{
    map(g, (pm_vector_arrays){.x = x, .z = x, .y = y, .s = s, .n = g->entries.nnz, .op = (int)op});
}

/* The squares are the entries of a matrix, which is multiplied by ones. */
void pm_workspace_gpu_squares(pm_workspace_gpu *g, int y)
{
    const unsigned long long value = g->entries.value;
    pm_workspace_gpu_map_entries(g, PM_MAP_MULTIPLY, 0, value, g->work[0]);
    pm_workspace_gpu_multiply_by(g, false, g->work[0], g->ones, y);
}

void pm_workspace_gpu_map(pm_workspace_gpu *g, pm_map op, double s, int x, int z, int y)
{
    map(g, (pm_vector_arrays){.x = pm_workspace_gpu_vector(g, x),
                              .z = pm_workspace_gpu_vector(g, z),
                              .y = pm_workspace_gpu_vector(g, y),
                              .s = s,
                              .n = g->n,
                              .op = (int)op});
}

static double read_partial(pm_workspace_gpu *g, pm_reduction op, int blocks)
{
    double part[PM_WORKSPACE_BLOCKS], all = 0;
    get(g, part, g->partial, blocks);
    for (int b = 0; b < blocks && !g->status; ++b)
        all = pm_reduce_join(op, all, part[b]);
    return g->status ? NAN : all;
}

double pm_workspace_gpu_largest(pm_workspace_gpu *g, int blocks)
{
    return read_partial(g, PM_REDUCE_LARGEST, blocks);
}

/* The number of blocks depends on n alone, so that the digits are the same on all devices. */
double pm_workspace_gpu_reduce(pm_workspace_gpu *g, pm_reduction op, int x, int y)
{
    const int64_t blocks = pm_workspace_gpu_blocks(g->n);
    pm_vector_arrays a = {.x = pm_workspace_gpu_vector(g, x),
                          .y = pm_workspace_gpu_vector(g, y),
                          .partial = g->partial,
                          .n = g->n,
                          .op = (int)op,
                          .blocks =
                              blocks < PM_WORKSPACE_BLOCKS ? (int)blocks : PM_WORKSPACE_BLOCKS};
    pm_workspace_gpu_launch(g, "pm_vector_reduce", a.blocks, &a);
    return read_partial(g, op, a.blocks);
}

void pm_workspace_gpu_get(pm_workspace_gpu *g, int x, double *to)
{
    get(g, to, pm_workspace_gpu_vector(g, x), g->n);
}

void pm_workspace_gpu_put(pm_workspace_gpu *g, int x, const double *from)
{
    put(g, pm_workspace_gpu_vector(g, x), from, g->n);
}
