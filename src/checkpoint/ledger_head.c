/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/ledger_head.h"

#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "pm/alloc.h"
#include "text/escape.h"

#define FORMAT "checkpoint 1"

void pm_ledger_head_free(pm_ledger_head *h)
{
    free(h->program);
    free(h->options);
    *h = (pm_ledger_head){0};
}

static bool is_in(const char *name, const char *const *names, const char *also)
{
    for (; *names; ++names)
        if (strcmp(name, *names) == 0)
            return true;
    return also && strcmp(name, also) == 0;
}

/* Every blank is escaped, so that blanks separate the options. */
static void put_escaped(FILE *f, const char *text)
{
    for (; *text; ++text) {
        char out[4];
        fwrite(out, 1, (size_t)pm_escape_byte((unsigned char)*text, out), f);
    }
}

static char *options_text(const pm_given_options *given, const char *const *names, const char *also)
{
    pm_text_stream *s = pm_text_stream_open();
    if (!s)
        return NULL;
    FILE *f = pm_text_stream_file(s);
    bool is_first = true;
    for (int i = 0; i < given->count; ++i) {
        if (!is_in(given->option[i].name, names, also))
            continue;
        fprintf(f, "%s--%s", is_first ? "" : " ", given->option[i].name);
        if (given->option[i].arg) {
            fputc('=', f);
            put_escaped(f, given->option[i].arg);
        }
        is_first = false;
    }
    return pm_text_stream_close(s);
}

pm_status pm_ledger_head_make(const pm_invocation *program, const char *const *names,
                              const char *also, pm_ledger_head *out, pm_error *err)
{
    char text[128];
    snprintf(text, sizeof text, "%s %s", program->command->name, VERSION);
    *out = (pm_ledger_head){pm_copy_text(text), options_text(program->given, names, also)};
    if (out->program && out->options)
        return PM_OK;
    pm_ledger_head_free(out);
    return pm_fail_memory(err, "options");
}

void pm_ledger_head_write(const pm_ledger_head *h, pm_ledger_writer *w)
{
    pm_ledger_writer_line(w, FORMAT);
    pm_ledger_writer_line(w, "program %s", h->program);
    pm_ledger_writer_text(w, *h->options ? "options " : "options", h->options);
}

/* ---- reading ---- */

/* The text after the word and a blank; NULL when the line begins with another word. */
static char *after_word(char *line, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(line, word, length) != 0 || (line[length] && line[length] != ' '))
        return NULL;
    return line[length] ? line + length + 1 : line + length;
}

static pm_status keep(char **field, const char *text, const pm_source *s, pm_error *err)
{
    if (*field)
        return pm_source_fail(s, err, "expected one line of this kind: the file is damaged");
    *field = pm_copy_text(text);
    return *field ? PM_OK : pm_fail_memory(err, "options");
}

pm_status pm_ledger_head_line(pm_ledger_head *h, const pm_source *s, char *line, bool *is_head,
                              pm_error *err)
{
    char *text;
    *is_head = true;
    if (after_word(line, "checkpoint"))
        return strcmp(line, FORMAT) == 0
                   ? PM_OK
                   : pm_source_fail(
                       s, err, "expected '" FORMAT "': it was written by another version of pmkit");
    if ((text = after_word(line, "program")))
        return keep(&h->program, text, s, err);
    if ((text = after_word(line, "options")))
        return keep(&h->options, text, s, err);
    *is_head = false;
    return PM_OK;
}

static pm_status check_same(const char *found, const char *now, const char *what, const char *path,
                            pm_error *err)
{
    if (!found)
        return pm_fail(err, PM_EDATA, "%s: expected %s: the file is damaged", path, what);
    if (strcmp(found, now) == 0)
        return PM_OK;
    return pm_fail(err, PM_EDATA, "%s: it was written with %s '%.300s', and this run has '%.300s'",
                   path, what, found, now);
}

pm_status pm_ledger_head_check(const pm_ledger_head *h, const pm_ledger_head *now, const char *path,
                               pm_error *err)
{
    pm_status status = check_same(h->program, now->program, "the program", path, err);
    return status ? status : check_same(h->options, now->options, "the options", path, err);
}

/* ---- options ---- */

/* word: "--name" or "--name=argument"; it is changed. */
static pm_status apply(const pm_option_group *groups, char *word, pm_error *err)
{
    char *equal = strchr(word, '=');
    if (strncmp(word, "--", 2) != 0)
        return pm_fail(err, PM_EUSAGE, "'%s' is no option", word);
    if (equal) {
        int64_t length = (int64_t)strlen(equal + 1);
        *equal = '\0';
        if (pm_unescape(equal + 1, &length) != PM_UNESCAPE_DONE)
            return pm_fail(err, PM_EUSAGE, "--%s has a damaged argument", word + 2);
        equal[1 + length] = '\0';
    }
    return pm_options_set(groups, word + 2, equal ? equal + 1 : NULL, err);
}

pm_status pm_ledger_head_apply(const pm_ledger_head *h, const pm_option_group *groups,
                               const char *path, pm_error *err)
{
    pm_error why;
    for (char *word = h->options, *next; word && *word; word = next) {
        char *blank = strchr(word, ' ');
        next = blank ? blank + 1 : NULL;
        if (blank)
            *blank = '\0';
        if (apply(groups, word, &why))
            return pm_fail(err, PM_EDATA, "%s: options of the part: %s", path, why.msg);
    }
    return PM_OK;
}
