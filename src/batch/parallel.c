/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "batch/parallel.h"

#include <stdlib.h>

#include "batch/thread_pool.h"
#include "core/clock.h"
#include "pm/alloc.h"

enum {
    MOST_ITEM = 1 << 16,      /* bytes of an item that is attempted */
    MOST_ITEMS = 64,          /* of a bundle */
    MOST_BYTES = 1 << 15,     /* of a bundle, but for its last item */
    LEAST_BUNDLES = 32,       /* that may wait to be collected */
    BUNDLES_OF_THREAD = 8,    /* the same, a thread */
    SHARES_OF_THREAD = 8,     /* a bundle is at most such a part of the items so far, a thread */
    LEAST_MEMORY = 256 << 20, /* for a thread */
};
#define MOST_WAIT                                                                                  \
    0.001 /* seconds that an item waits for others of its bundle, when reading is slow */

struct pm_parallel {
    pm_attempts how;
    pm_console *console;
    int threads;
    pm_thread_pool *pool;
    pm_bundle *waiting; /* has one item, to be attempted when there is another one; or NULL */
    pm_bundle *spare;   /* a list */
    int64_t bundles;    /* that are not collected */
    int64_t items;      /* that are not collected */
    int64_t read;       /* items so far */
    double begun;       /* when the open bundle got its first item */
};

pm_status pm_parallel_start(pm_invocation *program, pm_item_answer *answer, const void *context,
                            pm_parallel **out, pm_error *err)
{
    int threads = pm_run_threads(&program->run);
    int64_t memory = pm_run_memory(&program->run) / threads;
    *out = NULL;
    if (threads < 2 || memory < LEAST_MEMORY)
        return PM_OK;
    pm_parallel *b = pm_calloc_array(1, sizeof *b);
    if (!b)
        return pm_fail_memory(err, "items");
    *b = (pm_parallel){.how = {program, answer, context, memory},
                       .console = &program->console,
                       .threads = threads};
    *out = b;
    return PM_OK;
}

void pm_parallel_free(pm_parallel *b)
{
    if (!b)
        return;
    pm_thread_pool_free(b->pool);
    for (pm_bundle *next; b->spare; b->spare = next) {
        next = b->spare->next;
        pm_bundle_free(b->spare);
    }
    free(b);
}

/* ---- bundles ---- */

static int64_t most_bundles(const pm_parallel *b)
{
    int64_t most = (int64_t)BUNDLES_OF_THREAD * b->threads;
    return most > LEAST_BUNDLES ? most : LEAST_BUNDLES;
}

static pm_bundle *take_bundle(pm_parallel *b, const pm_answers *like)
{
    pm_bundle *bundle = b->spare ? b->spare : pm_bundle_make(&b->how);
    if (!bundle)
        return NULL;
    if (b->spare)
        b->spare = bundle->next;
    bundle->next = NULL;
    pm_bundle_set_form(bundle, like);
    return bundle;
}

static void give_back(pm_parallel *b, pm_bundle *bundle)
{
    pm_bundle_empty(bundle);
    bundle->next = b->spare;
    b->spare = bundle;
}

static pm_status submit(pm_parallel *b, pm_bundle *bundle, pm_error *err)
{
    pm_status status = PM_OK;
    if (!b->pool)
        status = pm_thread_pool_start(b->threads, &b->pool, err);
    if (!status)
        status = pm_thread_pool_add(b->pool, pm_bundle_attempt, bundle, &bundle->is_done, err);
    bundle->is_added = !status;
    return status;
}

/* An item that stays alone is not attempted: the main thread would plan it again. */
static pm_status close_bundle(pm_parallel *b, pm_parallel_input *in, pm_error *err)
{
    pm_bundle *bundle = in->open, *waiting = b->waiting;
    in->open = NULL;
    if (!bundle)
        return PM_OK;
    if (bundle->count == 0) {
        give_back(b, bundle);
        return PM_OK;
    }
    *(in->last ? &in->last->next : &in->first) = bundle;
    in->last = bundle;
    ++in->count;
    ++b->bundles;
    if (b->items == 1) {
        b->waiting = bundle;
        return PM_OK;
    }
    b->waiting = NULL;
    pm_status status = waiting ? submit(b, waiting, err) : PM_OK;
    return !status ? submit(b, bundle, err) : status;
}

