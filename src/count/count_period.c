/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_period.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "core/size.h"
#include "count/block_scope.h"
#include "count/exact_primes.h"
#include "count/residue_task.h"
#include "layers/layers_count.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/settings.h"

/* Graphs with at most SHORT_ROWS are written out without a look at their transfer matrix; with at most COMPARED_ROWS
 * the plan for them written out is looked at, too; with more than LONG_ROWS they are not written out. */
enum { SHORT_ROWS = 64, COMPARED_ROWS = 1 << 14, LONG_ROWS = 1 << 20 };

/* ---- written out ---- */

static pm_status count_written_out(const pm_matrix *a, const pm_count_options *opt,
                                   const pm_run *run, pm_value *out, pm_count_report *report,
                                   pm_error *err)
{
    pm_matrix b = {0};
    pm_count_options plain = *opt;
    plain.period = NULL;
    pm_status status = pm_period_write_out(a, opt->period, &b, err);
    if (!status)
        status = pm_count(&b, &plain, run, out, report, err);
    pm_matrix_free(&b);
    return status;
}

/* ---- by its transfer matrix ---- */

typedef struct {
    const pm_count_options *opt;
    const pm_run *run;
    pm_layered g;
    pm_layers layers;
    uint64_t *primes;
    const uint64_t *modulus;
    int moduli;
    pm_layers_way way;
    double seconds, elapsed; /* predicted: on one core, and with the threads of the run */
    double memory;
} work;

static void work_free(work *w)
{
    free(w->primes);
    pm_layers_free(&w->layers);
    pm_layered_free(&w->g);
    *w = (work){0};
}

static pm_status set_moduli(work *w, pm_error *err)
{
    if (w->opt->modulus) {
        w->modulus = &w->opt->modulus;
        w->moduli = 1;
        return PM_OK;
    }
    pm_status status =
        pm_exact_primes(w->layers.log2_bound, w->opt->independent, &w->primes, &w->moduli, err);
    w->modulus = w->primes;
    return status;
}

/* An independent verification goes through the graph from the other end. */
static pm_status make_layers(const pm_matrix *a, work *w, pm_error *err)
{
    pm_period p = *w->opt->period;
    if (w->opt->independent) {
        p.next = w->opt->period->before;
        p.before = w->opt->period->next;
    }
    pm_status status = pm_layered_from_period(a, &p, &w->g, err);
    if (!status)
        status = pm_layers_make(&w->g, pm_run_memory(w->run), w->run, &w->layers, err);
    return status;
}

static pm_status plan(const pm_matrix *a, const pm_count_options *opt, const pm_run *run, work *w,
                      pm_error *err)
{
    *w = (work){.opt = opt, .run = run};
    pm_status status = make_layers(a, w, err);
    if (!status)
        status = set_moduli(w, err);
    if (status) {
        work_free(w);
        return status;
    }
    const bool primes = !opt->modulus || pm_is_prime(opt->modulus);
    w->way = pm_layers_choose(&w->layers, w->moduli, primes, &w->seconds, &w->memory);
    const int threads = pm_run_threads(run);
    const double several = w->moduli < threads ? w->moduli : threads;
    w->elapsed = w->seconds / several;
    w->memory = w->memory * several + pm_layers_bytes(&w->layers);
    return PM_OK;
}

static pm_status check_limits(const work *w, pm_error *err)
{
    const double cost = w->opt->cost_of_one_core ? w->seconds : w->elapsed;
    const bool is_dear = w->run && w->run->max_cost > 0 && cost > w->run->max_cost;
    if (w->memory > (double)pm_run_memory(w->run))
        return pm_fail(
            err, PM_UNABLE, "refused: a period with %lld states would take %s of memory%s",
            (long long)w->layers.t.states, pm_size(w->memory).s, pm_hint_text(PM_HINT_MEMORY));
    if (is_dear && !w->opt->plan_only)
        return pm_fail_cost(err, cost,
                            "refused: a period with %lld states would take about %.2g seconds and "
                            "%s; allowed are %.6g seconds%s",
                            (long long)w->layers.t.states, cost, pm_size(w->memory).s,
                            w->run->max_cost, pm_hint_text(PM_HINT_COST));
    return PM_OK;
}

static pm_status fill_report(const work *w, const pm_matrix *a, pm_count_report *report,
                             pm_error *err)
{
    int64_t nrows, ncols, nnz;
    pm_period_size(a, w->opt->period, &nrows, &ncols, &nnz);
    *report = (pm_count_report){.nblocks = 1, .seconds = w->elapsed};
    report->blocks = pm_calloc_array(1, sizeof *report->blocks);
    if (!report->blocks)
        return pm_fail_memory(err, "report");
    report->blocks[0] = (pm_block_report){.n = nrows,
                                          .nnz = nnz,
                                          .algorithm = "periodic",
                                          .backend = PM_BACKEND_CPU,
                                          .operations = w->seconds / PM_LAYERS_TRANSITION_SECONDS,
                                          .seconds = w->elapsed,
                                          .memory = w->memory,
                                          .states = (double)w->layers.t.states,
                                          .residues = w->moduli};
    return PM_OK;
}

static bool has_negative(const pm_layered *g)
{
    for (int k = 0; k < g->nvalues; ++k)
        if (pm_dyadic_sign(&g->value[k]) < 0)
            return true;
    return false;
}

