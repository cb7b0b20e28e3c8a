/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix B of a pure Gaussian state without displacement (Hamilton et al. 2017, "Gaussian boson sampling"): B = U
 * diag(tanh r) U^T, where U is the unitary matrix of an interferometer.  The probability of a pattern of photons is
 * proportional to the square of the absolute value of a hafnian of rows and columns of B. */
#include "config.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "pm-gen/family.h"
#include "pm-gen/haar_columns.h"

static pm_status write_products(const pm_family_args *a, const pm_haar_columns *u, double scale,
                                pm_triples *edges, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t i = 0; i < u->rows && !status; ++i) {
        for (int64_t k = i; k < u->rows && !status; ++k) {
            double complex sum = 0;
            pm_dyadic re = {0}, im = {0};
            for (int64_t j = 0; j < u->columns; ++j)
                sum += u->entry[j * u->rows + i] * u->entry[j * u->rows + k];
            pm_dyadic_set_d(&re, scale * creal(sum));
            pm_dyadic_set_d(&im, scale * cimag(sum));
            status = pm_triples_add(edges, i, k, 0, &re, &im, err);
            pm_dyadic_clear(&re);
            pm_dyadic_clear(&im);
        }
        if (!status)
            status = pm_family_check_stop(a, err);
    }
    return status;
}

static pm_status make_gaussian_state(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    enum { MODES_MAX = 1 << 16 };
    pm_haar_columns u = {0};
    double squeezing;
    pm_status status = pm_family_int(a, 0, 0, MODES_MAX, &u.rows, err);
    if (!status)
        status = pm_family_positive(a, 1, &squeezing, err);
    u.columns = u.rows;
    if (!status && a->count > 2)
        status = pm_family_int(a, 2, 1, u.rows, &u.columns, err);
    const double n = (double)u.rows;
    if (!status)
        status = pm_family_begin(a, n, n, n * (n + 1) / 2, edges, err);
    if (status)
        return status;
    edges->field = PM_COMPLEX;
    status = pm_haar_columns_draw(a, &u, err);
    if (!status)
        status = write_products(a, &u, tanh(squeezing), edges, err);
    free(u.entry);
    return status;
}

const pm_family pm_family_gaussian_state = {
    .name = "gaussian-state",
    .arguments = "N R [K]",
    .summary = "matrix of N optical modes, K of them squeezed by R, after a random interferometer",
    .is_random = true,
    .one_set = true,
    .has_weights = true,
    .run = make_gaussian_state,
};
