/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-overlap/overlap_tasks.h: what pm-overlap does with a matrix. */
#ifndef PM_OVERLAP_TASKS_H
#define PM_OVERLAP_TASKS_H

#include "batch/query.h"
#include "pm-overlap/overlap_options.h"

typedef struct {
    const pm_overlap_settings *settings;
    pm_invocation *program;
} pm_overlap_task;

/* For pm_query.read, with a pm_overlap_task: the pairs, or the figures, of every matrix of the input. */
pm_status pm_overlap_answer(const void *task, pm_reader *r, pm_answers *out, pm_error *err);

/* The columns of --table, then NULL: the figures. */
extern const char *const pm_overlap_columns[];

#endif
