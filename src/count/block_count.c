/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/block_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/narrow_moduli.h"
#include "core/size.h"
#include "count/block_scope.h"
#include "count/earlier_method.h"
#include "count/exact_primes.h"
#include "count/residue_task.h"
#include "gpu/gpu.h"
#include "ledger/state_store.h"
#include "number/prime.h"
#include "planner/planner.h"
#include "pm/algorithms.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "sweep/ryser_driver.h"

/* A count that lost digits is done again if that takes at most this many seconds. */
#define AGAIN_SECONDS 0.05

/* ---- moduli ---- */

static pm_status set_moduli(pm_block_count *w, pm_error *err)
{
    const pm_block *b = w->job.block;
    if (b->a.field > PM_INTEGER)
        return PM_OK;
    if (w->options->modulus) {
        w->job.moduli = &w->options->modulus;
        w->job.nmoduli = 1;
        return PM_OK;
    }
    pm_status status =
        pm_exact_primes(b->log2_bound, w->options->independent, &w->moduli, &w->job.nmoduli, err);
    w->job.moduli = w->moduli;
    return status;
}

static bool has_negative(const pm_matrix *a)
{
    for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k)
        if (pm_dyadic_sign(&a->re[k]) < 0)
            return true;
    return false;
}

/* ---- planning ---- */

const pm_rates *pm_block_rates(const pm_count_options *opt, pm_field field)
{
    if (field <= PM_INTEGER && opt->integer_rates)
        return opt->integer_rates;
    return opt->rates ? opt->rates : &pm_rates_nominal;
}

static bool is_on_gpu(const pm_block_count *w)
{
    return w->plan.algorithm && w->plan.algorithm->backend == PM_BACKEND_CUDA;
}

static pm_status refuse_cost(const pm_block_count *w, double seconds, double limit, pm_error *err)
{
    const pm_block *b = w->job.block;
    const pm_plan *p = &w->plan;
    return pm_fail_cost(
        err, seconds,
        "refused: block of n = %lld with %lld entries: %s would take about %.2g seconds "
        "and %s; allowed are %.6g seconds%s%s",
        (long long)b->n, (long long)pm_matrix_nnz(&b->a), p->algorithm->name, seconds,
        pm_size(p->memory).s, limit, pm_hint_text(PM_HINT_COST),
        w->job.order ? "; planar and rook, which may be faster, need an order of their own" : "");
}

/* Whether samplers can take the block: their entries are real and not negative. */
static bool can_be_estimated(const pm_block_count *w)
{
    const pm_matrix *a = &w->job.block->a;
    return a->field != PM_COMPLEX && !w->job.block->general && !w->options->modulus
           && !has_negative(a);
}

/* What can be done about a refusal. */
static const char *advice(const pm_block_count *w, pm_status status)
{
    const char *name = w->options->algorithm;
    if (status == PM_ENODEV && (!name || pm_algorithm_is_on(name, PM_BACKEND_CPU)))
        return pm_hint_text(PM_HINT_CPU);
    if (status == PM_UNABLE && name)
        return pm_hint_text(PM_HINT_METHOD);
    return status == PM_UNABLE && can_be_estimated(w) ? pm_hint_text(PM_HINT_ESTIMATE) : "";
}

/* The algorithm that the options name, or the only one that takes the block; NULL: the cheapest. */
static const char *algorithm_of(const pm_block_count *w)
{
    const char *name = w->options->algorithm;
    if (w->common)
        return w->common;
    return !name && w->job.block->written_out ? "repeated" : name;
}

static pm_status find_plan(pm_block_count *w, pm_error *err)
{
    const pm_count_options *opt = w->options;
    const pm_run *run = w->job.run;
    pm_error barred;
    pm_plan_free(&w->plan);
    pm_status status =
        pm_plan_find(&w->job, algorithm_of(w), opt->independent, &w->plan, &barred, err);
    if (status == PM_EINTERNAL && w->job.backend == PM_BACKEND_CUDA)
        status = PM_ENODEV;
    if (!status)
        w->elapsed = pm_plan_elapsed(&w->plan, run);
    double cost = opt->cost_of_one_core ? w->plan.seconds : w->elapsed;
    if (status || !run || run->max_cost <= 0 || cost <= run->max_cost || opt->plan_only)
        return status;
    if (barred.predicted_seconds > 0) /* with more memory it would not take too long */
        return pm_fail_after(&barred, err, PM_UNABLE, "%s", barred.msg);
    return refuse_cost(w, cost, run->max_cost, err);
}

static pm_status make_plan(pm_block_count *w, pm_error *err)
{
    pm_error why;
    pm_status status = find_plan(w, &why);
    return status ? pm_fail_after(&why, err, status, "%.900s%s", why.msg, advice(w, status))
                  : PM_OK;
}

