/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/sha256.h"

#include <string.h>

#include "core/isa.h"

#if PM_HAVE_X86
#include <immintrin.h>
#endif

enum { BLOCK = 64 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

/* One step: *d and *h change, and are the next e and a; the other words only change their names. */
static inline void step(uint32_t a, uint32_t b, uint32_t c, uint32_t *d, uint32_t e, uint32_t f,
                        uint32_t g, uint32_t *h, uint32_t more)
{
    const uint32_t one =
        *h + more + ((e & f) ^ (~e & g)) + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25));
    *d += one;
    *h = one + (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
}

static void take_block(uint32_t state[8], const unsigned char *p)
{
    uint32_t w[64];
    for (int t = 0; t < 16; ++t, p += 4)
        w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (int t = 16; t < 64; ++t) {
        const uint32_t x = w[t - 15], y = w[t - 2];
        w[t] = w[t - 16] + (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) + w[t - 7]
               + (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
    }
    for (int t = 0; t < 64; ++t)
        w[t] += constants[t];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (const uint32_t *more = w; more < w + 64; more += 8) {
        step(a, b, c, &d, e, f, g, &h, more[0]);
        step(h, a, b, &c, d, e, f, &g, more[1]);
        step(g, h, a, &b, c, d, e, &f, more[2]);
        step(f, g, h, &a, b, c, d, &e, more[3]);
        step(e, f, g, &h, a, b, c, &d, more[4]);
        step(d, e, f, &g, h, a, b, &c, more[5]);
        step(c, d, e, &f, g, h, a, &b, more[6]);
        step(b, c, d, &e, f, g, h, &a, more[7]);
    }
    const uint32_t change[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; ++i)
        state[i] += change[i];
}

static void take_blocks(uint32_t state[8], const unsigned char *p, size_t blocks)
{
    for (; blocks > 0; --blocks, p += BLOCK)
        take_block(state, p);
}

#if PM_HAVE_X86

/* By the instructions for this.  They keep the words of the state as a b e f and c d g h, the highest lane first, and do two steps. */
__attribute__((target("sha,sse4.1"))) static void
take_blocks_at_once(uint32_t state[8], const unsigned char *p, size_t blocks)
{
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    const __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i_u *)state), 0xb1);
    const __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i_u *)(state + 4)), 0x1b);
    __m128i abef = _mm_alignr_epi8(low, high, 8), cdgh = _mm_blend_epi16(high, low, 0xf0);
    for (; blocks > 0; --blocks, p += BLOCK) {
        const __m128i abef_before = abef, cdgh_before = cdgh;
        __m128i w[4];
        for (int i = 0; i < 4; ++i)
            w[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i_u *)(p + 16 * i)), big_endian);
#pragma GCC unroll 16
        for (int t = 0; t < 16;
             ++t) { /* four steps each; w[t & 3]: their words, after those of t - 4 */
            if (t >= 4) {
                const __m128i last = w[(t + 3) & 3];
                const __m128i middle = _mm_alignr_epi8(last, w[(t + 2) & 3], 4);
                const __m128i first = _mm_sha256msg1_epu32(w[t & 3], w[(t + 1) & 3]);
                w[t & 3] = _mm_sha256msg2_epu32(_mm_add_epi32(first, middle), last);
            }
            const __m128i more =
                _mm_add_epi32(w[t & 3], _mm_loadu_si128((const __m128i_u *)(constants + 4 * t)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, more);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(more, 0x0e));
        }
        abef = _mm_add_epi32(abef, abef_before);
        cdgh = _mm_add_epi32(cdgh, cdgh_before);
    }
    const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
    _mm_storeu_si128((__m128i_u *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i_u *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#endif

static void take(uint32_t state[8], const unsigned char *p, size_t blocks)
{
#if PM_HAVE_X86
    if (pm_isa_has_sha()) {
        take_blocks_at_once(state, p, blocks);
        return;
    }
#endif
    take_blocks(state, p, blocks);
}

void pm_sha256_begin(pm_sha256 *s)
{
    *s = (pm_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                               0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void pm_sha256_add(pm_sha256 *s, const void *data, size_t size)
{
    const unsigned char *p = data;
    const size_t held = s->bytes % BLOCK;
    s->bytes += size;
    if (held > 0) {
        const size_t part = BLOCK - held < size ? BLOCK - held : size;
        memcpy(s->rest + held, p, part);
        p += part;
        size -= part;
        if (held + part < BLOCK)
            return;
        take(s->state, s->rest, 1);
    }
    take(s->state, p, size / BLOCK);
    memcpy(s->rest, p + size / BLOCK * BLOCK, size % BLOCK);
}

void pm_sha256_add_number(pm_sha256 *s, int64_t x)
{
    pm_sha256_add(s, &x, sizeof x);
}

void pm_sha256_end(pm_sha256 *s, unsigned char digest[PM_SHA256_BYTES])
{
    static const unsigned char padding[BLOCK] = {0x80};
    unsigned char length[8];
    uint64_t bits = 8 * s->bytes;
    for (int i = 0; i < 8; ++i)
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    pm_sha256_add(s, padding, 1 + (2 * BLOCK - 9 - s->bytes % BLOCK) % BLOCK);
    pm_sha256_add(s, length, sizeof length);
    for (int i = 0; i < PM_SHA256_BYTES; ++i)
        digest[i] = (unsigned char)(s->state[i / 4] >> (24 - 8 * (i % 4)));
}
