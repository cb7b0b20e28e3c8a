/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-count/given_times.h"

#include <inttypes.h>
#include <string.h>

#include "io/vertex_loops.h"
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

/* ---- vertices ---- */

static pm_status take_loops(const pm_given_times *g, pm_node *node, pm_error *err)
{
    const char *text = g->lists.loops;
    pm_scalar loop = {.field = PM_INTEGER};
    if (!text)
        return PM_OK;
    if (!*text)
        return pm_vertex_loops_diagonal(node, err);
    pm_status status = PM_OK;
    if (pm_scalar_parse_as(text, (int64_t)strlen(text), g->lists.exact, &loop) > PM_NUMBER_REAL)
        status =
            pm_fail(err, PM_EUSAGE, "expected a number as the weight of loops, not '%.100s'", text);
    else if (!pm_scalar_is_zero(&loop))
        status = pm_vertex_loops_set(node, &loop, 0, err);
    pm_scalar_clear(&loop);
    return status;
}

static pm_status take_vertices(const pm_given_times *g, pm_node *node, pm_error *err)
{
    if (!node->general)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64
                       ": expected a graph on one set of vertices with --vertex-times",
                       g->source.name, node->line);
    if (node->order)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected no order of a graph with --vertex-times",
                       g->source.name, node->line);
    pm_status status = take(g, g->lists.vertices, node->matrix.nrows, "--vertex-times", "vertex",
                            node, &node->row_times, err);
    if (!status)
        status = take_loops(g, node, err);
    return !status && g->writes_out ? write_out(g, node, err) : status;
}

static pm_status next(void *context, pm_node *out, pm_error *err)
{
    const pm_given_times *g = context;
    pm_status status = g->source.next(g->source.context, out, err);
    if (status || out->kind != PM_NODE_MATRIX)
        return status;
    if (out->row_times && out->general)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected no vertex-times of the matrix besides %s",
                       g->source.name, out->line,
                       g->lists.vertices ? "--vertex-times" : "--row-times and --col-times");
    if (out->row_times || out->col_times)
        return pm_fail(err, PM_EDATA,
                       "%s:%" PRId64 ": expected no row-times and col-times of the matrix besides "
                       "--row-times and --col-times",
                       g->source.name, out->line);
    if (g->lists.vertices)
        return take_vertices(g, out, err);
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
        status = take(g, g->lists.rows, out->matrix.nrows, "--row-times", "row", out,
                      &out->row_times, err);
    if (!status)
        status = take(g, g->lists.cols, out->matrix.ncols, "--col-times", "column", out,
                      &out->col_times, err);
    return !status && g->writes_out ? write_out(g, out, err) : status;
}

pm_node_source pm_given_times_source(pm_given_times *g)
{
    if (!g->lists.rows && !g->lists.cols && !g->lists.vertices)
        return g->source;
    return (pm_node_source){next, g, g->source.name};
}
