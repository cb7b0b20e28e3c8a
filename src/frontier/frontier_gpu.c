/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frontier method on GPUs: as many residues side by side as the memory of a device permits, all
 * levels in that memory, or in that of several devices, and the passes divided among the devices.
 * The plan is in frontier/frontier_gpu_plan.h, the program in the form of a device in
 * frontier/frontier_gpu_kernel.h, the passes on the devices in frontier/frontier_gpu_run.h.
 *
 * First come the passes whose levels an earlier run has stored, then those of all other moduli. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "algorithm/narrow_moduli.h"
#include "core/size.h"
#include "frontier/frontier_gpu_plan.h"
#include "frontier/frontier_gpu_run.h"
#include "gpu/gpu_use.h"
#include "pm/alloc.h"

typedef struct {
    const pm_job *job;
    const pm_frontier_gpu *f;
    pm_frontier_states states; /* where levels are stored */
    char *is_done;             /* of each modulus of the job */
    uint64_t *residues;
    pm_value *out;
} work;

/* ---- memory ---- */

/* Sets the shares of the job, which has the moduli of the plan or some of them.  If less memory is
 * free than was planned with, they are more passes of fewer bytes. */
static pm_status find_shares(const pm_job *job, const pm_frontier_gpu *f, pm_frontier_shares *now,
                             pm_error *err)
{
    double allowed;
    const pm_frontier_shares *planned = &f->planned;
    pm_status status = pm_gpu_allowed(planned->gpus, job->run, &allowed, err);
    if (status)
        return status;
    *now = *planned;
    int values = pm_frontier_gpu_values(job, planned->bits);
    bool has_all = (values + planned->width - 1) / planned->width == planned->passes;
    if (has_all && pm_frontier_gpu_bytes(job, f, planned) <= allowed)
        return PM_OK;
    status = pm_gpu_allowed(f->gpus, job->run, &allowed, err);
    if (status || pm_frontier_gpu_share(job, f, allowed, now))
        return status;
    double wanted = pm_frontier_gpu_bytes(job, f, now);
    return pm_fail(err, PM_ENODEV, "GPU: the frontier needs %s of its memory; it may use %s",
                   pm_size(wanted).s, pm_size(allowed).s);
}

static pm_status settle(const pm_job *job, pm_plan *plan, pm_error *err)
{
    pm_frontier_gpu *f = plan->state;
    pm_frontier_shares now;
    if (f->setup.program.is_zero)
        return PM_OK;
    pm_status status = find_shares(job, f, &now, err);
    if (!status)
        pm_frontier_gpu_use(job, &now, f, plan);
    return status;
}

/* ---- arrays of passes ---- */

/* Arrays of a pm_frontier_passes. */
typedef struct {
    uint64_t *lane, *found;
    pm_frontier_place *place;
    pm_frontier_pass *pass;
} arrays;

/* out: freed by the caller, also after a failure. */
static pm_status make_arrays(int passes, int width, arrays *out, pm_error *err)
{
    out->lane = pm_calloc_array((int64_t)passes * width, sizeof *out->lane);
    out->found = pm_calloc_array((int64_t)passes * width, sizeof *out->found);
    out->place = pm_calloc_array(passes, sizeof *out->place);
    out->pass = pm_calloc_array(passes, sizeof *out->pass);
    return out->lane && out->found && out->place && out->pass ? PM_OK
                                                              : pm_fail_memory(err, "frontier");
}

static void free_arrays(arrays *a)
{
    free(a->lane);
    free(a->found);
    free(a->place);
    free(a->pass);
}

static pm_status run_passes(const work *w, const pm_frontier_shares *now, bool tells,
                            const arrays *a, pm_error *err)
{
    const pm_frontier_passes all = {.job = w->job,
                                    .f = w->f,
                                    .now = *now,
                                    .lane = a->lane,
                                    .found = a->found,
                                    .place = a->place,
                                    .tells = tells,
                                    .pass = a->pass,
                                    .out = w->out};
    return pm_frontier_gpu_run(&all, err);
}

/* ---- passes from their first step on ---- */

/* Passes of the moduli m[0 .. n - 1], which are the job's from number first on, or other ones.
 * found: set to their residues. */
