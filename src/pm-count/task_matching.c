/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/obstruction.h"
#include "pm-count/tasks.h"

static pm_status answer(const pm_task_context *c, const pm_node *e, pm_answers *out, pm_error *err)
{
    pm_obstruction o = {0};
    pm_status s = pm_obstruction_find(&e->matrix, &o, err);
    if (s != PM_OK)
        return s;
    FILE *f = pm_answers_begin(out);
    if (!f) {
        s = pm_fail_memory(err, "an answer");
    } else if (c->json) {
        pm_json j = {.f = f};
        if (o.exists) {
            pm_obstruction_matching_json(&o, &e->matrix, &j);
        } else {
            pm_json_string(&j, "matching", NULL);
            pm_obstruction_json(&o, &e->matrix, &j);
        }
    } else if (o.exists) {
        s = pm_obstruction_matching(&o, &e->matrix, f, err);
    } else {
        fputs("# ", f);
        pm_obstruction_print(&o, &e->matrix, -1, f);
        putc('\n', f);
    }
    if (s == PM_OK)
        s = pm_answers_end(out, e->name, !o.exists, err);
    pm_obstruction_free(&o);
    return s;
}

typedef struct {
    const pm_task_context *c;
    const char *input;
    pm_answers *out;
} asking;

static pm_status refuse(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const asking *x = context;
    (void)at;
    (void)node;
    return pm_fail(err, PM_UNABLE,
                   "%s: --matching wants whole graphs, not the parts of decomposed ones", x->input);
}

static pm_status leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const asking *x = context;
    return node->kind == PM_NODE_MATRIX ? answer(x->c, node, x->out, err)
                                        : refuse(context, at, node, err);
}

pm_status pm_task_matching(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err)
{
    static const pm_visitor visitor = {.enter = refuse, .leaf = leaf};
    const pm_node_source source = pm_reader_source(r);
    asking x = {c, source.name, out};
    return pm_walk_all(&source, &visitor, &x, &c->run, err);
}
