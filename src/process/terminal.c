/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "process/terminal.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pm/alloc.h"
#include "text/printable.h"

enum { PIECE = 1024, UTF8_MAX = 4 };

typedef struct {
    int fd;
    int held;            /* bytes of `rest` */
    char rest[UTF8_MAX]; /* the beginning of a character whose other bytes were not written yet */
} guard;

static bool write_all(int fd, const char *data, size_t size)
{
    while (size > 0) {
        ssize_t done = write(fd, data, size);
        if (done < 0)
            return false;
        data += done;
        size -= (size_t)done;
    }
    return true;
}

/* True when text, of `left` bytes, may be the beginning of a longer character. */
static bool is_begun(const char *text, int left)
{
    unsigned char first = (unsigned char)*text;
    return left < (first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1);
}

/* The shown form of text, `size` bytes and a zero byte.  Returns the number of bytes that are left
 * because they begin a character.  is_last: nothing follows. */
static int show(const char *text, int size, bool is_last, char *out, size_t *shown)
{
    static const char hex[] = "0123456789ABCDEF";
    const char *end = text + size;
    char *o = out;
    while (text < end) {
        unsigned char c = (unsigned char)*text;
        int length = c == '\n' || c == '\t' ? 1 : c ? pm_printable_length(text) : 0;
        if (!length && !is_last && is_begun(text, (int)(end - text)))
            break;
        if (length) {
            memcpy(o, text, (size_t)length);
            o += length;
        } else {
            const char escape[] = {'\\', 'x', hex[c >> 4], hex[c & 15]};
            memcpy(o, escape, sizeof escape);
            o += sizeof escape;
        }
        text += length ? length : 1;
    }
    *shown = (size_t)(o - out);
    return (int)(end - text);
}

/* Writes what was held and size more bytes. */
static bool put(guard *g, const char *data, int size, bool is_last)
{
    char text[UTF8_MAX + PIECE + 1], out[4 * (UTF8_MAX + PIECE)];
    size_t shown;
    int all = g->held + size;
    memcpy(text, g->rest, (size_t)g->held);
    memcpy(text + g->held, data, (size_t)size);
    text[all] = '\0';
    g->held = show(text, all, is_last, out, &shown);
    memcpy(g->rest, text + all - g->held, (size_t)g->held);
    return write_all(g->fd, out, shown);
}

static ssize_t write_guarded(void *cookie, const char *data, size_t size)
{
    for (size_t at = 0; at < size; at += PIECE) {
        int piece = size - at < PIECE ? (int)(size - at) : PIECE;
        if (!put(cookie, data + at, piece, false))
            return 0;
    }
    return (ssize_t)size;
}

static int close_guarded(void *cookie)
{
    guard *g = cookie;
    bool good = put(g, "", 0, true);
    int why = errno, failed = close(g->fd);
    free(g);
    if (!good)
        errno = why;
    return good ? failed : -1;
}

FILE *pm_terminal_stream(int fd)
{
    guard *g = pm_alloc_array(1, sizeof *g);
    FILE *f = NULL;
    if (g) {
        *g = (guard){.fd = fd};
        f = fopencookie(g, "w",
                        (cookie_io_functions_t){.write = write_guarded, .close = close_guarded});
    }
    if (!f)
        free(g);
    else
        setvbuf(f, NULL, _IOLBF, BUFSIZ);
    return f;
}

pm_status pm_terminal_guard(pm_error *err)
{
    if (!isatty(STDOUT_FILENO))
        return PM_OK;
    FILE *f = pm_terminal_stream(STDOUT_FILENO);
    if (!f)
        return pm_fail_memory(err, "the output to a terminal");
    stdout = f;
    return PM_OK;
}
