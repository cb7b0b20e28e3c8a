/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "picture/png.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "io/put.h"
#include "pm/alloc.h"

static void put_number(unsigned char out[4], uint32_t v)
{
    for (int k = 0; k < 4; ++k)
        out[k] = (unsigned char)(v >> (24 - 8 * k));
}

static void put_chunk(FILE *f, const char type[5], const unsigned char *data, uint32_t length)
{
    unsigned char number[4];
    uLong crc = crc32(crc32(0, NULL, 0), (const unsigned char *)type, 4);
    if (length)
        crc = crc32(crc, data, length);
    put_number(number, length);
    fwrite(number, 1, 4, f);
    fwrite(type, 1, 4, f);
    if (length)
        fwrite(data, 1, length, f);
    put_number(number, (uint32_t)crc);
    fwrite(number, 1, 4, f);
}

static void put_header(FILE *f, const pm_png *p)
{
    enum { BITS = 8, BY_PALETTE = 3 };
    unsigned char head[13] = {[8] = BITS, [9] = BY_PALETTE};
    put_number(head, (uint32_t)p->width);
    put_number(head + 4, (uint32_t)p->height);
    put_chunk(f, "IHDR", head, sizeof head);
}

/* Each row begins with the number of its filter: 0, none. */
static unsigned char *filtered_rows(const pm_png *p, int64_t bytes)
{
    unsigned char *rows = pm_alloc_array(bytes, 1);
    for (int64_t y = 0; rows && y < p->height; ++y) {
        rows[y * (p->width + 1)] = 0;
        memcpy(rows + y * (p->width + 1) + 1, p->pixels + y * p->width, (size_t)p->width);
    }
    return rows;
}

static pm_status put_pixels(FILE *f, const pm_png *p, pm_error *err)
{
    int64_t bytes = ((int64_t)p->width + 1) * p->height;
    uLongf length = compressBound((uLong)bytes);
    unsigned char *packed = pm_alloc_array((int64_t)length, 1), *rows = filtered_rows(p, bytes);
    pm_status status = PM_OK;
    if (!packed || !rows
        || compress2(packed, &length, rows, (uLong)bytes, Z_DEFAULT_COMPRESSION) != Z_OK)
        status = pm_fail_memory(err, "a picture");
    else
        put_chunk(f, "IDAT", packed, (uint32_t)length);
    free(packed);
    free(rows);
    return status;
}

static pm_status put_text(FILE *f, const char *key, const char *text, pm_error *err)
{
    const size_t before = strlen(key) + 1, length = text ? before + strlen(text) : 0;
    if (!text)
        return PM_OK;
    char *data = pm_alloc_array((int64_t)length, 1);
    if (!data)
        return pm_fail_memory(err, "a picture");
    memcpy(data, key, before);
    memcpy(data + before, text, length - before);
    put_chunk(f, "tEXt", (const unsigned char *)data, (uint32_t)length);
    free(data);
    return PM_OK;
}

pm_status pm_png_write(FILE *f, const pm_png *p, pm_error *err)
{
    static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    fwrite(signature, 1, sizeof signature, f);
    put_header(f, p);
    put_chunk(f, "PLTE", p->palette[0], 3 * (uint32_t)p->ncolours);
    if (p->opacity)
        put_chunk(f, "tRNS", p->opacity, (uint32_t)p->ncolours);
    pm_status status = put_text(f, "Title", p->title, err);
    if (!status)
        status = put_text(f, "Description", p->description, err);
    if (!status)
        status = put_pixels(f, p, err);
    if (status)
        return status;
    put_chunk(f, "IEND", NULL, 0);
    return pm_put_check(f, err);
}
