/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "pm/alloc.h"
#include "pm/settings.h"
#include "text/kept_lines.h"
#include "text/zlib_memory.h"

/* The bytes of a gzip file are read into raw[] and decoded into buf[]; those of a plain file are
 * read into buf[].  Lines are parts of buf[begin..end). */

enum { CHUNK = 1 << 16 };

struct pm_source {
    char *name;
    int fd;
    bool owns_fd, opened, gzip, in_member, ended; /* opened: gzip or plain is known */
    bool is_open;                     /* the last line was returned, and had no line feed */
    bool is_padded, has_ended_member; /* zero bytes follow a gzip member; one has ended */
    unsigned char *raw;
    z_stream z;
    char *buf; /* cap bytes, and one for the NUL after the last line */
    int64_t cap, begin, end;
    int64_t clean; /* buf[begin..clean) had no NUL when it was read */
    char *line;    /* the last line; again: the next call returns it again */
    int64_t length, number;
    bool again;
    pm_kept_lines kept;
    int64_t size, taken; /* bytes of the file, 0: unknown; that were read of them */
    const volatile sig_atomic_t *stop;
    const pm_run *run; /* for progress; may be NULL */
    bool exact;        /* decimals mean themselves */
};

/* ---- bytes ---- */

static const volatile sig_atomic_t never; /* 0 */

static bool is_stopped(const pm_source *s)
{
    return *s->stop != 0;
}

static void tell_progress(const pm_source *s)
{
    if (s->run)
        pm_run_progress(s->run, s->taken < s->size ? (double)s->taken / (double)s->size : 0,
                        "reading");
}

static pm_status read_some(pm_source *s, void *to, int64_t room, int64_t *got, pm_error *err)
{
    ssize_t n = -1;
    int why = EINTR;
    while (why == EINTR && !is_stopped(s)) {
        n = read(s->fd, to, (size_t)room);
        why = n < 0 ? errno : 0;
        s->taken += n > 0 ? n : 0;
        tell_progress(s);
    }
    if (why == EINTR)
        return pm_fail(err, PM_ESTOPPED, "%s: interrupted", s->name);
    if (why)
        return pm_fail(err, why == EISDIR ? PM_ENOINPUT : PM_EIO, "%s: cannot read: %s", s->name,
                       strerror(why));
    *got = n;
    return PM_OK;
}

static pm_status broken_gzip(const pm_source *s, pm_error *err, const char *how)
{
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": gzip data %s", s->name, s->number + 1, how);
}

static pm_status bytes_follow(const pm_source *s, pm_error *err)
{
    return broken_gzip(s, err,
                       "ends, but bytes other than zero follow it: the file may be damaged; "
                       "'gzip -dc' leaves them out");
}

/* The first two bytes decide between gzip and plain; plain ones are moved to buf. */
static pm_status open_bytes(pm_source *s, pm_error *err)
{
    s->raw = pm_alloc_array(CHUNK, 1);
    s->cap = CHUNK;
    s->buf = pm_alloc_array(s->cap + 1, 1);
    if (!s->raw || !s->buf)
        return pm_fail_memory(err, "input buffer");
    int64_t have = 0, got = 1;
    while (have < 2 && got > 0) {
        pm_status status = read_some(s, s->raw + have, CHUNK - have, &got, err);
        if (status)
            return status;
        have += got;
    }
    s->opened = true;
    if (have >= 2 && s->raw[0] == 0x1f && s->raw[1] == 0x8b) {
        pm_zlib_use_memory(&s->z);
        s->z.next_in = s->raw;
        s->z.avail_in = (uInt)have;
        if (inflateInit2(&s->z, 15 + 16) != Z_OK)
            return pm_fail_memory(err, "gzip decoder");
        s->gzip = s->in_member = true;
        return PM_OK;
    }
    memcpy(s->buf, s->raw, (size_t)have);
    s->end = have;
    s->ended = have == 0;
    free(s->raw);
    s->raw = NULL;
    return PM_OK;
}

/* Reads over zero bytes between a member and the end, as tapes and block devices have.  Returns false
 * when other bytes follow them. */
static bool skip_padding(pm_source *s)
{
    while (s->z.avail_in > 0 && *s->z.next_in == 0) {
        s->is_padded = true;
        ++s->z.next_in;
        --s->z.avail_in;
    }
    return s->z.avail_in == 0 || !s->is_padded;
}

