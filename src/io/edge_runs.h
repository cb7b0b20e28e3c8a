/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/edge_runs.h: long sequences of the plainest lines (io/edge_run.h), read by two threads: one adds edges while
 * the other reads and parses the lines after them. */
#ifndef PM_EDGE_RUNS_H
#define PM_EDGE_RUNS_H

#include "io/edge_run.h"
#include "pm/run.h"

/* Edges of consecutive lines. */
typedef struct {
    pm_integer_edge *edge;
    int64_t count, line; /* line: the number of the first line */
} pm_edge_run;

/* Which lines belong to the sequence.  Set the members up to `lines` and zero the rest; free with
 * pm_edge_runs_free. */
typedef struct {
    pm_source *source;
    char separator;           /* between the two labels */
    int32_t least, most[2];   /* labels are from least to most[0], most[1] */
    int64_t lines;            /* at most so many */
    pm_integer_edge *room[2]; /* private: for few lines, and for many */
} pm_edge_runs;

/* Adds the edges of a run. */
typedef pm_status pm_edge_adder(void *context, const pm_edge_run *run, pm_error *err);

/* Threads for so many edges: 2, or 1 where they are few or run permits only one. */
int pm_edge_threads(int64_t edges, const pm_run *run);

/* Takes the lines of the sequence out of its source and calls `add` for all of them, in their order.
 * done: edges that came before; many of them are worth a second thread.
 * *taken: the number of lines, also on failure.
 * Fails: as pm_source_whole_lines and add; PM_ENOMEM. */
pm_status pm_edge_runs_read(pm_edge_runs *x, int64_t done, pm_edge_adder *add, void *context,
                            const pm_run *run, int64_t *taken, pm_error *err);

/* Memory is kept for the next sequence until then. */
void pm_edge_runs_free(pm_edge_runs *x);

#endif
