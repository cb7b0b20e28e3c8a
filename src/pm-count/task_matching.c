/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/obstruction.h"
#include "pm-count/tasks.h"

static pm_status answer(const pm_task_context *c, const pm_event *e, pm_answers *out, pm_error *err)
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

pm_status pm_task_matching(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err)
{
    pm_event e;
    pm_event_init(&e);
    pm_status s;
    while ((s = pm_reader_next(r, &e, err)) == PM_OK && e.kind != PM_EV_EOF) {
        if (pm_run_stopped(&c->run))
            s = PM_ESTOPPED;
        else if (e.kind != PM_EV_MATRIX)
            s = pm_fail(err, PM_UNABLE,
                        "%s: --matching wants whole graphs, not the parts of decomposed ones",
                        pm_reader_name(r));
        else
            s = answer(c, &e, out, err);
        if (s != PM_OK)
            break;
    }
    pm_event_clear(&e);
    return s;
}
