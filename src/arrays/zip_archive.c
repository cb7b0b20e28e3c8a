/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From its end: the end record, perhaps preceded by those of zip64, gives the place of the directory; its
 * records give sizes, checksum and local header of each member.  Sizes in local headers are not
 * used: they are 0 where the writer could not know them yet. */
#include "config.h"

#include "arrays/zip_archive.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "pm/alloc.h"
#include "text/zlib_memory.h"

enum {
    END_RECORD = 22,
    END64_LOCATOR = 20,
    END64_RECORD = 56,
    DIRECTORY_RECORD = 46,
    LOCAL_HEADER = 30,
    COMMENT_MAX = 65535,
    STORED = 0,
    DEFLATED = 8,
    DEFLATE_RATIO = 1032 /* bytes from a byte of deflated data, at most */
};

static const unsigned char end_mark[] = "PK\5\6", locator_mark[] = "PK\6\7",
                           end64_mark[] = "PK\6\6", directory_mark[] = "PK\1\2",
                           local_mark[] = "PK\3\4";

static pm_status fail_damaged(const pm_zip_archive *z, const char *expected, pm_error *err)
{
    return pm_fail(err, PM_EDATA, "%s: zip archive cut short or damaged: expected %s", z->name,
                   expected);
}

/* The number in n bytes, the lowest one first. */
static uint64_t number(const unsigned char *p, int n)
{
    uint64_t v = 0;
    while (n-- > 0)
        v = v << 8 | p[n];
    return v;
}

/* Whether there are n bytes at the offset, which begin with the mark. */
static bool has_record(const pm_zip_archive *z, int64_t at, int64_t n, const unsigned char *mark)
{
    return at >= 0 && at <= z->size && n <= z->size - at && memcmp(z->bytes + at, mark, 4) == 0;
}

/* ---- the directory ---- */

typedef struct {
    uint64_t count, size, offset;
} directory;

/* The offset of the end record, or -1: the last one whose comment ends with the archive. */
static int64_t find_end(const pm_zip_archive *z)
{
    int64_t last = z->size - END_RECORD;
    int64_t first = last > COMMENT_MAX ? last - COMMENT_MAX : 0;
    for (int64_t at = last; at >= first; --at)
        if (has_record(z, at, END_RECORD, end_mark)
            && at + END_RECORD + (int64_t)number(z->bytes + at + 20, 2) == z->size)
            return at;
    return -1;
}

static pm_status find_directory(const pm_zip_archive *z, directory *d, pm_error *err)
{
    int64_t end = find_end(z);
    if (end < 0)
        return fail_damaged(z, "the directory at its end", err);
    const unsigned char *p = z->bytes + end;
    if (number(p + 4, 2) != number(p + 6, 2))
        return fail_damaged(z, "an archive in one part", err);
    *d = (directory){number(p + 10, 2), number(p + 12, 4), number(p + 16, 4)};
    int64_t locator = end - END64_LOCATOR;
    if (has_record(z, locator, END64_LOCATOR, locator_mark)) {
        uint64_t at = number(z->bytes + locator + 8, 8);
        if (at > INT64_MAX || !has_record(z, (int64_t)at, END64_RECORD, end64_mark))
            return fail_damaged(z, "the end record of zip64", err);
        p = z->bytes + at;
        *d = (directory){number(p + 32, 8), number(p + 40, 8), number(p + 48, 8)};
    }
    if (d->offset > (uint64_t)end || d->size > (uint64_t)end - d->offset)
        return fail_damaged(z, "a directory inside it", err);
    return PM_OK;
}

/* Sizes and offset that do not fit 32 bits are in the extra field with the number 1, in this order;
 * only those that do not fit. */
static bool read_zip64(const unsigned char *extra, int64_t length, uint64_t *const value[3])
{
    for (int64_t at = 0; at + 4 <= length;) {
        int64_t n = (int64_t)number(extra + at + 2, 2);
        const unsigned char *p = extra + at + 4, *end = p + n;
        if (n > length - at - 4)
            return false;
        for (int k = 0; number(extra + at, 2) == 1 && k < 3; ++k)
            if (*value[k] == UINT32_MAX) {
                if (end - p < 8)
                    return false;
                *value[k] = number(p, 8);
                p += 8;
            }
        at += 4 + n;
    }
    return *value[0] != UINT32_MAX && *value[1] != UINT32_MAX && *value[2] != UINT32_MAX;
}

