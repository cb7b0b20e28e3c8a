/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/short_cycles.h"

#include <math.h>

#include "bounds/closed_walks.h"

enum { LENGTHS = 2 /* 4 and 6 */ };

pm_status pm_short_cycles_make(const pm_matrix *a, const double *b, uint64_t seed,
                               const pm_run *run, pm_short_cycles *out, pm_error *err)
{
    const double nnz = (double)pm_matrix_nnz(a);
    const int64_t count = pm_closed_walks_usual(a);
    int64_t hits[LENGTHS];
    pm_closed_walks w;
    *out = (pm_short_cycles){0};
    pm_status status = pm_closed_walks_make(a, b, b, &w, err);
    if (status)
        return status;
    status = pm_closed_walks_count(&w, count, LENGTHS, seed, run, hits, err);
    pm_closed_walks_free(&w);
    for (int l = 0; l < LENGTHS && !status; ++l) {
        /* all closed walks are 2 nnz times the share of those that come back, 2 (2 k) for each cycle */
        const double scale = 2 * nnz / (double)count / (4 * (l + 2));
        out->excess += fabs(scale * (double)hits[l] - 1.0 / (2 * (l + 2)));
        out->error += scale * sqrt((double)hits[l] + 1);
    }
    return status;
}
