/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "general/general.h"

#include "general/general_blocks.h"
#include "general/general_graph.h"

pm_status pm_general_reduce(const pm_matrix *a, const pm_reduce_options *opt, bool keep_general,
                            const pm_run *run, pm_reduced *out, pm_error *err)
{
    pm_general_graph g = {0};
    pm_status status = pm_general_graph_load(a, &g, err);
    if (!status)
        status = pm_general_apply_rules(&g, opt->degree1, opt->degree2, run, err);
    if (!status && g.zero)
        *out = (pm_reduced){.zero = true};
    else if (!status)
        status = pm_general_blocks(&g, opt, keep_general, run, out, err);
    pm_general_graph_free(&g);
    return status;
}
