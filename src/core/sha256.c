/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "core/sha256.h"

#include <string.h>

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

static void take_block(uint32_t state[8], const unsigned char *p)
{
    uint32_t w[64], v[8];
    for (int t = 0; t < 16; ++t, p += 4)
        w[t] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    for (int t = 16; t < 64; ++t) {
        uint32_t x = w[t - 15], y = w[t - 2];
        w[t] = w[t - 16] + (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) + w[t - 7]
               + (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
    }
    memcpy(v, state, sizeof v);
    for (int t = 0; t < 64; ++t) {
        uint32_t a = v[0], e = v[4];
        uint32_t one = v[7] + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25))
                       + ((e & v[5]) ^ (~e & v[6])) + constants[t] + w[t];
        uint32_t two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22))
                       + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += one;
        v[0] = one + two;
    }
    for (int i = 0; i < 8; ++i)
        state[i] += v[i];
}

void pm_sha256_begin(pm_sha256 *s)
{
    *s = (pm_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                               0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void pm_sha256_add(pm_sha256 *s, const void *data, size_t size)
{
    const unsigned char *p = data;
    while (size > 0) {
        size_t held = s->bytes % BLOCK, part = BLOCK - held < size ? BLOCK - held : size;
        memcpy(s->rest + held, p, part);
        s->bytes += part;
        p += part;
        size -= part;
        if (s->bytes % BLOCK == 0)
            take_block(s->state, s->rest);
    }
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
