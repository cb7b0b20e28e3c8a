/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spgemm/product.h"

#include <math.h>
#include <stdlib.h>

#include "core/team.h"
#include "pm/alloc.h"
#include "spgemm/product_row.h"

/* Terms that are worth a thread; the most rows that a thread takes at a time, and how often it does so. */
enum { TERMS_OF_THREAD = 50000, MOST_AT_ONCE = 64, TURNS = 8 };

/* ---- one row ---- */

typedef struct {
    int64_t first, end; /* entries of b */
} range;

static range partners(const pm_product *p, int64_t k)
{
    const int32_t row = p->a->colind[k];
    return (range){p->from ? pm_product_first(p, k) : p->b->rowptr[row], p->b->rowptr[row + 1]};
}

pm_status pm_product_above(const pm_csr *a, const pm_csr *b, uint32_t *from, pm_error *err)
{
    int64_t *next = pm_copy(b->rowptr, (size_t)b->nrows * sizeof *next);
    if (!next)
        return pm_fail_memory(err, "pairs of rows");
    for (int64_t k = 0; k < a->rowptr[a->nrows]; ++k)
        from[k] = (uint32_t)++next[a->colind[k]];
    free(next);
    return PM_OK;
}

int64_t pm_product_terms(const pm_product *p, int64_t row)
{
    int64_t terms = 0;
    for (int64_t k = p->a->rowptr[row]; k < p->a->rowptr[row + 1]; ++k) {
        const range r = partners(p, k);
        terms += r.end - r.first;
    }
    return terms;
}

int64_t pm_product_end(const pm_product *p, int64_t first, int64_t terms)
{
    int64_t end = first;
    for (int64_t found = 0; end < p->a->nrows && found < terms; ++end)
        found += pm_product_terms(p, end);
    return end;
}

/* The columns of a row. */
static void find_row(const pm_product *p, int64_t row, pm_product_row *t)
{
    bool is_new;
    for (int64_t k = p->a->rowptr[row]; k < p->a->rowptr[row + 1]; ++k) {
        const range r = partners(p, k);
        for (int64_t e = r.first; e < r.end; ++e)
            pm_product_row_place(t, p->b->colind[e], &is_new);
    }
}

static double value_of(const pm_product *p, const double *value, int64_t k)
{
    return value ? value[k] : p->semiring == PM_SEMIRING_SUM ? 1 : 0;
}

static double add(pm_semiring s, double a, double b)
{
    if (s == PM_SEMIRING_SUM)
        return a + b;
    const double most = a > b ? a : b, least = a > b ? b : a;
    return s == PM_SEMIRING_MAX || least == -INFINITY ? most : most + log1p(exp(least - most));
}

/* The columns of a row and their sums. */
static void add_row(const pm_product *p, int64_t row, pm_product_row *t)
{
    const pm_semiring s = p->semiring;
    for (int64_t k = p->a->rowptr[row]; k < p->a->rowptr[row + 1]; ++k) {
        const double own = value_of(p, p->a->value, k);
        const range r = partners(p, k);
        for (int64_t e = r.first; e < r.end; ++e) {
            bool is_new;
            const int64_t at = pm_product_row_place(t, p->b->colind[e], &is_new);
            const double other = value_of(p, p->b->value, e);
            const double term = s == PM_SEMIRING_SUM ? own * other : own + other;
            t->sum[at] = is_new ? term : add(s, t->sum[at], term);
        }
    }
}

/* Writes the row that is in the table. */
static void take_row(pm_product_row *t, int32_t *colind, double *value)
{
    pm_product_row_sort(t);
    for (int64_t i = 0; i < t->count; ++i) {
        colind[i] = (int32_t)(t->found[i] >> 32);
        if (value)
            value[i] = t->sum[(uint32_t)t->found[i]];
    }
}

/* ---- all rows ---- */

typedef struct {
    const pm_product *p;
    int64_t first, rows;
    int64_t at_once; /* rows that a thread takes at a time */
    int threads;
    pm_product_row *table; /* [threads] */
    const pm_run *run;
} job;

