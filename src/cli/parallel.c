/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/parallel.h"

#include <math.h>
#include <stdlib.h>

#include "cli/thread_pool.h"
#include "core/clock.h"
#include "pm/alloc.h"

enum {
    MOST_ITEMS = 4096,        /* read ahead */
    MOST_BYTES = 1 << 16,     /* of an item that is attempted */
    LEAST_MEMORY = 256 << 20, /* for a thread */
};
#define MOST_COST    0.01 /* predicted seconds of an item that is attempted */
#define MOST_SECONDS 0.2  /* for an attempt, its planning included */

struct pm_parallel {
    const pm_invocation *program;
    pm_item_answer *answer;
    const void *context;
    pm_thread_pool *pool;
    pm_parallel_item *waiting; /* read, and to be attempted when there is another one; or NULL */
    int64_t count;             /* items that are not collected */
    int64_t memory;            /* bytes for a thread */
};

struct pm_parallel_item {
    pm_parallel *parallel;
    pm_node_buffer buffer;
    pm_answers answers;
    bool is_attempted, is_answered;
    char *messages;
    size_t length;
};

pm_status pm_parallel_start(const pm_invocation *program, pm_item_answer *answer,
                            const void *context, pm_parallel **out, pm_error *err)
{
    int threads = pm_run_threads(&program->run);
    int64_t memory = pm_run_memory(&program->run) / threads;
    *out = NULL;
    if (threads < 2 || memory < LEAST_MEMORY)
        return PM_OK;
    pm_parallel *b = pm_calloc_array(1, sizeof *b);
    if (!b)
        return pm_fail_memory(err, "items");
    *b = (pm_parallel){.program = program, .answer = answer, .context = context, .memory = memory};
    *out = b;
    return PM_OK;
}

void pm_parallel_free(pm_parallel *b)
{
    if (b)
        pm_thread_pool_free(b->pool);
    free(b);
}

/* ---- an attempt ---- */

static pm_run run_of_attempt(const pm_parallel *b, pm_console *console)
{
    pm_run run = b->program->run;
    run.threads = 1;
    run.max_memory = b->memory;
    run.max_cost = run.max_cost > 0 ? fmin(run.max_cost, MOST_COST) : MOST_COST;
    run.progress = NULL;
    run.context = console;
    return pm_run_within(&run, MOST_SECONDS);
}

static void attempt_item(void *item)
{
    pm_parallel_item *it = item;
    const pm_parallel *b = it->parallel;
    FILE *f = open_memstream(&it->messages, &it->length);
    if (!f)
        return;
    pm_attempt attempt = {.console = pm_console_for(&b->program->console, f)};
    attempt.run = run_of_attempt(b, &attempt.console);
    pm_node_replay replay = {.buffer = &it->buffer, .copies = true};
    const pm_node_source source = pm_node_replay_source(&replay);
    bool got;
    pm_error err; /* the item is answered again */
    pm_status status = b->answer(b->context, &attempt, &source, &it->answers, &got, &err);
    bool is_written = fclose(f) == 0;
    it->is_answered = !status && got && is_written && it->answers.failures == 0;
}

/* ---- reading ---- */

static pm_status submit(pm_parallel *b, pm_parallel_item *it, pm_error *err)
{
    pm_status status = PM_OK;
    if (!b->pool)
        status = pm_thread_pool_start(pm_run_threads(&b->program->run), &b->pool, err);
    if (!status)
        status = pm_thread_pool_add(b->pool, attempt_item, it, err);
    it->is_attempted = !status;
    return status;
}