static void begin(const pm_block *b, const pm_count_options *opt, const pm_run *run,
                  pm_block_count *w)
{
    *w = (pm_block_count){.options = opt};
    w->job = (pm_job){.block = b,
                      .run = run,
                      .seed = opt->seed + (opt->independent ? 1 : 0),
                      .order = opt->order,
                      .order_len = opt->order_len,
                      .independent = opt->independent,
                      .precision = opt->precision,
                      .backend = opt->backend,
                      .gpus = opt->gpus,
                      .placement = opt->placement,
                      .is_part = opt->ledger && pm_ledger_is_part(opt->ledger),
                      .rates = pm_block_rates(opt, b->a.field)};
}

static bool is_within_limits(const pm_plan *p, const pm_run *run)
{
    return !run
           || ((run->max_cost <= 0 || p->seconds <= run->max_cost)
               && (run->max_memory <= 0 || p->memory <= (double)run->max_memory));
}

/* A plan that needs neither moduli nor the size of the memory, where the options leave the choice
 * to the program, and if it takes at most `limit` seconds. */
static bool plan_at_once(pm_block_count *w, double limit)
{
    const pm_count_options *opt = w->options;
    if (algorithm_of(w) || opt->order || opt->independent || opt->backend == PM_BACKEND_CUDA
        || !pm_plan_at_once(&w->job, limit, &w->plan))
        return false;
    w->elapsed = w->plan.seconds;
    if (is_within_limits(&w->plan, w->job.run))
        return true;
    pm_plan_free(&w->plan);
    return false;
}

bool pm_block_count_plan_at_once(const pm_block *b, const pm_count_options *opt, const pm_run *run,
                                 double limit, pm_block_count *w)
{
    begin(b, opt, run, w);
    return plan_at_once(w, limit);
}

pm_status pm_block_count_plan(const pm_block *b, const pm_count_options *opt, const pm_run *run,
                              pm_block_count *w, pm_error *err)
{
    begin(b, opt, run, w);
    if (plan_at_once(w, PM_FIRST_SECONDS / PM_PLANNING_SHARE))
        return PM_OK;
    w->job.memory = pm_run_memory(run);
    pm_status status = set_moduli(w, err);
    return status ? status : make_plan(w, err);
}

static bool may_avoid_gpu(const pm_block_count *w)
{
    const char *name = w->options->algorithm;
    return w->options->backend == PM_BACKEND_AUTO
           && (!name || pm_algorithm_is_on(name, PM_BACKEND_CPU));
}

/* Other parts of the run count the block by the plan of this GPU. */
static pm_status keep_common(pm_block_count *w, pm_error *err)
{
    const pm_algorithm *a = pm_method_on_cpu(&w->job, w->plan.algorithm);
    if (!a)
        return pm_fail(err, PM_ENODEV,
                       "this part of the run needs a GPU that works: without it the block would be "
                       "counted by another method than %s, and the parts would not fit together",
                       w->plan.algorithm->name);
    w->job.scope = pm_block_scope(&w->job, &w->plan, w->options);
    w->common = a->name;
    return pm_ryser_driver_note(&w->job, &w->plan, err);
}

pm_status pm_block_count_avoid_gpu(pm_block_count *w, pm_error *err)
{
    if (!is_on_gpu(w) || !may_avoid_gpu(w))
        return PM_OK;
    pm_status status = w->job.is_part ? keep_common(w, err) : PM_OK;
    if (status)
        return status;
    w->job.backend = PM_BACKEND_CPU;
    return make_plan(w, err);
}

/* ---- running ---- */

static pm_status run_moduli(void *context, const uint64_t *modulus, int moduli, const pm_run *run,
                            pm_residues_found *found, void *found_context, uint64_t *residue,
                            pm_error *err)
{
    const pm_block_count *w = context;
    pm_value none; /* methods for residues set no value */
    pm_job some = w->job;
    some.moduli = modulus;
    some.nmoduli = moduli;
    some.run = run;
    some.found = found;
    some.found_context = found_context;
    pm_value_init(&none);
    pm_status status = w->plan.algorithm->run(&some, &w->plan, residue, &none, err);
    pm_value_clear(&none);
    return status;
}

static pm_status run_residues(pm_block_count *w, const uint64_t *modulus, int moduli,
                              uint64_t *residue, pm_error *err)
{
    const pm_residue_task task = {.scope = w->job.scope,
                                  .modulus = modulus,
                                  .moduli = moduli,
                                  .pass = w->plan.pass,
                                  .run = run_moduli,
                                  .context = w};
    return pm_residue_task_do(&task, w->job.run, residue, err);
}

/* Whether an earlier run has stored a state with words of 32 bits. */
static bool has_narrow_state(const pm_ledger_scope *scope)
{
    pm_state_head h;
    for (int slot = 0; pm_ledger_next_state(scope, &slot, &h);)
        if (h.bits == 32)
            return true;
    return false;
}

