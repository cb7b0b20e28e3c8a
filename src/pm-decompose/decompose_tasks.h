/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-decompose/decompose_tasks.h: what pm-decompose does with a matrix.  It writes the expansion to
 * the stream, or prints figures of it. */
#ifndef PM_DECOMPOSE_TASKS_H
#define PM_DECOMPOSE_TASKS_H

#include "batch/query.h"
#include "cli/mapper.h"
#include "pm/expand.h"

typedef struct {
    pm_expand_options options;
    const pm_run *run;   /* of the program */
    double seconds_each; /* of --time-limit-each; 0: none */
    pm_console *console;
} pm_decompose_task;

/* For pm_mapper.map, with a pm_decompose_task. */
pm_status pm_decompose_map(void *task, pm_node *node, const pm_map_target *at, pm_error *err);

/* For pm_query.read, with a pm_decompose_task: figures of every matrix of the input. */
pm_status pm_decompose_stats(const void *task, pm_reader *r, pm_answers *out, pm_error *err);

/* Figures of the expression that replaces a matrix.  Zero it before the first call. */
typedef struct {
    int64_t matrices, numbers, sums, products; /* nodes of each kind */
    int64_t depth;                             /* greatest nesting depth of groups */
    int64_t n_min, n_max, n_total;             /* rows of the matrices; 0 without matrices */
    int64_t nnz_min, nnz_max, nnz_total;       /* their entries; 0 without matrices */
} pm_expansion_figures;

/* decompose_figures.c: counts one more node, a leaf or one that opens a group.
 * depth: the number of groups around it. */
void pm_expansion_figures_add(pm_expansion_figures *x, const pm_node *node, int64_t depth);

#endif
