/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_tasks.h: what pm-approx can be asked about an input, one file for each question. */
#ifndef PM_APPROX_TASKS_H
#define PM_APPROX_TASKS_H

#include <stdatomic.h>

#include "batch/query.h"
#include "checkpoint/part_filter.h"
#include "estimate/estimate.h"
#include "one_picture/matching_picture.h"
#include "pm-approx/approx_trace.h"

typedef struct {
    pm_estimate_options estimate;
    double epsilon, delta;  /* of --guarantee; 0: not given */
    pm_matching_kind asked; /* of whole graphs */
    bool exact;             /* decimals and quotients mean themselves */
    bool takes_sizes;       /* bounds of the size of a value are an answer, too */
    pm_merges merges;       /* pm_expression_how */
    bool keeps_general;     /* the same */
    int64_t matchings;      /* of --sample */
    int64_t compare;        /* of --compare: random graphs */
    double ends;            /* of --time-limit: a time of core/clock.h; 0: none */
    const pm_run *run;
    pm_console *console;
    pm_trace *trace;             /* NULL: no trace is wanted */
    atomic_bool *any_unreliable; /* set to true when an estimate is unreliable */
    atomic_bool *any_cut; /* set to true when a signal or --time-limit has ended an estimate */
    pm_recorded_source *recorded; /* of a run with a ledger; NULL: nothing is recorded */
    bool is_attempt;              /* batch/bundle.h; never with a trace */
} pm_approx_context;

/* The columns that --table can have: the keys of JSON; then NULL. */
extern const char *const pm_approx_columns[];
/* Answers the next item of a source.  *got: false at its end. */
typedef pm_status pm_approx_task(const pm_approx_context *c, const pm_node_source *source,
                                 pm_answers *out, bool *got, pm_error *err);
pm_approx_task pm_approx_estimate; /* estimate and interval */
pm_part_item pm_approx_part;       /* the share of a part; context: a pm_approx_context */
pm_approx_task pm_approx_bounds;   /* proved bounds */
pm_approx_task pm_approx_bethe;    /* an estimate without samples, and proved bounds */
/* Random perfect matchings of every matrix of an input, for pm_query.read. */
pm_status pm_approx_sample(const void *context, pm_reader *r, pm_answers *out, pm_error *err);
pm_picture_task pm_approx_draw; /* the same matchings as a picture; context: a pm_approx_context */
/* Every matrix of an input among random graphs, for pm_query.read. */
pm_status pm_approx_compare(const void *context, pm_reader *r, pm_answers *out, pm_error *err);

/* A bound as log10 with 6 digits after the point.  It is rounded away from the value, so that the
 * number that is printed is a bound too. */
pm_cell pm_approx_bound_cell(const char *name, double log10, bool is_upper);

/* JSON: which matchings are counted, unless they are the perfect ones. */
void pm_approx_put_kind(const pm_approx_context *c, pm_emitter *e);

#endif
