/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Haar-random unitary matrices: the amplitudes of boson sampling are permanents of parts of them (Aaronson and Arkhipov
 * 2011). */
#include "config.h"

#include <stdlib.h>

#include "pm-gen/family.h"
#include "pm-gen/haar_columns.h"

static pm_status write_entries(const pm_family_args *a, const pm_haar_columns *u, pm_triples *edges,
                               pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t i = 0; i < u->rows && !status; ++i) {
        for (int64_t j = 0; j < u->columns && !status; ++j) {
            pm_dyadic re = {0}, im = {0};
            pm_dyadic_set_d(&re, creal(u->entry[j * u->rows + i]));
            pm_dyadic_set_d(&im, cimag(u->entry[j * u->rows + i]));
            status = pm_triples_add(edges, i, j, 0, &re, &im, err);
            pm_dyadic_clear(&re);
            pm_dyadic_clear(&im);
        }
        if (!status)
            status = pm_family_check_stop(a, err);
    }
    return status;
}

static pm_status make_unitary(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    enum { ROWS_MAX = 1 << 16 };
    pm_haar_columns u = {0};
    pm_status status = pm_family_int(a, 0, 0, ROWS_MAX, &u.rows, err);
    u.columns = u.rows;
    if (!status)
        status = pm_family_begin(a, (double)u.rows, (double)u.rows, (double)u.rows * (double)u.rows,
                                 edges, err);
    if (status)
        return status;
    edges->field = PM_COMPLEX;
    status = pm_haar_columns_draw(a, &u, err);
    if (!status)
        status = write_entries(a, &u, edges, err);
    free(u.entry);
    return status;
}

const pm_family pm_family_unitary = {
    .name = "unitary",
    .arguments = "N",
    .summary = "random N x N unitary matrix (Haar measure)",
    .is_random = true,
    .has_weights = true,
    .run = make_unitary,
};
