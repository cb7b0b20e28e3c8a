/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/part_filter.h"

#include "checkpoint/part_stream.h"
#include "cli/filter.h"

typedef struct {
    pm_invocation *program;
    pm_recorded_source *recorded;
    pm_part_item *item;
    const void *context;
} part_state;

static pm_status read_input(void *context, pm_filter_input *in, pm_error *err)
{
    const part_state *x = context;
    const pm_node_source source = pm_reader_source(in->reader);
    pm_status status, refused;
    bool got;
    pm_recorded_source_begin(x->recorded, in->path, in->reader);
    while (!(status = x->item(x->context, &source, &got, &refused, err)) && got) {
        ++in->graphs;
        in->failures += refused != PM_OK;
        if (!in->failed)
            in->failed = refused;
        if (refused == PM_ESTOPPED)
            return pm_fail(err, PM_ESTOPPED, "stopped");
    }
    return status;
}

static pm_status end_stream(void *context, FILE *to, pm_status first_failure, bool *is_complete,
                            pm_error *err)
{
    const part_state *x = context;
    const pm_long_run *run = x->recorded->run;
    *is_complete = !first_failure && !pm_run_stopped(&x->program->run);
    if (!*is_complete)
        return PM_OK;
    const char *graphs = pm_recorded_source_text(x->recorded);
    if (!graphs)
        return pm_fail_memory(err, "graphs");
    return pm_part_stream_write(to, NULL, run->settings->part, run->settings->parts, &run->head,
                                run->ledger, graphs, err);
}

int pm_part_run(pm_invocation *program, pm_recorded_source *recorded, pm_part_item *item,
                const void *context)
{
    part_state x = {program, recorded, item, context};
    const pm_filter filter = {.context = &x, .read = read_input, .end = end_stream};
    return pm_filter_run(program, &filter);
}
