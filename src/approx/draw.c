/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples drawn by several threads, summed as one would. */
#include "config.h"

#include <omp.h>
#include <stdlib.h>

#include "approx/moments.h"
#include "pm/alloc.h"

enum { ALIGNMENT = 64 };

typedef struct {
    const pm_sampler *sampler;
    const pm_run *run;
    uint64_t from, end;
    pm_moments *sum;
    bool is_cut; /* a block is missing: those after it are not added */
} job;

typedef struct {
    pm_moments *block;
    void *room, *scratch;
} worker;

static pm_status worker_open(const pm_sampler *s, worker *w, pm_error *err)
{
    w->block = pm_alloc_array(1, sizeof *w->block);
    w->room = pm_alloc_array((int64_t)s->scratch + ALIGNMENT, 1);
    if (!w->block || !w->room)
        return pm_fail_memory(err, "the state of a sample");
    w->scratch = (char *)w->room + (ALIGNMENT - (uintptr_t)w->room % ALIGNMENT);
    return PM_OK;
}

static void worker_close(worker *w)
{
    free(w->block);
    free(w->room);
}

/* Block i of the range, blocks counted from the one that holds its first sample. */
static void draw_block(const job *j, int64_t i, worker *w)
{
    const pm_sampler *s = j->sampler;
    uint64_t batch = (uint64_t)s->batch, first = j->from / batch + (uint64_t)i;
    uint64_t k = i > 0 ? first * batch : j->from, end = (first + 1) * batch;
    pm_moments_clear(w->block);
    for (; k < end && k < j->end; ++k)
        pm_moments_add(w->block, k, s->method->draw(s, w->scratch, k));
}

static void report(const job *j, int64_t done, int64_t blocks)
{
    if (omp_get_thread_num() == 0)
        pm_run_progress(j->run, (double)done / (double)blocks, "sampling");
}

pm_status pm_moments_draw(const pm_sampler *s, uint64_t from, int64_t count, const pm_run *run,
                          pm_moments *m, pm_error *err)
{
    job j = {.sampler = s, .run = run, .from = from, .end = from + (uint64_t)count, .sum = m};
    uint64_t batch = (uint64_t)s->batch;
    int64_t blocks = count > 0 ? (int64_t)((j.end - 1) / batch - from / batch) + 1 : 0;
    int threads = pm_run_threads(run);
    threads = blocks < threads ? (int)blocks : threads;
    pm_status status = PM_OK;
    worker *all = pm_calloc_array(threads, sizeof *all);
    if (!all)
        return pm_fail_memory(err, "the threads' states");
    for (int t = 0; t < threads && status == PM_OK; ++t)
        status = worker_open(s, &all[t], err);
    if (status == PM_OK && blocks > 0) {
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(threads)
        for (int64_t i = 0; i < blocks; ++i) {
            worker *w = &all[omp_get_thread_num()];
            bool is_drawn = !pm_run_stopped(run);
            if (is_drawn)
                draw_block(&j, i, w);
#pragma omp ordered
            {
                j.is_cut = j.is_cut || !is_drawn;
                if (!j.is_cut) {
                    pm_moments_merge(m, w->block);
                    report(&j, i + 1, blocks);
                }
            }
        }
    }
    for (int t = 0; t < threads; ++t)
        worker_close(&all[t]);
    free(all);
    return status == PM_OK && j.is_cut ? pm_fail(err, PM_ESTOPPED, "stopped") : status;
}