/* Whether to take narrow moduli: those of which more is recorded; else as the plan has it. */
static bool goes_on_narrow(const pm_block_count *w, const pm_narrow_moduli *narrow)
{
    const pm_job *job = &w->job;
    double wide = pm_residue_task_recorded(&job->scope, job->moduli, job->nmoduli);
    double other = pm_residue_task_recorded(&job->scope, narrow->m, narrow->n);
    if (wide != other)
        return other > wide;
    return w->plan.are_narrow || has_narrow_state(&job->scope);
}

/* Sets the residues of the job, by way of those modulo narrow primes where the plan or the earlier run took
 * them. */
static pm_status find_residues(pm_block_count *w, uint64_t *residue, pm_error *err)
{
    pm_narrow_moduli narrow = {0};
    const pm_job *job = &w->job;
    pm_status status = PM_OK;
    bool may_be_narrow =
        (w->plan.are_narrow || job->scope.ledger) && pm_narrow_moduli_needed(job) > 0;
    if (may_be_narrow)
        status = pm_narrow_moduli_make(job, &narrow, err);
    if (status)
        return status;
    if (!may_be_narrow || narrow.are_of_job || !goes_on_narrow(w, &narrow)) {
        pm_narrow_moduli_free(&narrow);
        return run_residues(w, job->moduli, job->nmoduli, residue, err);
    }
    uint64_t *found = pm_alloc_array(narrow.n, sizeof *found);
    status =
        found ? run_residues(w, narrow.m, narrow.n, found, err) : pm_fail_memory(err, "residues");
    if (!status)
        pm_narrow_moduli_finish(job, &narrow, found, residue);
    free(found);
    pm_narrow_moduli_free(&narrow);
    return status;
}

static pm_status run_algorithm(pm_block_count *w, pm_value *out, pm_error *err)
{
    const pm_job *job = &w->job;
    const pm_algorithm *algorithm = w->plan.algorithm;
    if (!job->nmoduli || algorithm->integers)
        return algorithm->run(job, &w->plan, NULL, out, err);
    uint64_t *residues = pm_alloc_array(job->nmoduli, sizeof *residues);
    if (!residues)
        return pm_fail_memory(err, "residues");
    pm_status status = find_residues(w, residues, err);
    if (!status) {
        mpz_t z;
        mpz_init(z);
        pm_crt(z, residues, job->moduli, job->nmoduli,
               job->moduli == w->moduli && has_negative(&job->block->a));
        pm_value_set_mpz(out, z);
        mpz_clear(z);
    }
    free(residues);
    return status;
}

/* The value, which an earlier run may have recorded. */
static pm_status run_plan(pm_block_count *w, pm_value *out, pm_error *err)
{
    const pm_ledger_scope *scope = &w->job.scope;
    if (pm_ledger_get_value(scope, out))
        return PM_OK;
    pm_status status = pm_ledger_agree_to_go_on(scope->ledger, err);
    if (!status)
        status = pm_method_keep(&w->job, w->options, &w->plan, err);
    if (!status)
        status = pm_method_record(&w->job, &w->plan, err);
    if (!status && w->plan.algorithm->settle)
        status = w->plan.algorithm->settle(&w->job, &w->plan, err);
    if (!status)
        status = run_algorithm(w, out, err);
    char name[PM_LEDGER_METHOD];
    pm_method_name(w->plan.algorithm, name);
    return status ? status : pm_ledger_put_value(scope, name, out, err);
}

/* Counts the block on the CPU.  Of what a GPU that failed has done only what is recorded is used. */
static pm_status fall_back(pm_block_count *w, const pm_error *why, pm_value *out, pm_error *err)
{
    pm_error refusal;
    pm_run_note(w->job.run, 0, "%s; counted on the CPU instead", why->msg);
    w->fell_back = true;
    w->device_seconds = 0;
    pm_status status = pm_block_count_avoid_gpu(w, &refusal);
    if (status)
        return pm_fail_after(&refusal, err, status, "%.400s; on the CPU: %.600s", why->msg,
                             refusal.msg);
    return run_plan(w, out, err);
}

/* ---- counting at once ---- */

/* The error is at most 2^-30 of the value, or of the sum of the sizes of its parts. */
static bool has_digits(const pm_value *v)
{
    pm_xreal size = pm_xreal_add(pm_xreal_abs(v->re), pm_xreal_abs(v->im));
    pm_xreal most = pm_xreal_mul(size, pm_xreal_make(0x1p-30, 0, 0));
    return pm_value_is_exact(v) || pm_xreal_cmpabs(v->error, most) <= 0;
}

