/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/period.h"

#include <inttypes.h>

#include "matrix/written_out.h"
#include "pm/alloc.h"

enum { ENTRY_BYTES = 64 /* while entries are sorted */, VALUE_BYTES = 48 /* a part of a value */ };

void pm_period_free(pm_period *p)
{
    pm_matrix_free(&p->next);
    pm_matrix_free(&p->before);
    *p = (pm_period){0};
}

pm_status pm_period_copy(const pm_period *p, pm_period *out, pm_error *err)
{
    *out = (pm_period){.length = p->length, .is_ring = p->is_ring};
    pm_status status = pm_matrix_copy(&p->next, &out->next, err);
    if (!status)
        status = pm_matrix_copy(&p->before, &out->before, err);
    if (status)
        pm_period_free(out);
    return status;
}

pm_field pm_period_field(const pm_matrix *own, const pm_period *p)
{
    pm_field field = own->field;
    field = p->next.field > field ? p->next.field : field;
    return p->before.field > field ? p->before.field : field;
}

static int64_t times_or_most(int64_t a, int64_t b)
{
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

void pm_period_size(const pm_matrix *own, const pm_period *p, int64_t *nrows, int64_t *ncols,
                    int64_t *nnz)
{
    *nrows = times_or_most(own->nrows, p->length);
    *ncols = times_or_most(own->ncols, p->length);
    const int64_t between = pm_matrix_nnz(&p->next) + pm_matrix_nnz(&p->before);
    *nnz = times_or_most(pm_matrix_nnz(own) + between, p->length);
    if (!p->is_ring && *nnz < INT64_MAX)
        *nnz -= between;
}

/* Adds the entries of a, with these rows and columns first. */
static pm_status add_part(const pm_matrix *a, int64_t row, int64_t col, pm_triples *to,
                          pm_error *err)
{
    pm_status status = PM_OK;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1] && !status; ++k) {
            pm_dyadic re = {0}, im = {0};
            if (a->re)
                pm_dyadic_set(&re, &a->re[k]);
            else
                pm_dyadic_set_si(&re, 1);
            if (a->im)
                pm_dyadic_set(&im, &a->im[k]);
            status = pm_triples_add(to, row + i, col + a->colind[k], 0,
                                    to->field == PM_PATTERN ? NULL : &re,
                                    to->field == PM_COMPLEX ? &im : NULL, err);
            pm_dyadic_clear(&re);
            pm_dyadic_clear(&im);
        }
    return status;
}

static pm_status check_size(const pm_matrix *own, const pm_period *p, int64_t *nnz, pm_error *err)
{
    const int64_t each = pm_matrix_nnz(own) + pm_matrix_nnz(&p->next) + pm_matrix_nnz(&p->before);
    int64_t nrows, ncols;
    pm_period_size(own, p, &nrows, &ncols, nnz);
    const bool fits =
        pm_written_out_is_allowed(nrows, ncols, *nnz) && p->length <= PM_WRITTEN_OUT_LINES;
    const pm_field field = pm_period_field(own, p);
    const int parts = (field != PM_PATTERN) + (field == PM_COMPLEX);
    const int64_t bytes = fits ? *nnz * (ENTRY_BYTES + parts * VALUE_BYTES) : 0;
    if (!fits || !pm_written_out_has_memory(bytes))
        return pm_fail(err, PM_UNABLE,
                       "refused: %" PRId64 " parts with %" PRId64 " rows, %" PRId64
                       " columns and %" PRId64
                       " entries each are too large to be written out; only the number of perfect "
                       "matchings is counted without that",
                       p->length, own->nrows, own->ncols, each);
    return PM_OK;
}

/* The part of this number has a part after it, or before it: *number. */
static bool neighbour(const pm_period *p, int64_t k, int64_t step, int64_t *number)
{
    *number = k + step;
    if (p->is_ring)
        *number = (*number + p->length) % p->length;
    return *number >= 0 && *number < p->length;
}

pm_status pm_period_write_out(const pm_matrix *own, const pm_period *p, pm_matrix *out,
                              pm_error *err)
{
    int64_t nnz = 0, other;
    pm_status status = check_size(own, p, &nnz, err);
    if (status)
        return status;
    pm_triples all = {.field = pm_period_field(own, p),
                      .nrows = p->length * own->nrows,
                      .ncols = p->length * own->ncols};
    if (PM_GROW(all.at, all.cap, nnz))
        return pm_fail_memory(err, "a periodic graph");
    for (int64_t k = 0; k < p->length && !status; ++k) {
        const int64_t row = k * own->nrows;
        status = add_part(own, row, k * own->ncols, &all, err);
        if (!status && neighbour(p, k, 1, &other))
            status = add_part(&p->next, row, other * own->ncols, &all, err);
        if (!status && neighbour(p, k, -1, &other))
            status = add_part(&p->before, row, other * own->ncols, &all, err);
    }
    if (!status)
        status = pm_matrix_from_triples(&all, PM_DUPLICATES_SUM, "the periodic graph", out, err);
    pm_triples_free(&all);
    return status;
}
