/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "one_picture/one_picture.h"

#include "cli/filter.h"
#include "cli/graph_limit.h"

typedef struct {
    pm_invocation *program;
    const pm_one_picture *picture;
    bool is_drawn;
} run;

static pm_status draw(run *r, const pm_filter_input *in, const pm_node *node, const char *where,
                      pm_error *err)
{
    const pm_one_picture *p = r->picture;
    const pm_graph_limit limit =
        pm_graph_limit_begin(&r->program->run, r->program->common->run.time_limit_each);
    if (r->is_drawn)
        return pm_fail(err, PM_EUSAGE, "%s: expected one %s for %s, found a second one", where,
                       p->what, p->option);
    pm_status status = p->draw(p->context, node, where, in->to, &limit.run, err);
    if (pm_graph_limit_passed(&limit, status, pm_reader_name(in->reader), node->line, err))
        pm_console_error(&r->program->console, err->msg);
    r->is_drawn = !status;
    return status;
}

static pm_status take(run *r, pm_filter_input *in, const pm_node *node, pm_error *err)
{
    char where[PM_PLACE];
    pm_node_place(pm_reader_name(in->reader), node->line, where);
    if (node->kind == PM_NODE_MATRIX)
        return draw(r, in, node, where, err);
    if (!r->picture->is_whole)
        return PM_OK;
    return pm_fail(err, PM_UNABLE, "%s: %s needs a whole %s, not the parts of a decomposed one",
                   where, r->picture->option, r->picture->what);
}

static pm_status read_input(void *context, pm_filter_input *in, pm_error *err)
{
    pm_node e;
    pm_node_init(&e);
    pm_status status;
    while ((status = pm_reader_next(in->reader, &e, err)) == PM_OK && e.kind != PM_NODE_END) {
        in->graphs += e.kind == PM_NODE_MATRIX;
        status = take(context, in, &e, err);
        if (status)
            break;
    }
    pm_node_clear(&e);
    in->end_here = status != PM_OK;
    return status;
}

static pm_status end(void *context, FILE *to, pm_status first_failure, bool *is_complete,
                     pm_error *err)
{
    const run *r = context;
    (void)to;
    *is_complete = r->is_drawn && first_failure == PM_OK;
    if (!r->is_drawn && first_failure == PM_OK)
        return pm_fail(err, PM_EDATA, "no %s to draw a picture of", r->picture->what);
    return PM_OK;
}

int pm_one_picture_run(pm_invocation *program, const pm_one_picture *picture)
{
    run r = {.program = program, .picture = picture};
    const pm_filter filter = {.context = &r, .read = read_input, .end = end};
    return pm_filter_run(program, &filter);
}
