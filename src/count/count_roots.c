/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_roots.h"

#include <stdlib.h>

#include "count/count_classes.h"
#include "count/count_reduce.h"
#include "count/root_block.h"
#include "integers/integer_scale.h"
#include "number/bits.h"
#include "pm/alloc.h"
#include "pm/fraction.h"
#include "reduce/matching_block.h"

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

static pm_status count_blocks(pm_root_count *w, const pm_reduced *r, pm_value *out, pm_error *err)
{
    pm_status status = PM_OK;
    pm_value part;
    const pm_run *whole = w->run;
    pm_value_init(&part);
    for (int64_t i = 0; i < r->nblocks && !status; ++i) {
        pm_run_part share;
        w->run =
            pm_run_part_of(&share, whole, (double)i / (double)r->nblocks, 1 / (double)r->nblocks);
        status = pm_root_block_count(w, &r->blocks[i], &part, err);
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

static int32_t *ones(int64_t n)
{
    int32_t *cap = pm_alloc_array(n, sizeof *cap);
    for (int64_t i = 0; cap && i < n; ++i)
        cap[i] = 1;
    return cap;
}

/* Reductions compute with entries; so a matrix with roots stays a block, and its residues are reduced. */
static pm_status one_block(const pm_matrix *a, const pm_count_options *opt, pm_reduced *out,
                           int32_t **order, pm_error *err)
{
    bool exists = true;
    pm_status status = PM_OK;
    pm_block b = {.n = a->nrows, .general = opt->general};
    if (opt->kind != PM_MATCHING_PERFECT) {
        status = pm_matching_block(a, opt->kind, &b, &exists, err);
        if (!status && exists && opt->order)
            status = pm_count_block_order(a, &b, opt, order, err);
    } else {
        status = pm_matrix_copy(a, &b.a, err);
        b.row_cap = ones(a->nrows);
        b.col_cap = ones(a->ncols);
        if (!status && !(b.row_cap && b.col_cap))
            status = pm_fail_memory(err, "a block");
    }
    if (!status && exists && !(out->blocks = pm_alloc_array(1, sizeof *out->blocks)))
        status = pm_fail_memory(err, "a block");
    out->zero = !exists;
    if (status || !exists) {
        pm_block_free(&b);
        return status;
    }
    out->blocks[0] = b;
    out->nblocks = 1;
    return PM_OK;
}

static pm_status count_plain(const pm_matrix *a, pm_count_options *opt, const pm_run *run,
                             pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_integer_scale s;
    pm_reduced r = {.zero = opt->kind == PM_MATCHING_PERFECT && a->nrows != a->ncols};
    int32_t *order = NULL;
    pm_root_count w = {.opt = opt, .run = run, .report = report};
    pm_integer_scale_init(&s);
    const pm_matched_lines lines = {.kind = opt->kind, .general = opt->general};
    pm_status status = pm_integer_scale_make(a, &lines, run, &s, err);
    const bool has_roots = pm_matrix_has_roots(&s.a);
    if (!status && !r.zero)
        status = has_roots ? one_block(&s.a, opt, &r, &order, err)
                           : pm_count_reduce(&s.a, opt, run, &r, &order, err);
    if (order)
        opt->order = order;
    if (!status && r.zero)
        r.factor_re = r.factor_im = (pm_dyadic){0};
    if (!status && has_roots)
        pm_value_set_mpq(out, s.factor, NULL);
    else if (!status)
        status = set_factor(s.factor, &r.factor_re, &r.factor_im, out, err);
    if (!status && has_roots && r.zero)
        pm_value_set_si(out, 0);
    if (!status && !r.zero)
        status = count_blocks(&w, &r, out, err);
    pm_integer_scale_free(&s);
    pm_reduced_free(&r);
    free(order);
    return !status && w.is_partial ? PM_PARTIAL : status;
}

pm_status pm_count_roots(const pm_matrix *a, const pm_count_options *options, const pm_run *run,
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
