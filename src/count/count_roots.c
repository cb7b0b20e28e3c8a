/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_gaussian.h"

#include <stdlib.h>
#include <string.h>

#include "count/count_classes.h"
#include "count/count_reduce.h"
#include "general/general.h"
#include "integers/integer_scale.h"
#include "integers/point_values.h"
#include "number/bits.h"
#include "pm/alloc.h"

typedef struct {
    const pm_count_options *opt; /* of the counts of integers */
    const pm_run *run;
    pm_count_report *report; /* NULL, or of all blocks so far */
    int64_t cap_blocks;
    bool is_partial;
} work;

/* ---- one block ---- */

/* A block A + iB with integers. */
typedef struct {
    const pm_block *block;
    pm_integer_scale s;
    int64_t points; /* one more than the degree of the polynomial */
} complex_block;

static bool is_imaginary(const pm_matrix *a, int64_t k)
{
    return a->im && !pm_dyadic_is_zero(&a->im[k]);
}

/* The capacities of the rows and of the columns that B touches: the smaller sum of both. */
static int64_t degree_of_lines(const pm_block *b, const pm_matrix *a, bool *touched)
{
    int64_t rows = 0, columns = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        bool is_touched = false;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (is_imaginary(a, k))
                is_touched = touched[a->colind[k]] = true;
        rows += is_touched ? b->row_cap[i] : 0;
    }
    for (int64_t j = 0; j < a->ncols; ++j)
        columns += touched[j] ? b->col_cap[j] : 0;
    return rows < columns ? rows : columns;
}

/* An edge takes two vertices that B touches, a loop one. */
static int64_t degree_of_vertices(const pm_matrix *a)
{
    int64_t ends = 0, loops = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        bool is_end = false;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            loops += a->colind[k] == i && is_imaginary(a, k);
            is_end = is_end || (a->colind[k] != i && is_imaginary(a, k));
        }
        ends += is_end;
    }
    return ends / 2 + loops < a->nrows ? ends / 2 + loops : a->nrows;
}

static int64_t *widened(const int32_t *cap, int64_t n)
{
    int64_t *times = pm_alloc_array(n, sizeof *times);
    for (int64_t i = 0; times && i < n; ++i)
        times[i] = cap[i];
    return times;
}

/* x: freed with pm_integer_scale_free(&x->s), after a failure too. */
static pm_status begin(const pm_block *b, const pm_run *run, complex_block *x, pm_error *err)
{
    *x = (complex_block){.block = b};
    pm_integer_scale_init(&x->s);
    int64_t *rows = widened(b->row_cap, b->a.nrows), *columns = widened(b->col_cap, b->a.ncols);
    bool *touched = pm_calloc_array(b->a.ncols, sizeof *touched);
    const pm_matched_lines lines = {
        .general = b->general,
        .row_times = b->general ? NULL : rows,
        .col_times = b->general ? NULL : columns,
    };
    pm_matrix a = {0};
    pm_status status = rows && columns && touched ? pm_matrix_copy(&b->a, &a, err)
                                                  : pm_fail_memory(err, "a block");
    if (!status)
        status = pm_matrix_widen(&a, PM_COMPLEX, err);
    if (!status)
        status = pm_integer_scale_make(&a, &lines, run, &x->s, err);
    if (!status)
        x->points =
            1 + (b->general ? degree_of_vertices(&x->s.a) : degree_of_lines(b, &x->s.a, touched));
    pm_matrix_free(&a);
    free(rows);
    free(columns);
    free(touched);
    return status;
}

/* re + x im; entries that become 0 are left out. */
static pm_status make_matrix(const complex_block *b, int64_t x, pm_matrix *out, pm_error *err)
{
    const pm_matrix *a = &b->s.a;
    int64_t nnz = 0;
    pm_dyadic times = {0}, value = {0};
    pm_status status = pm_matrix_alloc(out, PM_INTEGER, a->nrows, a->ncols, pm_matrix_nnz(a), err);
    pm_dyadic_set_si(&times, x);
    for (int64_t i = 0; i < a->nrows && !status; ++i) {
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            pm_dyadic_mul(&value, &times, &a->im[k]);
            pm_dyadic_add(&value, &value, &a->re[k]);
            if (pm_dyadic_is_zero(&value))
                continue;
            out->colind[nnz] = a->colind[k];
            pm_dyadic_set(&out->re[nnz++], &value);
        }
        out->rowptr[i + 1] = nnz;
    }
    pm_dyadic_clear(&times);
    pm_dyadic_clear(&value);
    return status;
}

