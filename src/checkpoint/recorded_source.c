/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/recorded_source.h"

#include <string.h>

#include "cli/inputs.h"

static pm_status open_text(bool is_exact, pm_text_stream **text, pm_writer **writer, pm_error *err)
{
    *text = pm_text_stream_open();
    if (!*text)
        return pm_fail_memory(err, "graphs");
    pm_status status = pm_writer_open(pm_text_stream_file(*text), NULL, writer, err);
    if (!status && is_exact)
        pm_writer_set_exact(*writer);
    return status;
}

pm_status pm_recorded_source_make(const pm_long_run *run, bool keeps_text, bool is_exact,
                                  pm_recorded_source *out, pm_error *err)
{
    *out = (pm_recorded_source){.run = run, .keeps_text = keeps_text};
    pm_sha256_begin(&out->hash);
    pm_status status = open_text(is_exact, &out->text, &out->writer, err);
    if (!status && keeps_text)
        status = open_text(is_exact, &out->kept, &out->keeper, err);
    return status;
}

void pm_recorded_source_free(pm_recorded_source *r)
{
    pm_writer_drop(&r->writer);
    pm_writer_drop(&r->keeper);
    pm_text_stream_free(r->text);
    pm_text_stream_free(r->kept);
    *r = (pm_recorded_source){0};
}

/* True after a node that ends an item. */
static bool is_outside(pm_recorded_source *r, const pm_node *node)
{
    if (node->kind == PM_NODE_PRODUCT || node->kind == PM_NODE_SUM)
        ++r->depth;
    else if (node->kind == PM_NODE_CLOSE)
        --r->depth;
    return r->depth == 0;
}

/* A digest is of the text since the one before: also of the lines of groups. */
static pm_status note(pm_recorded_source *r, pm_error *err)
{
    pm_ledger_key key;
    pm_sha256_end(&r->hash, key.byte);
    pm_sha256_begin(&r->hash);
    return pm_long_run_begin_item(r->run, &key, err);
}

static pm_status add_to_hash(pm_recorded_source *r, const pm_node *node, pm_error *err)
{
    size_t length;
    pm_status status = pm_writer_put(r->writer, node, err);
    if (status)
        return status;
    const char *text = pm_text_stream_text(r->text, &length);
    if (!text)
        return pm_fail_memory(err, "the text of a graph");
    pm_sha256_add(&r->hash, text, length);
    pm_text_stream_empty(r->text);
    return PM_OK;
}

/* The first node of an item; without a name it gets that of the input. */
static pm_status name_item(pm_recorded_source *r, pm_node *node, pm_error *err)
{
    ++r->items;
    if (!r->input || node->name)
        return PM_OK;
    node->name = pm_input_item_name(r->input, !pm_reader_is_one_graph(r->reader), r->items);
    return node->name ? PM_OK : pm_fail_memory(err, "a name");
}

static pm_status record(pm_recorded_source *r, pm_node *node, pm_error *err)
{
    bool is_first = r->depth == 0;
    pm_node nameless = *node;
    if (is_first)
        nameless.name = NULL;
    pm_status status = add_to_hash(r, &nameless, err);
    if (!status && is_first)
        status = name_item(r, node, err);
    if (!status && r->keeps_text)
        status = pm_writer_put(r->keeper, node, err);
    if (status)
        return status;
    bool ends = is_outside(r, node);
    return ends || node->kind == PM_NODE_MATRIX ? note(r, err) : PM_OK;
}

static pm_status next(void *context, pm_node *out, pm_error *err)
{
    pm_recorded_source *r = context;
    pm_status status = r->source.next(r->source.context, out, err);
    return status || out->kind == PM_NODE_END ? status : record(r, out, err);
}

void pm_recorded_source_begin(pm_recorded_source *r, const char *input, const pm_reader *reader)
{
    r->input = input && strcmp(input, "-") != 0 ? input : NULL;
    r->reader = reader;
    r->items = 0;
}

pm_node_source pm_recorded_source_from(pm_recorded_source *r, const pm_node_source *source)
{
    r->source = *source;
    return (pm_node_source){next, r, source->name};
}

const char *pm_recorded_source_text(pm_recorded_source *r)
{
    return pm_text_stream_text(r->kept, NULL);
}
