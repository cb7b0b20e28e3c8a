/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/determinant_many.h"

#include <omp.h>
#include <string.h>

#include "planar/determinant.h"

/* As many primes as a kernel takes at once, in one class. */
typedef struct {
    const pm_determinants *d;
    const pm_front_kernel *kernel;
    int64_t batches; /* of one class */
    int64_t done;
    const pm_run *run;
    uint64_t *residue;
} work;

static int64_t batches_of(const pm_determinants *d, int lanes)
{
    return (d->count + lanes - 1) / lanes;
}

int pm_determinants_threads(const pm_determinants *d, const pm_run *run)
{
    int lanes = pm_front_kernel_for(pm_isa_best())->lanes, threads = pm_run_threads(run);
    double fit = (double)d->memory / pm_determinant_bytes(d->elimination, lanes);
    int64_t tasks = d->classes * batches_of(d, lanes);
    if (threads > fit)
        threads = (int)fit;
    if (threads > tasks)
        threads = (int)tasks;
    return threads > 1 ? threads : 1;
}

double pm_determinants_bytes(const pm_determinants *d, const pm_run *run)
{
    int lanes = pm_front_kernel_for(pm_isa_best())->lanes;
    return pm_determinants_threads(d, run) * pm_determinant_bytes(d->elimination, lanes);
}

/* The last batch is filled up with its last prime. */
static pm_status one_batch(work *w, pm_determinant *x, int64_t task, pm_error *err)
{
    const pm_determinants *d = w->d;
    uint32_t prime[PM_LANES_MOST], unit[PM_LANES_MOST];
    uint64_t residue[PM_LANES_MOST];
    int class = (int)(task / w->batches), lanes = w->kernel->lanes;
    int64_t first = task % w->batches * lanes, count = d->count - first;
    count = count < lanes ? count : lanes;
    for (int64_t l = 0; l < lanes; ++l) {
        prime[l] = d->prime[first + (l < count ? l : count - 1)];
        unit[l] = d->unit[first + (l < count ? l : count - 1)];
    }
    pm_status rc = pm_determinant_modulo(x, class, prime, unit, w->run, residue, err);
    if (!rc)
        memcpy(w->residue + class * d->count + first, residue, (size_t)count * sizeof *residue);
    return rc;
}

static void tell_progress(work *w)
{
    int64_t done;
#pragma omp atomic capture
    done = ++w->done;
    if (omp_get_thread_num() == 0)
        pm_run_progress(w->run, (double)done / (double)(w->d->classes * w->batches), "planar");
}

/* What one thread does: tasks as they come, until one fails. */
static pm_status take_tasks(work *w, int64_t *next, pm_error *err)
{
    pm_determinant *x = NULL;
    pm_status rc = pm_determinant_open(w->d->elimination, w->d->integers, w->kernel, &x, err);
    while (!rc) {
        int64_t task;
#pragma omp atomic capture
        task = (*next)++;
        if (task >= w->d->classes * w->batches)
            break;
        rc = one_batch(w, x, task, err);
        if (!rc)
            tell_progress(w);
    }
    pm_determinant_close(x);
    return rc;
}

pm_status pm_determinants_find(const pm_determinants *d, const pm_run *run, uint64_t *residue,
                               pm_error *err)
{
    work w = {.d = d, .kernel = pm_front_kernel_for(pm_isa_best()), .run = run, .residue = residue};
    int64_t next = 0;
    int threads = pm_determinants_threads(d, run);
    pm_status rc = PM_OK;
    w.batches = batches_of(d, w.kernel->lanes);
#pragma omp parallel num_threads(threads)
    {
        pm_error why;
        pm_status mine = take_tasks(&w, &next, &why);
#pragma omp critical
        if (mine && !rc) {
            rc = mine;
            if (err)
                *err = why;
        }
    }
    return rc;
}
