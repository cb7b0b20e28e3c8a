/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_tasks.h: what pm-approx can be asked about an input, one file a question.  A task
 * reads the input to its end and collects its answers. */
#ifndef PM_APPROX_TASKS_H
#define PM_APPROX_TASKS_H

#include "cli/answers.h"
#include "cli/ask.h"
#include "cli/console.h"
#include "estimate/estimate.h"
#include "pm-approx/approx_trace.h"
#include "pm/io.h"

typedef struct {
    pm_estimate_options estimate;
    double epsilon, delta; /* of a guarantee */
    int64_t matchings;     /* to be drawn */
    bool json;
    pm_run run;
    pm_console *console;
    pm_trace *trace;      /* NULL: none is wanted */
    bool *any_unreliable; /* set when an answer is */
} pm_approx_context;

/* Estimate and interval. */
pm_status pm_approx_estimate(const void *context, pm_reader *r, pm_answers *out, pm_error *err);
extern const char pm_approx_header[];

/* Random perfect matchings. */
pm_status pm_approx_sample(const void *context, pm_reader *r, pm_answers *out, pm_error *err);

/* Bounds that hold for certain. */
pm_status pm_approx_bounds(const void *context, pm_reader *r, pm_answers *out, pm_error *err);
extern const char pm_approx_bounds_header[];
enum { PM_APPROX_BOUND_DIGITS = 6 };
/* A log10 rounded so that it is one when it is printed with so many digits after the point. */
double pm_approx_outwards(double log10, bool is_upper);

#endif
