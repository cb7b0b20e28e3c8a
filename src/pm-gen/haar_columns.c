/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-gen/haar_columns.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

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

/* Orthonormal columns from independent Gaussian ones are the columns of a Haar-random unitary matrix (Mezzadri 2007).
 * Each is made orthogonal twice, which removes the rounding of the first time. */
static void orthogonalise(const pm_haar_columns *u, int64_t j)
{
    double complex *mine = u->entry + j * u->rows;
    for (int64_t other = 0; other < 2 * j; ++other) {
        const double complex *x = u->entry + other % j * u->rows;
        double complex part = product(x, mine, u->rows);
        for (int64_t i = 0; i < u->rows; ++i)
            mine[i] -= part * x[i];
    }
    double length = sqrt(creal(product(mine, mine, u->rows)));
    for (int64_t i = 0; i < u->rows; ++i)
        mine[i] /= length;
}

pm_status pm_haar_columns_draw(const pm_family_args *a, pm_haar_columns *u, pm_error *err)
{
    pm_status status = PM_OK;
    u->entry = pm_alloc_array(u->rows * u->columns, sizeof *u->entry);
    if (!u->entry)
        return pm_fail_memory(err, "a unitary matrix");
    for (int64_t j = 0; j < u->columns && !status; ++j) {
        for (int64_t i = 0; i < u->rows; ++i)
            u->entry[j * u->rows + i] = draw_gaussian(a->random);
        orthogonalise(u, j);
        status = pm_family_check_stop(a, err);
    }
    return status;
}
