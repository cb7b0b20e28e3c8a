/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/answers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/json.h"
#include "pm/alloc.h"

FILE *pm_answers_begin(pm_answers *a)
{
    a->f = open_memstream(&a->text, &a->length);
    return a->f;
}

pm_status pm_answers_end(pm_answers *a, const char *name, bool is_none, pm_error *err)
{
    bool written = !ferror(a->f);
    written = fclose(a->f) == 0 && written;
    a->f = NULL;
    char *copy = name ? pm_alloc_array((int64_t)strlen(name) + 1, 1) : NULL;
    if (!written || (name && !copy) || PM_GROW(a->item, a->cap, a->count + 1)) {
        free(copy);
        return pm_fail_memory(err, "answers that wait for the end of the input");
    }
    if (name)
        strcpy(copy, name);
    a->item[a->count++] = (pm_answer){copy, a->text, is_none};
    a->text = NULL;
    return PM_OK;
}

pm_status pm_answers_skip(pm_answers *a, pm_status why, pm_error *err)
{
    if (PM_GROW(a->item, a->cap, a->count + 1))
        return pm_fail_memory(err, "answers that wait for the end of the input");
    a->item[a->count++] = (pm_answer){0};
    if (a->failed == PM_OK)
        a->failed = why;
    return PM_OK;
}

void pm_answers_free(pm_answers *a)
{
    if (a->f)
        fclose(a->f);
    free(a->text);
    for (int64_t i = 0; i < a->count; ++i) {
        free(a->item[i].name);
        free(a->item[i].text);
    }
    free(a->item);
    *a = (pm_answers){0};
}

/* ---- printing ---- */

void pm_answers_put_name(FILE *f, const char *name)
{
    for (const unsigned char *s = (const unsigned char *)name; *s; ++s)
        if (*s == '\\')
            fputs("\\\\", f);
        else if (*s == '\t')
            fputs("\\t", f);
        else if (*s == '\n')
            fputs("\\n", f);
        else if (*s == '\r')
            fputs("\\r", f);
        else if (*s < 0x20 || *s == 0x7F)
            fprintf(f, "\\x%02X", *s);
        else
            putc(*s, f);
}

static void print_one(const pm_answer *answer, const char *name, FILE *f, pm_layout layout,
                      bool names)
{
    if (layout == PM_LAYOUT_JSON) {
        pm_json j = {.f = f};
        pm_json_begin(&j, NULL, '{');
        pm_json_string(&j, "name", name);
        fprintf(f, ",%s}\n", answer->text);
        return;
    }
    if (names && layout == PM_LAYOUT_BLOCKS) {
        fputs("# ", f);
        pm_answers_put_name(f, name);
        putc('\n', f);
    }
    fputs(answer->text, f);
    if (layout == PM_LAYOUT_LINES) {
        if (names) {
            putc('\t', f);
            pm_answers_put_name(f, name);
        }
        putc('\n', f);
    }
}

pm_status pm_answers_print(const pm_answers *a, FILE *f, pm_layout layout, bool names,
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
        print_one(answer, name, f, layout, names);
        *any_none = *any_none || answer->is_none;
    }
    free(numbered);
    return PM_OK;
}
