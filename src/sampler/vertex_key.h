/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/vertex_key.h: keys of vertices whose minimum is the vertex with the fewest neighbours.
 *
 * key = degree 2^16 + vertex, so the smallest key belongs to a vertex of smallest degree, and among
 * these to the one with the smallest number.  A vertex that has been matched gets the key ~0.  Its
 * neighbours may still be matched later, which subtracts PM_VERTEX_KEY_DEGREE at most 32767 times:
 * the key stays above the keys of all unmatched vertices. */
#ifndef PM_VERTEX_KEY_H
#define PM_VERTEX_KEY_H

#include <stdint.h>

enum { PM_VERTEX_KEY_DEGREE = 1 << 16 /* a degree of 1 in a key */ };

/* vertex: 0 .. 65535; degree: 0 .. 32767. */
static inline uint32_t pm_vertex_key(int32_t vertex, int32_t degree)
{
    return (uint32_t)degree << 16 | (uint32_t)vertex;
}

static inline int32_t pm_vertex_key_vertex(uint32_t key)
{
    return (int32_t)(key & 0xffff);
}

static inline int32_t pm_vertex_key_degree(uint32_t key)
{
    return (int32_t)(key >> 16);
}

/* The smallest of key[0 .. count-1]; ~0 when count is 0. */
uint32_t pm_vertex_key_min(const uint32_t *key, int32_t count);

#endif