/* Decodes into buf[end..cap).  A file may hold several gzip members one after another. */
static pm_status inflate_some(pm_source *s, pm_error *err)
{
    s->z.next_out = (unsigned char *)s->buf + s->end;
    s->z.avail_out = (uInt)(s->cap - s->end < CHUNK ? s->cap - s->end : CHUNK);
    uInt before = s->z.avail_out;
    while (s->z.avail_out == before && !s->ended) {
        if (s->z.avail_in == 0) {
            int64_t got = 0;
            pm_status status = read_some(s, s->raw, CHUNK, &got, err);
            if (status)
                return status;
            s->z.next_in = s->raw;
            s->z.avail_in = (uInt)got;
            if (got == 0) {
                if (s->in_member)
                    return broken_gzip(s, err, "is cut short: expected more text");
                s->ended = true;
                break;
            }
        }
        if (!s->in_member) {
            if (!skip_padding(s) || (s->z.avail_in > 0 && *s->z.next_in != 0x1f))
                return bytes_follow(s, err);
            if (s->z.avail_in == 0)
                continue;
            inflateReset(&s->z);
            s->in_member = s->has_ended_member = true;
        }
        int status = inflate(&s->z, Z_NO_FLUSH);
        if (status == Z_STREAM_END)
            s->in_member = false;
        else if (status == Z_MEM_ERROR)
            return pm_fail_memory(err, "gzip decoder");
        else if (status == Z_DATA_ERROR && s->has_ended_member && s->z.total_in <= 2)
            return bytes_follow(s, err); /* no beginning of another member */
        else if (status != Z_OK && status != Z_BUF_ERROR)
            return broken_gzip(s, err, "is damaged: expected gzip data to its end");
    }
    s->end += (int64_t)(before - s->z.avail_out);
    return PM_OK;
}

/* Makes room at the end of buf. */
static pm_status make_room(pm_source *s, pm_error *err)
{
    if (s->begin > 0 && !s->ended) {
        memmove(s->buf, s->buf + s->begin, (size_t)(s->end - s->begin));
        s->end -= s->begin;
        s->clean -= s->begin;
        s->begin = 0;
    }
    if (s->end == s->cap) {
        char *bigger = pm_alloc_array(2 * s->cap + 1, 1);
        if (!bigger)
            return pm_fail_memory(err, "input buffer");
        memcpy(bigger, s->buf, (size_t)s->end);
        free(s->buf);
        s->buf = bigger;
        s->cap *= 2;
    }
    return PM_OK;
}

static pm_status read_plain(pm_source *s, pm_error *err)
{
    int64_t got = 0;
    pm_status status = read_some(s, s->buf + s->end, s->cap - s->end, &got, err);
    if (status)
        return status;
    s->end += got;
    s->ended = got == 0;
    return PM_OK;
}

/* Appends bytes to buf, or sets ended at the end of the input. */
static pm_status fill(pm_source *s, pm_error *err)
{
    pm_status status = s->opened ? make_room(s, err) : PM_OK;
    int64_t from = s->end;
    if (!status)
        status = !s->opened ? open_bytes(s, err)
                 : s->gzip  ? inflate_some(s, err)
                            : read_plain(s, err);
    if (!status && s->clean == from && !memchr(s->buf + from, '\0', (size_t)(s->end - from)))
        s->clean = s->end;
    return status;
}

/* ---- opening ---- */

/* From the place where a file is read next to its end; 0 when it is no regular file. */
static int64_t bytes_left(int fd)
{
    struct stat meta;
    off_t at = lseek(fd, 0, SEEK_CUR);
    bool is_file = at >= 0 && fstat(fd, &meta) == 0 && S_ISREG(meta.st_mode);
    return is_file && meta.st_size > at ? meta.st_size - at : 0;
}

pm_status pm_source_open_fd(int fd, const char *name, pm_source **out, pm_error *err)
{
    pm_source *s = pm_calloc_array(1, sizeof *s);
    char *copy = pm_alloc_array((int64_t)strlen(name) + 1, 1);
    if (!s || !copy) {
        free(s);
        free(copy);
        return pm_fail_memory(err, "input");
    }
    strcpy(copy, name);
    s->name = copy;
    s->fd = fd;
    s->size = bytes_left(fd);
    s->stop = &never;
    *out = s;
    return PM_OK;
}

