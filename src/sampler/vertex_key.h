/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sampler/vertex_key.h: which vertex has the fewest neighbours left, by one minimum over an array.
 *
 * The key of a vertex is degree 2^16 + vertex: the least key is the first of the vertices of
 * least degree.  The key of one that was taken is ~0; losing neighbours later, at most 32767, it
 * stays above the others. */
#ifndef PM_VERTEX_KEY_H
#define PM_VERTEX_KEY_H

#include <stdint.h>

enum { PM_VERTEX_KEY_DEGREE = 1 << 16 };

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

uint32_t pm_vertex_key_min(const uint32_t *key, int32_t count);

#endif
