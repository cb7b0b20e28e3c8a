/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/determinant_batches.h"

#include <omp.h>

#include "core/team.h"
#include "elimination/determinant.h"

/* A task is one batch of one class of one term; tasks are numbered term by term, then class by
 * class. */
typedef struct {
    const pm_determinants *d;
    const pm_front_kernel *kernel;
    int64_t batches; /* of one determinant */
    int64_t tasks;
    int64_t done; /* tasks */
    const pm_run *run;
    uint64_t *residue;
} work;

int64_t pm_determinants_batch_count(int64_t primes)
{
    int lanes = pm_front_kernel_for(pm_isa_best())->lanes;
    return (primes + lanes - 1) / lanes;
}

double pm_determinants_thread_bytes(const pm_elimination *e)
{
    return pm_determinant_bytes(e, pm_front_kernel_for(pm_isa_best())->lanes);
}

int pm_determinants_thread_count(const pm_elimination *e, int64_t batches, int64_t memory,
                                 const pm_run *run)
{
    int threads = pm_run_threads(run);
    double fit = (double)memory / pm_determinants_thread_bytes(e);
    if (threads > fit)
        threads = (int)fit;
    if (threads > batches)
        threads = (int)batches;
    return threads > 1 ? threads : 1;
}

/* One task.  Lanes without a prime in the last batch repeat its last prime. */
static pm_status run_task(work *w, pm_determinant *x, int64_t task, pm_error *err)
{
    const pm_determinants *d = w->d;
    uint32_t prime[PM_LANES_MAX], unit[PM_LANES_MAX];
    uint64_t residue[PM_LANES_MAX];
    int class = (int)(task / w->batches % d->classes), lanes = w->kernel->lanes;
    int64_t first = task % w->batches * lanes, count = d->count - first;
    count = count < lanes ? count : lanes;
    for (int64_t l = 0; l < lanes; ++l) {
        prime[l] = d->prime[first + (l < count ? l : count - 1)];
        unit[l] = d->unit[first + (l < count ? l : count - 1)];
    }
    pm_status status = pm_determinant_modulo(x, class, prime, unit, w->run, residue, err);
    for (int64_t l = 0; l < count && !status; ++l) {
        uint64_t *sum = &w->residue[class * d->count + first + l];
#pragma omp atomic
        *sum += residue[l];
    }
    return status;
}

static void report_progress(work *w)
{
    int64_t done;
#pragma omp atomic capture
    done = ++w->done;
    if (omp_get_thread_num() == 0)
        pm_run_progress(w->run, (double)done / (double)w->tasks, "planar");
}

/* One thread: runs tasks until none is left or one fails. */
static pm_status run_tasks(work *w, int64_t *next, pm_error *err)
{
    const pm_determinants *d = w->d;
    pm_determinant *x = NULL;
    int64_t term = -1;
    pm_status status = PM_OK;
    while (!status) {
        int64_t task;
#pragma omp atomic capture
        task = (*next)++;
        if (task >= w->tasks)
            break;
        if (task / (d->classes * w->batches) != term) {
            term = task / (d->classes * w->batches);
            pm_determinant_close(x);
            x = NULL;
            status = pm_determinant_open(&d->elimination[term], d->integers, w->kernel, &x, err);
        }
        if (!status)
            status = run_task(w, x, task, err);
        if (!status)
            report_progress(w);
    }
    pm_determinant_close(x);
    return status;
}

pm_status pm_determinants_add(const pm_determinants *d, const pm_run *run, uint64_t *residue,
                              pm_error *err)
{
    work w = {.d = d, .kernel = pm_front_kernel_for(pm_isa_best()), .run = run, .residue = residue};
    int64_t next = 0;
    pm_status status = PM_OK;
    w.batches = pm_determinants_batch_count(d->count);
    w.tasks = d->terms * d->classes * w.batches;
    int threads =
        pm_team(run, pm_determinants_thread_count(d->elimination, w.tasks, d->memory, run));
#pragma omp parallel num_threads(threads)
    {
        pm_error why;
        pm_status own_status = run_tasks(&w, &next, &why);
#pragma omp critical
        if (own_status && !status) {
            status = own_status;
            if (err)
                *err = why;
        }
    }
    for (int64_t x = 0; x < d->classes * d->count; ++x)
        residue[x] %= d->prime[x % d->count];
    return status;
}
