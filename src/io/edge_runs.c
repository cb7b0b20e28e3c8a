/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/edge_runs.h"

#include <stdlib.h>

#include "core/team.h"
#include "pm/alloc.h"

/* Lines that are taken at a time: of a short sequence, and of a long one. */
static const int64_t sizes[2] = {1 << 12, 1 << 16};

enum { MANY = 1 << 20 /* edges: to start a thread takes as long as to read some thousand */ };

int pm_edge_threads(int64_t edges, const pm_run *run)
{
    return edges < MANY || pm_run_threads(run) == 1 ? 1 : pm_team(run, 2);
}

/* How many of these edges, up to the first one out of range. */
static int64_t in_range(const pm_edge_runs *x, const pm_integer_edge *edge, int64_t count)
{
    for (int64_t k = 0; k < count; ++k)
        for (int end = 0; end < 2; ++end)
            if (edge[k].end[end] < x->least || edge[k].end[end] > x->most[end])
                return k;
    return count;
}

/* The next lines, at most `most` of them; none where the sequence ends.  run->edge: room for them. */
static pm_status take(const pm_edge_runs *x, int64_t most, pm_edge_run *run, pm_error *err)
{
    run->count = 0;
    run->line = pm_source_line_number(x->source) + 1;
    while (run->count < most) {
        const char *text;
        int64_t length, used;
        pm_integer_edge *to = run->edge + run->count;
        pm_status status = pm_source_whole_lines(x->source, &text, &length, err);
        if (status || length == 0)
            return status;
        const int64_t found =
            pm_edge_run_parse(text, length, x->separator, to, most - run->count, &used);
        const int64_t count = in_range(x, to, found);
        if (count < found) /* how long they are */
            pm_edge_run_parse(text, length, x->separator, to, count, &used);
        pm_source_take_lines(x->source, used, count);
        run->count += count;
        if (used < length)
            return PM_OK;
    }
    return PM_OK;
}

typedef struct {
    pm_edge_runs *form;
    pm_edge_adder *add;
    void *context;
    const pm_run *run;
    int64_t done, taken;
    int64_t size; /* of the next run */
} work;

/* Room for the next run, the first or the second half.  Fails: PM_ENOMEM. */
static pm_status make_room(work *w, int half, pm_edge_run *next, pm_error *err)
{
    const int which = w->done + w->taken >= MANY;
    const int64_t left = w->form->lines - w->taken;
    pm_integer_edge **room = &w->form->room[which];
    if (!*room)
        *room = pm_alloc_array(2 * sizes[which], sizeof **room);
    if (!*room)
        return pm_fail_memory(err, "edges");
    next->edge = *room + half * sizes[which];
    w->size = left < sizes[which] ? left : sizes[which];
    return PM_OK;
}

/* Adds `run` and takes `next`. */
static pm_status add_and_take(const work *w, const pm_edge_run *run, pm_edge_run *next,
                              pm_error *err)
{
    const int threads = pm_edge_threads(w->done + w->taken, w->run);
    pm_status added = PM_OK, taken = PM_OK;
    pm_error why;
    /* always by the same threads: what edges are added to stays in the caches of one */
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int half = 0; half < 2; ++half) {
        if (half == 0)
            added = w->add(w->context, run, err);
        else
            taken = take(w->form, w->size, next, &why);
    }
    if (!added && taken && err)
        *err = why;
    return added ? added : taken;
}

pm_status pm_edge_runs_read(pm_edge_runs *x, int64_t done, pm_edge_adder *add, void *context,
                            const pm_run *run, int64_t *taken, pm_error *err)
{
    work w = {.form = x, .add = add, .context = context, .run = run, .done = done};
    pm_edge_run run_of[2] = {{.count = 0}, {.count = 0}};
    pm_status status = make_room(&w, 0, &run_of[0], err);
    if (!status)
        status = take(x, w.size, &run_of[0], err);
    for (int at = 0; !status && run_of[at].count > 0; at = 1 - at) {
        w.taken += run_of[at].count;
        status = make_room(&w, 1 - at, &run_of[1 - at], err);
        if (!status)
            status = add_and_take(&w, &run_of[at], &run_of[1 - at], err);
    }
    *taken = w.taken;
    return status;
}

void pm_edge_runs_free(pm_edge_runs *x)
{
    for (int k = 0; k < 2; ++k) {
        free(x->room[k]);
        x->room[k] = NULL;
    }
}