pm_status pm_source_open(const char *path, pm_source **out, pm_error *err)
{
    bool is_stdin = !path || strcmp(path, "-") == 0;
    const char *name = is_stdin ? "(standard input)" : path;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    struct stat meta;
    if (fd < 0 || fstat(fd, &meta) != 0) {
        int why = errno;
        bool is_hidden = why == EACCES && access(path, R_OK) == 0; /* not by its permissions */
        return pm_fail(err, PM_ENOINPUT, "%s: cannot open: %s%s", name, strerror(why),
                       is_hidden ? pm_hint_text(PM_HINT_SANDBOX) : "");
    }
    pm_status status =
        S_ISDIR(meta.st_mode)
            ? pm_fail(err, PM_ENOINPUT, "%s: expected a file, found a directory", name)
            : pm_source_open_fd(fd, name, out, err);
    if (status && !is_stdin)
        close(fd);
    if (!status)
        (*out)->owns_fd = !is_stdin;
    return status;
}

void pm_source_close(pm_source **s)
{
    if (!*s)
        return;
    if ((*s)->gzip)
        inflateEnd(&(*s)->z);
    if ((*s)->owns_fd)
        close((*s)->fd);
    pm_kept_lines_free(&(*s)->kept);
    free((*s)->raw);
    free((*s)->buf);
    free((*s)->name);
    free(*s);
    *s = NULL;
}

/* ---- lines ---- */

/* *newline: the end of the next line; NULL when the input ends without a newline. */
static pm_status find_line(pm_source *s, char **newline, pm_error *err)
{
    int64_t seen = 0;
    for (;;) {
        int64_t have = s->end - s->begin;
        *newline =
            have > seen ? memchr(s->buf + s->begin + seen, '\n', (size_t)(have - seen)) : NULL;
        int64_t length = *newline ? *newline - (s->buf + s->begin) : have;
        if (length > PM_LINE_MAX)
            return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": line too long: expected at most %d MiB",
                           s->name, s->number + 1, (int)(PM_LINE_MAX >> 20));
        if (*newline || s->ended)
            return PM_OK;
        seen = have;
        pm_status status = fill(s, err);
        if (status)
            return status;
    }
}

/* The line is one that was kept; after the last one, none is. */
static bool next_kept(pm_source *s, char **line, int64_t *length)
{
    bool is_one = pm_kept_lines_next(&s->kept, line, &s->number);
    if (is_one) {
        s->line = *line;
        s->length = *length = (int64_t)strlen(*line);
    }
    return is_one;
}

pm_status pm_source_check_stop(const pm_source *s, pm_error *err)
{
    return is_stopped(s) ? pm_fail(err, PM_ESTOPPED, "%s: interrupted", s->name) : PM_OK;
}

pm_status pm_source_line(pm_source *s, char **line, int64_t *length, pm_error *err)
{
    if (is_stopped(s))
        return pm_source_check_stop(s, err);
    if (!s->again && s->kept.is_open && next_kept(s, line, length))
        return PM_OK;
    if (!s->again) {
        char *newline;
        pm_status status = find_line(s, &newline, err);
        if (status)
            return status;
        if (!newline && s->begin == s->end) {
            *line = NULL;
            *length = 0;
            return PM_OK;
        }
        char *stop = newline ? newline : s->buf + s->end;
        s->line = s->buf + s->begin;
        s->begin = newline ? newline + 1 - s->buf : s->end;
        s->is_open = !newline;
        if (stop > s->line && stop[-1] == '\r')
            --stop;
        *stop = '\0';
        s->length = stop - s->line;
    }
    s->again = false;
    ++s->number;
    if (s->line + s->length > s->buf + s->clean && memchr(s->line, '\0', (size_t)s->length))
        return pm_source_fail(s, err, PM_ZERO_BYTE);
    *line = s->line;
    *length = s->length;
    return PM_OK;
}

pm_status pm_source_check_returns(const pm_source *s, const char *text, pm_error *err)
{
    const char *first = strchr(text, '\r');
    if (!first)
        return PM_OK;
    if (!first[strspn(first, "\r")])
        return pm_source_fail(
            s, err,
            "expected lines that end with a line feed, or one carriage return and "
            "a line feed, found more carriage returns: remove them (tr -d '\\r')");
    return pm_source_fail(
        s, err, "expected lines that end with a line feed, found a carriage return alone");
}

pm_status pm_source_text_line(pm_source *s, char **line, int64_t *length, pm_error *err)
{
    pm_status status = pm_source_line(s, line, length, err);
    return status || !*line ? status : pm_source_check_returns(s, *line, err);
}

