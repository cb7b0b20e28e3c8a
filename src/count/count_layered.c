/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_layered.h"

#include <stdlib.h>

#include "algorithm/algorithm.h"
#include "core/machine.h"
#include "core/size.h"
#include "count/exact_primes.h"
#include "count/residue_task.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "pm/settings.h"

void pm_layered_count_free(pm_layered_count *w)
{
    free(w->primes);
    pm_layers_free(&w->layers);
    pm_layered_free(&w->g);
    *w = (pm_layered_count){0};
}

/* ---- the plan ---- */

static pm_status set_moduli(pm_layered_count *w, pm_error *err)
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

pm_status pm_layered_count_plan(pm_layered_count *w, pm_error *err)
{
    pm_status status = pm_layers_make(&w->g, pm_run_memory(w->run), w->run, &w->layers, err);
    if (!status)
        status = set_moduli(w, err);
    if (status)
        return status;
    const bool primes = !w->opt->modulus || pm_is_prime(w->opt->modulus);
    w->way = pm_layers_choose(&w->layers, w->moduli, primes, &w->seconds, &w->memory);
    const int threads = pm_run_threads(w->run);
    const double several = w->moduli < threads ? w->moduli : threads;
    w->elapsed = w->seconds / several;
    w->memory = w->memory * several + pm_layers_bytes(&w->layers);
    return PM_OK;
}

static pm_status check_limits(const pm_layered_count *w, pm_error *err)
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

static pm_status fill_report(const pm_layered_count *w, pm_count_report *report, pm_error *err)
{
    *report = (pm_count_report){.nblocks = 1, .seconds = w->elapsed};
    report->blocks = pm_calloc_array(1, sizeof *report->blocks);
    if (!report->blocks)
        return pm_fail_memory(err, "report");
    report->blocks[0] = (pm_block_report){.n = w->rows,
                                          .nnz = w->entries,
                                          .algorithm = "periodic",
                                          .backend = PM_BACKEND_CPU,
                                          .operations = w->seconds / PM_LAYERS_TRANSITION_SECONDS,
                                          .seconds = w->elapsed,
                                          .memory = w->memory,
                                          .states = (double)w->layers.t.states,
                                          .residues = w->moduli};
    return PM_OK;
}

/* ---- the value ---- */

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
    const pm_layered_count *w = context;
    const pm_layers_sink sink = {found, found_context};
    return pm_layers_residues(&w->layers, w->way, modulus, moduli, run, sink, residue, err);
}

static pm_status find_value(pm_layered_count *w, const pm_ledger_scope *scope, pm_value *out,
                            pm_error *err)
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
static pm_status run_work(pm_layered_count *w, const pm_ledger_scope *scope, pm_value *out,
                          pm_error *err)
{
    if (pm_ledger_get_value(scope, out))
        return PM_OK;
    pm_status status = pm_ledger_put_method(scope, "periodic", err);
    if (!status)
        status = find_value(w, scope, out, err);
    return status ? status : pm_ledger_put_value(scope, "periodic", out, err);
}

pm_status pm_layered_count_finish(pm_layered_count *w, const pm_ledger_scope *scope, pm_value *out,
                                  pm_count_report *report, pm_error *err)
{
    pm_status status = check_limits(w, err);
    if (!status && report)
        status = fill_report(w, report, err);
    pm_run_note(w->run, 1, "n = %lld, %lld entries: periodic, about %.2g seconds and %s",
                (long long)w->rows, (long long)w->entries, w->elapsed, pm_size(w->memory).s);
    if (!status && !w->opt->plan_only)
        status = run_work(w, scope, out, err);
    if (status && status != PM_PARTIAL && report)
        pm_count_report_free(report);
    return status;
}
