/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The matrix B of a pure Gaussian state without displacement (Hamilton et al. 2017, "Gaussian boson sampling"):
 * B = U diag(tanh r) U^T, where U is the unitary matrix of an interferometer.  The probability of a pattern of photons is
 * proportional to the square of the absolute value of a hafnian of rows and columns of B. */
#include "config.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

#include "pm-gen/family.h"
#include "pm/alloc.h"

typedef struct {
    int64_t modes, squeezed;
    double complex *column; /* column j of U: column[j * modes] .. column[(j + 1) * modes - 1] */
} interferometer;

static double complex draw_gaussian(pm_random *random)
{
    double radius = sqrt(-2 * log(pm_random_unit(random)));
    double angle = 2 * M_PI * pm_random_unit(random);
    return radius * cos(angle) + I * (radius * sin(angle));
}

static double complex product(const double complex *x, const double complex *y, int64_t n)
{
    double complex sum = 0;
    for (int64_t i = 0; i < n; ++i)
        sum += conj(x[i]) * y[i];
    return sum;
}

/* Orthonormal columns from independent Gaussian ones are the columns of a Haar-random unitary matrix (Mezzadri 2007).  Each is
 * made orthogonal twice, which removes the rounding of the first time. */
static void orthogonalise(const interferometer *u, int64_t j)
{
    double complex *mine = u->column + j * u->modes;
    for (int64_t other = 0; other < 2 * j; ++other) {
        const double complex *x = u->column + other % j * u->modes;
        double complex part = product(x, mine, u->modes);
        for (int64_t i = 0; i < u->modes; ++i)
            mine[i] -= part * x[i];
    }
    double length = sqrt(creal(product(mine, mine, u->modes)));
    for (int64_t i = 0; i < u->modes; ++i)
        mine[i] /= length;
}

static pm_status draw_columns(const pm_family_args *a, const interferometer *u, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t j = 0; j < u->squeezed && !status; ++j) {
        for (int64_t i = 0; i < u->modes; ++i)
            u->column[j * u->modes + i] = draw_gaussian(a->random);
        orthogonalise(u, j);
        status = pm_family_check_stop(a, err);
    }
    return status;
}

static pm_status write_products(const pm_family_args *a, const interferometer *u, double scale,
                                pm_triples *edges, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t i = 0; i < u->modes && !status; ++i) {
        for (int64_t k = i; k < u->modes && !status; ++k) {
            double complex sum = 0;
            pm_dyadic re = {0}, im = {0};
            for (int64_t j = 0; j < u->squeezed; ++j)
                sum += u->column[j * u->modes + i] * u->column[j * u->modes + k];
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
    interferometer u = {0};
    double squeezing;
    pm_status status = pm_family_int(a, 0, 0, MODES_MAX, &u.modes, err);
    if (!status)
        status = pm_family_positive(a, 1, &squeezing, err);
    u.squeezed = u.modes;
    if (!status && a->count > 2)
        status = pm_family_int(a, 2, 1, u.modes, &u.squeezed, err);
    const double n = (double)u.modes;
    if (!status)
        status = pm_family_begin(a, n, n, n * (n + 1) / 2, edges, err);
    if (status)
        return status;
    edges->field = PM_COMPLEX;
    u.column = pm_alloc_array(u.modes * u.squeezed, sizeof *u.column);
    status = u.column ? draw_columns(a, &u, err) : pm_fail_memory(err, "a unitary matrix");
    if (!status)
        status = write_products(a, &u, tanh(squeezing), edges, err);
    free(u.column);
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
