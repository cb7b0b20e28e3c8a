/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-count/tasks.h: what pm-count can be asked about an input, one file for each question. */
#ifndef PM_TASKS_H
#define PM_TASKS_H

#include "checkpoint/part_filter.h"
#include "cli/answers.h"
#include "cli/command.h"
#include "cli/console.h"
#include "one_picture/matching_picture.h"
#include "pm-count/given_times.h"
#include "pm/count.h"
#include "pm/io.h"
#include "pm/run.h"

typedef struct {
    pm_count_options count;
    bool order_is_given; /* use the orders of the inputs, and do not search any */
    bool verify;         /* count everything twice */
    /* Of exact answers that are printed as decimal numbers with an error; 0: none are. */
    int64_t digits;
    bool rounds_integers; /* of integers of 0/1 and integer matrices, too */
    pm_given_lists given; /* multiplicities of every matrix */
    bool lists_blocks;    /* answers have a list of all blocks, which takes memory for each */
    double seconds_each;  /* of --time-limit-each; 0: none */
    const pm_run *run;
    double ends; /* of --time-limit, for work that does not check the stop flag: a time of
                  * core/clock.h; 0: none */
    pm_console *console;
    pm_recorded_source *recorded; /* of a run with a ledger; NULL: nothing is recorded */
} pm_task_context;

/* Reads the input to its end and collects its answers.  Fails: what the reader fails with. */
typedef pm_status (*pm_task)(const pm_task_context *c, pm_reader *r, pm_answers *out,
                             pm_error *err);

/* The columns that --table can have: the keys of JSON but the plan; then NULL. */
extern const char *const pm_count_columns[];
/* The count or permanent of the next item of a source; with count.plan_only the plan, block by block.
 * *got: false at its end. */
pm_status pm_task_count(const pm_task_context *c, const pm_node_source *source, pm_answers *out,
                        bool *got, pm_error *err);
/* The same in a run that does a part: no answer is known.  context: a pm_task_context. */
pm_part_item pm_task_count_part;
/* Whether there is a perfect matching.  A product has one if every part has one, a sum if some part
 * has one. */
pm_status pm_task_exists(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err);
/* One perfect matching, or a Hall violator.  Fails: also PM_UNABLE for sums and products, whose
 * parts are not the whole graph. */
pm_status pm_task_matching(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err);
/* The same matching as a picture; context: a pm_task_context. */
pm_picture_task pm_task_draw;

#endif