/* What of a member can be checked without its bytes. */
static pm_status check_member(const pm_zip_archive *z, const pm_zip_member *m, bool is_encrypted,
                              pm_error *err)
{
    if (is_encrypted)
        return pm_fail(err, PM_EDATA,
                       "%s: expected an archive without encryption: save it without a password",
                       z->name);
    if (m->method != STORED && m->method != DEFLATED)
        return pm_fail(
            err, PM_EDATA,
            "%s: expected files that are stored or deflated, not compressed by method %d of zip",
            z->name, m->method);
    if (m->packed > z->size || (m->method == STORED && m->packed != m->size)
        || (m->method == DEFLATED && m->size / DEFLATE_RATIO > m->packed))
        return fail_damaged(z, "sizes that agree with each other", err);
    return PM_OK;
}

/* Reads the record at p, `left` bytes before the end of the directory.  *length: of the record. */
static pm_status read_member(pm_zip_archive *z, const unsigned char *p, int64_t left,
                             int64_t *length, pm_error *err)
{
    if (left < DIRECTORY_RECORD || memcmp(p, directory_mark, 4) != 0)
        return fail_damaged(z, "a directory record", err);
    int64_t name = (int64_t)number(p + 28, 2), extra = (int64_t)number(p + 30, 2);
    *length = DIRECTORY_RECORD + name + extra + (int64_t)number(p + 32, 2);
    if (*length > left)
        return fail_damaged(z, "a whole directory record", err);
    uint64_t size = number(p + 24, 4), packed = number(p + 20, 4), header = number(p + 42, 4);
    uint64_t *const value[] = {&size, &packed, &header};
    const unsigned char *text = p + DIRECTORY_RECORD;
    if (!read_zip64(text + name, extra, value) || size > INT64_MAX || packed > INT64_MAX
        || header > (uint64_t)z->size || memchr(text, 0, (size_t)name))
        return fail_damaged(z, "a name, sizes and an offset in a directory record", err);
    if (PM_GROW(z->members, z->cap, z->count + 1))
        return pm_fail_memory(err, "zip directory");
    pm_zip_member *m = &z->members[z->count];
    *m = (pm_zip_member){.method = (int)number(p + 10, 2),
                         .crc = (uint32_t)number(p + 16, 4),
                         .packed = (int64_t)packed,
                         .size = (int64_t)size,
                         .header = (int64_t)header};
    pm_status status = check_member(z, m, p[8] & 1, err);
    if (status)
        return status;
    m->name = pm_calloc_array(name + 1, 1);
    if (!m->name)
        return pm_fail_memory(err, "zip directory");
    memcpy(m->name, text, (size_t)name);
    ++z->count;
    return PM_OK;
}

