/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_passes.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

typedef struct {
    const pm_job *job;
    const pm_pass_engine *x;
    char *is_done; /* of each modulus */
    int done;
    uint64_t *residues;
    pm_value *out;
} work;

/* Moduli first .. first + pass->head.wanted - 1, or an inexact number.  r: room for all lanes. */
static pm_status run_pass(const work *w, pm_frontier_pass *pass, const uint64_t *m, int lanes,
                          int bits, double share, uint64_t *r, pm_error *err)
{
    const pm_job *job = w->job;
    const pm_pass_engine *x = w->x;
    double done = job->nmoduli ? (double)w->done / job->nmoduli : 0;
    pm_ring *ring;
    pm_status status = pm_frontier_ring(job, m, lanes, bits, &ring, err);
    if (status)
        return status;
    void *value = pm_alloc_array(1, (size_t)ring->value_bytes);
    status = value ? x->run(job, x->engine, ring, pass, done, share, value, err)
                   : pm_fail_memory(err, "frontier value");
    if (!status)
        ring->finish(ring, value, x->depth, w->out, r);
    free(value);
    ring->free(ring);
    return status;
}

/* The pass of `count` moduli from number first on, in m[0 .. lanes - 1] with others behind them. */
static pm_status run_residues(work *w, pm_frontier_pass *pass, const uint64_t *m, int lanes,
                              int bits, int first, int count, pm_error *err)
{
    const pm_job *job = w->job;
    uint64_t r[PM_STATE_MODULI];
    pm_status status = run_pass(w, pass, m, lanes, bits, (double)count / job->nmoduli, r, err);
    if (status)
        return status;
    memcpy(w->residues + first, r, (size_t)count * sizeof *r);
    memset(w->is_done + first, 1, (size_t)count);
    w->done += count;
    return job->found ? job->found(job->found_context, first, count, r, err) : PM_OK;
}

/* ---- passes whose level is stored ---- */

/* Lanes for as many words; 0: more than the ring of the CPU has. */
static int lanes_for(const pm_state_head *h)
{
    int n = 1;
    if (h->bits == 32)
        return h->lanes <= 8 ? h->lanes : 0;
    while (n < h->lanes)
        n *= 2;
    return h->bits == 64 && n <= PM_STATE_MODULI ? n : 0;
}

static pm_status resume_residues(work *w, pm_frontier_pass *pass, int first, pm_error *err)
{
    pm_state_head *h = &pass->head;
    int lanes = lanes_for(h);
    double bytes = w->x->bytes(w->x->engine, (int64_t)h->bits / 8 * lanes);
    if (!lanes || bytes > (double)w->job->memory) {
        pass->store->refuse(pass->store->context, pass->from,
                            "there is no room for its values; the pass is begun anew");
        return PM_OK;
    }
    for (int i = h->lanes; i < lanes; ++i)
        h->modulus[i] = h->modulus[0];
    h->lanes = lanes;
    return run_residues(w, pass, h->modulus, lanes, h->bits, first, h->wanted, err);
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

static pm_status run_new(work *w, pm_error *err)
{
    const pm_job *job = w->job;
    pm_status status = PM_OK;
    for (int k = 0, left; k < job->nmoduli && !status; k += left ? 0 : 1) {
        uint64_t m[PM_STATE_MODULI];
        left = count_left(w, k);
        if (left == 0)
            continue;
        int n = w->x->lanes(w->x->engine, left), wanted = n < left ? n : left;
        for (int i = 0; i < n; ++i)
            m[i] = job->moduli[k + (i < wanted ? i : 0)];
        pm_frontier_pass pass = pm_frontier_pass_new(&w->x->states, 0, 64, m, n, wanted);
        status = run_residues(w, &pass, m, n, 64, k, wanted, err);
    }
    return status;
}

static pm_status run_inexact(work *w, pm_error *err)
{
    pm_frontier_pass pass;
    int slot = 0, first;
    if (!pm_frontier_pass_stored(&w->x->states, NULL, 0, &slot, &pass, &first))
        pass = pm_frontier_pass_new(&w->x->states, 0, 0, NULL, 0, 0);
    return run_pass(w, &pass, NULL, 0, 64, 1, NULL, err);
}

pm_status pm_frontier_passes_run(const pm_job *job, const pm_pass_engine *x, uint64_t *residues,
                                 pm_value *out, pm_error *err)
{
    work w = {.job = job, .x = x, .residues = residues, .out = out};
    if (!job->nmoduli)
        return run_inexact(&w, err);
    w.is_done = pm_calloc_array(job->nmoduli, 1);
    if (!w.is_done)
        return pm_fail_memory(err, "residues");
    pm_status status = run_stored(&w, err);
    if (!status)
        status = run_new(&w, err);
    free(w.is_done);
    return status;
}
