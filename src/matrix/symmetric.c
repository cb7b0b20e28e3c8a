/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matrix/symmetric.h"

pm_status pm_matrix_is_symmetric(const pm_matrix *a, bool *is_symmetric, pm_error *err)
{
    pm_matrix t = {0};
    pm_status status = pm_matrix_transpose(a, &t, err);
    *is_symmetric = !status && pm_matrix_equal(a, &t);
    pm_matrix_free(&t);
    return status;
}

bool pm_matrix_has_diagonal(const pm_matrix *a)
{
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            if (a->colind[k] == i)
                return true;
    return false;
}
