/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Schur matrix root(N)^(j k), j, k = 0 .. N - 1: that of the discrete Fourier transform. */
#include "config.h"

#include "number/dyadic_roots.h"
#include "pm-gen/family.h"

static pm_status put_row(const pm_family_args *a, int64_t n, int64_t j, pm_triples *edges,
                         pm_error *err)
{
    mpq_t one;
    pm_root_sum root;
    pm_status status = PM_OK;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&root);
    for (int64_t k = 0; k < n && !status; ++k) {
        pm_dyadic re = {0}, im = {0};
        pm_root_sum_set_power(&root, one, n, j * k);
        pm_dyadic_set_roots(&re, &root);
        status = pm_triples_add(edges, j, k, 0, &re, n > 2 ? &im : NULL, err);
        pm_dyadic_clear(&re);
    }
    pm_root_sum_clear(&root);
    mpq_clear(one);
    return status ? status : pm_family_check_stop(a, err);
}

static pm_status make_schur(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n;
    pm_status status = pm_family_int(a, 0, 1, PM_ROOT_ORDER_MAX, &n, err);
    if (!status)
        status = pm_family_begin(a, (double)n, (double)n, (double)(n * n), edges, err);
    edges->field = n > 2 ? PM_COMPLEX : PM_INTEGER;
    for (int64_t j = 0; !status && j < n; ++j)
        status = put_row(a, n, j, edges, err);
    return status;
}

const pm_family pm_family_schur = {
    .name = "schur",
    .arguments = "N",
    .summary = "root(N)^(jk), j, k = 0 .. N - 1, the matrix of the Fourier transform",
    .has_weights = true,
    .run = make_schur,
};
