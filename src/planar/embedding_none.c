/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/embedding.h"

pm_status pm_embedding_in_plane(const pm_matrix *a, int32_t *next, pm_error *err)
{
    (void)a;
    (void)next;
    return pm_fail(err, PM_UNABLE, "built without libplanarity and METIS, which planar needs");
}
