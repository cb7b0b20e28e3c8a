/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges/edge_runs.h: long sequences of the plainest lines (edges/edge_run.h), read by up to four threads: while one
 * reads and parses lines, two number the labels of the lines before them, one for each side, and one adds the edges
 * before these. */
#ifndef PM_EDGE_RUNS_H
#define PM_EDGE_RUNS_H

#include "edges/edge_run.h"
#include "pm/run.h"

/* Edges of consecutive lines. */
typedef struct {
    pm_edge_lines of;
    int32_t *number[2];  /* [count] each: of the labels of both sides */
    int64_t count, line; /* line: the number of the first line */
} pm_edge_run;

/* Which lines belong to the sequence.  Set the members up to `lines` and zero the rest; free with
 * pm_edge_runs_free. */
typedef struct {
    pm_source *source;
    pm_edge_form form;            /* has_weight: always the same for one struct */
    int32_t least, most[2];       /* labels are from least to most[0], most[1] */
    int64_t lines;                /* at most so many */
    struct pm_edge_room *room[2]; /* private: for few lines, and for many */
} pm_edge_runs;

/* What is done with the edges of a run.  Calls of one function are in the order of the lines and do not overlap. */
typedef struct {
    /* Sets run->number[side], for the function below; both sides may be at work at the same time.  NULL: not
     * wanted. */
    pm_status (*number)(void *context, const pm_edge_run *run, int side, pm_error *err);
    /* Adds the edges, while the functions above may be at work on the next run. */
    pm_status (*add)(void *context, const pm_edge_run *run, pm_error *err);
    /* Called after each run that has been added, while no other function is at work.  NULL: not wanted. */
    pm_status (*look)(void *context, pm_error *err);
    void *context;
} pm_edge_adder;

/* Threads for so many edges: at most `most`; 1 where they are few or run permits only one. */
int pm_edge_threads(int64_t edges, int most, const pm_run *run);

/* Takes the lines of the sequence out of its source and calls the functions of `adder` for all of them.
 * done: edges that came before; many of them are worth more threads.
 * *taken: the number of lines, also on failure.
 * Fails: as pm_source_whole_lines and the functions; PM_ENOMEM. */
pm_status pm_edge_runs_read(pm_edge_runs *x, int64_t done, const pm_edge_adder *adder,
                            const pm_run *run, int64_t *taken, pm_error *err);

/* Memory is kept for the next sequence until then. */
void pm_edge_runs_free(pm_edge_runs *x);

#endif
