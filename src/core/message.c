/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/message.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* A character has at most so many bytes after the first one; more of them are no text in UTF-8. */
enum { MOST_CONTINUED = 3 };

static const char gap[] = " ... ";

static bool continues_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* text: of `length` bytes, which are at least room. */
static void shorten(char *out, size_t room, const char *text, size_t length)
{
    size_t head = room / 4, tail = room - 1 - head - (sizeof gap - 1);
    const char *end = text + length - tail;
    for (int k = 0; k < MOST_CONTINUED && continues_character(text[head]); ++k)
        --head;
    for (int k = 0; k < MOST_CONTINUED && continues_character(*end); ++k)
        ++end;
    memcpy(out, text, head);
    memcpy(out + head, gap, sizeof gap - 1);
    memcpy(out + head + sizeof gap - 1, end, (size_t)(text + length - end) + 1);
}

void pm_message_write(char *out, size_t room, const char *fmt, va_list ap)
{
    assert(room >= 64);
    va_list again;
    va_copy(again, ap);
    int length = vsnprintf(out, room, fmt, ap);
    char *all = length < (int)room ? NULL : pm_alloc_array((int64_t)length + 1, 1);
    if (all) {
        vsnprintf(all, (size_t)length + 1, fmt, again);
        shorten(out, room, all, (size_t)length);
    }
    free(all);
    va_end(again);
}
