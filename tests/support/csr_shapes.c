/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/csr_shapes.h"

#include <math.h>
#include <stdlib.h>

#include "support/testing.h"

static int64_t length_of(uint64_t *rng, csr_shape shape, int64_t i, int64_t full, int64_t ncols,
                         double mean)
{
    const int64_t most = (int64_t)(2 * mean) + 1;
    switch (shape) {
    case CSR_RANDOM: return (int64_t)pm_rng_below(rng, (uint32_t)most + 1);
    case CSR_EMPTY_ROWS: return pm_rng_below(rng, 4) ? 0 : (int64_t)(4 * mean);
    case CSR_FULL_ROW: return i == full ? ncols : (int64_t)pm_rng_below(rng, 2);
    case CSR_FULL_COLUMN: return 1;
    default: return (int64_t)fmin((double)ncols, mean / (pm_rng_unit(rng) + 1e-6) - mean);
    }
}

csr_case csr_case_make(uint64_t *rng, csr_shape shape, int64_t nrows, int64_t ncols, double mean)
{
    csr_case c = {.rowptr = calloc((size_t)nrows + 1, sizeof *c.rowptr)};
    const int64_t full = nrows ? (int64_t)pm_rng_below(rng, (uint32_t)nrows) : 0;
    const int32_t one = ncols ? (int32_t)pm_rng_below(rng, (uint32_t)ncols) : 0;
    assert_non_null(c.rowptr);
    for (int64_t i = 0; i < nrows; ++i)
        c.rowptr[i + 1] = c.rowptr[i] + (ncols ? length_of(rng, shape, i, full, ncols, mean) : 0);
    const int64_t nnz = c.rowptr[nrows];
    c.colind = malloc((size_t)nnz * sizeof *c.colind + 1);
    c.value = malloc((size_t)nnz * sizeof *c.value + 1);
    c.x = malloc((size_t)ncols * sizeof *c.x + 1);
    c.y = malloc((size_t)nrows * sizeof *c.y + 1);
    assert_true(c.colind && c.value && c.x && c.y);
    for (int64_t i = 0; i < nrows; ++i)
        for (int64_t k = c.rowptr[i]; k < c.rowptr[i + 1]; ++k) {
            c.colind[k] = shape == CSR_FULL_COLUMN ? one
                          : shape == CSR_FULL_ROW && i == full
                              ? (int32_t)(k - c.rowptr[i])
                              : (int32_t)pm_rng_below(rng, (uint32_t)ncols);
            c.value[k] = (double)pm_rng_below(rng, 9) - 4;
        }
    for (int64_t j = 0; j < ncols; ++j)
        c.x[j] = (double)pm_rng_below(rng, 9) - 4;
    c.a = (pm_csr){nrows, ncols, c.rowptr, c.colind, c.value, NULL};
    return c;
}

void csr_case_free(csr_case *c)
{
    free(c->rowptr);
    free(c->colind);
    free(c->value);
    free(c->x);
    free(c->y);
    *c = (csr_case){0};
}

void csr_case_check(const csr_case *c, pm_semiring s, bool has_values, const double *y, double unit,
                    const char *what)
{
    pm_csr a = c->a;
    a.value = has_values ? c->value : NULL;
    pm_semiring_multiply(s, &a, c->x, c->y, 1);
    for (int64_t i = 0; i < a.nrows; ++i) {
        const double terms = (double)(a.rowptr[i + 1] - a.rowptr[i]);
        const double room =
            s == PM_SEMIRING_LOG && terms > 0 ? 4 * terms * unit * (fabs(c->y[i]) + 1) : 0;
        if (!(y[i] == c->y[i] || fabs(y[i] - c->y[i]) <= room))
            fail_msg("%s, %s: row %lld of %lld with %.0f terms is %.17g, not %.17g", what,
                     pm_semiring_name(s), (long long)i, (long long)a.nrows, terms, y[i], c->y[i]);
    }
}