/* Adds the plans of one point, of so many. */
static pm_status add_report(work *w, const pm_count_report *r, int64_t points, pm_error *err)
{
    pm_count_report *all = w->report;
    if (PM_GROW(all->blocks, w->cap_blocks, all->nblocks + r->nblocks))
        return pm_fail_memory(err, "report");
    for (int64_t i = 0; i < r->nblocks; ++i) {
        pm_block_report *b = &all->blocks[all->nblocks++];
        *b = r->blocks[i];
        b->operations *= (double)points;
        b->seconds *= (double)points;
        b->device_seconds *= (double)points;
        b->residues *= (int)points;
    }
    all->seconds += r->seconds * (double)points;
    return PM_OK;
}

/* The count of the integers at x.  The last point gives the plans of all. */
static pm_status count_point(work *w, const complex_block *b, int64_t k, const pm_run *run,
                             mpq_t out, pm_error *err)
{
    pm_block at = {.row_cap = b->block->row_cap,
                   .col_cap = b->block->col_cap,
                   .n = b->block->n,
                   .general = b->block->general};
    pm_reduced r = {.zero = false};
    pm_value v;
    pm_count_report report = {0};
    const bool is_told = w->report && k == b->points - 1;
    const pm_reduce_options steps = w->opt->order ? (pm_reduce_options){0} : w->opt->reduce;
    pm_value_init(&v);
    pm_status status = make_matrix(b, pm_point(k, w->opt->independent), &at.a, err);
    if (!status && at.general)
        status = pm_general_reduce(&at.a, &steps, true, run, &r, err);
    else if (!status)
        status = pm_reduce_block(&at, &steps, run, &r, err);
    if (!status)
        status = pm_count_reduced(&r, PM_INTEGER, w->opt, run, &v, is_told ? &report : NULL, err);
    if (status == PM_PARTIAL) {
        w->is_partial = true;
        pm_value_set_one(&v);
        status = PM_OK;
    }
    if (!status && is_told)
        status = add_report(w, &report, b->points, err);
    mpq_set(out, v.exact);
    pm_count_report_free(&report);
    pm_reduced_free(&r);
    pm_matrix_free(&at.a);
    pm_value_clear(&v);
    return status;
}

/* Limits for one of `points` counts. */
static pm_run limited(const pm_run *run, int64_t points)
{
    pm_run each = run ? *run : (pm_run){0};
    each.max_cost /= (double)points;
    return each;
}

static pm_status count_points(work *w, const complex_block *b, pm_value *out, pm_error *err)
{
    pm_status status = PM_OK;
    mpq_t *value = pm_alloc_array(b->points, sizeof *value);
    if (!value)
        return pm_fail_memory(err, "the values of a polynomial");
    for (int64_t k = 0; k < b->points; ++k)
        mpq_init(value[k]);
    const pm_run each = limited(w->run, b->points);
    for (int64_t k = w->opt->plan_only ? b->points - 1 : 0; k < b->points && !status; ++k) {
        pm_run_part part;
        pm_error why;
        const pm_run *run =
            pm_run_part_of(&part, &each, (double)k / (double)b->points, 1 / (double)b->points);
        status = count_point(w, b, k, run, value[k], &why);
        if (status)
            pm_fail_after(&why, err, status, "%s (one of %lld counts for a complex block)", why.msg,
                          (long long)b->points);
    }
    if (!status) {
        pm_fraction sum;
        pm_fraction_init(&sum);
        pm_point_values_at_i((const mpq_t *)value, b->points, w->opt->independent, &sum);
        mpq_mul(sum.re, sum.re, b->s.factor);
        mpq_mul(sum.im, sum.im, b->s.factor);
        pm_value_set_mpq(out, sum.re, sum.im);
        pm_fraction_clear(&sum);
    }
    for (int64_t k = 0; k < b->points; ++k)
        mpq_clear(value[k]);
    free(value);
    return status;
}

