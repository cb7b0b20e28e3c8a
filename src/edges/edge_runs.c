/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "edges/edge_runs.h"

#include <stdlib.h>

#include "core/team.h"
#include "pm/alloc.h"

/* Lines that are taken at a time: of a short sequence, and of a long one. */
static const int64_t sizes[2] = {1 << 12, 1 << 16};

enum { MANY = 1 << 20 /* edges: to start a thread takes as long as to read some thousand */ };

int pm_edge_threads(int64_t edges, int most, const pm_run *run)
{
    const int threads = pm_run_threads(run);
    return edges < MANY || threads == 1 ? 1 : pm_team(run, threads < most ? threads : most);
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

static pm_edge_lines lines_from(const pm_edge_lines *x, int64_t k)
{
    return (pm_edge_lines){x->edge + k, x->weight ? x->weight + k : NULL, x->has_real};
}

/* The next lines, at most `most` of them; none where the sequence ends.  run->of: room for them. */
static pm_status take(const pm_edge_runs *x, int64_t most, pm_edge_run *run, pm_error *err)
{
    run->count = 0;
    run->line = pm_source_line_number(x->source) + 1;
    while (run->count < most) {
        const char *text;
        int64_t length, used;
        pm_edge_lines to = lines_from(&run->of, run->count), again = to;
        pm_status status = pm_source_whole_lines(x->source, &text, &length, err);
        if (status || length == 0)
            return status;
        const int64_t found =
            pm_edge_run_parse(text, length, &x->form, &to, most - run->count, &used);
        const int64_t count = in_range(x, to.edge, found);
        if (count < found) { /* how long they are */
            pm_edge_run_parse(text, length, &x->form, &again, count, &used);
            to = again;
        }
        run->of.has_real = to.has_real;
        pm_source_take_lines(x->source, used, count);
        run->count += count;
        if (used < length)
            return PM_OK;
    }
    return PM_OK;
}

/* A run is taken, the one before it gets numbers, and the one before that is added. */
enum { STEPS = 3 };

struct pm_edge_room {
    pm_edge_lines lines[STEPS];
    int32_t *number[STEPS][2];
};

static void room_free(struct pm_edge_room *room)
{
    for (int k = 0; room && k < STEPS; ++k) {
        free(room->lines[k].edge);
        free(room->lines[k].weight);
        free(room->number[k][0]);
        free(room->number[k][1]);
    }
    free(room);
}

/* Returns NULL when out of memory. */
static struct pm_edge_room *room_make(int64_t size, bool has_weight)
{
    struct pm_edge_room *room = pm_calloc_array(1, sizeof *room);
    bool is_complete = room;
    for (int k = 0; room && k < STEPS; ++k) {
        pm_edge_lines *x = &room->lines[k];
        x->edge = pm_alloc_array(size, sizeof *x->edge);
        x->weight = has_weight ? pm_alloc_array(size, sizeof *x->weight) : NULL;
        room->number[k][0] = pm_alloc_array(size, sizeof *room->number[k][0]);
        room->number[k][1] = pm_alloc_array(size, sizeof *room->number[k][1]);
        is_complete = is_complete && x->edge && (x->weight || !has_weight) && room->number[k][0]
                      && room->number[k][1];
    }
    if (is_complete)
        return room;
    room_free(room);
    return NULL;
}

typedef struct {
    pm_edge_runs *form;
    const pm_edge_adder *adder;
    const pm_run *run;
    int64_t done, taken;
    int64_t size; /* of the next run */
    pm_edge_run of[STEPS];
} work;

/* Room for the next run.  Fails: PM_ENOMEM. */
static pm_status make_room(work *w, int step, pm_error *err)
{
    const int which = w->done + w->taken >= MANY;
    const int64_t left = w->form->lines - w->taken;
    struct pm_edge_room **room = &w->form->room[which];
    if (!*room)
        *room = room_make(sizes[which], w->form->form.has_weight);
    if (!*room)
        return pm_fail_memory(err, "edges");
    w->of[step] = (pm_edge_run){.of = (*room)->lines[step],
                                .number = {(*room)->number[step][0], (*room)->number[step][1]}};
    w->size = left < sizes[which] ? left : sizes[which];
    return PM_OK;
}

enum { TAKE, NUMBER_LEFT, NUMBER_RIGHT, ADD, TASKS };

/* The thread of each task, of 1 to TASKS threads.  Always the same: the labels of a side stay in the caches of one.  To take lines
 * takes as long as all else. */
static const int thread_of[TASKS][TASKS] = {{0}, {0, 1, 1, 1}, {0, 1, 2, 1}, {0, 1, 2, 3}};

static pm_status do_task(work *w, int task, int newest, pm_error *err)
{
    const pm_edge_run *numbered = &w->of[(newest + STEPS - 1) % STEPS],
                      *added = &w->of[(newest + STEPS - 2) % STEPS];
    const pm_edge_adder *adder = w->adder;
    switch (task) {
    case TAKE: return w->size ? take(w->form, w->size, &w->of[newest], err) : PM_OK;
    case ADD: return added->count ? adder->add(adder->context, added, err) : PM_OK;
    default:
        return adder->number && numbered->count
                   ? adder->number(adder->context, numbered, task == NUMBER_RIGHT, err)
                   : PM_OK;
    }
}

/* The tasks of one step of `work`, and what became of them. */
typedef struct {
    work *of;
    int newest;
    pm_status status[TASKS];
    pm_error why[TASKS];
} tasks;

static void do_tasks(void *context, int thread, int threads)
{
    tasks *t = context;
    for (int task = 0; task < TASKS; ++task)
        if (thread_of[threads - 1][task] == thread)
            t->status[task] = do_task(t->of, task, t->newest, &t->why[task]);
}

/* All steps at the same time.  The first failure is that of the first lines. */
static pm_status do_steps(work *w, int newest, pm_error *err)
{
    static const int first[TASKS] = {ADD, NUMBER_LEFT, NUMBER_RIGHT, TAKE};
    const int threads = w->of[(newest + STEPS - 1) % STEPS].count < sizes[0]
                            ? 1 /* the end of a short sequence */
                            : pm_edge_threads(w->done + w->taken, TASKS, w->run);
    tasks t = {.of = w, .newest = newest};
    pm_team_run(threads, do_tasks, &t);
    for (int k = 0; k < TASKS; ++k)
        if (t.status[first[k]]) {
            if (err)
                *err = t.why[first[k]];
            return t.status[first[k]];
        }
    return PM_OK;
}

pm_status pm_edge_runs_read(pm_edge_runs *x, int64_t done, const pm_edge_adder *adder,
                            const pm_run *run, int64_t *taken, pm_error *err)
{
    work w = {.form = x, .adder = adder, .run = run, .done = done};
    pm_status status = make_room(&w, 0, err);
    if (!status)
        status = take(x, w.size, &w.of[0], err);
    w.taken = w.of[0].count;
    int after = w.taken ? 0 : STEPS; /* steps since the end of the sequence */
    for (int newest = 1; !status && after < STEPS - 1; newest = (newest + 1) % STEPS) {
        status = make_room(&w, newest, err);
        if (after)
            w.size = 0;
        if (!status)
            status = do_steps(&w, newest, err);
        if (!status && adder->look)
            status = adder->look(adder->context, err);
        w.taken += w.of[newest].count;
        after += after || w.of[newest].count == 0;
    }
    *taken = w.taken;
    return status;
}

void pm_edge_runs_free(pm_edge_runs *x)
{
    for (int k = 0; k < 2; ++k) {
        room_free(x->room[k]);
        x->room[k] = NULL;
    }
}