static pm_status run_new(const work *w, const pm_frontier_shares *now, const uint64_t *m, int n,
                         int first, bool tells, uint64_t *residues, pm_error *err)
{
    arrays a;
    pm_status status = make_arrays(now->passes, now->width, &a, err);
    for (int k = 0; k < now->passes && !status; ++k) {
        uint64_t *mine = a.lane + (int64_t)k * now->width;
        int begin = k * now->width, left = n - begin, count = left < now->width ? left : now->width;
        for (int i = 0; i < now->width && n > 0; ++i)
            mine[i] = m[i < count ? begin + i : 0];
        a.place[k] = (pm_frontier_place){first + begin, count};
        a.pass[k] = pm_frontier_pass_new(&w->states, 0, now->bits, mine, now->width, count);
    }
    if (!status)
        status = run_passes(w, now, tells, &a, err);
    if (!status && n > 0)
        memcpy(residues, a.found, (size_t)n * sizeof *a.found);
    free_arrays(&a);
    return status;
}

/* By primes of 31 bits in place of the moduli of the job. */
static pm_status run_narrow(const work *w, const pm_frontier_shares *now, uint64_t *residues,
                            pm_error *err)
{
    pm_narrow_moduli narrow = {0};
    pm_status status = pm_narrow_moduli_make(w->job, &narrow, err);
    if (status)
        return status;
    uint64_t *found = pm_alloc_array(narrow.n, sizeof *found);
    status = found ? run_new(w, now, narrow.m, narrow.n, 0, narrow.are_of_job, found, err)
                   : pm_fail_memory(err, "residues");
    if (!status)
        pm_narrow_moduli_finish(w->job, &narrow, found, residues);
    free(found);
    pm_narrow_moduli_free(&narrow);
    return status;
}

/* The moduli first .. first + n - 1 of the job. */
static pm_status run_moduli(const work *w, int first, int n, pm_error *err)
{
    pm_job some = *w->job;
    pm_frontier_shares now;
    some.moduli += first;
    some.nmoduli = n;
    pm_status status = find_shares(&some, w->f, &now, err);
    if (status)
        return status;
    if (now.bits == 64)
        return run_new(w, &now, some.moduli, n, first, true, w->residues + first, err);
    work x = *w;
    if (n < w->job->nmoduli) /* what is found is counted from number `first` on */
        some.found = NULL;
    x.job = &some;
    return run_narrow(&x, &now, w->residues + first, err);
}

static pm_status run_all(const work *w, pm_error *err)
{
    pm_status status = PM_OK;
    for (int k = 0, n; k < w->job->nmoduli && !status; k += n) {
        for (n = 0; k + n < w->job->nmoduli && !w->is_done[k + n];)
            ++n;
        if (n > 0)
            status = run_moduli(w, k, n, err);
        else
            n = 1;
    }
    return status;
}

/* ---- passes whose levels are stored ---- */

/* How the devices run stored passes like this one: side by side, or together where levels are spread. */
static bool share_stored(const work *w, const pm_state_head *h, double allowed,
                         pm_frontier_shares *out)
{
    const pm_frontier_gpu *f = w->f;
    pm_frontier_shares s = {.bits = h->bits ? h->bits : 64,
                            .width = h->bits ? h->lanes : 1,
                            .passes = 1,
                            .gpus = f->gpus};
    *out = s;
    if (s.width > PM_FLAT_LANES_MAX || (s.bits != 64 && s.bits != 32)
        || !pm_frontier_gpu_is_runnable(w->job, f->has_compiler, s.bits, s.width))
        return false;
    if (pm_frontier_gpu_bytes(w->job, f, &s) <= allowed)
        return true;
    out->is_spread = s.is_spread = f->can_spread;
    return s.is_spread && pm_frontier_gpu_bytes(w->job, f, &s) <= allowed;
}

/* Lists the stored passes of the same kind that are not done, at most `most` of them, and refuses those that this
 * device cannot run.  first[k]: of pass[k].  Returns their number. */
static int list_stored(const work *w, double allowed, int most, pm_frontier_shares *now,
                       pm_frontier_pass *pass, int *first)
{
    int n = 0, slot = 0, at;
    pm_frontier_pass p;
    while (
        n < most
        && pm_frontier_pass_stored(&w->states, w->job->moduli, w->job->nmoduli, &slot, &p, &at)) {
        pm_frontier_shares s;
        if (p.head.wanted && memchr(w->is_done + at, 1, (size_t)p.head.wanted))
            continue;
        if (!share_stored(w, &p.head, allowed, &s)) {
            p.store->refuse(p.store->context, p.from,
                            "it does not fit into the GPU; the pass is begun anew");
            continue;
        }
        if (n > 0
            && (s.bits != now->bits || s.width != now->width || s.is_spread != now->is_spread))
            continue;
        *now = s;
        pass[n] = p;
        first[n++] = at;
    }
    return n;
}

