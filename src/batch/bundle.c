/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch/bundle.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

#define MOST_COST    0.01 /* predicted seconds of an item that is worth an attempt */
#define MOST_SECONDS 0.2  /* for an attempt, its planning included */

pm_bundle *pm_bundle_make(const pm_attempts *how)
{
    pm_bundle *b = pm_calloc_array(1, sizeof *b);
    if (b)
        b->how = how;
    return b;
}

void pm_bundle_empty(pm_bundle *b)
{
    pm_node_buffer_cut(&b->nodes, 0);
    pm_answers_empty(&b->answers);
    b->bytes = b->count = 0;
    b->is_added = false;
}

void pm_bundle_free(pm_bundle *b)
{
    if (!b)
        return;
    pm_node_buffer_free(&b->nodes);
    pm_answers_free(&b->answers);
    pm_text_stream_free(b->messages);
    free(b->item);
    free(b);
}

pm_status pm_bundle_add(pm_bundle *b, int64_t bytes, pm_error *err)
{
    if (PM_GROW(b->item, b->cap, b->count + 1))
        return pm_fail_memory(err, "an item");
    b->item[b->count++] = (pm_bundle_item){.nodes_end = b->nodes.count};
    b->bytes += bytes;
    return PM_OK;
}

void pm_bundle_set_form(pm_bundle *b, const pm_answers *like)
{
    b->answers.emitter.is_json = like->emitter.is_json;
    b->answers.emitter.columns = like->emitter.columns;
}

pm_node_replay pm_bundle_replay(pm_bundle *b, int64_t i)
{
    return (pm_node_replay){.buffer = &b->nodes,
                            .next = i > 0 ? b->item[i - 1].nodes_end : 0,
                            .end = b->item[i].nodes_end};
}

/* ---- attempts ---- */

static pm_run run_of_attempt(const pm_attempts *how, double most_seconds, pm_console *console)
{
    pm_run run = how->program->run;
    run.threads = 1;
    run.max_memory = how->memory;
    run.max_cost = most_seconds;
    run.progress = NULL;
    run.context = console;
    return pm_run_within(&run, MOST_SECONDS);
}

static bool attempt_item(pm_bundle *b, int64_t i)
{
    const pm_attempts *how = b->how;
    pm_answers *out = &b->answers;
    double max_cost = how->program->run.max_cost;
    pm_attempt attempt = {
        .console = pm_console_for(&how->program->console, pm_text_stream_file(b->messages)),
        .most_seconds = max_cost > 0 ? fmin(max_cost, MOST_COST) : MOST_COST};
    attempt.run = run_of_attempt(how, attempt.most_seconds, &attempt.console);
    pm_node_replay replay = pm_bundle_replay(b, i);
    replay.copies = true;
    const pm_node_source source = pm_node_replay_source(&replay);
    bool got;
    pm_error err; /* the item is answered again */
    pm_status status = how->answer(how->context, &attempt, &source, out, &got, &err);
    bool is_answered = !status && got && out->failures == 0 && !out->is_final;
    out->failures = 0;
    out->is_final = false;
    return is_answered;
}

static bool begin_messages(pm_bundle *b)
{
    if (b->messages)
        pm_text_stream_empty(b->messages);
    else
        b->messages = pm_text_stream_open();
    return b->messages;
}

/* The bytes of messages so far; -1 when memory has ended. */
static int64_t message_bytes(const pm_bundle *b)
{
    size_t length;
    return pm_text_stream_text(b->messages, &length) ? (int64_t)length : -1;
}

void pm_bundle_attempt(void *bundle)
{
    pm_bundle *b = bundle;
    if (!begin_messages(b))
        return;
    for (int64_t i = 0; i < b->count && !pm_run_stopped(&b->how->program->run); ++i) {
        pm_bundle_item *it = &b->item[i];
        it->answer = b->answers.count;
        it->message = message_bytes(b);
        it->is_answered = attempt_item(b, i);
        it->answers = b->answers.count - it->answer;
        it->message_size = message_bytes(b) - it->message;
    }
    bool is_written = message_bytes(b) >= 0;
    for (int64_t i = 0; i < b->count; ++i)
        b->item[i].is_answered = b->item[i].is_answered && is_written;
}
