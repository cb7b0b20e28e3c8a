/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/answers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum {
    LONG_TEXT = 1 << 16, /* bytes: longer ones are not copied */
    IN_MEMORY = 1 << 20  /* of the text of an answer: longer ones go to the file */
};

static void close_stream(pm_answers *a)
{
    pm_text_stream_free(a->stream);
    a->stream = NULL;
}

static void drop_unfinished(pm_answers *a)
{
    a->emitter.f = NULL;
    if (a->file && a->file->length > a->used)
        pm_scratch_file_cut(a->file, a->used);
    if (a->emitter.columns)
        pm_column_row_free(&a->emitter.row);
}

static bool move_to_file(void *file, const char *text, size_t length)
{
    return pm_scratch_file_append(file, text, length);
}

pm_emitter *pm_answers_begin(pm_answers *a, pm_error *err)
{
    pm_emitter *e = &a->emitter;
    drop_unfinished(a);
    if (a->stream)
        pm_text_stream_empty(a->stream);
    else
        a->stream = pm_text_stream_open();
    if (a->stream && a->file)
        pm_text_stream_limit(a->stream, IN_MEMORY, move_to_file, a->file);
    e->f = a->stream ? pm_text_stream_file(a->stream) : NULL;
    e->json = (pm_json){.f = e->f};
    if (e->f)
        return e;
    pm_fail_memory(err, "an answer");
    return NULL;
}

/* The text that was written.  A long one takes its memory with it.  NULL when memory has ended. */
static const char *keep_text(pm_answers *a)
{
    size_t length;
    const char *written = pm_text_stream_text(a->stream, &length);
    if (!written || length < LONG_TEXT)
        return written ? pm_text_store_put(&a->texts, written, length) : NULL;
    char *text = pm_text_stream_close(a->stream);
    a->stream = NULL;
    if (text && pm_text_store_take(&a->texts, text) == 0)
        return text;
    free(text);
    return NULL;
}

/* Ends the text that pm_answers_begin began.  Returns NULL when memory ended while it was written. */
static const char *close_text(pm_answers *a)
{
    pm_emitter *e = &a->emitter;
    if (e->columns) {
        pm_emit_column_titles(e);
        pm_columns_put_row(e->columns, &e->row, e->f);
    }
    e->f = NULL;
    const char *text = e->failed ? NULL : keep_text(a);
    if (!text)
        close_stream(a);
    return text;
}

/* Adds the text that was written, or an empty answer. */
static pm_status append(pm_answers *a, const char *name, bool is_none, pm_error *err)
{
    bool has_text = a->emitter.f;
    const char *text = has_text ? close_text(a) : NULL;
    const char *copy = name ? pm_text_store_put(&a->texts, name, strlen(name)) : NULL;
    if ((has_text && !text) || (name && !copy) || PM_GROW(a->item, a->cap, a->count + 1))
        return pm_fail_memory(err, "answers that wait for the end of the input");
    const int64_t from = a->used;
    a->used = a->file ? a->file->length : 0;
    a->item[a->count++] = (pm_answer){copy, text, is_none, from, a->used};
    return PM_OK;
}

pm_status pm_answers_end(pm_answers *a, const char *name, bool is_none, pm_error *err)
{
    return append(a, name, is_none, err);
}

/* ---- failures ---- */

static void put_failure(pm_json *j, pm_status why, const pm_error *err)
{
    double seconds = err->predicted_seconds;
    pm_json_begin(j, "failure", '{');
    pm_json_string(j, "kind", pm_status_name(why));
    pm_json_string(j, "message", err->msg);
    pm_json_int(j, "status", pm_exit_status(why));
    pm_json_double(j, "predicted_seconds", seconds > 0 ? seconds : NAN);
    pm_json_end(j, '}');
}

pm_status pm_answers_skip(pm_answers *a, const char *name, pm_status why, pm_error *err)
{
    drop_unfinished(a);
    if (a->emitter.is_json) {
        const pm_error told = *err;
        pm_emitter *e = pm_answers_begin(a, err);
        if (!e)
            return PM_ENOMEM;
        put_failure(&e->json, why, &told);
    }
    pm_status status = append(a, name, false, err);
    ++a->failures;
    if (a->failed == PM_OK)
        a->failed = why;
    return status;
}