static pm_status run_stored_passes(work *w, pm_frontier_shares *now, const pm_frontier_pass *stored,
                                   const int *first, int n, pm_error *err)
{
    arrays a;
    pm_status status = make_arrays(n, now->width, &a, err);
    now->passes = n;
    if (!now->is_spread)
        now->gpus = n < now->gpus ? n : now->gpus;
    for (int k = 0; k < n && !status; ++k) {
        memcpy(a.lane + (int64_t)k * now->width, stored[k].head.modulus,
               (size_t)stored[k].head.lanes * sizeof *a.lane);
        a.place[k] = (pm_frontier_place){first[k], stored[k].head.wanted};
        a.pass[k] = stored[k];
    }
    if (!status)
        status = run_passes(w, now, true, &a, err);
    for (int k = 0; k < n && !status && w->job->nmoduli; ++k) {
        memcpy(w->residues + first[k], a.found + (int64_t)k * now->width,
               (size_t)a.place[k].count * sizeof *a.found);
        memset(w->is_done + first[k], 1, (size_t)a.place[k].count);
    }
    free_arrays(&a);
    return status;
}

/* *has_any: an inexact number is found then. */
static pm_status run_stored(work *w, bool *has_any, pm_error *err)
{
    enum { MOST = 2 * PM_GPU_MAX };
    const pm_state_store *s = w->states.store;
    pm_frontier_shares now = {0};
    double allowed;
    *has_any = false;
    if (!s)
        return PM_OK;
    pm_status status = pm_gpu_allowed(w->f->gpus, w->job->run, &allowed, err);
    pm_frontier_pass *pass = pm_calloc_array(MOST, sizeof *pass);
    int *first = pm_calloc_array(MOST, sizeof *first), n = 0;
    if (!status && (!pass || !first))
        status = pm_fail_memory(err, "frontier");
    int most = w->job->nmoduli ? MOST : 1;
    while (!status && (n = list_stored(w, allowed, most, &now, pass, first)) > 0) {
        status = run_stored_passes(w, &now, pass, first, n, err);
        *has_any = true;
        if (!w->job->nmoduli)
            break;
    }
    free(pass);
    free(first);
    return status;
}

/* ---- the algorithm ---- */

static pm_status run_inexact(const work *w, pm_error *err)
{
    pm_frontier_shares now;
    pm_status status = find_shares(w->job, w->f, &now, err);
    return status ? status : run_new(w, &now, NULL, 0, 0, false, NULL, err);
}

static pm_status run(const pm_job *job, const pm_plan *plan, uint64_t *residues, pm_value *out,
                     pm_error *err)
{
    const pm_frontier_gpu *f = plan->state;
    work w = {.job = job, .f = f, .residues = residues, .out = out};
    bool has_any;
    if (f->setup.program.is_zero) {
        pm_frontier_set_zero(job, residues, out);
        return PM_OK;
    }
    pm_status status = pm_frontier_record_order(job, &f->setup.graph, &f->setup.order, err);
    if (status)
        return status;
    w.states = pm_frontier_states_of(job, &f->setup.program);
    w.is_done = pm_calloc_array(job->nmoduli, 1);
    if (!w.is_done)
        return pm_fail_memory(err, "frontier");
    status = run_stored(&w, &has_any, err);
    if (!status && job->nmoduli)
        status = run_all(&w, err);
    else if (!status && !has_any)
        status = run_inexact(&w, err);
    free(w.is_done);
    return status;
}

const pm_algorithm pm_algorithm_frontier_gpu = {
    .name = "frontier",
    .summary = "the same, level by level in a card's memory",
    .source = "frontier method over rows and columns; src/frontier/README.md",
    .backend = PM_BACKEND_CUDA,
    .stage = PM_STAGE_SEARCH,
    .plan = pm_frontier_gpu_plan,
    .settle = settle,
    .run = run,
    .free_plan = pm_frontier_gpu_free_plan};
