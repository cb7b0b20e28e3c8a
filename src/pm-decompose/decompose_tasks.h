/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-decompose/decompose_tasks.h: what pm-decompose does with a matrix: a tree in the stream, or figures. */
#ifndef PM_DECOMPOSE_TASKS_H
#define PM_DECOMPOSE_TASKS_H

#include "cli/answers.h"
#include "cli/console.h"
#include "cli/mapper.h"
#include "pm/expand.h"
#include "pm/io.h"

typedef struct {
    pm_expand_options how;
    const pm_run *run;
    pm_console *console;
    bool json;
} pm_decompose_task;

/* For pm_mapper.map, with a pm_decompose_task. */
pm_status pm_decompose_map(void *task, pm_node *node, const pm_map_site *at, pm_error *err);

/* For pm_question.ask, with a pm_decompose_task: figures for every matrix of the input. */
pm_status pm_decompose_stats(const void *task, pm_reader *r, pm_answers *out, pm_error *err);
extern const char pm_decompose_stats_header[];

/* What the tree of a matrix is made of. */
typedef struct {
    int64_t matrices, numbers, sums, products;
    int64_t depth;                 /* of groups */
    int64_t n_min, n_max, n_total; /* of the matrices; 0 when there are none */
    int64_t nnz_min, nnz_max, nnz_total;
} pm_tree_figures; /* zeroed to begin with */

/* decompose_figures.c: one more node, a leaf or one that opens a group inside `depth` others. */
void pm_tree_count(pm_tree_figures *x, const pm_node *node, int64_t depth);

#endif
