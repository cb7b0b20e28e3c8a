/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/sweep.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "pm/alloc.h"

/* Pieces are run in batches.  Within a batch the threads take them in any order; at its end their
 * sums are added in the order of the indices. */
enum { BATCH = 512 };

void pm_sweep_free(pm_sweep *s)
{
    if (s->free_problem)
        s->free_problem(s->problem);
    *s = (pm_sweep){0};
}

typedef struct {
    const pm_sweep *sweep;
    const pm_run *run;
    uint64_t first, end;
    uint64_t done; /* indices, for the progress line */
    pm_sum *part;  /* BATCH of them */
} range_work;

/* Pieces start at multiples of s->piece.  So the first and the last piece of a range may be short,
 * and two adjacent ranges have the same pieces as their union. */
static uint64_t piece_end(const range_work *w, uint64_t first)
{
    uint64_t end = first / w->sweep->piece * w->sweep->piece + w->sweep->piece;
    return end < w->end ? end : w->end;
}

static void report_progress(range_work *w, uint64_t indices)
{
    uint64_t done;
#pragma omp atomic capture
    done = w->done += indices;
    if (omp_get_thread_num() == 0)
        pm_run_progress(w->run, (double)done / (double)(w->end - w->first), w->sweep->what);
}

/* Runs at most BATCH pieces from `first` on and returns their number.  *next: the index after
 * them. */
static int run_batch(range_work *w, uint64_t first, uint64_t *next)
{
    uint64_t piece = w->sweep->piece, aligned = first / piece * piece;
    uint64_t left = (w->end - aligned - 1) / piece + 1;
    int pieces = left < BATCH ? (int)left : BATCH;
    int threads = pieces < 2 ? 1 : pm_team(w->run, pm_run_threads(w->run));
    memset(w->part, 0, (size_t)pieces * sizeof *w->part);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (int i = 0; i < pieces; ++i) {
        uint64_t from = i == 0 ? first : aligned + (uint64_t)i * piece;
        if (pm_run_stopped(w->run))
            continue;
        w->sweep->range(w->sweep->problem, from, piece_end(w, from), &w->part[i]);
        report_progress(w, piece_end(w, from) - from);
    }
    *next = piece_end(w, aligned + (uint64_t)(pieces - 1) * piece);
    return pieces;
}

pm_status pm_sweep_range(const pm_sweep *s, uint64_t first, uint64_t end, const pm_run *run,
                         pm_sum *out, pm_error *err)
{
    if (s->run)
        return s->run(s, first, end, run, out, err);
    range_work w = {.sweep = s, .run = run, .first = first, .end = end};
    uint64_t pieces_left = first < end ? (end - 1) / s->piece - first / s->piece + 1 : 0;
    w.part = pm_alloc_array(pieces_left < BATCH ? (int64_t)pieces_left : BATCH, sizeof *w.part);
    if (!w.part)
        return pm_fail_memory(err, "partial sums");
    memset(out, 0, sizeof *out);
    while (first < end && !pm_run_stopped(run)) {
        int pieces = run_batch(&w, first, &first);
        for (int i = 0; i < pieces; ++i)
            pm_sum_add(out, &w.part[i], s->limbs);
    }
    free(w.part);
    if (pm_run_stopped(run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return out->failed ? pm_fail_memory(err, "a range of terms") : PM_OK;
}
