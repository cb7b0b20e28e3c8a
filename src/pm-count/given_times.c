/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-count/given_times.h"

#include <inttypes.h>

#include "pm/alloc.h"

static pm_status take(const pm_given_times *g, const pm_times_list *from, int64_t lines,
                      const char *option, const char *line, const pm_node *node, int64_t **to,
                      pm_error *err)
{
    if (!from)
        return PM_OK;
    if (from->count != lines)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected %" PRId64 " numbers in %s, one for each %s, not "
                       "%" PRId64,
                       g->source.name, node->line, lines, option, line, from->count);
    *to = pm_copy(from->value, (size_t)(lines > 0 ? lines : 1) * sizeof *from->value);
    return *to ? PM_OK : pm_fail_memory(err, "multiplicities");
}

static pm_status write_out(const pm_given_times *g, pm_node *node, pm_error *err)
{
    pm_error why;
    pm_status status = pm_node_write_out(node, &why);
    return status ? pm_fail(err, status, "%s:%" PRId64 ": %s", g->source.name, node->line, why.msg)
                  : PM_OK;
}

static pm_status next(void *context, pm_node *out, pm_error *err)
{
    const pm_given_times *g = context;
    pm_status status = g->source.next(g->source.context, out, err);
    if (status || out->kind != PM_NODE_MATRIX)
        return status;
    if (out->row_times || out->col_times)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected no row-times and col-times of the matrix besides "
                       "--row-times and --col-times",
                       g->source.name, out->line);
    if (out->general)
        return pm_fail(err, PM_UNABLE,
                       "%s:%" PRId64 ": expected a bipartite graph with --row-times or --col-times",
                       g->source.name, out->line);
    if (out->order)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected no order of a matrix with --row-times or "
                       "--col-times",
                       g->source.name, out->line);
    if (out->period) /* the numbers are those of the whole graph */
        status = write_out(g, out, err);
    if (!status)
        status =
            take(g, g->rows, out->matrix.nrows, "--row-times", "row", out, &out->row_times, err);
    if (!status)
        status =
            take(g, g->cols, out->matrix.ncols, "--col-times", "column", out, &out->col_times, err);
    return !status && g->writes_out ? write_out(g, out, err) : status;
}

pm_node_source pm_given_times_source(pm_given_times *g)
{
    if (!g->rows && !g->cols)
        return g->source;
    return (pm_node_source){next, g, g->source.name};
}
