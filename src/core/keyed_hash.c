/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/keyed_hash.h"

#include <string.h>

#include "pm/settings.h"

typedef struct {
    uint64_t a, b, c, d;
} sip;

static uint64_t rotated(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static void mix(sip *s)
{
    s->a += s->b;
    s->b = rotated(s->b, 13) ^ s->a;
    s->a = rotated(s->a, 32);
    s->c += s->d;
    s->d = rotated(s->d, 16) ^ s->c;
    s->a += s->d;
    s->d = rotated(s->d, 21) ^ s->a;
    s->c += s->b;
    s->b = rotated(s->b, 17) ^ s->c;
    s->c = rotated(s->c, 32);
}

static void take(sip *s, uint64_t word)
{
    s->d ^= word;
    mix(s);
    s->a ^= word;
}

/* Little-endian, whatever the machine. */
static uint64_t word_at(const unsigned char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static uint64_t half_at(const unsigned char *p)
{
    uint32_t half;
    memcpy(&half, p, sizeof half);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    half = __builtin_bswap32(half);
#endif
    return half;
}

/* The last bytes, fewer than 8, the first one lowest.  Parts that overlap need no branch for each size. */
static uint64_t rest_at(const unsigned char *p, size_t size)
{
    if (size >= 4)
        return half_at(p) | half_at(p + size - 4) << 8 * (size - 4);
    if (size == 0)
        return 0;
    return p[0] | (uint64_t)p[size / 2] << 8 * (size / 2) | (uint64_t)p[size - 1] << 8 * (size - 1);
}

uint64_t pm_keyed_hash(uint64_t before, const void *data, size_t size)
{
    const uint64_t *seed = pm_settings_get()->hash_seed, k0 = seed[0] + before, k1 = seed[1];
    const unsigned char *p = data, *end = p + (size & ~(size_t)7);
    sip s = {k0 ^ UINT64_C(0x736f6d6570736575), k1 ^ UINT64_C(0x646f72616e646f6d),
             k0 ^ UINT64_C(0x6c7967656e657261), k1 ^ UINT64_C(0x7465646279746573)};
    for (; p < end; p += 8)
        take(&s, word_at(p));
    take(&s, rest_at(p, size & 7) | (uint64_t)size << 56);
    s.c ^= 0xFF;
    for (int i = 0; i < 3; ++i)
        mix(&s);
    return s.a ^ s.b ^ s.c ^ s.d;
}
