/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_trace.h: the estimates during the run, for every graph, as a table or as a
 * picture. */
#ifndef PM_APPROX_TRACE_H
#define PM_APPROX_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "pm/status.h"
#include "pm/value.h"

typedef struct {
    int64_t item;    /* 1, 2, ... over all inputs */
    int64_t samples; /* drawn so far; 0: the value is exact */
    double seconds;
    pm_xreal estimate, low, high;
} pm_trace_point;

/* Zeroed, it is empty. */
typedef struct {
    int64_t count, cap, items;
    pm_trace_point *point;
} pm_trace;

/* Fails: PM_ENOMEM. */
pm_status pm_trace_add(pm_trace *t, const pm_trace_point *p, pm_error *err);
void pm_trace_free(pm_trace *t);

/* A form in which a trace is printed. */
typedef void pm_trace_form(const pm_trace *t, FILE *f);
/* A table with the columns item, samples, seconds, estimate, low, high. */
pm_trace_form pm_trace_put_table;
/* An SVG picture: estimate and interval over the samples (logarithmic), relative to the last
 * estimate, one panel for each item. */
pm_trace_form pm_trace_put_svg;

/* Writes the trace to the file `path`, which gets its name when it is complete.
 * Fails: PM_EIO, PM_ENOMEM. */
pm_status pm_trace_write(const pm_trace *t, const char *path, pm_trace_form *form, pm_error *err);

#endif
