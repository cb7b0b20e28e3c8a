/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/png_image.h"

#include <string.h>
#include <zlib.h>

#include "support/testing.h"

static uint32_t number(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void take_text(png_image *x, const unsigned char *data, uint32_t length)
{
    const char *key = (const char *)data;
    const size_t before = strlen(key) + 1, used = strlen(x->text);
    assert_true(before <= length && used + length + 2 < sizeof x->text);
    snprintf(x->text + used, sizeof x->text - used, "%s=%.*s\n", key, (int)(length - before),
             key + before);
}

static void take_chunk(png_image *x, const char *type, const unsigned char *data, uint32_t length)
{
    static const unsigned char by_palette[5] = {8, 3, 0, 0, 0};
    if (memcmp(type, "IHDR", 4) == 0) {
        assert_int_equal(length, 13);
        x->width = number(data);
        x->height = number(data + 4);
        assert_memory_equal(data + 8, by_palette, 5);
    } else if (memcmp(type, "PLTE", 4) == 0) {
        assert_true(length % 3 == 0 && length <= sizeof x->palette);
        memcpy(x->palette, data, length);
    } else if (memcmp(type, "tRNS", 4) == 0) {
        assert_true(length <= sizeof x->opacity);
        memcpy(x->opacity, data, length);
    } else if (memcmp(type, "tEXt", 4) == 0) {
        take_text(x, data, length);
    } else if (memcmp(type, "IDAT", 4) == 0) {
        uLongf size = (uLongf)(x->width + 1) * x->height, got = size + 1;
        x->rows = malloc(got);
        assert_non_null(x->rows);
        assert_int_equal(uncompress(x->rows, &got, data, length), Z_OK);
        assert_int_equal(got, size);
    } else {
        assert_memory_equal(type, "IEND", 4);
        assert_int_equal(length, 0);
    }
}

png_image png_image_decode(const char *bytes, size_t length)
{
    png_image x = {.text = ""};
    const unsigned char *p = (const unsigned char *)bytes, *end = p + length;
    memset(x.opacity, 255, sizeof x.opacity);
    assert_memory_equal(p, "\x89PNG\r\n\x1a\n", 8);
    for (p += 8; p < end; p += 12 + number(p)) {
        uint32_t size = number(p);
        assert_true(size <= (size_t)(end - p) - 12);
        assert_int_equal(number(p + 8 + size), crc32(0, p + 4, size + 4));
        take_chunk(&x, (const char *)p + 4, p + 8, size);
    }
    assert_non_null(x.rows);
    return x;
}
