/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/console.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/keyed_hash.h"
#include "core/message.h"
#include "process/signals.h"
#include "text/printable.h"

enum { LINE_WIDTH = 79 };
#define FIRST_DELAY   1.0 /* seconds */
#define LINE_INTERVAL (1.0 / 6)
#define NOTE_INTERVAL 60.0

void pm_console_open(pm_console *c, const char *program, int verbosity, bool show_progress)
{
    *c = (pm_console){.program = program, .verbosity = verbosity};
    c->has_line = verbosity >= 0 && (show_progress || isatty(STDERR_FILENO));
    pm_console_begin(c, NULL);
}

void pm_console_begin(pm_console *c, const char *name)
{
    c->input = name;
    c->started = pm_clock();
    c->next = c->started + (c->has_line ? FIRST_DELAY : NOTE_INTERVAL);
}

void pm_console_clear(pm_console *c)
{
    if (c->line_is_drawn)
        fprintf(stderr, "\r%*s\r", LINE_WIDTH, "");
    c->line_is_drawn = false;
    pm_signals_line_is_drawn(false);
}

void pm_console_error(pm_console *c, const char *message)
{
    FILE *f = c->to ? c->to : stderr;
    pm_console_clear(c);
    flockfile(f);
    fprintf(f, "%s: ", c->program);
    pm_put_printable(f, message);
    putc('\n', f);
    funlockfile(f);
}

pm_console pm_console_for(const pm_console *c, FILE *f)
{
    return (pm_console){.program = c->program, .verbosity = c->verbosity, .to = f};
}

bool pm_console_is_new(pm_console *c, const char *input)
{
    uint64_t h = pm_keyed_hash(0, input, strlen(input));
    bool is_new = h != c->last;
    c->last = h;
    return is_new;
}

void pm_console_note(void *console, int level, const char *line)
{
    pm_console *c = console;
    if (level <= c->verbosity)
        pm_console_error(c, line);
}

void pm_console_notef(pm_console *c, int level, const char *fmt, ...)
{
    char line[1024];
    va_list ap;
    va_start(ap, fmt);
    pm_message_write(line, sizeof line, fmt, ap);
    va_end(ap);
    pm_console_note(c, level, line);
}

void pm_console_errorf(pm_console *c, const char *fmt, ...)
{
    char line[1024];
    va_list ap;
    va_start(ap, fmt);
    pm_message_write(line, sizeof line, fmt, ap);
    va_end(ap);
    pm_console_error(c, line);
}

/* ---- progress ---- */

static void duration_text(double seconds, char text[32])
{
    long long s = seconds < 1e15 ? (long long)(seconds + 0.5) : 0;
    if (s >= 3600)
        snprintf(text, 32, "%lld h %02lld min", s / 3600, s / 60 % 60);
    else if (s >= 60)
        snprintf(text, 32, "%lld min %02lld s", s / 60, s % 60);
    else
        snprintf(text, 32, "%lld s", s);
}

static void describe(const pm_console *c, double now, double fraction, const char *what, char *line,
                     size_t room)
{
    char spent[32], left[32] = "?";
    duration_text(now - c->started, spent);
    if (fraction > 1e-6)
        duration_text((now - c->started) * (1 - fraction) / fraction, left);
    snprintf(line, room, "%s %5.1f %%, %s, %s left", what ? what : "done", 100 * fraction, spent,
             left);
}

/* The end of a name that takes at most `room` bytes of printable characters: names that share a
 * long path differ there.  What a terminal must not get is a question mark. */
static void end_of_name(const char *name, int room, char *out)
{
    int64_t bytes = 0;
    for (const char *s = name; *s; s += pm_utf8_length(s) ? pm_utf8_length(s) : 1)
        bytes += pm_printable_length(s) ? pm_printable_length(s) : 1;
    if (bytes > room) {
        memcpy(out, "...", 3);
        out += 3;
        room -= 3;
    }
    for (const char *s = name; *s; s += pm_utf8_length(s) ? pm_utf8_length(s) : 1) {
        int shown = pm_printable_length(s), length = shown ? shown : 1;
        if (bytes <= room) {
            memcpy(out, shown ? s : "?", (size_t)length);
            out += length;
        }
        bytes -= length;
    }
    *out = '\0';
}

/* The line that is overwritten: a cut name leaves room for the figures. */
static void draw(pm_console *c, const char *figures)
{
    char name[LINE_WIDTH + 1] = "";
    int used = (int)strlen(figures), room = LINE_WIDTH - used - 2;
    if (c->input && room >= 16)
        end_of_name(c->input, room, name);
    fprintf(stderr, "\r%s%s%-*.*s", name, *name ? ": " : "",
            LINE_WIDTH - (*name ? (int)strlen(name) + 2 : 0), LINE_WIDTH, figures);
    c->line_is_drawn = true;
    pm_signals_line_is_drawn(true);
}

void pm_console_progress(void *console, double fraction, const char *what)
{
    pm_console *c = console;
    double now = pm_clock();
    bool wanted = pm_signals_take_report();
    bool is_due = now >= c->next && (c->has_line || c->verbosity >= 1);
    if (!wanted && !is_due)
        return;
    char figures[256];
    describe(c, now, fraction, what, figures, sizeof figures);
    if (wanted || !c->has_line)
        pm_console_errorf(c, "%s%s%s", c->input ? c->input : "", c->input ? ": " : "", figures);
    else
        draw(c, figures);
    if (is_due)
        c->next = now + (c->has_line ? LINE_INTERVAL : NOTE_INTERVAL);
}

/* ---- notes of the library ---- */

static void note_with_name(void *context, int level, const char *line)
{
    const pm_console_named *named = context;
    if (level <= named->console->verbosity)
        pm_console_errorf(named->console, "%s: %s", named->input, line);
}

static void progress_of_named(void *context, double fraction, const char *what)
{
    const pm_console_named *named = context;
    pm_console_progress(named->console, fraction, what);
}

pm_run pm_console_name_notes(const pm_run *run, pm_console *console, const char *input,
                             pm_console_named *named)
{
    pm_run out = *run;
    *named = (pm_console_named){console, input};
    out.note = note_with_name;
    out.progress = run->progress ? progress_of_named : NULL;
    out.context = named;
    return out;
}