static bool is_full(const pm_parallel *b, const pm_bundle *bundle)
{
    return bundle->count >= MOST_ITEMS || bundle->bytes >= MOST_BYTES
           || bundle->count * SHARES_OF_THREAD * b->threads >= b->read
           || pm_clock() >= b->begun + MOST_WAIT;
}

/* ---- collecting ---- */

static pm_bundle *remove_first(pm_parallel *b, pm_parallel_input *in)
{
    pm_bundle *bundle = in->first;
    in->first = bundle->next;
    if (!in->first)
        in->last = NULL;
    --in->count;
    --b->bundles;
    b->items -= bundle->count;
    if (b->waiting == bundle)
        b->waiting = NULL;
    return bundle;
}

/* By the main thread, with all cores and all of the memory. */
static pm_status answer_here(pm_parallel *b, pm_parallel_input *in, const pm_node_source *source,
                             pm_answers *out, pm_error *err)
{
    const pm_attempts *how = &b->how;
    bool got;
    if (b->pool)
        pm_thread_pool_wait(b->pool);
    if (pm_run_stopped(&how->program->run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    pm_status status = how->answer(how->context, NULL, source, out, &got, err);
    in->is_late = in->is_late || pm_run_stopped(&how->program->run);
    return status;
}

/* Items first to end - 1, which the bundle has answered. */
static pm_status move_answers(const pm_parallel *b, pm_bundle *bundle, int64_t first, int64_t end,
                              pm_answers *out, pm_error *err)
{
    const pm_bundle_item *a = &bundle->item[first], *z = &bundle->item[end - 1];
    int64_t message_size = z->message + z->message_size - a->message;
    if (message_size > 0) {
        pm_console_clear(b->console);
        fwrite(pm_text_stream_text(bundle->messages, NULL) + a->message, 1, (size_t)message_size,
               stderr);
    }
    return pm_answers_move(out, &bundle->answers, a->answer, z->answer + z->answers - a->answer,
                           err);
}

static int64_t end_of_answered(const pm_bundle *bundle, int64_t first)
{
    while (first < bundle->count && bundle->item[first].is_answered)
        ++first;
    return first;
}

static pm_status collect_items(pm_parallel *b, pm_parallel_input *in, pm_bundle *bundle,
                               pm_answers *out, pm_error *err)
{
    pm_status status = PM_OK;
    int64_t i = 0;
    while (i < bundle->count && !status && !out->is_final) {
        int64_t end = end_of_answered(bundle, i);
        if (end > i) {
            status = move_answers(b, bundle, i, end, out, err);
            i = end;
            continue;
        }
        pm_node_replay replay = pm_bundle_replay(bundle, i++);
        const pm_node_source source = pm_node_replay_source(&replay);
        status = answer_here(b, in, &source, out, err);
    }
    in->has_left = in->has_left || i < bundle->count;
    return status;
}

/* Waits for the first bundle, and collects it. */
static pm_status collect_first(pm_parallel *b, pm_parallel_input *in, pm_answers *out,
                               pm_error *err)
{
    pm_bundle *bundle = remove_first(b, in);
    if (bundle->is_added)
        pm_thread_pool_wait_for(b->pool, &bundle->is_done);
    pm_status status = collect_items(b, in, bundle, out, err);
    give_back(b, bundle);
    return status;
}

static void drop_all(pm_parallel *b, pm_parallel_input *in)
{
    while (in->first) {
        pm_bundle *bundle = remove_first(b, in);
        if (bundle->is_added)
            pm_thread_pool_wait_for(b->pool, &bundle->is_done);
        in->has_left = true;
        give_back(b, bundle);
    }
}

pm_status pm_parallel_collect(pm_parallel *b, pm_parallel_input *in, pm_answers *out, pm_error *err)
{
    pm_status status = PM_OK;
    while (in->first && !status && !out->is_final)
        status = collect_first(b, in, out, err);
    drop_all(b, in);
    in->has_left = in->has_left || in->large.count > 0;
    return status;
}

/* Collects bundles that are done; when too many wait, also others. */
static pm_status collect_ready(pm_parallel *b, pm_parallel_input *in, pm_answers *out,
                               pm_error *err)
{
    pm_status status = PM_OK;
    while (in->first && in->count == b->bundles && !status && !out->is_final) {
        const pm_bundle *bundle = in->first;
        bool is_ready = bundle->is_added && atomic_load(&bundle->is_done);
        if (!is_ready && b->bundles < most_bundles(b))
            break;
        status = collect_first(b, in, out, err);
    }
    return status;
}

/* ---- reading ---- */

/* The rest of it is read while it is answered. */
static pm_status answer_large(pm_parallel *b, const pm_node_source *source, pm_parallel_input *in,
                              pm_answers *out, pm_error *err)
{
    pm_node_replay replay = {
        .buffer = &in->large, .end = in->large.count, .rest = in->large_is_whole ? NULL : source};
    const pm_node_source all = pm_node_replay_source(&replay);
    pm_status status = answer_here(b, in, &all, out, err);
    in->has_left = false;
    pm_node_buffer_free(&in->large);
    return status;
}

/* Reads an item into the open bundle.  *is_large: into in->large instead. */
static pm_status read_item(pm_parallel *b, const pm_node_source *source, pm_parallel_input *in,
                           const pm_answers *out, bool *is_large, pm_error *err)
{
    if (!in->open && !(in->open = take_bundle(b, out)))
        return pm_fail_memory(err, "items");
    pm_bundle *bundle = in->open;
    int64_t before = bundle->nodes.count, bytes;
    bool is_whole;
    pm_status status =
        pm_node_buffer_read(&bundle->nodes, source, MOST_ITEM, &bytes, &is_whole, err);
    if (status)
        return status;
    in->has_ended = bundle->nodes.count == before;
    if (in->has_ended)
        return PM_OK;
    *is_large = bytes > MOST_ITEM;
    in->large_is_whole = is_whole;
    if (*is_large)
        return pm_node_buffer_split(&bundle->nodes, before, &in->large, err);
    if (bundle->count == 0)
        b->begun = pm_clock();
    ++b->read;
    ++b->items;
    return pm_bundle_add(bundle, bytes, err);
}

pm_status pm_parallel_read(pm_parallel *b, const pm_node_source *source, pm_parallel_input *in,
                           pm_answers *out, bool *has_more, pm_error *err)
{
    pm_error unused;
    pm_status status = PM_OK;
    *has_more = false;
    if (in->large.count && !out->is_final)
        status = answer_large(b, source, in, out, err);
    while (!status && !*has_more && !out->is_final) {
        if (pm_run_stopped(&b->how.program->run))
            status = pm_fail(err, PM_ESTOPPED, "stopped");
        if (!status)
            status = read_item(b, source, in, out, has_more, err);
        if (status || in->has_ended || *has_more)
            break;
        if (is_full(b, in->open)) {
            status = close_bundle(b, in, err);
            if (!status)
                status = collect_ready(b, in, out, err);
            *has_more = b->bundles >= most_bundles(b);
        }
    }
    pm_status closed = close_bundle(b, in, status ? &unused : err);
    return status ? status : closed;
}

void pm_parallel_input_free(pm_parallel *b, pm_parallel_input *in)
{
    drop_all(b, in);
    if (in->open)
        give_back(b, in->open);
    pm_node_buffer_free(&in->large);
    *in = (pm_parallel_input){0};
}
