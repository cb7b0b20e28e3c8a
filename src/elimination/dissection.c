/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Nested dissection by METIS.  The only file that includes its header. */
#include "config.h"

#include "elimination/dissection.h"

#include <metis.h>
#include <signal.h>
#include <stdlib.h>

#include "pm/alloc.h"

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS with 32-bit indices");

pm_status pm_dissection_order(const pm_adjacency *g, uint64_t seed, int32_t *order, pm_error *err)
{
    idx_t n = g->n, options[METIS_NOPTIONS];
    if (n < 3 || g->ptr[n] == 0) { /* METIS complains about graphs without edges */
        for (int32_t v = 0; v < n; ++v)
            order[v] = v;
        return PM_OK;
    }
    int32_t *time = pm_alloc_array(n, sizeof *time);
    if (!time)
        return pm_fail_memory(err, "an order of elimination");
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = (idx_t)(seed & 0x7fffffff);
    int done;
#pragma omp critical(pm_metis) /* it exchanges the signal handlers of the process */
    done = METIS_NodeND(&n, g->ptr, g->adj, NULL, options, order, time);
    free(time);
    if (done == METIS_ERROR) {
        /* METIS raises SIGTERM for its own errors and catches it, so it hides one from outside */
        raise(SIGTERM);
        return pm_fail(err, PM_ESTOPPED, "stopped during a search for an order of elimination");
    }
    return done == METIS_OK ? PM_OK : pm_fail_memory(err, "an order of elimination");
}
