/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/sha256.h: SHA-256 (FIPS 180-4), for names and checksums of cached files.  None of the libraries
 * that the programs link has a cryptographic hash. */
#ifndef PM_SHA256_H
#define PM_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { PM_SHA256_BYTES = 32 };

typedef struct {
    uint32_t state[8];
    uint64_t bytes; /* of the message so far */
    unsigned char rest[64];
} pm_sha256;

void pm_sha256_begin(pm_sha256 *s);
void pm_sha256_add(pm_sha256 *s, const void *data, size_t size);
/* The 8 bytes of x, in the sequence of the machine. */
void pm_sha256_add_number(pm_sha256 *s, int64_t x);
void pm_sha256_end(pm_sha256 *s, unsigned char digest[PM_SHA256_BYTES]);

#endif