/* An item that stays alone is not attempted: the main thread would plan it again. */
static pm_status add(pm_parallel *b, pm_parallel_input *in, pm_node_buffer *buffer,
                     const pm_answers *out, pm_error *err)
{
    pm_parallel_item *it = pm_calloc_array(1, sizeof *it);
    if (!it || PM_GROW(in->item, in->cap, in->count + 1)) {
        free(it);
        return pm_fail_memory(err, "an item");
    }
    it->parallel = b;
    it->buffer = *buffer;
    *buffer = (pm_node_buffer){0};
    it->answers.emitter.is_json = out->emitter.is_json;
    it->answers.emitter.columns = out->emitter.columns;
    in->item[in->count++] = it;
    if (++b->count == 1) {
        b->waiting = it;
        return PM_OK;
    }
    pm_parallel_item *first = b->waiting;
    b->waiting = NULL;
    pm_status status = first ? submit(b, first, err) : PM_OK;
    return !status ? submit(b, it, err) : status;
}

/* The rest of it is read while it is answered. */
static pm_status answer_large(pm_parallel *b, const pm_node_source *source, pm_parallel_input *in,
                              pm_answers *out, pm_error *err)
{
    pm_node_replay replay = {.buffer = &in->large, .rest = in->large.is_whole ? NULL : source};
    const pm_node_source all = pm_node_replay_source(&replay);
    bool got;
    pm_status status = b->answer(b->context, NULL, &all, out, &got, err);
    pm_node_buffer_free(&in->large);
    return status;
}

pm_status pm_parallel_read(pm_parallel *b, const pm_node_source *source, pm_parallel_input *in,
                           pm_answers *out, bool *has_more, pm_error *err)
{
    pm_status status = PM_OK;
    if (in->large.count)
        status = answer_large(b, source, in, out, err);
    *has_more = false;
    while (!status && !*has_more) {
        pm_node_buffer buffer;
        if (pm_run_stopped(&b->program->run))
            return pm_fail(err, PM_ESTOPPED, "stopped");
        status = pm_node_buffer_read(source, MOST_BYTES, &buffer, err);
        bool is_end = !status && buffer.count == 0, is_large = !buffer.is_whole;
        if (!status && !is_end && !is_large)
            status = add(b, in, &buffer, out, err);
        else if (!status && !is_end) {
            in->large = buffer;
            buffer = (pm_node_buffer){0};
        }
        pm_node_buffer_free(&buffer);
        if (is_end)
            break;
        *has_more = !status && (is_large || b->count >= MOST_ITEMS);
    }
    return status;
}

/* ---- collecting ---- */

static pm_status collect_item(pm_parallel *b, pm_parallel_item *it, pm_answers *out, pm_error *err)
{
    if (it->is_answered) {
        fwrite(it->messages, 1, it->length, stderr);
        return pm_answers_move(out, &it->answers, err);
    }
    pm_node_replay replay = {.buffer = &it->buffer};
    const pm_node_source source = pm_node_replay_source(&replay);
    bool got;
    return b->answer(b->context, NULL, &source, out, &got, err);
}

static void free_item(pm_parallel *b, pm_parallel_item *it)
{
    if (b->waiting == it)
        b->waiting = NULL;
    --b->count;
    pm_node_buffer_free(&it->buffer);
    pm_answers_free(&it->answers);
    free(it->messages);
    free(it);
}

pm_status pm_parallel_collect(pm_parallel *b, pm_parallel_input *in, pm_answers *out,
                              bool *is_ready, pm_error *err)
{
    pm_status status = PM_OK;
    *is_ready = true;
    if (b->pool)
        pm_thread_pool_wait(b->pool);
    for (int64_t i = 0; i < in->count; ++i) {
        *is_ready = *is_ready && in->item[i]->is_answered;
        if (!status)
            status = collect_item(b, in->item[i], out, err);
        free_item(b, in->item[i]);
    }
    in->count = 0;
    return status;
}

void pm_parallel_input_free(pm_parallel *b, pm_parallel_input *in)
{
    if (in->count && b->pool)
        pm_thread_pool_wait(b->pool);
    for (int64_t i = 0; i < in->count; ++i)
        free_item(b, in->item[i]);
    pm_node_buffer_free(&in->large);
    free(in->item);
    *in = (pm_parallel_input){0};
}
