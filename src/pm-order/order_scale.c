/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sinkhorn's scaling: its factors as a table, or applied as powers of two, which keep every digit. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm-order/order_tasks.h"
#include "pm/alloc.h"
#include "pm/memory.h"
#include "sinkhorn/line_factors.h"

/* ---- the factors ---- */

static void put_line(pm_emitter *emitter, const char *side, const pm_labels *labels, int64_t i,
                     double log2_factor)
{
    char number[24];
    const pm_cell cells[] = {
        pm_cell_text("side", side),
        pm_cell_text("label", labels ? pm_label(labels, i, number) : NULL),
        pm_cell_precise("log2_factor", log2_factor),
    };
    if (side)
        pm_emit_row(emitter, cells, PM_COUNT_OF(cells));
    else
        pm_emit_table(emitter, "factors", cells, PM_COUNT_OF(cells));
}

static pm_status need_square(const pm_matrix *a, pm_error *err)
{
    if (a->nrows == a->ncols)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "expected as many rows as columns for a scaling, not %" PRId64 " and %" PRId64,
                   a->nrows, a->ncols);
}

pm_status pm_order_put_factors(const pm_order_task *t, const pm_node *e, pm_emitter *emitter,
                               pm_error *err)
{
    const pm_matrix *a = &e->matrix;
    pm_line_factors f = {0};
    pm_status status = need_square(a, err);
    if (!status)
        status = pm_line_factors_make(a, t->search.run, &f, err);
    if (status)
        return status;
    put_line(emitter, NULL, NULL, 0, 0);
    for (int64_t i = 0; i < a->nrows; ++i)
        put_line(emitter, "row", &a->row_labels, i, f.row[i]);
    for (int64_t j = 0; j < a->ncols; ++j)
        put_line(emitter, "column", &a->col_labels, j, f.col[j]);
    pm_emit_table_end(emitter);
    pm_line_factors_free(&f);
    return PM_OK;
}

/* ---- powers of two ---- */

static int64_t exponent(double log2_factor)
{
    return llrint(log2_factor);
}

static void scale_entries(pm_matrix *a, const pm_line_factors *f)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t by = exponent(f->row[i]) + exponent(f->col[a->colind[k]]);
            pm_dyadic_mul_2exp(&a->re[k], by);
            if (a->im)
                pm_dyadic_mul_2exp(&a->im[k], by);
        }
    if (a->field < PM_REAL)
        a->field = PM_REAL;
}

/* n factors become their exponents, in the same memory, of which half is given back.  Those of a pattern have at most 25 bits. */
static int32_t *shorten(double **factor, int64_t n)
{
    double *from = *factor;
    int32_t *to = (int32_t *)(void *)from;
    int64_t cap = 2 * n;
    for (int64_t i = 0; i < n; ++i) { /* over factors that have been read */
        double log2_factor;
        memcpy(&log2_factor, from + i, sizeof log2_factor);
        const int32_t e = (int32_t)exponent(log2_factor);
        memcpy(to + i, &e, sizeof e);
    }
    *factor = NULL;
    pm_shrink_array((void **)&to, &cap, n, sizeof *to);
    return to;
}

/* A pattern gets values.  While they are written, from the last row to the first, the memory of the rows' exponents is given back: the
 * values take most of all memory.  *f is emptied. */
static pm_status scale_pattern(pm_matrix *a, pm_line_factors *f, pm_error *err)
{
    enum { PART = 1 << 16 /* rows */ };
    int64_t cap = a->nrows;
    pm_memory_give_back(); /* of the scaling */
    a->re = pm_calloc_array(pm_matrix_nnz(a), sizeof *a->re);
    if (!a->re)
        return pm_fail_memory(err, "entries");
    a->field = PM_REAL;
    if (a->nrows == 0)
        return PM_OK;
    int32_t *row = shorten(&f->row, a->nrows), *col = shorten(&f->col, a->ncols);
    for (int64_t i = a->nrows - 1; i >= 0; --i) {
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            pm_dyadic_set_si(&a->re[k], 1);
            pm_dyadic_mul_2exp(&a->re[k], (int64_t)row[i] + col[a->colind[k]]);
        }
        if (i > 0 && i % PART == 0)
            pm_shrink_array((void **)&row, &cap, i, sizeof *row);
    }
    free(row);
    free(col);
    return PM_OK;
}

/* q *= 2^by */
static void scale_rational(mpq_t q, int64_t by)
{
    if (by >= 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)by);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-by);
}

static pm_status scale_factor(pm_node *e, const pm_line_factors *f, pm_error *err)
{
    enum { LIMIT = 1 << 26 }; /* of the exponents in streams */
    int64_t by = 0;
    for (int64_t i = 0; i < e->matrix.nrows; ++i)
        by -= exponent(f->row[i]) + exponent(f->col[i]);
    if (by > LIMIT || by < -LIMIT)
        return pm_fail(err, PM_UNABLE,
                       "the scaled matrix needs the factor 2^%" PRId64
                       ", and the exponent of a factor is at most %d",
                       by, LIMIT);
    scale_rational(e->factor.re, by);
    scale_rational(e->factor.im, by);
    if (e->factor_field < PM_REAL)
        e->factor_field = PM_REAL;
    return PM_OK;
}

static pm_status scale_node(const pm_order_task *t, pm_node *e, const pm_map_target *at,
                            pm_error *err)
{
    pm_line_factors f = {0};
    pm_status status = pm_line_factors_make(&e->matrix, at->run, &f, err);
    if (!status)
        status = scale_factor(e, &f, err);
    if (!status && !e->matrix.re)
        status = scale_pattern(&e->matrix, &f, err);
    else if (!status)
        scale_entries(&e->matrix, &f);
    if (!status && !pm_matrix_is_in_range(&e->matrix))
        status = pm_fail(err, PM_UNABLE, "the exponent of a scaled entry is out of range");
    if (!status && pm_run_stopped(at->run)) /* writing takes as long as all before */
        status = pm_fail(err, PM_ESTOPPED, "stopped before the scaled matrix was written");
    if (!status)
        pm_console_notef(t->console, 1, "%s: n = %" PRId64 ": scaled by powers of two", at->where,
                         e->matrix.nrows);
    pm_line_factors_free(&f);
    return status;
}

pm_status pm_scale_map(void *task, pm_node *e, const pm_map_target *at, pm_error *err)
{
    pm_error why;
    pm_status status = e->matrix.nrows == e->matrix.ncols ? scale_node(task, e, at, &why) : PM_OK;
    if (status)
        return pm_fail(err, status, "%s: %s", at->where, why.msg);
    return pm_writer_put(at->to, e, err);
}
