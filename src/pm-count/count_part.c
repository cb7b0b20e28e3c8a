/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --part=I/N: the share of a part, written as a stream for --merge. */
#include "config.h"

#include "checkpoint/part_stream.h"
#include "cli/filter.h"
#include "pm-count/tasks.h"

typedef struct {
    const pm_task_context *c;
    const pm_long_run *long_run;
} part_state;

static pm_status read_input(void *context, pm_filter_input *in, pm_error *err)
{
    const part_state *x = context;
    const pm_node_source source = pm_reader_source(in->reader);
    pm_status status, refused;
    bool got;
    while (!(status = pm_task_count_part(x->c, &source, &got, &refused, err)) && got) {
        ++in->graphs;
        in->failures += refused != PM_OK;
        if (!in->failed)
            in->failed = refused;
        if (refused == PM_ESTOPPED)
            return pm_fail(err, PM_ESTOPPED, "stopped");
    }
    return status;
}

/* After a failure nothing is written: the part would not be one of the others' run. */
static pm_status end_stream(void *context, FILE *to, pm_status first_failure, bool *is_complete,
                            pm_error *err)
{
    const part_state *x = context;
    const pm_long_settings *set = x->long_run->settings;
    *is_complete = !first_failure && !pm_run_stopped(x->c->run);
    if (!*is_complete)
        return PM_OK;
    const char *graphs = pm_recorded_source_text(x->c->recorded);
    if (!graphs)
        return pm_fail_memory(err, "graphs");
    return pm_part_stream_write(to, NULL, set->part, set->parts, &x->long_run->head,
                                x->long_run->ledger, graphs, err);
}

int pm_count_part(pm_invocation *program, const pm_task_context *c, const pm_long_run *long_run)
{
    part_state x = {c, long_run};
    const pm_filter filter = {.context = &x, .read = read_input, .end = end_stream};
    return pm_filter_run(program, &filter);
}