static pm_status count_block(work *w, const pm_block *b, pm_value *out, pm_error *err)
{
    complex_block x;
    pm_status status = begin(b, w->run, &x, err);
    if (!status)
        status = count_points(w, &x, out, err);
    pm_integer_scale_free(&x.s);
    return status;
}

/* ---- the matrix ---- */

/* out = factor * (re + i im). */
static pm_status set_factor(const mpq_t factor, const pm_dyadic *re, const pm_dyadic *im,
                            pm_value *out, pm_error *err)
{
    mpq_t x, y;
    if (!pm_bits_fit(pm_dyadic_bits(re) + llabs(re->exp) + pm_dyadic_bits(im) + llabs(im->exp)))
        return pm_fail(err, PM_UNABLE, "refused: a product of entries does not fit into memory");
    mpq_inits(x, y, NULL);
    pm_rational_set_dyadic(x, re);
    pm_rational_set_dyadic(y, im);
    mpq_mul(x, x, factor);
    mpq_mul(y, y, factor);
    pm_value_set_mpq(out, x, y);
    mpq_clears(x, y, NULL);
    return PM_OK;
}

static pm_status count_blocks(work *w, const pm_reduced *r, pm_value *out, pm_error *err)
{
    pm_status status = PM_OK;
    pm_value part;
    const pm_run *whole = w->run;
    pm_value_init(&part);
    for (int64_t i = 0; i < r->nblocks && !status; ++i) {
        pm_run_part share;
        w->run =
            pm_run_part_of(&share, whole, (double)i / (double)r->nblocks, 1 / (double)r->nblocks);
        status = count_block(w, &r->blocks[i], &part, err);
        if (!status)
            pm_value_mul(out, &part);
    }
    w->run = whole;
    pm_value_clear(&part);
    return status;
}

/* Integers with copies are cheaper as they are, but a block takes its copies from the reductions. */
static pm_status write_out(const pm_matrix *a, pm_count_options *opt, pm_matrix *out, pm_error *err)
{
    const pm_count_options given = *opt;
    opt->row_times = opt->col_times = NULL;
    opt->loops = NULL;
    return given.general ? pm_matrix_repeat_vertices(a, given.row_times, given.loops, out, err)
                         : pm_matrix_repeat(a, given.row_times, given.col_times, out, err);
}

static pm_status count_plain(const pm_matrix *a, pm_count_options *opt, const pm_run *run,
                             pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_integer_scale s;
    pm_reduced r = {.zero = opt->kind == PM_MATCHING_PERFECT && a->nrows != a->ncols};
    int32_t *order = NULL;
    work w = {.opt = opt, .run = run, .report = report};
    pm_integer_scale_init(&s);
    const pm_matched_lines lines = {.kind = opt->kind, .general = opt->general};
    pm_status status = pm_integer_scale_make(a, &lines, run, &s, err);
    if (!status && !r.zero)
        status = pm_count_reduce(&s.a, opt, run, &r, &order, err);
    if (order)
        opt->order = order;
    if (!status && r.zero)
        r.factor_re = r.factor_im = (pm_dyadic){0};
    if (!status)
        status = set_factor(s.factor, &r.factor_re, &r.factor_im, out, err);
    if (!status && !r.zero)
        status = count_blocks(&w, &r, out, err);
    pm_integer_scale_free(&s);
    pm_reduced_free(&r);
    free(order);
    return !status && w.is_partial ? PM_PARTIAL : status;
}

pm_status pm_count_gaussian(const pm_matrix *a, const pm_count_options *options, const pm_run *run,
                            pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_count_options opt = *options;
    pm_matrix whole = {0};
    pm_status status = PM_OK;
    opt.precision = PM_KAHAN; /* of integers */
    if (report)
        *report = (pm_count_report){0};
    if (opt.row_times || opt.col_times)
        status = write_out(a, &opt, &whole, err);
    if (!status)
        status = count_plain(whole.rowptr ? &whole : a, &opt, run, out, report, err);
    if (status && status != PM_PARTIAL && report)
        pm_count_report_free(report);
    pm_matrix_free(&whole);
    return status;
}
