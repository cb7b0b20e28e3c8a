/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bethe_estimate/short_cycles.h"

#include <math.h>

#include "bethe_estimate/closed_walks.h"

enum { LENGTHS = 2 /* 4 and 6 */ };

/* All closed walks are 2 nnz times the share, 2 (2 k) for each cycle. */
static double cycles_of_share(const pm_matrix *a, int l)
{
    return 2 * (double)pm_matrix_nnz(a) / (4 * (l + 2));
}

pm_status pm_short_cycles_make(const pm_matrix *a, const double *b, double tolerance, uint64_t seed,
                               const pm_run *run, pm_short_cycles *out, pm_error *err)
{
    pm_closed_share share[LENGTHS];
    const double tolerable = tolerance / (LENGTHS * cycles_of_share(a, 0));
    *out = (pm_short_cycles){0};
    pm_status status = pm_closed_shares_make(a, b, b, LENGTHS, tolerable, seed, run, share, err);
    for (int l = 0; l < LENGTHS && !status; ++l) {
        const double scale = cycles_of_share(a, l);
        out->excess += fabs(scale * share[l].value - 1.0 / (2 * (l + 2)));
        out->error += scale * share[l].error;
    }
    return status;
}
