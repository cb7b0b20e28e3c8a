/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The permanent of one matrix: reduce to blocks, plan every block, run the plans, multiply. */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/size.h"
#include "count/algorithm.h"
#include "count/chooser.h"
#include "count/prime.h"
#include "pm/alloc.h"

pm_count_options pm_count_defaults(void)
{
    return (pm_count_options){.reduce = pm_reduce_all()};
}

void pm_count_report_free(pm_count_report *r)
{
    free(r->blocks);
    *r = (pm_count_report){0};
}

/* ---- moduli ---- */

/* Primes whose product exceeds every value the block can take, signs included.  Two disjoint sets:
 * those of the other way lie below 2^61. */
static pm_status choose_primes(const pm_block *b, bool other_way, uint64_t **out, int *count,
                               pm_error *err)
{
    double bits = (b->log2_bound > 0 ? b->log2_bound : 0) + 2;
    if (bits > 1e8)
        return pm_fail(err, PM_UNABLE, "an answer of more than 10^8 bits");
    int n = (int)ceil(bits / (PM_PRIME_BITS - other_way));
    uint64_t p = PM_MODULUS_MAX >> other_way;
    *out = pm_alloc_array(n, sizeof **out);
    if (!*out)
        return pm_fail_memory(err, "primes");
    for (int i = 0; i < n; ++i)
        (*out)[i] = p = pm_prime_below(p);
    *count = n;
    return PM_OK;
}

static bool has_negative(const pm_matrix *a)
{
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (pm_dyadic_sign(&a->re[k]) < 0)
            return true;
    return false;
}

/* ---- one block ---- */

typedef struct {
    pm_job job;
    pm_plan plan;
    double elapsed; /* predicted seconds, with all threads */
    uint64_t *moduli;
} block_work;

static void work_free(block_work *w)
{
    pm_plan_free(&w->plan);
    free(w->moduli);
}

static pm_status refuse_cost(const block_work *w, double limit, pm_error *err)
{
    const pm_block *b = w->job.block;
    const pm_plan *p = &w->plan;
    return pm_fail(err, PM_UNABLE,
                   "refused: block of n = %lld with %lld entries: %s would take about %.2g seconds "
                   "and %s; allowed are %.3g seconds (--max-cost)%s",
                   (long long)b->n, (long long)pm_matrix_nnz(&b->a), p->algorithm->name, w->elapsed,
                   pm_size(p->memory).s, limit,
                   w->job.order ? "; planar and rook do not go by a given order" : "");
}

static pm_status plan_block(const pm_block *b, const pm_count_options *opt, const pm_run *run,
                            block_work *w, pm_error *err)
{
    pm_status rc = PM_OK;
    w->job = (pm_job){.block = b,
                      .run = run,
                      .seed = opt->seed + (opt->other_way ? 1 : 0),
                      .order = opt->order,
                      .order_len = opt->order_len,
                      .memory = pm_run_memory(run),
                      .other_way = opt->other_way,
                      .precision = opt->precision,
                      .backend = opt->backend,
                      .gpus = opt->gpus,
                      .placement = opt->placement,
                      .rates = opt->rates ? opt->rates : &pm_rates_nominal};
    if (b->a.field <= PM_INTEGER && opt->modulus) {
        w->job.moduli = &opt->modulus;
        w->job.nmoduli = 1;
    } else if (b->a.field <= PM_INTEGER) {
        rc = choose_primes(b, opt->other_way, &w->moduli, &w->job.nmoduli, err);
        w->job.moduli = w->moduli;
    }
    if (!rc)
        rc = pm_choose_plan(&w->job, opt->algorithm, opt->other_way, &w->plan, err);
    if (!rc)
        w->elapsed = pm_plan_elapsed(&w->plan, run);
    if (!rc && run && run->max_cost > 0 && w->elapsed > run->max_cost && !opt->plan_only)
        rc = refuse_cost(w, run->max_cost, err);
    return rc;
}

static pm_status run_block(block_work *w, const pm_run *run, pm_value *out, pm_error *err)
{
    pm_job *job = &w->job;
    const pm_algorithm *algorithm = w->plan.algorithm;
    uint64_t *residues = pm_alloc_array(job->nmoduli, sizeof *residues);
    if (!residues)
        return pm_fail_memory(err, "residues");
    job->run = run;
    pm_status rc = algorithm->run(job, &w->plan, residues, out, err);
    if (!rc && job->nmoduli && !algorithm->integers) {
        mpz_t z;
        mpz_init(z);
        pm_crt(z, residues, job->moduli, job->nmoduli,
               job->moduli == w->moduli && has_negative(&job->block->a));
        pm_value_set_mpz(out, z);
        mpz_clear(z);
    }
    free(residues);
    return rc;
}

static const char *method_name(const pm_plan *p)
{
    return p->kernel ? p->kernel : p->algorithm->name;
}

static void report_block(const block_work *w, pm_block_report *r)
{
    *r = (pm_block_report){.n = w->job.block->n,
                           .nnz = pm_matrix_nnz(&w->job.block->a),
                           .algorithm = method_name(&w->plan),
                           .backend = w->plan.algorithm->backend,
                           .operations = w->plan.operations,
                           .seconds = w->elapsed,
                           .memory = w->plan.memory,
                           .states = w->plan.states,
                           .splits = w->plan.splits,
                           .residues = w->plan.residues ? w->plan.residues : w->job.nmoduli,
                           .order_hash = w->plan.order_hash};
}

