/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/count_block.h"

#include "count/count_classes.h"
#include "pm/alloc.h"

/* Looking up the memory that is available takes longer than a small count, which needs a few
 * megabytes: more is allowed without a look. */
static pm_run without_lookup(const pm_run *run)
{
    enum { ENOUGH = 1 << 28 };
    pm_run copy = run ? *run : (pm_run){0};
    if (copy.max_memory == 0)
        copy.max_memory = ENOUGH;
    return copy;
}

pm_status pm_count_one_block(pm_block *b, pm_field field, const pm_count_options *opt,
                             const pm_run *run, pm_value *out, pm_count_report *report,
                             pm_error *err)
{
    const pm_run here = without_lookup(run);
    pm_reduced r = {.nblocks = 1, .blocks = pm_calloc_array(1, sizeof *r.blocks)};
    if (!r.blocks) {
        pm_block_free(b);
        return pm_fail_memory(err, "a block");
    }
    r.blocks[0] = *b;
    *b = (pm_block){0};
    if (report)
        *report = (pm_count_report){0};
    pm_dyadic_set_si(&r.factor_re, 1);
    pm_status status = pm_count_reduced(&r, field, opt, &here, out, report, err);
    if (status && report)
        pm_count_report_free(report);
    pm_reduced_free(&r);
    return status;
}
