/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent of one matrix: reduce to blocks, plan every block, run the plans, multiply. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "core/size.h"
#include "count/block_count.h"
#include "count/count_band.h"
#include "count/count_classes.h"
#include "count/count_copies.h"
#include "count/count_exact.h"
#include "count/count_period.h"
#include "count/count_reduce.h"
#include "count/whole_count.h"
#include "general/general.h"
#include "number/bits.h"
#include "number/prime.h"
#include "planner/registry.h"
#include "pm/algorithms.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "reduce/matching_block.h"

pm_count_options pm_count_defaults(void)
{
    return (pm_count_options){.reduce = pm_reduce_all()};
}

void pm_count_report_free(pm_count_report *r)
{
    free(r->blocks);
    *r = (pm_count_report){0};
}

/* ---- the whole matrix ---- */

/* value = value mod m, exact integers. */
static void reduce_value(pm_value *v, uint64_t m)
{
    if (!m)
        return;
    mpz_fdiv_r_ui(mpq_numref(v->exact), mpq_numref(v->exact), m);
}

/* Exactly 0, in the form of the field. */
static void set_zero(pm_value *v, pm_field field)
{
    pm_value_set_si(v, 0);
    if (field > PM_INTEGER)
        pm_value_set_real(v, field, (pm_xreal){0}, (pm_xreal){0}, (pm_xreal){0});
}

static pm_status set_factor(const pm_reduced *r, pm_field field, pm_value *out, pm_error *err)
{
    if (field <= PM_INTEGER) {
        if (!pm_bits_fit(pm_dyadic_bits(&r->factor_re) + r->factor_re.exp))
            return pm_fail(err, PM_UNABLE,
                           "refused: a product of entries does not fit into memory%s",
                           pm_hint_text(PM_HINT_MEMORY));
        mpz_t z;
        mpz_init(z);
        pm_dyadic_get_mpz(z, &r->factor_re);
        pm_value_set_mpz(out, z);
        mpz_clear(z);
        return PM_OK;
    }
    pm_xreal re = pm_xreal_from_dyadic(&r->factor_re), im = pm_xreal_from_dyadic(&r->factor_im);
    /* exact when it fits the double-double; the rounding is PM_XREAL_EPS otherwise */
    bool rounded = pm_dyadic_bits(&r->factor_re) > 53 || pm_dyadic_bits(&r->factor_im) > 53;
    pm_xreal eps = pm_xreal_make(PM_XREAL_EPS, 0, 0);
    pm_xreal size = pm_xreal_add(pm_xreal_abs(re), pm_xreal_abs(im));
    pm_value_set_real(out, field, re, im, rounded ? pm_xreal_mul(size, eps) : (pm_xreal){0});
    return PM_OK;
}

/* The order of the vertices of the block, whose added rows come before the columns. */
pm_status pm_count_block_order(const pm_matrix *a, const pm_block *b, const pm_count_options *opt,
                               int32_t **order, pm_error *err)
{
    *order = pm_alloc_array(opt->order_len, sizeof **order);
    if (!*order)
        return pm_fail_memory(err, "an order");
    for (int64_t k = 0; k < opt->order_len; ++k) {
        int32_t v = opt->order[k];
        (*order)[k] = v < a->nrows ? v : (int32_t)(v - a->nrows + b->a.nrows);
    }
    return PM_OK;
}

/* *order: NULL, or an order for the block instead of opt->order; freed by the caller. */
static pm_status reduce_matchings(const pm_matrix *a, pm_matching_kind kind,
                                  const pm_count_options *opt, const pm_reduce_options *steps,
                                  const pm_run *run, pm_reduced *out, int32_t **order,
                                  pm_error *err)
{
    pm_block b = {0};
    bool exists;
    pm_status status = pm_matching_block(a, kind, &b, &exists, err);
    if (!status && exists && opt->order)
        status = pm_count_block_order(a, &b, opt, order, err);
    if (!status && exists)
        status = pm_reduce_block(&b, steps, run, out, err);
    else if (!status)
        out->zero = true;
    pm_block_free(&b);
    return status;
}

static pm_matching_kind transposed(pm_matching_kind kind)
{
    return kind == PM_MATCHING_ROWS      ? PM_MATCHING_COLUMNS
           : kind == PM_MATCHING_COLUMNS ? PM_MATCHING_ROWS
                                         : kind;
}

/* Components that are bipartite are counted as such, unless the named algorithm is for general blocks only. */
static pm_status reduce_general(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                                pm_reduced *out, pm_error *err)
{
    const bool keep_general =
        opt->order || (opt->algorithm && !pm_algorithm_find(opt->algorithm, false, opt->backend));
    const pm_reduce_options steps = opt->order ? (pm_reduce_options){0} : opt->reduce;
    return pm_general_reduce(a, &steps, keep_general, run, out, err);
}

