/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "general/general.h"

#include "general/general_blocks.h"
#include "general/general_graph.h"

/* The rules keep what pm_general_prune has reached, unless edges cancel: then the graph is pruned again. */
static pm_status reduce_graph(pm_general_graph *g, const pm_reduce_options *opt, const pm_run *run,
                              pm_error *err)
{
    const bool prunes = opt->blocks && !g->has_loops;
    pm_status status = pm_general_apply_rules(g, opt->degree1, opt->degree2, run, err);
    g->has_cancelled = prunes;
    while (g->has_cancelled && !g->zero && !status) {
        g->has_cancelled = false;
        status = pm_general_prune(g, run, err);
        if (!status && !g->zero)
            status = pm_general_apply_rules(g, opt->degree1, opt->degree2, run, err);
    }
    return status;
}

pm_status pm_general_reduce(const pm_matrix *a, const pm_reduce_options *opt, bool keep_general,
                            const pm_run *run, pm_reduced *out, pm_error *err)
{
    pm_general_graph g = {0};
    pm_status status = pm_general_graph_load(a, &g, err);
    g.labels = opt->labels ? &a->row_labels : NULL;
    if (!status)
        status = reduce_graph(&g, opt, run, err);
    if (!status && g.zero)
        *out = (pm_reduced){.zero = true};
    else if (!status)
        status = pm_general_blocks(&g, opt, keep_general, run, out, err);
    pm_general_graph_free(&g);
    return status;
}
