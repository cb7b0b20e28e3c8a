/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/dissection.h"

pm_status pm_dissection_order(const pm_adjacency *g, uint64_t seed, int32_t *order, pm_error *err)
{
    (void)g;
    (void)seed;
    (void)order;
    return pm_fail(err, PM_UNABLE, "built without METIS, which planar needs");
}
