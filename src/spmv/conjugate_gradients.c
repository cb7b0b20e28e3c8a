/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/conjugate_gradients.h"

static void precondition(const pm_symmetric_system *s, int rest, int z)
{
    pm_workspace_map(s->on, PM_MAP_DIVIDE, 0, rest, s->diagonal, z);
    if (s->correct)
        s->correct(s->context, s->on, rest, z);
}

int64_t pm_conjugate_gradients(const pm_symmetric_system *s, double goal, int64_t steps, int b,
                               int x)
{
    pm_workspace *w = s->on;
    /* what has been taken from the rest is not needed again: z and q are one vector */
    const int rest = b, d = s->work, q = s->work + 1, z = q;
    precondition(s, rest, z);
    pm_workspace_map(w, PM_MAP_FILL, 0, x, x, x);
    pm_workspace_map(w, PM_MAP_COPY, 0, z, z, d);
    double rz = pm_workspace_reduce(w, PM_REDUCE_DOT, rest, z);
    int64_t products = 0;
    while (products < steps && pm_workspace_reduce(w, PM_REDUCE_DOT, rest, rest) > goal * goal
           && !pm_run_stopped(s->run)) {
        s->multiply(w, d, q);
        ++products;
        double along = pm_workspace_reduce(w, PM_REDUCE_DOT, d, q), before = rz;
        if (!(along > 0))
            break;
        pm_workspace_map(w, PM_MAP_ADD, before / along, d, d, x);
        pm_workspace_map(w, PM_MAP_ADD, -(before / along), q, q, rest);
        precondition(s, rest, z);
        rz = pm_workspace_reduce(w, PM_REDUCE_DOT, rest, z);
        pm_workspace_map(w, PM_MAP_ADD_TO, rz / before, z, z, d);
    }
    return products;
}
