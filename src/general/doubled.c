/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "general/doubled.h"

/* The neighbours of row v in the copy that begins at vertex `here`.  Returns whether v has a loop. */
static bool put_neighbours(const pm_matrix *a, int64_t v, int64_t here, pm_matrix *out, int64_t *at)
{
    bool has_loop = false;
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        if (a->colind[k] == v)
            has_loop = true;
        else
            out->colind[(*at)++] = (int32_t)(here + a->colind[k]);
    return has_loop;
}

static bool has_loop(const pm_matrix *a, int64_t v)
{
    for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
        if (a->colind[k] == v)
            return true;
    return false;
}

pm_status pm_doubled_make(const pm_matrix *a, pm_matrix *out, pm_error *err)
{
    const int64_t n = a->nrows;
    int64_t at = 0;
    pm_status status = pm_matrix_alloc(out, PM_PATTERN, 2 * n, 2 * n, 2 * pm_matrix_nnz(a), err);
    if (status)
        return status;
    for (int64_t v = 0; v < n; ++v) {
        if (put_neighbours(a, v, 0, out, &at))
            out->colind[at++] = (int32_t)(n + v);
        out->rowptr[v + 1] = at;
    }
    for (int64_t v = 0; v < n; ++v) {
        if (has_loop(a, v))
            out->colind[at++] = (int32_t)v;
        put_neighbours(a, v, n, out, &at);
        out->rowptr[n + v + 1] = at;
    }
    return PM_OK;
}
