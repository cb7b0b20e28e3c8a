/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spmv/conjugate_gradients.h"

/* z = the preconditioner times the rest, after these steps, of which there are `steps`, with room for more.  dot: of
 * the rest with itself, and with z. */
static void precondition(const pm_symmetric_system *s, pm_vector_step *step, int steps, int rest,
                         int z, double dot[2])
{
    if (!s->precondition)
        step[steps++] = pm_step_map(PM_MAP_DIVIDE, 0, rest, s->diagonal, z);
    step[steps++] = pm_step_reduce(PM_REDUCE_DOT, rest, rest);
    if (!s->precondition)
        step[steps++] = pm_step_reduce(PM_REDUCE_DOT, rest, z);
    pm_workspace_run(s->on, step, steps, dot);
    if (!s->precondition)
        return;
    s->precondition(s->context, s->on, rest, z);
    dot[1] = pm_workspace_reduce(s->on, PM_REDUCE_DOT, rest, z);
}

int64_t pm_conjugate_gradients(const pm_symmetric_system *s, double goal, int64_t steps, int b,
                               int x)
{
    pm_workspace *w = s->on;
    /* what has been taken from the rest is not needed again: z and q are one vector */
    const int rest = b, d = s->work, q = s->work + 1, z = q;
    double dot[2];
    pm_vector_step first[PM_STEPS_MOST] = {pm_step_map(PM_MAP_FILL, 0, x, x, x)};
    precondition(s, first, 1, rest, z, dot);
    pm_workspace_map(w, PM_MAP_COPY, 0, z, z, d);
    int64_t products = 0;
    while (products < steps && dot[0] > goal * goal && !pm_run_stopped(s->run)) {
        const double along = s->multiply(w, d, q), before = dot[1];
        ++products;
        if (!(along > 0))
            break;
        pm_vector_step next[PM_STEPS_MOST] = {
            pm_step_map(PM_MAP_ADD, before / along, d, d, x),
            pm_step_map(PM_MAP_ADD, -(before / along), q, q, rest)};
        precondition(s, next, 2, rest, z, dot);
        pm_workspace_map(w, PM_MAP_ADD_TO, dot[1] / before, z, z, d);
    }
    return products;
}
