/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/beside.h"

#include <math.h>
#include <stdlib.h>

#include "cli/team.h"
#include "core/clock.h"
#include "pm/alloc.h"

enum {
    MOST_ITEMS = 4096,        /* read ahead */
    MOST_BYTES = 1 << 16,     /* of an item that is tried */
    LEAST_MEMORY = 256 << 20, /* for a thread */
};
#define MOST_COST    0.01 /* predicted seconds of an item that is tried */
#define MOST_SECONDS 0.2  /* for a try, its planning included */

struct pm_beside {
    const pm_invocation *program;
    pm_item_answer *answer;
    const void *context;
    pm_team *team;
    pm_beside_item *waiting; /* read, and to be tried when there is another one; or NULL */
    int64_t count;           /* items that are not settled */
    int64_t memory;          /* bytes for a thread */
};

struct pm_beside_item {
    pm_beside *beside;
    pm_tape tape;
    pm_answers answers;
    bool is_tried, is_answered;
    char *said;
    size_t length;
};

pm_status pm_beside_start(const pm_invocation *program, pm_item_answer *answer, const void *context,
                          pm_beside **out, pm_error *err)
{
    int threads = pm_run_threads(&program->run);
    int64_t memory = pm_run_memory(&program->run) / threads;
    *out = NULL;
    if (threads < 2 || memory < LEAST_MEMORY)
        return PM_OK;
    pm_beside *b = pm_calloc_array(1, sizeof *b);
    if (!b)
        return pm_fail_memory(err, "items");
    *b = (pm_beside){.program = program, .answer = answer, .context = context, .memory = memory};
    *out = b;
    return PM_OK;
}

void pm_beside_free(pm_beside *b)
{
    if (b)
        pm_team_free(b->team);
    free(b);
}

/* ---- a try ---- */

static pm_run run_of_try(const pm_beside *b, pm_console *console)
{
    pm_run run = b->program->run;
    run.threads = 1;
    run.max_memory = b->memory;
    run.max_cost = run.max_cost > 0 ? fmin(run.max_cost, MOST_COST) : MOST_COST;
    run.progress = NULL;
    run.context = console;
    return pm_run_within(&run, MOST_SECONDS);
}

static void try_item(void *item)
{
    pm_beside_item *it = item;
    const pm_beside *b = it->beside;
    FILE *f = open_memstream(&it->said, &it->length);
    if (!f)
        return;
    pm_beside_place place = {.console = pm_console_for(&b->program->console, f)};
    place.run = run_of_try(b, &place.console);
    pm_tape_reel reel = {.tape = &it->tape, .copies = true};
    const pm_node_source source = pm_tape_source(&reel);
    bool got;
    pm_error err; /* the item is answered again */
    pm_status status = b->answer(b->context, &place, &source, &it->answers, &got, &err);
    bool is_written = fclose(f) == 0;
    it->is_answered = !status && got && is_written && it->answers.failures == 0;
}

/* ---- reading ---- */

static pm_status submit(pm_beside *b, pm_beside_item *it, pm_error *err)
{
    pm_status status = PM_OK;
    if (!b->team)
        status = pm_team_start(pm_run_threads(&b->program->run), &b->team, err);
    if (!status)
        status = pm_team_add(b->team, try_item, it, err);
    it->is_tried = !status;
    return status;
}

/* An item that stays alone is not tried: the main thread would plan it again. */
static pm_status add(pm_beside *b, pm_beside_input *in, pm_tape *tape, const pm_answers *out,
                     pm_error *err)
{
    pm_beside_item *it = pm_calloc_array(1, sizeof *it);
    if (!it || PM_GROW(in->item, in->cap, in->count + 1)) {
        free(it);
        return pm_fail_memory(err, "an item");
    }
    it->beside = b;
    it->tape = *tape;
    *tape = (pm_tape){0};
    it->answers.emitter.is_json = out->emitter.is_json;
    it->answers.emitter.columns = out->emitter.columns;
    in->item[in->count++] = it;
    if (++b->count == 1) {
        b->waiting = it;
        return PM_OK;
    }
    pm_beside_item *first = b->waiting;
    b->waiting = NULL;
    pm_status status = first ? submit(b, first, err) : PM_OK;
    return !status ? submit(b, it, err) : status;
}

/* The rest of it is read while it is answered. */
static pm_status answer_large(pm_beside *b, const pm_node_source *source, pm_beside_input *in,
                              pm_answers *out, pm_error *err)
{
    pm_tape_reel reel = {.tape = &in->large, .rest = in->large.is_whole ? NULL : source};
    const pm_node_source all = pm_tape_source(&reel);
    bool got;
    pm_status status = b->answer(b->context, NULL, &all, out, &got, err);
    pm_tape_free(&in->large);
    return status;
}

pm_status pm_beside_read(pm_beside *b, const pm_node_source *source, pm_beside_input *in,
                         pm_answers *out, bool *has_more, pm_error *err)
{
    pm_status status = PM_OK;
    if (in->large.count)
        status = answer_large(b, source, in, out, err);
    *has_more = false;
    while (!status && !*has_more) {
        pm_tape tape;
        if (pm_run_stopped(&b->program->run))
            return pm_fail(err, PM_ESTOPPED, "stopped");
        status = pm_tape_read(source, MOST_BYTES, &tape, err);
        bool is_end = !status && tape.count == 0, is_large = !tape.is_whole;
        if (!status && !is_end && !is_large)
            status = add(b, in, &tape, out, err);
        else if (!status && !is_end) {
            in->large = tape;
            tape = (pm_tape){0};
        }
        pm_tape_free(&tape);
        if (is_end)
            break;
        *has_more = !status && (is_large || b->count >= MOST_ITEMS);
    }
    return status;
}

/* ---- settling ---- */

static pm_status settle_item(pm_beside *b, pm_beside_item *it, pm_answers *out, pm_error *err)
{
    if (it->is_answered) {
        fwrite(it->said, 1, it->length, stderr);
        return pm_answers_move(out, &it->answers, err);
    }
    pm_tape_reel reel = {.tape = &it->tape};
    const pm_node_source source = pm_tape_source(&reel);
    bool got;
    return b->answer(b->context, NULL, &source, out, &got, err);
}

static void free_item(pm_beside *b, pm_beside_item *it)
{
    if (b->waiting == it)
        b->waiting = NULL;
    --b->count;
    pm_tape_free(&it->tape);
    pm_answers_free(&it->answers);
    free(it->said);
    free(it);
}

pm_status pm_beside_settle(pm_beside *b, pm_beside_input *in, pm_answers *out, bool *is_ready,
                           pm_error *err)
{
    pm_status status = PM_OK;
    *is_ready = true;
    if (b->team)
        pm_team_wait(b->team);
    for (int64_t i = 0; i < in->count; ++i) {
        *is_ready = *is_ready && in->item[i]->is_answered;
        if (!status)
            status = settle_item(b, in->item[i], out, err);
        free_item(b, in->item[i]);
    }
    in->count = 0;
    return status;
}

void pm_beside_input_free(pm_beside *b, pm_beside_input *in)
{
    if (in->count && b->team)
        pm_team_wait(b->team);
    for (int64_t i = 0; i < in->count; ++i)
        free_item(b, in->item[i]);
    pm_tape_free(&in->large);
    free(in->item);
    *in = (pm_beside_input){0};
}
