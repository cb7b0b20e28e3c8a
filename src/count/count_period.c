/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_period.h"

#include <string.h>

#include "core/machine.h"
#include "count/block_scope.h"
#include "count/count_layered.h"

/* Graphs with at most SHORT_ROWS are written out without a look at their transfer matrix; with at most COMPARED_ROWS
 * the plan for them written out is looked at, too; with more than LONG_ROWS they are not written out. */
enum { SHORT_ROWS = 64, COMPARED_ROWS = 1 << 14, LONG_ROWS = 1 << 20 };

/* ---- written out ---- */

static pm_status count_written_out(const pm_matrix *a, const pm_count_options *opt,
                                   const pm_run *run, pm_value *out, pm_count_report *report,
                                   pm_error *err)
{
    pm_matrix b = {0};
    pm_count_options plain = *opt;
    plain.period = NULL;
    pm_status status = pm_period_write_out(a, opt->period, &b, err);
    if (!status)
        status = pm_count(&b, &plain, run, out, report, err);
    pm_matrix_free(&b);
    return status;
}

/* ---- by its transfer matrix ---- */

/* An independent verification goes through the graph from the other end. */
static pm_status plan(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                      pm_layered_count *w, pm_error *err)
{
    int64_t ncols;
    pm_period p = *opt->period;
    *w = (pm_layered_count){.opt = opt, .run = run};
    if (opt->independent) {
        p.next = opt->period->before;
        p.before = opt->period->next;
    }
    pm_period_size(a, &p, &w->rows, &ncols, &w->entries);
    pm_status status = pm_layered_from_period(a, &p, &w->g, err);
    if (!status)
        status = pm_layered_count_plan(w, err);
    if (status)
        pm_layered_count_free(w);
    return status;
}

static pm_status finish(pm_layered_count *w, const pm_matrix *a, pm_value *out,
                        pm_count_report *report, pm_error *err)
{
    const pm_ledger_scope scope = pm_period_scope(a, w->opt, w->seconds);
    return pm_layered_count_finish(w, &scope, out, report, err);
}

/* ---- the choice ---- */

static bool is_named(const pm_count_options *opt)
{
    return opt->algorithm && strcmp(opt->algorithm, "periodic") == 0;
}

/* Plans the count of the graph with its parts written out.  Returns true when that is quicker. */
static bool is_quicker_written_out(const pm_matrix *a, const pm_layered_count *w)
{
    pm_count_options asked = *w->opt;
    pm_count_report report = {0};
    pm_value none;
    bool is_quicker = false;
    if (w->elapsed <= PM_FIRST_SECONDS / PM_PLANNING_SHARE
        || a->nrows > COMPARED_ROWS / w->opt->period->length)
        return false;
    asked.plan_only = true;
    pm_value_init(&none);
    if (count_written_out(a, &asked, w->run, &none, &report, NULL) == PM_OK) {
        is_quicker = report.seconds < w->elapsed;
        pm_count_report_free(&report);
    }
    pm_value_clear(&none);
    return is_quicker;
}

static bool is_for_layers(const pm_matrix *a, const pm_count_options *opt)
{
    if (is_named(opt))
        return true;
    return opt->kind == PM_MATCHING_PERFECT && !opt->order && !opt->algorithm
           && opt->backend != PM_BACKEND_CUDA && a->nrows > 0
           && a->nrows > SHORT_ROWS / opt->period->length;
}

static pm_status check_named(const pm_matrix *a, const pm_count_options *opt, pm_error *err)
{
    if (opt->kind == PM_MATCHING_PERFECT && !opt->order && a->nrows > 0)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "periodic counts perfect matchings of parts with rows, without an order");
}

static pm_status count_none(pm_value *out, pm_count_report *report)
{
    pm_value_set_si(out, 0);
    if (report)
        *report = (pm_count_report){0};
    return PM_OK;
}

/* A long graph: *err tells which length would be counted as one graph. */
static void tell_length(const pm_matrix *a, pm_error *err)
{
    const pm_error why = *err;
    if (a->nrows <= LONG_ROWS)
        pm_fail(err, PM_UNABLE, "%.800s; at most %d such parts are counted as one graph", why.msg,
                LONG_ROWS / (int)a->nrows);
}

pm_status pm_count_period(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                          pm_value *out, pm_count_report *report, pm_error *err)
{
    pm_layered_count w;
    pm_error why, other;
    pm_count_options empty = *opt;
    if (a->nrows == 0 && a->ncols == 0) {
        empty.period = NULL;
        return pm_count(a, &empty, run, out, report, err);
    }
    if (opt->kind == PM_MATCHING_PERFECT && a->nrows != a->ncols)
        return count_none(out, report);
    if (!is_for_layers(a, opt))
        return count_written_out(a, opt, run, out, report, err);
    pm_status status = is_named(opt) ? check_named(a, opt, &why) : PM_OK;
    if (!status)
        status = plan(a, opt, run, &w, &why);
    if (!status) {
        const bool writes_out = !is_named(opt) && is_quicker_written_out(a, &w);
        status = writes_out ? count_written_out(a, opt, run, out, report, &why)
                            : finish(&w, a, out, report, &why);
        pm_layered_count_free(&w);
    } else if (status == PM_UNABLE && !is_named(opt)
               && a->nrows > LONG_ROWS / opt->period->length) {
        tell_length(a, &why);
    } else if (status == PM_UNABLE && !is_named(opt)) {
        status = count_written_out(a, opt, run, out, report, &other);
        if (status == PM_UNABLE)
            pm_fail(&why, status, "%.400s; as one graph: %.600s", why.msg, other.msg);
        else if (status)
            why = other;
    }
    if (status && err)
        *err = why;
    return status;
}