pm_status pm_count_reduce(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          pm_reduced *out, int32_t **order, pm_error *err)
{
    pm_matrix turned = {0};
    pm_status status = PM_OK;
    pm_reduce_options steps = opt->reduce;
    if (opt->general)
        return reduce_general(a, opt, run, out, err);
    if (opt->order)
        steps = (pm_reduce_options){0};
    else if (a->field <= PM_INTEGER && !opt->algorithm)
        steps.small = PM_SMALL_BLOCK_ROWS;
    bool transpose = opt->transpose != (opt->independent && !opt->order);
    if (transpose)
        status = pm_matrix_transpose(a, &turned, err);
    const pm_matrix *b = transpose ? &turned : a;
    if (!status && opt->kind != PM_MATCHING_PERFECT)
        status = reduce_matchings(b, transpose ? transposed(opt->kind) : opt->kind, opt, &steps,
                                  run, out, order, err);
    else if (!status)
        status = pm_reduce(b, &steps, run, out, err);
    pm_matrix_free(&turned);
    return status;
}

static double all_seconds(const pm_count_report *r)
{
    double seconds = 0;
    for (int64_t i = 0; i < r->nblocks; ++i)
        seconds += r->blocks[i].seconds;
    return seconds;
}

/* Plans all blocks before the first one is run, so that a refusal comes at once.  *seconds: the sum
 * of the predictions. */
static pm_status plan_blocks(const pm_reduced *r, const pm_count_options *opt, const pm_run *run,
                             pm_block_count *work, pm_count_report *report, double *seconds,
                             pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t i = 0; i < r->nblocks && !status; ++i) {
        status = pm_block_count_plan(&r->blocks[i], opt, run, &work[i], err);
        *seconds += work[i].elapsed;
        if (!status && report)
            pm_block_count_report(&work[i], &report->blocks[report->nblocks++]);
    }
    if (report)
        report->seconds = *seconds;
    return status;
}

/* A product of many exact numbers, in two steps: a long product is multiplied by a product of some
 * factors, as its length makes every multiplication dear.  Other numbers are multiplied in their order,
 * so that no digit depends on this. */
typedef struct {
    pm_value *out, some;
    int count; /* of factors in `some` */
} product;

static void multiply_some(product *p)
{
    if (p->count > 0)
        pm_value_mul(p->out, &p->some);
    pm_value_set_si(&p->some, 1);
    p->count = 0;
}

static void multiply(product *p, const pm_value *v, uint64_t modulus)
{
    enum { MOST = 64 };
    bool collects = !modulus && pm_value_is_exact(v) && pm_value_is_exact(p->out);
    if (!collects || p->count == MOST)
        multiply_some(p);
    if (collects) {
        pm_value_mul(&p->some, v);
        ++p->count;
    } else {
        pm_value_mul(p->out, v);
        reduce_value(p->out, modulus);
    }
}

/* *out *= the values of all blocks.  After a GPU has failed for one block, the CPU counts the rest.
 * */
static pm_status run_blocks(const pm_reduced *r, const pm_run *run, pm_block_count *work,
                            double seconds, pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_status status = PM_OK;
    pm_value part;
    bool has_failed = false, is_partial = false;
    double before = 0; /* the part of all seconds that is done */
    product p = {.out = out};
    pm_value_init(&part);
    pm_value_init(&p.some);
    pm_value_set_si(&p.some, 1);
    for (int64_t i = 0; i < r->nblocks && !status; ++i) {
        pm_run_part here;
        double share = seconds > 0 ? work[i].elapsed / seconds : 0;
        if (has_failed)
            status = pm_block_count_avoid_gpu(&work[i], err);
        if (status)
            break;
        pm_block_count_note(&work[i], i, r->nblocks, run);
        status =
            pm_block_count_run(&work[i], pm_run_part_of(&here, run, before, share), &part, err);
        has_failed |= work[i].fell_back;
        before += share;
        if (status == PM_PARTIAL) {
            is_partial = true;
            status = PM_OK;
            continue;
        }
        if (!status)
            multiply(&p, &part, work[i].options->modulus);
        if (!status && report)
            pm_block_count_report(&work[i], &report->blocks[i]);
    }
    multiply_some(&p);
    pm_value_clear(&p.some);
    pm_value_clear(&part);
    if (report)
        report->seconds = all_seconds(report);
    return !status && is_partial ? PM_PARTIAL : status;
}

static pm_status count_blocks(const pm_reduced *r, const pm_count_options *opt, const pm_run *run,
                              pm_value *out, pm_count_report *report, pm_error *err)
{
    double seconds = 0;
    pm_block_count *work = pm_calloc_array(r->nblocks, sizeof *work);
    if (!work)
        return pm_fail_memory(err, "blocks");
    pm_status status = plan_blocks(r, opt, run, work, report, &seconds, err);
    if (!status && !opt->plan_only)
        status = run_blocks(r, run, work, seconds, out, report, err);
    for (int64_t i = 0; i < r->nblocks; ++i)
        pm_block_count_free(&work[i]);
    free(work);
    return status;
}