void pm_answers_print_failure(FILE *f, const char *name, pm_status why, const pm_error *err)
{
    pm_json j = {.f = f};
    pm_json_begin(&j, NULL, '{');
    pm_json_string(&j, "name", name);
    put_failure(&j, why, err);
    pm_json_end(&j, '}');
    putc('\n', f);
}

pm_status pm_answers_move(pm_answers *a, pm_answers *from, int64_t first, int64_t count,
                          pm_error *err)
{
    if (PM_GROW(a->item, a->cap, a->count + count))
        return pm_fail_memory(err, "answers that wait for the end of the input");
    for (int64_t i = first; i < first + count; ++i)
        a->item[a->count++] = from->item[i];
    pm_text_store_move(&a->texts, &from->texts);
    if (!a->emitter.header) {
        a->emitter.header = from->emitter.header;
        from->emitter.header = NULL;
    }
    return PM_OK;
}

void pm_answers_empty(pm_answers *a)
{
    a->used = 0;
    drop_unfinished(a);
    free(a->emitter.header);
    a->emitter.header = NULL;
    a->emitter.failed = false;
    pm_text_store_free(&a->texts);
    a->count = a->failures = 0;
    a->failed = PM_OK;
    a->is_final = a->is_whole = false;
}

void pm_answers_free(pm_answers *a)
{
    pm_answers_empty(a);
    close_stream(a);
    free(a->item);
    *a = (pm_answers){.emitter = {.is_json = a->emitter.is_json, .columns = a->emitter.columns},
                      .file = a->file};
}

/* ---- printing ---- */

/* Returns 0, or errno. */
static int print_text(const pm_answers *a, const pm_answer *answer, FILE *f)
{
    const int why =
        answer->from < answer->to ? pm_scratch_file_copy(a->file, answer->from, answer->to, f) : 0;
    fputs(answer->text, f);
    return why;
}

static int print_one(const pm_answers *a, const pm_answer *answer, const char *name, FILE *f,
                     pm_layout layout, bool with_names)
{
    if (layout == PM_LAYOUT_JSON) {
        pm_json j = {.f = f};
        pm_json_begin(&j, NULL, '{');
        pm_json_string(&j, "name", name);
        putc(',', f);
        const int why = print_text(a, answer, f);
        fputs("}\n", f);
        return why;
    }
    if (layout == PM_LAYOUT_COLUMNS) {
        pm_columns_print(f, answer->text, name);
        return 0;
    }
    if (with_names && layout == PM_LAYOUT_BLOCKS) {
        fputs("# ", f);
        pm_emit_escaped(f, name);
        putc('\n', f);
    }
    const int why = print_text(a, answer, f);
    if (layout == PM_LAYOUT_LINES) {
        if (with_names) {
            putc('\t', f);
            pm_emit_escaped(f, name);
        }
        putc('\n', f);
    }
    return why;
}

pm_status pm_answers_print(const pm_answers *a, FILE *f, pm_layout layout, bool with_names,
                           const char *input, bool *any_none, pm_error *err)
{
    bool needs_name = with_names || layout == PM_LAYOUT_JSON || layout == PM_LAYOUT_COLUMNS;
    size_t room = strlen(input) + 24;
    char *numbered = pm_alloc_array((int64_t)room, 1);
    if (!numbered)
        return pm_fail_memory(err, "name of an answer");
    int why = 0;
    for (int64_t i = 0; i < a->count && !why; ++i) {
        const pm_answer *answer = &a->item[i];
        if (!answer->text)
            continue;
        if (needs_name)
            snprintf(numbered, room, "%s:%" PRId64, input, i + 1);
        const char *name = answer->name ? answer->name : a->count > 1 ? numbered : input;
        why = print_one(a, answer, name, f, layout, with_names);
        *any_none = *any_none || answer->is_none;
    }
    free(numbered);
    return why ? pm_fail(err, PM_EIO, "the file of long answers: %s", strerror(why)) : PM_OK;
}