static pm_status read_directory(pm_zip_archive *z, pm_error *err)
{
    directory d = {0};
    pm_status status = find_directory(z, &d, err);
    if (status)
        return status;
    const unsigned char *p = z->bytes + d.offset, *end = p + d.size;
    while (p < end && !status) {
        int64_t length = 0;
        status = read_member(z, p, end - p, &length, err);
        p += length;
    }
    if (!status && (uint64_t)z->count != d.count)
        status = fail_damaged(z, "as many members as its end record says", err);
    return status;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* No two members may have one name: which of them is meant is not known. */
static pm_status check_names(const pm_zip_archive *z, pm_error *err)
{
    char quote[PM_QUOTE], **name = pm_alloc_array(z->count, sizeof *name);
    pm_status status = PM_OK;
    if (!name)
        return pm_fail_memory(err, "zip directory");
    for (int64_t k = 0; k < z->count; ++k)
        name[k] = z->members[k].name;
    qsort(name, (size_t)z->count, sizeof *name, compare_names);
    for (int64_t k = 1; k < z->count && !status; ++k)
        if (strcmp(name[k - 1], name[k]) == 0)
            status = pm_fail(err, PM_EDATA, "%s: the archive holds %s twice", z->name,
                             pm_quote(name[k], (int64_t)strlen(name[k]), quote));
    free(name);
    return status;
}

pm_status pm_zip_archive_read(pm_source *s, pm_zip_archive *out, pm_error *err)
{
    enum { FIRST = 1 << 16 };
    int64_t cap = 0, got = 1;
    out->name = pm_source_name(s);
    while (got > 0) {
        if (PM_GROW(out->bytes, cap, out->size + FIRST))
            return pm_fail_memory(err, "zip archive");
        pm_status status = pm_source_read(s, out->bytes + out->size, cap - out->size, &got, err);
        if (status)
            return status;
        out->size += got;
    }
    if (!has_record(out, 0, 4, local_mark) && !has_record(out, 0, 4, end_mark))
        return pm_fail(err, PM_EDATA, "%s: expected a zip archive, which begins with 'PK'",
                       out->name);
    pm_status status = read_directory(out, err);
    return status ? status : check_names(out, err);
}

void pm_zip_archive_free(pm_zip_archive *z)
{
    for (int64_t k = 0; k < z->count; ++k)
        free(z->members[k].name);
    free(z->members);
    free(z->bytes);
    *z = (pm_zip_archive){0};
}

/* ---- members ---- */

static pm_status fail_member(const pm_zip_archive *z, const pm_zip_member *m, const char *what,
                             pm_error *err)
{
    char quote[PM_QUOTE];
    return pm_fail(err, PM_EDATA, "%s: file %s of the archive: %s", z->name,
                   pm_quote(m->name, (int64_t)strlen(m->name), quote), what);
}

/* At most this many bytes are given to zlib at a time. */
static uInt piece(int64_t n)
{
    return n < INT32_MAX ? (uInt)n : INT32_MAX;
}

/* Counts what was made; after the last byte the whole member is checked. */
static pm_status count_bytes(pm_zip_stream *s, const unsigned char *made, int64_t n, pm_error *err)
{
    for (int64_t at = 0; at < n;) {
        uInt part = piece(n - at);
        s->crc = (uint32_t)crc32(s->crc, made + at, part);
        at += part;
    }
    s->made += n;
    if (s->made == s->member->size && s->crc != s->member->crc)
        return fail_member(s->zip, s->member, "damaged: its checksum is not that of the directory",
                           err);
    return PM_OK;
}

/* Decodes `want` bytes; when these are the last ones, from exactly member->packed bytes. */
static pm_status inflate_bytes(pm_zip_stream *s, unsigned char *to, int64_t want, pm_error *err)
{
    const pm_zip_member *m = s->member;
    unsigned char beyond; /* where a byte too many would go */
    bool is_last = s->made + want == m->size;
    int64_t made = 0;
    int status = Z_OK;
    while (status == Z_OK && (is_last || made < want)) {
        uInt in = piece(m->packed - s->taken), out = piece(want - made);
        s->z->next_in = (unsigned char *)(uintptr_t)(s->from + s->taken);
        s->z->avail_in = in;
        s->z->next_out = out ? to + made : &beyond;
        s->z->avail_out = out ? out : 1;
        status = inflate(s->z, Z_NO_FLUSH);
        s->taken += in - s->z->avail_in;
        made += (out ? out : 1) - s->z->avail_out;
        if (made > want)
            status = Z_DATA_ERROR;
    }
    if (status == Z_MEM_ERROR)
        return pm_fail_memory(err, "inflate");
    if (made != want || (is_last && (status != Z_STREAM_END || s->taken != m->packed)))
        return fail_member(s->zip, m, "expected deflated data of the size that the directory says",
                           err);
    return PM_OK;
}

pm_status pm_zip_stream_open(const pm_zip_archive *z, int64_t k, pm_zip_stream *out, pm_error *err)
{
    const pm_zip_member *m = &z->members[k];
    if (!has_record(z, m->header, LOCAL_HEADER, local_mark))
        return fail_damaged(z, "a local header where the directory says", err);
    const unsigned char *p = z->bytes + m->header;
    int64_t first =
        m->header + LOCAL_HEADER + (int64_t)number(p + 26, 2) + (int64_t)number(p + 28, 2);
    if (first > z->size || m->packed > z->size - first)
        return fail_damaged(z, "the bytes of a member where the directory says", err);
    *out = (pm_zip_stream){
        .zip = z, .member = m, .from = z->bytes + first, .crc = (uint32_t)crc32(0, NULL, 0)};
    if (m->method == STORED)
        return PM_OK;
    out->z = pm_calloc_array(1, sizeof *out->z);
    if (!out->z)
        return pm_fail_memory(err, "inflate");
    pm_zlib_use_memory(out->z);
    if (inflateInit2(out->z, -15) != Z_OK) {
        free(out->z);
        out->z = NULL;
        return pm_fail_memory(err, "inflate");
    }
    return PM_OK;
}

pm_status pm_zip_stream_read(pm_zip_stream *s, void *to, int64_t want, int64_t *got, pm_error *err)
{
    pm_status status = PM_OK;
    int64_t left = s->member->size - s->made, n = want < left ? want : left;
    if (s->z && (n > 0 || s->member->size == 0))
        status = inflate_bytes(s, to, n, err);
    else if (n > 0)
        memcpy(to, s->from + s->made, (size_t)n);
    if (!status)
        status = count_bytes(s, to, n, err);
    *got = status ? 0 : n;
    return status;
}

int64_t pm_zip_stream_most_left(const pm_zip_stream *s)
{
    return s->member->size - s->made;
}

void pm_zip_stream_close(pm_zip_stream *s)
{
    if (s->z)
        inflateEnd(s->z);
    free(s->z);
    *s = (pm_zip_stream){0};
}
