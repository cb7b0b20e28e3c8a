/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "checkpoint/level_head.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pm_level_key_line(char *to, size_t room, const char *word, const unsigned char *key)
{
    int used = snprintf(to, room, "%s ", word);
    for (int i = 0; i < PM_SHA256_BYTES; ++i)
        used += snprintf(to + used, room - (size_t)used, "%02x", key[i]);
    return used + snprintf(to + used, room - (size_t)used, "\n");
}

int pm_level_head_write(const pm_state_head *h, const char *program, char text[PM_LEVEL_HEAD])
{
    int n = snprintf(text, PM_LEVEL_HEAD, "level 1\nprogram %s\n", program);
    n += pm_level_key_line(text + n, PM_LEVEL_HEAD - (size_t)n, "scope", h->scope.byte);
    n += pm_level_key_line(text + n, PM_LEVEL_HEAD - (size_t)n, "engine", h->engine.byte);
    n += snprintf(text + n, PM_LEVEL_HEAD - (size_t)n,
                  "step %" PRId64 " of %" PRId64 "\nbits %d\nlanes %d %d", h->step, h->steps,
                  h->bits, h->lanes, h->wanted);
    for (int i = 0; i < h->lanes; ++i)
        n += snprintf(text + n, PM_LEVEL_HEAD - (size_t)n, " %" PRIu64, h->modulus[i]);
    return n + snprintf(text + n, PM_LEVEL_HEAD - (size_t)n, "\nbytes %" PRIu64 "\n", h->bytes);
}

/* Moves *at behind the word and the blank after it. */
static bool pass(const char **at, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool read_key(const char **at, const char *word, unsigned char *key)
{
    if (!pass(at, word))
        return false;
    for (int i = 0; i < PM_SHA256_BYTES; ++i, *at += 2) {
        char digits[3] = "";
        if (!isxdigit((unsigned char)(*at)[0]) || !isxdigit((unsigned char)(*at)[1]))
            return false; /* the text may end between them */
        memcpy(digits, *at, 2);
        key[i] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return pass(at, "\n");
}

static bool read_number(const char **at, const char *word, int64_t most, int64_t *out)
{
    char *end;
    if (!pass(at, word) || **at < '0' || **at > '9')
        return false;
    errno = 0;
    long long value = strtoll(*at, &end, 10);
    *at = end;
    *out = value;
    return errno == 0 && value >= 0 && value <= most;
}

static bool read_small(const char **at, const char *word, int64_t most, int *out)
{
    int64_t number;
    bool is_good = read_number(at, word, most, &number);
    *out = is_good ? (int)number : 0;
    return is_good;
}

static bool read_lanes(const char **at, pm_state_head *h)
{
    if (!read_small(at, "lanes ", PM_STATE_MODULI, &h->lanes)
        || !read_small(at, " ", h->lanes, &h->wanted))
        return false;
    for (int i = 0; i < h->lanes; ++i) {
        int64_t m;
        if (!read_number(at, " ", INT64_MAX, &m))
            return false;
        h->modulus[i] = (uint64_t)m;
    }
    return pass(at, "\n");
}

int pm_level_head_read(const char *text, const char *program, pm_state_head *h)
{
    char again[PM_LEVEL_HEAD];
    int64_t bytes;
    const char *at = text;
    *h = (pm_state_head){.bits = 0};
    if (!pass(&at, "level 1\nprogram ") || !pass(&at, program) || !pass(&at, "\n")
        || !read_key(&at, "scope ", h->scope.byte) || !read_key(&at, "engine ", h->engine.byte)
        || !read_number(&at, "step ", INT64_MAX, &h->step)
        || !read_number(&at, " of ", INT64_MAX, &h->steps) || !pass(&at, "\n")
        || !read_small(&at, "bits ", 64, &h->bits) || !pass(&at, "\n") || !read_lanes(&at, h)
        || !read_number(&at, "bytes ", INT64_MAX / 2, &bytes) || !pass(&at, "\n"))
        return 0;
    h->bytes = (uint64_t)bytes;
    int length = pm_level_head_write(h, program, again);
    bool is_same = length == at - text && memcmp(again, text, (size_t)length) == 0;
    return is_same && h->step > 0 && h->step < h->steps ? length : 0;
}