static pm_count_options without_auto(const pm_count_options *opt)
{
    pm_count_options o = *opt;
    if (o.algorithm && strcmp(o.algorithm, "auto") == 0)
        o.algorithm = NULL;
    return o;
}

static pm_status check_options(const pm_matrix *a, const pm_count_options *opt, pm_error *err)
{
    const char *name = opt->algorithm;
    if (name && !pm_algorithm_is_on(name, PM_BACKEND_AUTO))
        return pm_fail(err, PM_EUSAGE, "there is no algorithm '%s'%s", name,
                       pm_hint_text(PM_HINT_ALGORITHM));
    if (name && !pm_algorithm_find(name, opt->general, PM_BACKEND_AUTO))
        return pm_fail(err, PM_UNABLE, "%s is for %s graphs only%s", name,
                       opt->general ? "bipartite" : "general", pm_hint_text(PM_HINT_ALGORITHM));
    if (name && !pm_algorithm_find(name, opt->general, opt->backend))
        return pm_fail(err, PM_EUSAGE, "%s %s%s", opt->algorithm,
                       opt->backend == PM_BACKEND_CUDA ? "does not run on a GPU"
                                                       : "runs on a GPU only",
                       pm_hint_text(PM_HINT_ALGORITHM));
    if (opt->modulus && a->field > PM_INTEGER && opt->precision != PM_EXACT)
        return pm_fail(err, PM_EUSAGE,
                       "expected integers for a count modulo a number, found "
                       "real or complex weights%s",
                       pm_hint_text(PM_HINT_NO_WEIGHTS));
    if (opt->modulus >= PM_MODULUS_MAX)
        return pm_fail(err, PM_EUSAGE, "expected a modulus below 2^62");
    return PM_OK;
}

pm_status pm_count_reduced(const pm_reduced *r, pm_field field, const pm_count_options *opt,
                           const pm_run *run, pm_value *out, pm_count_report *report, pm_error *err)
{
    if (report && !(report->blocks = pm_calloc_array(r->nblocks, sizeof *report->blocks)))
        return pm_fail_memory(err, "report");
    if (r->zero) {
        set_zero(out, field);
        return PM_OK;
    }
    pm_status status = set_factor(r, field, out, err);
    if (status)
        return status;
    reduce_value(out, opt->modulus);
    status = count_blocks(r, opt, run, out, report, err);
    if (!status && !pm_value_is_in_range(out))
        status = pm_fail(err, PM_UNABLE,
                         "the value is too large or too small to be printed: its binary exponent "
                         "is beyond 2^62");
    return status;
}

/* A small matrix as a whole, or a long band by its layers.  Fails: PM_UNABLE it is neither; as pm_count. */
static pm_status count_unreduced(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                                 pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_status status = pm_count_whole(a, opt, run, out, report, err);
    if (status == PM_UNABLE && !opt->general)
        return pm_count_band(a, opt, run, out, report, err);
    if (!status)
        reduce_value(out, opt->modulus);
    return status;
}

pm_status pm_count(const pm_matrix *a, const pm_count_options *options, const pm_run *run,
                   pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_count_options opt = without_auto(options);
    pm_status status = check_options(a, &opt, err);
    if (status)
        return status;
    if (pm_count_is_exact(a, &opt))
        return pm_count_exact(a, &opt, run, out, report, err);
    if (opt.precision == PM_EXACT) /* integers are always exact */
        opt.precision = PM_KAHAN;
    if (opt.period)
        return pm_count_period(a, &opt, run, out, report, err);
    if (opt.general && opt.row_times)
        return pm_count_copies(a, &opt, run, out, report, err);
    if (opt.row_times || opt.col_times)
        return pm_count_classes(a, &opt, run, out, report, err);
    pm_reduced r = {0};
    int32_t *order = NULL;
    pm_value value;
    if (report)
        *report = (pm_count_report){0};
    pm_status unreduced = count_unreduced(a, &opt, run, out, report, err);
    if (unreduced != PM_UNABLE)
        return unreduced;
    pm_value_init(&value);
    if (opt.kind == PM_MATCHING_PERFECT && a->nrows != a->ncols)
        r.zero = true;
    else
        status = pm_count_reduce(a, &opt, run, &r, &order, err);
    if (order)
        opt.order = order;
    if (!status)
        status = pm_count_reduced(&r, a->field, &opt, run, &value, report, err);
    if (!status)
        pm_value_set(out, &value);
    else if (report && status != PM_PARTIAL)
        pm_count_report_free(report);
    pm_value_clear(&value);
    pm_reduced_free(&r);
    free(order);
    return status;
}