static pm_status open_tables(job *x, int64_t terms, int64_t most, pm_error *err)
{
    const int64_t columns = x->p->b->ncols, worth = 1 + terms / TERMS_OF_THREAD;
    int threads = pm_run_threads(x->run);
    threads = worth < threads ? (int)worth : threads;
    x->threads = threads > 1 ? pm_team(x->run, threads) : 1;
    x->at_once = 1 + x->rows / ((int64_t)x->threads * TURNS);
    x->at_once = x->at_once < MOST_AT_ONCE ? x->at_once : MOST_AT_ONCE;
    x->table = pm_calloc_array(x->threads, sizeof *x->table);
    if (!x->table)
        return pm_fail_memory(err, "product of sparse matrices");
    pm_status status = PM_OK;
    for (int t = 0; t < x->threads && !status; ++t)
        status = pm_product_row_make(most, columns, &x->table[t], err);
    return status;
}

static void close_tables(job *x)
{
    for (int t = 0; x->table && t < x->threads; ++t)
        pm_product_row_free(&x->table[t]);
    free(x->table);
}

/* out NULL: sets length[i + 1] to the number of columns of row i.  Otherwise writes the rows. */
static void make_rows(const job *x, int64_t *length, const pm_csr *out, int32_t *colind)
{
    const int64_t blocks = (x->rows + x->at_once - 1) / x->at_once;
    int next = 0; /* the next table */
#pragma omp parallel num_threads(x->threads) if (x->threads > 1)
    {
        int own;
#pragma omp atomic capture
        own = next++;
        pm_product_row *t = &x->table[own];
#pragma omp for schedule(dynamic, 1)
        for (int64_t b = 0; b < blocks; ++b) {
            const int64_t limit = (b + 1) * x->at_once, end = limit < x->rows ? limit : x->rows;
            for (int64_t i = b * x->at_once; i < end && !pm_run_stopped(x->run); ++i) {
                if (out && out->value)
                    add_row(x->p, x->first + i, t);
                else
                    find_row(x->p, x->first + i, t);
                if (out)
                    take_row(t, colind + out->rowptr[i],
                             out->value ? out->value + out->rowptr[i] : NULL);
                else
                    length[i + 1] = t->count;
                pm_product_row_clear(t);
            }
        }
    }
}

static pm_status multiply(const job *x, bool has_values, pm_product_rows *out, pm_error *err)
{
    int64_t *ptr = out->owned[0] = pm_calloc_array(x->rows + 1, sizeof *ptr);
    if (!ptr)
        return pm_fail_memory(err, "product of sparse matrices");
    make_rows(x, ptr, NULL, NULL);
    if (pm_run_stopped(x->run))
        return pm_fail(err, PM_ESTOPPED, "stopped during a product of sparse matrices");
    for (int64_t i = 0; i < x->rows; ++i)
        ptr[i + 1] += ptr[i];
    int32_t *colind = out->owned[1] = pm_alloc_array(ptr[x->rows], sizeof *colind);
    double *value = out->owned[2] = has_values ? pm_alloc_array(ptr[x->rows], sizeof *value) : NULL;
    if (!colind || (has_values && !value))
        return pm_fail_memory(err, "product of sparse matrices");
    out->c = (pm_csr){x->rows, x->p->b->ncols, ptr, colind, value, NULL};
    make_rows(x, NULL, &out->c, colind);
    if (pm_run_stopped(x->run))
        return pm_fail(err, PM_ESTOPPED, "stopped during a product of sparse matrices");
    return PM_OK;
}

pm_status pm_product_make(const pm_product *p, int64_t first, int64_t end, bool has_values,
                          const pm_run *run, pm_product_rows *out, pm_error *err)
{
    job x = {.p = p, .first = first, .rows = end - first, .run = run};
    int64_t terms = 0, most = 0;
    *out = (pm_product_rows){.owned = {NULL}};
    for (int64_t i = first; i < end; ++i) {
        const int64_t own = pm_product_terms(p, i);
        terms += own;
        most = own > most ? own : most;
    }
    pm_status status = open_tables(&x, terms, most, err);
    if (!status)
        status = multiply(&x, has_values, out, err);
    close_tables(&x);
    if (status)
        pm_product_rows_free(out);
    return status;
}

void pm_product_rows_free(pm_product_rows *r)
{
    for (int k = 0; k < 3; ++k)
        free(r->owned[k]);
    *r = (pm_product_rows){.owned = {NULL}};
}
