/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Schur matrix root(N)^(j k), j, k = 0 .. N - 1: that of the discrete Fourier transform. */
#include "config.h"

#include <stdlib.h>

#include "number/dyadic_roots.h"
#include "pm-gen/family.h"
#include "pm/alloc.h"

/* power[k] = root(n)^k, k = 0 .. n - 1, which are 0 before. */
static void set_powers(int64_t n, pm_dyadic *power)
{
    mpq_t one;
    pm_root_sum root;
    mpq_init(one);
    mpq_set_ui(one, 1, 1);
    pm_root_sum_init(&root);
    for (int64_t k = 0; k < n; ++k) {
        pm_root_sum_set_power(&root, one, n, k);
        pm_dyadic_set_roots(&power[k], &root);
    }
    pm_root_sum_clear(&root);
    mpq_clear(one);
}

static pm_status put_row(const pm_family_args *a, int64_t n, int64_t j, const pm_dyadic *power,
                         pm_triples *edges, pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t k = 0; k < n && !status; ++k) {
        pm_dyadic re = {0}, im = {0};
        pm_dyadic_set(&re, &power[j * k % n]);
        status = pm_triples_add(edges, j, k, 0, &re, n > 2 ? &im : NULL, err);
        pm_dyadic_clear(&re);
    }
    return status ? status : pm_family_check_stop(a, err);
}

static pm_status make_schur(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t n;
    pm_status status = pm_family_int(a, 0, 1, PM_ROOT_ORDER_MAX, &n, err);
    if (!status)
        status = pm_family_begin(a, (double)n, (double)n, (double)(n * n), edges, err);
    if (status)
        return status;
    pm_dyadic *power = pm_calloc_array(n, sizeof *power);
    if (!power)
        return pm_fail_memory(err, "roots of unity");
    edges->field = n > 2 ? PM_COMPLEX : PM_INTEGER;
    set_powers(n, power);
    for (int64_t j = 0; !status && j < n; ++j)
        status = put_row(a, n, j, power, edges, err);
    for (int64_t k = 0; k < n; ++k)
        pm_dyadic_clear(&power[k]);
    free(power);
    return status;
}

const pm_family pm_family_schur = {
    .name = "schur",
    .arguments = "N",
    .summary = "root(N)^(jk), j, k = 0 .. N - 1, the matrix of the Fourier transform",
    .has_weights = true,
    .run = make_schur,
};
