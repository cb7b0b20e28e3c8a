/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/conjugate_gradients.h"

/* z, the diagonal part of the preconditioner times the rest, gets the other part.  Returns rest^T z; rz: that without it. */
static double correct(const pm_symmetric_system *s, int rest, int z, double rz)
{
    if (!s->correct)
        return rz;
    s->correct(s->context, s->on, rest, z);
    return pm_workspace_reduce(s->on, PM_REDUCE_DOT, rest, z);
}

int64_t pm_conjugate_gradients(const pm_symmetric_system *s, double goal, int64_t steps, int b,
                               int x)
{
    pm_workspace *w = s->on;
    /* what has been taken from the rest is not needed again: z and q are one vector */
    const int rest = b, d = s->work, q = s->work + 1, z = q;
    double dot[2]; /* of the rest with itself, and with z */
    const pm_vector_step first[] = {
        pm_step_map(PM_MAP_FILL, 0, x, x, x), pm_step_map(PM_MAP_DIVIDE, 0, rest, s->diagonal, z),
        pm_step_reduce(PM_REDUCE_DOT, rest, rest), pm_step_reduce(PM_REDUCE_DOT, rest, z)};
    pm_workspace_run(w, first, 4, dot);
    double rz = correct(s, rest, z, dot[1]);
    pm_workspace_map(w, PM_MAP_COPY, 0, z, z, d);
    int64_t products = 0;
    while (products < steps && dot[0] > goal * goal && !pm_run_stopped(s->run)) {
        const double along = s->multiply(w, d, q), before = rz;
        ++products;
        if (!(along > 0))
            break;
        const pm_vector_step next[] = {pm_step_map(PM_MAP_ADD, before / along, d, d, x),
                                       pm_step_map(PM_MAP_ADD, -(before / along), q, q, rest),
                                       pm_step_map(PM_MAP_DIVIDE, 0, rest, s->diagonal, z),
                                       pm_step_reduce(PM_REDUCE_DOT, rest, rest),
                                       pm_step_reduce(PM_REDUCE_DOT, rest, z)};
        pm_workspace_run(w, next, 5, dot);
        rz = correct(s, rest, z, dot[1]);
        pm_workspace_map(w, PM_MAP_ADD_TO, rz / before, z, z, d);
    }
    return products;
}
