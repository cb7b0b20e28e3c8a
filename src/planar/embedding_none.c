/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/embedding.h"

bool pm_embedding_is_built(void)
{
    return false;
}

static pm_status refuse(pm_error *err)
{
    return pm_fail(err, PM_UNABLE, "built without libplanarity and METIS, which planar needs");
}

pm_status pm_embedding_in_plane(const pm_drawn_graph *d, int32_t *next, pm_error *err)
{
    (void)d;
    (void)next;
    return refuse(err);
}

pm_status pm_embedding_obstruction(const pm_drawn_graph *d, const uint8_t *deleted, uint64_t *rng,
                                   int32_t *entries, int32_t *count, pm_error *err)
{
    (void)d;
    (void)deleted;
    (void)rng;
    (void)entries;
    (void)count;
    return refuse(err);
}
