/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/recorded_source.h"

pm_status pm_recorded_source_make(const pm_long_run *run, bool keeps_text, pm_recorded_source *out,
                                  pm_error *err)
{
    *out = (pm_recorded_source){.run = run, .keeps_text = keeps_text};
    out->text = pm_text_stream_open();
    if (!out->text)
        return pm_fail_memory(err, "graphs");
    return pm_writer_open(pm_text_stream_file(out->text), NULL, &out->writer, err);
}

void pm_recorded_source_free(pm_recorded_source *r)
{
    pm_writer_drop(&r->writer);
    pm_text_stream_free(r->text);
    *r = (pm_recorded_source){0};
}

static pm_status record(pm_recorded_source *r, const pm_node *node, pm_error *err)
{
    size_t length;
    pm_status status = pm_writer_put(r->writer, node, err);
    if (status)
        return status;
    const char *text = pm_text_stream_text(r->text, &length);
    if (!text)
        return pm_fail_memory(err, "the text of a graph");
    if (node->kind == PM_NODE_MATRIX) {
        pm_ledger_key key = pm_ledger_key_of(NULL, text + r->length, length - r->length);
        status = pm_long_run_begin_item(r->run, &key, err);
    }
    r->length = length;
    if (!r->keeps_text) {
        pm_text_stream_empty(r->text);
        r->length = 0;
    }
    return status;
}

static pm_status next(void *context, pm_node *out, pm_error *err)
{
    pm_recorded_source *r = context;
    pm_status status = r->source.next(r->source.context, out, err);
    return status || out->kind == PM_NODE_END ? status : record(r, out, err);
}

pm_node_source pm_recorded_source_from(pm_recorded_source *r, const pm_node_source *source)
{
    r->source = *source;
    return (pm_node_source){next, r, source->name};
}

const char *pm_recorded_source_text(pm_recorded_source *r)
{
    return pm_text_stream_text(r->text, NULL);
}