static void note_block(const block_work *w, int64_t i, int64_t nblocks, const pm_run *run)
{
    const pm_block *b = w->job.block;
    pm_run_note(
        run, 1, "block %lld of %lld: n = %lld, %lld entries: %s%s, about %.2g seconds and %s",
        (long long)i + 1, (long long)nblocks, (long long)b->n, (long long)pm_matrix_nnz(&b->a),
        method_name(&w->plan), w->plan.algorithm->backend == PM_BACKEND_CUDA ? " on a GPU" : "",
        w->elapsed, pm_size(w->plan.memory).s);
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

static void set_factor(const pm_reduced *r, pm_field field, pm_value *out)
{
    if (field <= PM_INTEGER) {
        mpz_t z;
        mpz_init(z);
        pm_dyadic_get_mpz(z, &r->factor_re);
        pm_value_set_mpz(out, z);
        mpz_clear(z);
        return;
    }
    pm_xreal re = pm_xreal_from_dyadic(&r->factor_re), im = pm_xreal_from_dyadic(&r->factor_im);
    /* exact when it fits the double-double; the rounding is PM_XREAL_EPS otherwise */
    bool rounded = pm_dyadic_bits(&r->factor_re) > 53 || pm_dyadic_bits(&r->factor_im) > 53;
    pm_xreal eps = pm_xreal_make(PM_XREAL_EPS, 0, 0);
    pm_xreal size = pm_xreal_add(pm_xreal_abs(re), pm_xreal_abs(im));
    pm_value_set_real(out, field, re, im, rounded ? pm_xreal_mul(size, eps) : (pm_xreal){0});
}

static pm_status reduce(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                        pm_reduced *out, pm_error *err)
{
    pm_matrix turned = {0};
    pm_status rc = PM_OK;
    pm_reduce_options steps = opt->reduce;
    if (opt->order)
        steps = (pm_reduce_options){0};
    bool transpose = opt->transpose != (opt->other_way && !opt->order);
    if (transpose)
        rc = pm_matrix_transpose(a, &turned, err);
    if (!rc)
        rc = pm_reduce(transpose ? &turned : a, &steps, run, out, err);
    pm_matrix_free(&turned);
    return rc;
}

static pm_status count_blocks(const pm_reduced *r, const pm_count_options *opt, const pm_run *run,
                              pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_status rc = PM_OK;
    double total = 0, before = 0; /* predicted seconds; the part of them that is done */
    pm_value part;
    block_work *work = pm_calloc_array(r->nblocks, sizeof *work);
    pm_value_init(&part);
    if (!work)
        rc = pm_fail_memory(err, "blocks");
    /* all plans before the first run: a refusal comes at once */
    for (int64_t i = 0; i < r->nblocks && !rc; ++i) {
        rc = plan_block(&r->blocks[i], opt, run, &work[i], err);
        total += work[i].elapsed;
        if (!rc && report)
            report_block(&work[i], &report->blocks[report->nblocks++]);
    }
    if (report)
        report->seconds = total;
    for (int64_t i = 0; i < r->nblocks && !rc && !opt->plan_only; ++i) {
        pm_run_part here;
        double share = total > 0 ? work[i].elapsed / total : 0;
        note_block(&work[i], i, r->nblocks, run);
        rc = run_block(&work[i], pm_run_part_of(&here, run, before, share), &part, err);
        before += share;
        if (!rc)
            pm_value_mul(out, &part);
        if (!rc)
            reduce_value(out, opt->modulus);
    }
    for (int64_t i = 0; work && i < r->nblocks; ++i)
        work_free(&work[i]);
    free(work);
    pm_value_clear(&part);
    return rc;
}

pm_status pm_count(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                   pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_status rc;
    pm_reduced r = {0};
    pm_value value;

    if (opt->algorithm && !pm_algorithm_find(opt->algorithm, PM_BACKEND_AUTO))
        return pm_fail(err, PM_EUSAGE, "no algorithm '%s' (see --list)", opt->algorithm);
    if (opt->algorithm && !pm_algorithm_find(opt->algorithm, opt->backend))
        return pm_fail(err, PM_EUSAGE, "%s %s (see --list)", opt->algorithm,
                       opt->backend == PM_BACKEND_CUDA ? "does not run on a GPU"
                                                       : "runs on a GPU only");
    if (opt->modulus && a->field > PM_INTEGER)
        return pm_fail(err, PM_EUSAGE, "a modulus needs a pattern or an integer matrix");
    if (opt->modulus >= PM_MODULUS_MAX)
        return pm_fail(err, PM_EUSAGE, "a modulus of 2^62 or more");
    if (report)
        *report = (pm_count_report){0};
    pm_value_init(&value);
    if (a->nrows != a->ncols) {
        set_zero(&value, a->field);
        pm_value_set(out, &value);
        pm_value_clear(&value);
        return PM_OK;
    }
    rc = reduce(a, opt, run, &r, err);
    if (!rc && report) {
        report->blocks = pm_calloc_array(r.nblocks, sizeof *report->blocks);
        if (!report->blocks)
            rc = pm_fail_memory(err, "report");
    }
    if (!rc && r.zero) {
        set_zero(&value, a->field);
    } else if (!rc) {
        set_factor(&r, a->field, &value);
        reduce_value(&value, opt->modulus);
        rc = count_blocks(&r, opt, run, &value, report, err);
    }
    if (!rc)
        pm_value_set(out, &value);
    else if (report)
        pm_count_report_free(report);
    pm_value_clear(&value);
    pm_reduced_free(&r);
    return rc;
}
