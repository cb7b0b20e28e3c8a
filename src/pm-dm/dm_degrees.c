/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-dm/dm_degrees.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm-dm/dm_tasks.h"
#include "pm/alloc.h"

/* ---- counting ---- */

/* Of the n degrees. */
static pm_status summarize(const int32_t *degree, int64_t n, pm_degrees *out, pm_error *err)
{
    pm_degrees x = {.least = n > 0 ? degree[0] : 0};
    double sum = 0, squares = 0;
    for (int64_t i = 0; i < n; ++i) {
        x.least = degree[i] < x.least ? degree[i] : x.least;
        x.largest = degree[i] > x.largest ? degree[i] : x.largest;
        sum += degree[i];
    }
    x.vertices = pm_alloc_array(x.largest + 1, sizeof *x.vertices);
    if (!x.vertices)
        return pm_fail_memory(err, "the degrees");
    memset(x.vertices, 0, (size_t)(x.largest + 1) * sizeof *x.vertices);
    for (int64_t i = 0; i < n; ++i)
        ++x.vertices[degree[i]];
    for (int64_t k = x.least; k <= x.largest; ++k) {
        const double from_mean = (double)k - sum / (double)n;
        squares += (double)x.vertices[k] * from_mean * from_mean;
    }
    x.deviation = n > 0 ? sqrt(squares / (double)n) : 0;
    *out = x;
    return PM_OK;
}

pm_status pm_degrees_of_rows(const pm_matrix *a, pm_degrees *out, pm_error *err)
{
    int32_t *degree = pm_alloc_array(a->nrows, sizeof *degree);
    if (!degree)
        return pm_fail_memory(err, "the degrees");
    for (int64_t i = 0; i < a->nrows; ++i)
        degree[i] = (int32_t)(a->rowptr[i + 1] - a->rowptr[i]);
    pm_status status = summarize(degree, a->nrows, out, err);
    free(degree);
    return status;
}

pm_status pm_degrees_of_columns(const pm_matrix *a, pm_degrees *out, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(a);
    int32_t *degree = pm_alloc_array(a->ncols, sizeof *degree);
    if (!degree)
        return pm_fail_memory(err, "the degrees");
    memset(degree, 0, (size_t)a->ncols * sizeof *degree);
    for (int64_t e = 0; e < nnz; ++e)
        ++degree[a->colind[e]];
    pm_status status = summarize(degree, a->ncols, out, err);
    free(degree);
    return status;
}

/* ---- the answer ---- */

enum { CELLS = 3 };

static void list_cells(const char *side, int64_t degree, int64_t vertices, pm_cell out[CELLS])
{
    out[0] = pm_cell_text("side", side);
    out[1] = pm_cell_int("degree", degree);
    out[2] = pm_cell_int("vertices", vertices);
}

static void put_side(const char *side, const pm_degrees *x, pm_emitter *e)
{
    pm_cell cells[CELLS];
    for (int64_t k = x->least; k <= x->largest; ++k)
        if (x->vertices[k]) {
            list_cells(side, k, x->vertices[k], cells);
            pm_emit_row(e, cells, CELLS);
        }
}

static pm_status put(const pm_dm_view *v, pm_emitter *e, pm_error *err)
{
    pm_degrees rows = {0}, columns = {0};
    pm_cell cells[CELLS];
    pm_status status = pm_degrees_of_rows(v->a, &rows, err);
    if (!status)
        status = pm_degrees_of_columns(v->a, &columns, err);
    if (!status) {
        list_cells("", 0, 0, cells);
        pm_emit_table(e, "degrees", cells, CELLS);
        put_side("row", &rows, e);
        put_side("column", &columns, e);
        pm_emit_table_end(e);
    }
    free(rows.vertices);
    free(columns.vertices);
    return status;
}

static pm_status put_general(const pm_dm_general_view *v, pm_emitter *e, pm_error *err)
{
    const pm_matrix *a = v->a;
    pm_degrees all = {0};
    pm_cell cells[CELLS];
    pm_status status = pm_degrees_of_rows(a, &all, err);
    if (status)
        return status;
    list_cells("", 0, 0, cells);
    pm_emit_table(e, "degrees", cells, CELLS);
    put_side("vertex", &all, e);
    pm_emit_table_end(e);
    free(all.vertices);
    return PM_OK;
}

const pm_dm_question pm_dm_degrees = {
    .layout = PM_LAYOUT_BLOCKS, .put = put, .put_general = put_general};
