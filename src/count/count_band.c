/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_band.h"

#include "core/machine.h"
#include "count/block_scope.h"
#include "count/count_layered.h"
#include "layers/band_layers.h"
#include "layers/strands.h"

enum { LEAST_ROWS = 1 << 14, SHARES = 10 /* of the seconds that reductions take */ };

static bool may_be_band(const pm_matrix *a, const pm_count_options *opt)
{
    return a->nrows >= LEAST_ROWS && a->nrows == a->ncols && a->field <= PM_INTEGER
           && opt->kind == PM_MATCHING_PERFECT && !opt->order && !opt->algorithm && !opt->transpose
           && !opt->independent && opt->backend != PM_BACKEND_CUDA;
}

static bool is_quick(const pm_layered_count *w)
{
    return w->elapsed
           <= SHARES * (PM_REDUCE_SECONDS + PM_REDUCE_ENTRY_SECONDS * (double)w->entries);
}

/* The layers of the matrix as it is numbered, or across its strands. */
static pm_status find_layers(const pm_matrix *a, pm_layered *out, pm_error *err)
{
    pm_matrix across = {0};
    pm_status status = pm_layered_from_band(a, out, err);
    if (status != PM_UNABLE)
        return status;
    status = pm_strands_across(a, &across, err);
    if (!status)
        status = pm_layered_from_band(&across, out, err);
    pm_matrix_free(&across);
    return status;
}

pm_status pm_count_band(const pm_matrix *a, const pm_count_options *opt, const pm_run *run,
                        pm_value *out, pm_count_report *report, pm_error *err)
{
    if (!may_be_band(a, opt))
        return PM_UNABLE;
    pm_layered_count w = {.opt = opt, .run = run, .rows = a->nrows, .entries = pm_matrix_nnz(a)};
    pm_status status = find_layers(a, &w.g, err);
    if (!status)
        status = pm_layered_count_plan(&w, err);
    if (!status && !is_quick(&w))
        status = PM_UNABLE;
    if (!status) {
        const pm_ledger_scope scope = pm_layered_scope(a, opt, w.seconds);
        status = pm_layered_count_finish(&w, &scope, out, report, err);
    }
    pm_layered_count_free(&w);
    return status;
}
