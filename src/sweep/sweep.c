/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/sweep.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "pm/alloc.h"

void pm_sweep_free(pm_sweep *s)
{
    if (s->free_problem)
        s->free_problem(s->problem);
    *s = (pm_sweep){0};
}

/* ---- the threads ---- */

typedef struct {
    const pm_sweep *sweep;
    const pm_run *run;
    pm_ledger_task *task;
    uint64_t done, all; /* indices of the share, for the progress line */
    pm_status status;   /* of the first failure */
    pm_error why;
} sweep_work;

/* The next piece; a piece ends at a multiple of its size.  Returns false when there is none. */
static bool take_piece(sweep_work *w, pm_range *piece)
{
    bool got = false;
#pragma omp critical(pm_sweep_task)
    if (!w->status && !pm_run_stopped(w->run))
        got = pm_ledger_task_take(w->task, w->sweep->piece, piece);
    return got;
}

static void put_piece(sweep_work *w, const pm_range *piece, const pm_sum *sum)
{
    pm_error why;
    pm_sweep_total total;
    pm_status status;
    int limbs = w->sweep->limbs;
    pm_sweep_total_clear(&total, limbs);
    pm_sweep_total_add(&total, sum, limbs);
#pragma omp critical(pm_sweep_task)
    {
        status = total.failed ? pm_fail_memory(&why, "a range of terms")
                              : pm_ledger_task_put(w->task, piece->first, piece->end, total.limb,
                                                   total.real, &why);
        w->done = pm_ledger_task_done(w->task); /* by other ranks too */
        if (status && !w->status) {
            w->status = status;
            w->why = why;
        }
    }
}

static void run_pieces(sweep_work *w)
{
    pm_range piece;
    const pm_sweep *s = w->sweep;
    while (take_piece(w, &piece)) {
        pm_sum sum;
        memset(&sum, 0, sizeof sum);
        s->range(s->problem, piece.first, piece.end, &sum);
        put_piece(w, &piece, &sum);
        if (omp_get_thread_num() == 0)
            pm_run_progress(w->run, (double)w->done / (double)w->all, s->what);
    }
}

/* The threads take the pieces of the task. */
static pm_status run_threads(const pm_sweep *s, pm_ledger_task *task, const pm_run *run,
                             pm_error *err)
{
    sweep_work w = {.sweep = s, .run = run, .task = task, .done = pm_ledger_task_done(task)};
    w.all = task->share.end - task->share.first;
    int threads = w.all <= s->piece ? 1 : pm_team(run, pm_run_threads(run));
#pragma omp parallel num_threads(threads)
    run_pieces(&w);
    if (w.status && err)
        *err = w.why;
    if (!w.status && pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return w.status;
}

/* ---- the task ---- */

static pm_ledger_shape shape_of(const pm_sweep *s)
{
    return (pm_ledger_shape){.what = s->what,
                             .count = s->count,
                             .grain = s->piece,
                             .share = s->share,
                             .words = s->limbs,
                             .carries = true,
                             .reals = s->limbs ? 0 : PM_TOTAL_REALS};
}

static pm_status run_task(const pm_sweep *s, pm_ledger_task *task, const pm_run *run,
                          pm_sweep_total *out, pm_error *err)
{
    const pm_run inside = pm_ledger_task_run(task, run);
    pm_sweep_total_clear(out, s->limbs);
    pm_status status = (s->run ? s->run : run_threads)(s, task, &inside, err);
    return pm_ledger_task_end(task, status, out->limb, out->real, err);
}

pm_status pm_sweep_all(const pm_sweep *s, const pm_ledger_scope *scope, const void *choice,
                       size_t choice_size, const pm_run *run, pm_sum *out, pm_error *err)
{
    pm_ledger_task task;
    pm_sweep_total total;
    const pm_ledger_shape shape = shape_of(s);
    pm_status status = pm_ledger_task_begin(scope, &shape, choice, choice_size, &task, err);
    if (!status)
        status = run_task(s, &task, run, &total, err);
    if (!status)
        pm_sweep_total_round(&total, s->limbs, out);
    return status;
}

pm_status pm_sweep_range_total(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                               pm_sweep_total *out, pm_error *err)
{
    pm_ledger_task task;
    pm_ledger_shape shape = shape_of(s);
    shape.grain = s->grain;
    pm_status status = pm_ledger_task_begin_range(&shape, first, end, &task, err);
    return status ? status : run_task(s, &task, run, out, err);
}

pm_status pm_sweep_range(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                         pm_sum *out, pm_error *err)
{
    pm_sweep_total total;
    pm_status status = pm_sweep_range_total(s, first, end, run, &total, err);
    if (!status)
        pm_sweep_total_round(&total, s->limbs, out);
    return status;
}
