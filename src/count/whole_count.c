/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/whole_count.h"

#include <math.h>

#include "core/machine.h"
#include "count/block_count.h"
#include "general/general_bound.h"
#include "pm/alloc.h"

enum { MOST_ROWS = 20 }; /* no algorithm of PM_STAGE_AT_ONCE takes more */

/* Reducing and planning. */
static double seconds_before(const pm_matrix *a)
{
    return PM_FIRST_SECONDS + PM_REDUCE_SECONDS
           + PM_REDUCE_ENTRY_SECONDS * (double)pm_matrix_nnz(a);
}

/* With fewer neighbours a vertex is removed by a rule, without a rounding error. */
enum { LEAST_NEIGHBOURS = 3 };

static bool has_removable(const pm_matrix *a)
{
    for (int64_t v = 0; v < a->nrows; ++v)
        if (a->rowptr[v + 1] - a->rowptr[v] < LEAST_NEIGHBOURS)
            return true;
    return false;
}

/* Other methods of general graphs may be much faster than those at once, so these must be as fast as reducing and planning. */
static double limit_of(const pm_matrix *a, const pm_count_options *opt)
{
    return seconds_before(a) / (opt->general ? 1 : PM_PLANNING_SHARE);
}

static bool may_be_whole(const pm_matrix *a, const pm_count_options *opt)
{
    return a->nrows == a->ncols && a->nrows >= 1 && a->nrows <= MOST_ROWS
           && opt->kind == PM_MATCHING_PERFECT && !opt->transpose
           && !(opt->general && has_removable(a));
}

static bool report_block(const pm_block_count *w, pm_count_report *report)
{
    report->blocks = pm_calloc_array(1, sizeof *report->blocks);
    if (!report->blocks)
        return false;
    pm_block_count_report(w, report->blocks);
    report->nblocks = 1;
    report->seconds = w->elapsed;
    return true;
}

pm_status pm_count_whole(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                         pm_value *out, pm_count_report *report, pm_error *err)
{
    static int32_t ones[MOST_ROWS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    pm_block block = {.a = *a,
                      .row_cap = ones,
                      .col_cap = ones,
                      .n = a->nrows,
                      .log2_bound = INFINITY,
                      .general = opt->general};
    pm_block_count w;
    if (!may_be_whole(a, opt))
        return PM_UNABLE;
    if (opt->general && a->field <= PM_INTEGER)
        block.log2_bound = pm_general_log2_bound(a);
    if (!pm_block_count_plan_at_once(&block, opt, run, limit_of(a, opt), &w))
        return PM_UNABLE;
    if (report && !report_block(&w, report))
        return pm_fail_memory(err, "the report of a matrix");
    pm_block_count_note(&w, 0, 1, run);
    pm_status status = opt->plan_only ? PM_OK : pm_block_count_run_at_once(&w, out, err);
    if (status && report)
        pm_count_report_free(report);
    return status;
}