pm_status pm_block_count_run_at_once(const pm_block_count *w, pm_value *out, pm_error *err)
{
    const pm_algorithm *a = w->plan.algorithm;
    pm_status status = a->run(&w->job, &w->plan, NULL, out, err);
    return status == PM_ENOMEM || (!status && has_digits(out)) ? status : PM_UNABLE;
}

/* Counts again, in double-double, if that takes little time.  keeps_digits: by a method that does not
 * cancel. */
static pm_status count_longer(pm_block_count *w, bool keeps_digits, pm_value *out, pm_error *err)
{
    pm_block_count again = *w;
    pm_error why;
    again.plan = (pm_plan){0};
    again.job.precision = PM_QUAD;
    again.job.keeps_digits = keeps_digits;
    again.job.memory = pm_run_memory(w->job.run);
    again.job.scope = (pm_ledger_scope){.ledger = NULL};
    pm_status status = find_plan(&again, &why);
    if (status == PM_UNABLE || (!status && again.elapsed > AGAIN_SECONDS)) {
        pm_plan_free(&again.plan);
        return PM_OK;
    }
    if (!status)
        status = run_plan(&again, out, &why);
    pm_plan_free(&w->plan);
    w->plan = again.plan;
    w->elapsed += again.elapsed;
    if (status && err)
        *err = why;
    return status;
}

/* After a count in double that lost digits. */
static pm_status count_again(pm_block_count *w, pm_value *out, pm_error *err)
{
    pm_status status = count_longer(w, false, out, err);
    if (status || has_digits(out) || !w->plan.algorithm->cancels)
        return status;
    return count_longer(w, true, out, err);
}

static bool is_at_once(const pm_block_count *w)
{
    return !w->options->algorithm && w->plan.algorithm->stage == PM_STAGE_AT_ONCE;
}

pm_status pm_block_count_run(pm_block_count *w, const pm_run *run, pm_value *out, pm_error *err)
{
    pm_error why;
    w->job.run = run;
    w->job.device_seconds = &w->device_seconds;
    /* A count at once is short, and a part would not see whether its answer has digits enough. */
    if (!is_at_once(w))
        w->job.scope = pm_block_scope(&w->job, &w->plan, w->options);
    pm_status status = run_plan(w, out, &why);
    if (!status && is_at_once(w) && !has_digits(out))
        return count_again(w, out, err);
    if (is_on_gpu(w) && pm_gpu_has_failed(status)) {
        if (may_avoid_gpu(w))
            return fall_back(w, &why, out, err);
        status = PM_ENODEV;
    }
    if (status && err)
        *err = why;
    return status;
}

const char *pm_block_count_method(const pm_block_count *w)
{
    return w->plan.kernel ? w->plan.kernel : w->plan.algorithm->name;
}

/* ---- reports ---- */

/* Small blocks that are counted at once have no bound. */
static int64_t bits_of(const pm_block *b)
{
    if (b->a.field > PM_INTEGER)
        return 0;
    const double bound =
        isinf(b->log2_bound) && !b->general ? pm_permanent_log2_bound(&b->a) : b->log2_bound;
    return bound >= 0 && bound < 1e18 ? 1 + (int64_t)bound : 0;
}

void pm_block_count_report(const pm_block_count *w, pm_block_report *r)
{
    *r = (pm_block_report){.n = w->job.block->n,
                           .nnz = pm_matrix_nnz(&w->job.block->a),
                           .algorithm = pm_block_count_method(w),
                           .backend = w->plan.algorithm->backend,
                           .is_general = w->job.block->general,
                           .operations = w->plan.operations,
                           .seconds = w->elapsed,
                           .planning_seconds = w->plan.planning + w->plan.compiling,
                           .memory = w->plan.memory,
                           .states = w->plan.states,
                           .device_seconds = w->device_seconds,
                           .splits = w->plan.splits,
                           .residues = w->plan.residues ? w->plan.residues : w->job.nmoduli,
                           .bits = bits_of(w->job.block),
                           .order_hash = w->plan.order_hash};
}

void pm_block_count_note(const pm_block_count *w, int64_t i, int64_t nblocks, const pm_run *run)
{
    const pm_block *b = w->job.block;
    if (!pm_run_wants_note(run, 1))
        return;
    pm_run_note(
        run, 1, "block %lld of %lld: n = %lld, %lld entries: %s%s, about %.2g seconds and %s",
        (long long)i + 1, (long long)nblocks, (long long)b->n, (long long)pm_matrix_nnz(&b->a),
        pm_block_count_method(w), w->plan.algorithm->backend == PM_BACKEND_CUDA ? " on a GPU" : "",
        w->elapsed, pm_size(w->plan.memory).s);
}

void pm_block_count_free(pm_block_count *w)
{
    pm_plan_free(&w->plan);
    free(w->moduli);
}
