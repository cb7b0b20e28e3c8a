/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/vertex_key.h"

#include "core/vectorised.h"

PM_VECTORISED uint32_t pm_vertex_key_min(const uint32_t *key, int32_t count)
{
    uint32_t least = ~UINT32_C(0);
    for (int32_t i = 0; i < count; ++i)
        least = key[i] < least ? key[i] : least;
    return least;
}
