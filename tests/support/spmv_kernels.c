/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/spmv_kernels.h"

#include "support/testing.h"

pm_spmv_kind spmv_kind_of(int number)
{
    return (pm_spmv_kind){(pm_semiring)(number % 3), number / 3 % 2, number / 6 % 2,
                          number / 12 % 2};
}

void spmv_kernels_check(const csr_case *c, const pm_spmv_kind *kind, uint64_t *rng, spmv_more *more)
{
    pm_csr a = c->a;
    pm_spmv_gpu g;
    double *y = malloc((size_t)a.nrows * sizeof *y + 1);
    a.value = kind->has_values ? c->value : NULL;
    assert_int_equal(pm_spmv_gpu_open(0, &a, kind, &g, NULL), PM_OK);
    assert_int_equal(pm_spmv_gpu_put(&g, c->x, NULL), PM_OK);
    for (int k = kind->is_coo ? 0 : PM_SPMV_CSR_SCALAR;
         k < (kind->is_coo ? PM_SPMV_CSR_SCALAR : PM_SPMV_KERNELS); ++k) {
        if (!pm_spmv_kernel_can((pm_spmv_kernel)k, kind->semiring))
            continue;
        g.arrays.group = 2 << pm_rng_below(rng, 5);
        for (int64_t i = 0; i < a.nrows; ++i)
            y[i] = 1e300;
        assert_int_equal(pm_spmv_gpu_multiply(&g, (pm_spmv_kernel)k, NULL), PM_OK);
        assert_int_equal(pm_spmv_gpu_get(&g, y, NULL), PM_OK);
        csr_case_check(c, kind->semiring, kind->has_values, y, kind->is_single ? 0x1p-24 : 0x1p-53,
                       pm_spmv_kernel_name((pm_spmv_kernel)k));
    }
    if (more)
        more(c, &g, y);
    pm_spmv_gpu_close(&g);
    free(y);
}
