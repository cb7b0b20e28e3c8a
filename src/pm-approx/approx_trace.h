/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm-approx/approx_trace.h: the running estimate of every graph, as a table and as a picture. */
#ifndef PM_APPROX_TRACE_H
#define PM_APPROX_TRACE_H

#include <stdint.h>
#include <stdio.h>

#include "pm/status.h"
#include "pm/value.h"

typedef struct {
    int64_t item;    /* 1, 2, ... over all inputs */
    int64_t samples; /* 0: the value is exact */
    double seconds;
    pm_xreal estimate, low, high;
} pm_trace_point;

typedef struct {
    int64_t count, cap, items;
    pm_trace_point *point;
} pm_trace;

pm_status pm_trace_add(pm_trace *t, const pm_trace_point *p, pm_error *err);
void pm_trace_free(pm_trace *t);

/* Columns: item, samples, seconds, estimate, low, high. */
void pm_trace_put_table(const pm_trace *t, FILE *f);
/* Estimate and interval over the samples (logarithmic), one panel an item, relative to the last
 * estimate: an SVG picture. */
void pm_trace_put_svg(const pm_trace *t, FILE *f);

/* Write to path in one of these forms; the file appears when it is complete. */
typedef void pm_trace_form(const pm_trace *t, FILE *f);
pm_status pm_trace_write(const pm_trace *t, const char *path, pm_trace_form *form, pm_error *err);

#endif
