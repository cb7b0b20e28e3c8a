/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/answers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

pm_emitter *pm_answers_begin(pm_answers *a, pm_error *err)
{
    pm_emitter *e = &a->emitter;
    e->f = open_memstream(&a->text, &a->length);
    e->json = (pm_json){.f = e->f};
    if (e->f)
        return e;
    pm_fail_memory(err, "an answer");
    return NULL;
}

pm_status pm_answers_end(pm_answers *a, const char *name, bool is_none, pm_error *err)
{
    pm_emitter *e = &a->emitter;
    bool is_written = !ferror(e->f) && !e->failed;
    is_written = fclose(e->f) == 0 && is_written;
    e->f = NULL;
    char *copy = name ? pm_copy_text(name) : NULL;
    if (!is_written || (name && !copy) || PM_GROW(a->item, a->cap, a->count + 1)) {
        free(copy);
        return pm_fail_memory(err, "answers that wait for the end of the input");
    }
    a->item[a->count++] = (pm_answer){copy, a->text, is_none};
    a->text = NULL;
    return PM_OK;
}

static void drop_unfinished(pm_answers *a)
{
    if (a->emitter.f)
        fclose(a->emitter.f);
    a->emitter.f = NULL;
    free(a->text);
    a->text = NULL;
}

pm_status pm_answers_skip(pm_answers *a, pm_status why, pm_error *err)
{
    drop_unfinished(a);
    if (PM_GROW(a->item, a->cap, a->count + 1))
        return pm_fail_memory(err, "answers that wait for the end of the input");
    a->item[a->count++] = (pm_answer){0};
    if (a->failed == PM_OK)
        a->failed = why;
    return PM_OK;
}

void pm_answers_free(pm_answers *a)
{
    drop_unfinished(a);
    free(a->emitter.header);
    for (int64_t i = 0; i < a->count; ++i) {
        free(a->item[i].name);
        free(a->item[i].text);
    }
    free(a->item);
    *a = (pm_answers){.emitter.is_json = a->emitter.is_json};
}

/* ---- printing ---- */

static void print_one(const pm_answer *answer, const char *name, FILE *f, pm_layout layout,
                      bool with_names)
{
    if (layout == PM_LAYOUT_JSON) {
        pm_json j = {.f = f};
        pm_json_begin(&j, NULL, '{');
        pm_json_string(&j, "name", name);
        fprintf(f, ",%s}\n", answer->text);
        return;
    }
    if (with_names && layout == PM_LAYOUT_BLOCKS) {
        fputs("# ", f);
        pm_emit_escaped(f, name);
        putc('\n', f);
    }
    fputs(answer->text, f);
    if (layout == PM_LAYOUT_LINES) {
        if (with_names) {
            putc('\t', f);
            pm_emit_escaped(f, name);
        }
        putc('\n', f);
    }
}

pm_status pm_answers_print(const pm_answers *a, FILE *f, pm_layout layout, bool with_names,
                           const char *input, bool *any_none, pm_error *err)
{
    size_t room = strlen(input) + 24;
    char *numbered = pm_alloc_array((int64_t)room, 1);
    if (!numbered)
        return pm_fail_memory(err, "name of an answer");
    for (int64_t i = 0; i < a->count; ++i) {
        const pm_answer *answer = &a->item[i];
        if (!answer->text)
            continue;
        snprintf(numbered, room, "%s:%" PRId64, input, i + 1);
        const char *name = answer->name ? answer->name : a->count > 1 ? numbered : input;
        print_one(answer, name, f, layout, with_names);
        *any_none = *any_none || answer->is_none;
    }
    free(numbered);
    return PM_OK;
}
