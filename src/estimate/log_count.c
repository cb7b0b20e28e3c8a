/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "estimate/log_count.h"

#include "estimate/choose.h"
#include "estimate/item_bounds.h"
#include "estimate/one_matrix.h"

pm_status pm_log_count_make(const pm_matrix *a, const pm_estimate_options *o, const pm_run *run,
                            pm_log_count *out, pm_error *err)
{
    pm_expression x = {0};
    pm_bounds b;
    pm_bethe_estimate e;
    const pm_expression_how how = {.asked = PM_MATCHING_PERFECT, .merges = PM_MERGES_ALL};
    pm_status status = pm_one_matrix_expression(&x, a, &how, run, err);
    if (!status)
        status = pm_choose_exact(&x, o, run, err);
    if (!status)
        status = pm_item_bounds_make_estimate(&x, o->backend.backend, o->seed, run, &b, &e, err);
    if (!status)
        *out = (pm_log_count){e.log10, x.nsampled == 0};
    pm_expression_free(&x);
    return status;
}