pm_status pm_source_whole_lines(pm_source *s, const char **text, int64_t *length, pm_error *err)
{
    *length = 0;
    if (is_stopped(s))
        return pm_source_check_stop(s, err);
    if (s->again || s->kept.is_open)
        return PM_OK;
    const char *last;
    while (!(last = memrchr(s->buf + s->begin, '\n', (size_t)(s->end - s->begin))) && !s->ended
           && s->end - s->begin < CHUNK) {
        pm_status status = fill(s, err);
        if (status)
            return status;
    }
    *text = s->buf + s->begin;
    *length = last ? last + 1 - *text : 0;
    return PM_OK;
}

void pm_source_take_lines(pm_source *s, int64_t bytes, int64_t lines)
{
    s->begin += bytes;
    s->number += lines;
}

pm_status pm_source_peek(pm_source *s, const char **bytes, int64_t want, int64_t *got,
                         pm_error *err)
{
    while (s->end - s->begin < want && !s->ended) {
        pm_status status = fill(s, err);
        if (status)
            return status;
    }
    if (s->begin == 0 && s->end >= 3 && memcmp(s->buf, "\xef\xbb\xbf", 3) == 0)
        s->begin = 3; /* byte order mark */
    *bytes = s->buf + s->begin;
    *got = s->end - s->begin < want ? s->end - s->begin : want;
    return PM_OK;
}

pm_status pm_source_read(pm_source *s, void *to, int64_t want, int64_t *got, pm_error *err)
{
    pm_status status = PM_OK;
    for (*got = 0; *got < want && !status;) {
        if (is_stopped(s))
            return pm_source_check_stop(s, err);
        int64_t have = s->end - s->begin, n = have < want - *got ? have : want - *got;
        if (n > 0) {
            memcpy((char *)to + *got, s->buf + s->begin, (size_t)n);
            s->begin += n;
        } else if (s->ended) {
            break;
        } else if (s->opened && !s->gzip
                   && want - *got >= CHUNK) { /* directly: no second copy of large data */
            status = read_some(s, (char *)to + *got, want - *got, &n, err);
            s->ended = !status && n == 0;
        } else {
            status = fill(s, err);
        }
        *got += n;
    }
    return status;
}

void pm_source_unread(pm_source *s)
{
    s->again = true;
    --s->number;
}

pm_status pm_source_keep(pm_source *s, pm_error *err)
{
    return pm_kept_lines_add(&s->kept, s->line, s->number, err);
}

void pm_source_give_back(pm_source *s)
{
    s->kept.is_open = true;
    s->kept.after = s->number;
}

void pm_source_set_run(pm_source *s, const pm_run *run)
{
    s->run = run;
    s->stop = run && run->stop ? run->stop : &never;
}

void pm_source_set_exact(pm_source *s, bool exact)
{
    s->exact = exact;
}

bool pm_source_is_exact(const pm_source *s)
{
    return s->exact;
}

int pm_source_file(const pm_source *s, int64_t *from, int64_t *to)
{
    const int64_t waiting = s->end - s->begin, at = lseek(s->fd, 0, SEEK_CUR);
    if (!s->opened || s->gzip || s->size == 0 || at < waiting)
        return -1;
    *from = at - waiting;
    *to = at + (s->size > s->taken ? s->size - s->taken : 0);
    return s->fd;
}

double pm_source_part_read(const pm_source *s)
{
    return s->size > 0 ? (double)s->taken / (double)s->size : 0;
}

int64_t pm_source_most_left(const pm_source *s)
{
    enum { MOST = 1032 /* bytes from one of deflate */ };
    const int64_t left = s->size > s->taken ? s->size - s->taken : 0;
    const int64_t waiting = s->end - s->begin;
    if (s->size == 0 || left > (INT64_MAX - waiting) / MOST)
        return INT64_MAX;
    return waiting + (s->gzip ? MOST * (left + CHUNK) : left);
}

const char *pm_source_name(const pm_source *s)
{
    return s->name;
}

int64_t pm_source_line_number(const pm_source *s)
{
    return s->number;
}

const char *pm_source_cut_hint(const pm_source *s)
{
    return s->is_open ? "; the last line has no line feed at its end: the input may be cut there"
                      : "";
}

pm_status pm_source_fail(const pm_source *s, pm_error *err, const char *fmt, ...)
{
    char text[800];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return pm_fail(err, PM_EDATA, "%s:%" PRId64 ": %s", s->name, s->number, text);
}