static pm_status run_moduli(void *context, const uint64_t *modulus, int moduli, const pm_run *run,
                            pm_residues_found *found, void *found_context, uint64_t *residue,
                            pm_error *err)
{
    const work *w = context;
    const pm_layers_sink sink = {found, found_context};
    return pm_layers_residues(&w->layers, w->way, modulus, moduli, run, sink, residue, err);
}

static pm_status find_value(work *w, const pm_ledger_scope *scope, pm_value *out, pm_error *err)
{
    uint64_t *residue = pm_alloc_array(w->moduli, sizeof *residue);
    if (!residue)
        return pm_fail_memory(err, "residues");
    pm_run_note(w->run, 2, "a period of %lld states; number of moduli: %d",
                (long long)w->layers.t.states, w->moduli);
    const pm_residue_task task = {.scope = *scope,
                                  .modulus = w->modulus,
                                  .moduli = w->moduli,
                                  .run = run_moduli,
                                  .context = w};
    pm_status status = pm_residue_task_do(&task, w->run, residue, err);
    if (!status) {
        mpz_t z;
        mpz_init(z);
        pm_crt(z, residue, w->modulus, w->moduli, !w->opt->modulus && has_negative(&w->g));
        pm_value_set_mpz(out, z);
        mpz_clear(z);
    }
    free(residue);
    return status;
}

/* The value, which an earlier run may have recorded. */
static pm_status run_work(work *w, const pm_matrix *a, pm_value *out, pm_error *err)
{
    const pm_ledger_scope scope = pm_period_scope(a, w->opt, w->seconds);
    if (pm_ledger_get_value(&scope, out))
        return PM_OK;
    pm_status status = pm_ledger_put_method(&scope, "periodic", err);
    if (!status)
        status = find_value(w, &scope, out, err);
    return status ? status : pm_ledger_put_value(&scope, "periodic", out, err);
}

static pm_status finish(work *w, const pm_matrix *a, pm_value *out, pm_count_report *report,
                        pm_error *err)
{
    pm_status status = check_limits(w, err);
    if (!status && report)
        status = fill_report(w, a, report, err);
    if (!status && !w->opt->plan_only)
        status = run_work(w, a, out, err);
    if (status && status != PM_PARTIAL && report)
        pm_count_report_free(report);
    return status;
}

/* ---- the choice ---- */

static bool is_named(const pm_count_options *opt)
{
    return opt->algorithm && strcmp(opt->algorithm, "periodic") == 0;
}

/* Plans the count of the graph with its parts written out.  Returns true when that is quicker. */
static bool is_quicker_written_out(const pm_matrix *a, const work *w)
{
    pm_count_options asked = *w->opt;
    pm_count_report report = {0};
    pm_value none;
    bool is_quicker = false;
    if (w->elapsed <= PM_FIRST_SECONDS / PM_PLANNING_SHARE
        || a->nrows > COMPARED_ROWS / w->opt->period->length)
        return false;
    asked.plan_only = true;
    pm_value_init(&none);
    if (count_written_out(a, &asked, w->run, &none, &report, NULL) == PM_OK) {
        is_quicker = report.seconds < w->elapsed;
        pm_count_report_free(&report);
    }
    pm_value_clear(&none);
    return is_quicker;
}

static bool is_for_layers(const pm_matrix *a, const pm_count_options *opt)
{
    if (is_named(opt))
        return true;
    return opt->kind == PM_MATCHING_PERFECT && !opt->order && !opt->algorithm
           && opt->backend != PM_BACKEND_CUDA && a->nrows > 0
           && a->nrows > SHORT_ROWS / opt->period->length;
}

static pm_status check_named(const pm_matrix *a, const pm_count_options *opt, pm_error *err)
{
    if (opt->kind == PM_MATCHING_PERFECT && !opt->order && a->nrows > 0)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "periodic counts perfect matchings of parts with rows, without an order");
}

static pm_status count_none(pm_value *out, pm_count_report *report)
{
    pm_value_set_si(out, 0);
    if (report)
        *report = (pm_count_report){0};
    return PM_OK;
}

pm_status pm_count_period(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          pm_value *out, pm_count_report *report, pm_error *err)
{
    work w;
    pm_error why, other;
    pm_count_options empty = *opt;
    if (a->nrows == 0 && a->ncols == 0) {
        empty.period = NULL;
        return pm_count(a, &empty, run, out, report, err);
    }
    if (opt->kind == PM_MATCHING_PERFECT && a->nrows != a->ncols)
        return count_none(out, report);
    if (!is_for_layers(a, opt))
        return count_written_out(a, opt, run, out, report, err);
    pm_status status = is_named(opt) ? check_named(a, opt, &why) : PM_OK;
    if (!status)
        status = plan(a, opt, run, &w, &why);
    if (!status) {
        const bool writes_out = !is_named(opt) && is_quicker_written_out(a, &w);
        status = writes_out ? count_written_out(a, opt, run, out, report, &why)
                            : finish(&w, a, out, report, &why);
        work_free(&w);
    } else if (status == PM_UNABLE && !is_named(opt)
               && a->nrows <= LONG_ROWS / opt->period->length) {
        status = count_written_out(a, opt, run, out, report, &other);
        if (status == PM_UNABLE)
            pm_fail(&why, status, "%.400s; as one graph: %.600s", why.msg, other.msg);
        else if (status)
            why = other;
    }
    if (status && err)
        *err = why;
    return status;
}
