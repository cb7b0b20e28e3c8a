/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_passes.h"

#include <stdlib.h>
#include <string.h>

#include "gpu/gpu_use.h"
#include "pm/alloc.h"

/* Moduli first .. first + wanted - 1 of the job, by `lanes` residues side by side. */
typedef struct {
    int first, wanted, lanes;
    double done; /* the progress before it, in 0 .. 1 */
} new_pass;

typedef struct {
    const pm_job *job;
    const pm_pass_engine *x;
    char *is_done; /* of each modulus */
    int done;      /* so many of them, before new passes */
    uint64_t *residues;
    pm_value *out;
    new_pass *list; /* those that are run from their first step on */
    int count;
} work;

/* The residues of a pass, or an inexact number.  r: room for all lanes. */
static pm_status run_pass(const work *w, int worker, pm_frontier_pass *pass, const uint64_t *m,
                          int lanes, int bits, double done, double share, uint64_t *r,
                          pm_error *err)
{
    const pm_job *job = w->job;
    const pm_pass_engine *x = w->x;
    pm_ring *ring;
    pm_status status = pm_frontier_ring(job, m, lanes, bits, &ring, err);
    if (status)
        return status;
    void *value = pm_alloc_array(1, (size_t)ring->value_bytes);
    status = value ? x->run(job, x->engine, worker, ring, pass, done, share, value, err)
                   : pm_fail_memory(err, "frontier value");
    if (!status)
        ring->finish(ring, value, x->depth, w->out, r);
    free(value);
    ring->free(ring);
    return status;
}

/* The pass of `p`, whose moduli are in m[0 .. lanes - 1] with others behind them. */
static pm_status run_residues(const work *w, int worker, pm_frontier_pass *pass, const uint64_t *m,
                              int bits, const new_pass *p, pm_error *err)
{
    const pm_job *job = w->job;
    uint64_t r[PM_STATE_MODULI];
    pm_status status = run_pass(w, worker, pass, m, p->lanes, bits, p->done,
                                (double)p->wanted / job->nmoduli, r, err);
    if (status)
        return status;
    memcpy(w->residues + p->first, r, (size_t)p->wanted * sizeof *r);
    return job->found ? job->found(job->found_context, p->first, p->wanted, r, err) : PM_OK;
}

/* ---- passes whose level is stored ---- */

/* Lanes for as many words; 0: more than the engine has. */
static int lanes_for(const pm_pass_engine *x, const pm_state_head *h)
{
    int n = 1;
    if (h->bits == 32)
        return x->has_narrow && h->lanes <= 8 ? h->lanes : 0;
    while (n < h->lanes)
        n = x->any_lanes ? n + 1 : 2 * n;
    return h->bits == 64 && n <= x->most_lanes ? n : 0;
}

static pm_status resume_residues(work *w, pm_frontier_pass *pass, int first, pm_error *err)
{
    pm_state_head *h = &pass->head;
    const int lanes = lanes_for(w->x, h);
    const new_pass p = {first, h->wanted, lanes, (double)w->done / w->job->nmoduli};
    double bytes = w->x->bytes(w->x->engine, (int64_t)h->bits / 8 * lanes);
    if (!lanes || bytes > w->x->memory) {
        pass->store->refuse(pass->store->context, pass->from,
                            "there is no room for its values; the pass is begun anew");
        return PM_OK;
    }
    for (int i = h->lanes; i < lanes; ++i)
        h->modulus[i] = h->modulus[0];
    h->lanes = lanes;
    pm_status status = run_residues(w, 0, pass, h->modulus, h->bits, &p, err);
    if (!status) {
        memset(w->is_done + first, 1, (size_t)h->wanted);
        w->done += h->wanted;
    }
    return status;
}

static pm_status run_stored(work *w, pm_error *err)
{
    pm_frontier_pass pass;
    pm_status status = PM_OK;
    int slot = 0, first;
    while (!status
           && pm_frontier_pass_stored(&w->x->states, w->job->moduli, w->job->nmoduli, &slot, &pass,
                                      &first))
        if (!memchr(w->is_done + first, 1, (size_t)pass.head.wanted))
            status = resume_residues(w, &pass, first, err);
    return status;
}

/* ---- all passes ---- */

/* How many moduli from number k on are not done. */
static int count_left(const work *w, int k)
{
    int n = 0;
    while (k + n < w->job->nmoduli && !w->is_done[k + n])
        ++n;
    return n;
}

static void list_new(work *w)
{
    const int all = w->job->nmoduli;
    int done = w->done;
    for (int k = 0, left; k < all; k += left ? 0 : 1) {
        left = count_left(w, k);
        if (left == 0)
            continue;
        const int n = w->x->lanes(w->x->engine, left), wanted = n < left ? n : left;
        w->list[w->count++] = (new_pass){k, wanted, n, (double)done / all};
        memset(w->is_done + k, 1, (size_t)wanted);
        done += wanted;
    }
}

/* Passes number worker, worker + workers, ... */
static pm_status run_worker(void *context, int worker, pm_error *err)
{
    const work *w = context;
    pm_status status = PM_OK;
    for (int k = worker; k < w->count && !status; k += w->x->workers) {
        const new_pass *p = &w->list[k];
        uint64_t m[PM_STATE_MODULI];
        for (int i = 0; i < p->lanes; ++i)
            m[i] = w->job->moduli[p->first + (i < p->wanted ? i : 0)];
        pm_frontier_pass pass =
            pm_frontier_pass_new(&w->x->states, worker, 64, m, p->lanes, p->wanted);
        status = run_residues(w, worker, &pass, m, 64, p, err);
    }
    return status;
}

static pm_status run_new(work *w, pm_error *err)
{
    list_new(w);
    return w->x->workers > 1 ? pm_gpu_on_each(w->x->workers, run_worker, w, err)
                             : run_worker(w, 0, err);
}

static pm_status run_inexact(work *w, pm_error *err)
{
    pm_frontier_pass pass;
    int slot = 0, first;
    if (!pm_frontier_pass_stored(&w->x->states, NULL, 0, &slot, &pass, &first))
        pass = pm_frontier_pass_new(&w->x->states, 0, 0, NULL, 0, 0);
    return run_pass(w, 0, &pass, NULL, 0, 64, 0, 1, NULL, err);
}

pm_status pm_frontier_passes_run(const pm_job *job, const pm_pass_engine *x, uint64_t *residues,
                                 pm_value *out, pm_error *err)
{
    work w = {.job = job, .x = x, .residues = residues, .out = out};
    if (!job->nmoduli)
        return run_inexact(&w, err);
    w.is_done = pm_calloc_array(job->nmoduli, 1);
    w.list = pm_alloc_array(job->nmoduli, sizeof *w.list);
    pm_status status = w.is_done && w.list ? run_stored(&w, err) : pm_fail_memory(err, "residues");
    if (!status)
        status = run_new(&w, err);
    free(w.is_done);
    free(w.list);
    return status;
}
