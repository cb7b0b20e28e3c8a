/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/text_stream.h"

#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

struct pm_text_stream {
    FILE *f;
    char *text;
    int64_t length, cap;
    bool failed;
    pm_text_mover *move; /* NULL: none */
    void *context;
    size_t most;
};

static void make_room(pm_text_stream *s, size_t count)
{
    if (!s->move || (size_t)s->length + count <= s->most)
        return;
    if (s->move(s->context, s->text, (size_t)s->length))
        s->length = 0;
    else
        s->move = NULL;
}

/* stdio writes here what its buffer holds. */
static ssize_t append(void *stream, const char *bytes, size_t count)
{
    pm_text_stream *s = stream;
    make_room(s, count);
    if (s->failed || PM_GROW(s->text, s->cap, s->length + (int64_t)count + 1)) {
        s->failed = true;
        return 0;
    }
    memcpy(s->text + s->length, bytes, count);
    s->length += (int64_t)count;
    return (ssize_t)count;
}

pm_text_stream *pm_text_stream_open(void)
{
    pm_text_stream *s = pm_calloc_array(1, sizeof *s);
    if (s)
        s->f = fopencookie(s, "w", (cookie_io_functions_t){.write = append});
    if (s && s->f)
        return s;
    free(s);
    return NULL;
}

FILE *pm_text_stream_file(pm_text_stream *s)
{
    return s->f;
}

void pm_text_stream_limit(pm_text_stream *s, size_t most, pm_text_mover *move, void *context)
{
    s->most = most;
    s->move = move;
    s->context = context;
}

const char *pm_text_stream_text(pm_text_stream *s, size_t *length)
{
    bool is_whole = fflush(s->f) == 0 && !ferror(s->f) && !s->failed;
    if (!is_whole || PM_GROW(s->text, s->cap, s->length + 1))
        return NULL;
    s->text[s->length] = '\0';
    if (length)
        *length = (size_t)s->length;
    return s->text;
}

void pm_text_stream_empty(pm_text_stream *s)
{
    __fpurge(s->f); /* what is in its buffer */
    clearerr(s->f);
    s->length = 0;
    s->failed = false;
}

char *pm_text_stream_close(pm_text_stream *s)
{
    char *text = s && pm_text_stream_text(s, NULL) ? s->text : NULL;
    if (text)
        s->text = NULL;
    pm_text_stream_free(s);
    return text;
}

void pm_text_stream_free(pm_text_stream *s)
{
    if (!s)
        return;
    __fpurge(s->f);
    fclose(s->f);
    free(s->text);
    free(s);
}
