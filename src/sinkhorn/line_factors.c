/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sinkhorn/line_factors.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/dm.h"
#include "pm/value.h"
#include "sampler/scaled_entries.h"
#include "sinkhorn/curtis_reid.h"
#include "sinkhorn/sinkhorn.h"

enum { PRODUCTS = 100000 };
#define TOLERANCE 1e-12
#define ENOUGH    0x1p-27 /* of the residual, where rounding or many magnitudes allow no more */

/* ---- total support ---- */

/* Fails when an entry lies outside of the diagonal blocks of the decomposition. */
static pm_status check_blocks(const pm_matrix *a, const pm_dm *d, int32_t *block, pm_error *err)
{
    for (int64_t b = 0; b < d->nblocks; ++b)
        for (int64_t k = d->s[b]; k < d->s[b + 1]; ++k)
            block[d->q[k]] = (int32_t)b;
    for (int64_t b = 0; b < d->nblocks; ++b)
        for (int64_t k = d->r[b]; k < d->r[b + 1]; ++k)
            for (int64_t e = a->rowptr[d->p[k]]; e < a->rowptr[d->p[k] + 1]; ++e)
                if (block[a->colind[e]] != b) {
                    char row[24], col[24];
                    return pm_fail(err, PM_UNABLE,
                                   "the entry of row %s and column %s is in no perfect matching, "
                                   "so no scaling makes all sums 1; pm-dm leaves such entries out",
                                   pm_label(&a->row_labels, d->p[k], row),
                                   pm_label(&a->col_labels, a->colind[e], col));
                }
    return PM_OK;
}

static pm_status check_support(const pm_matrix *a, const pm_run *run, pm_error *err)
{
    pm_dm d = {0};
    pm_status status = pm_dm_decompose(a, run, &d, err);
    if (status)
        return status;
    int32_t *block = pm_alloc_array(a->ncols, sizeof *block);
    if (d.rank < a->nrows)
        status =
            pm_fail(err, PM_UNABLE, "there is no perfect matching, so no scaling makes all sums 1");
    else
        status = block ? check_blocks(a, &d, block, err) : pm_fail_memory(err, "blocks");
    free(block);
    pm_dm_free(&d);
    return status;
}

/* ---- absolute values ---- */

/* |z| to double precision: as near as a factor needs. */
static void absolute(const pm_matrix *a, int64_t k, pm_dyadic *out)
{
    pm_xreal re = pm_xreal_from_dyadic(&a->re[k]), im = pm_xreal_from_dyadic(&a->im[k]);
    int64_t top = re.hi == 0 || (im.hi != 0 && im.exp > re.exp) ? im.exp : re.exp;
    double x = re.hi == 0 ? 0 : ldexp(re.hi, (int)fmax((double)(re.exp - top), -2000));
    double y = im.hi == 0 ? 0 : ldexp(im.hi, (int)fmax((double)(im.exp - top), -2000));
    pm_dyadic_set_d(out, hypot(x, y));
    pm_dyadic_mul_2exp(out, top);
}

static pm_status make_absolute(const pm_matrix *a, pm_matrix *out, pm_error *err)
{
    pm_status status = pm_matrix_copy(a, out, err);
    for (int64_t k = 0; !status && k < pm_matrix_nnz(a); ++k)
        if (a->im)
            absolute(a, k, &out->re[k]);
        else
            pm_dyadic_abs(&out->re[k]);
    return status;
}

/* ---- a start: rows and columns of very different sizes ---- */

static void scale_positive(pm_matrix *positive, const int64_t *start)
{
    for (int64_t i = 0; i < positive->nrows; ++i)
        for (int64_t k = positive->rowptr[i]; k < positive->rowptr[i + 1]; ++k)
            pm_dyadic_mul_2exp(&positive->re[k],
                               start[i] + start[positive->nrows + positive->colind[k]]);
}

/* Multiplies the rows and columns by the powers of two of *out, [2 n], which the caller frees. */
static pm_status make_start(pm_matrix *positive, const pm_run *run, int64_t **out, pm_error *err)
{
    int64_t *start = pm_alloc_array(2 * positive->nrows, sizeof *start);
    pm_status status =
        start ? pm_curtis_reid(positive, run, start, err) : pm_fail_memory(err, "factors");
    if (status) {
        free(start);
        return status;
    }
    scale_positive(positive, start);
    *out = start;
    return PM_OK;
}

/* ---- factors ---- */

static pm_status make_factors(int64_t n, pm_line_factors *f, pm_error *err)
{
    f->row = pm_alloc_array(n, sizeof *f->row);
    f->col = pm_alloc_array(n, sizeof *f->col);
    return f->row && f->col ? PM_OK : pm_fail_memory(err, "factors");
}

/* Scales the absolute values.  *s: freed by the caller; zeroed where that fails. */
static pm_status converge(const pm_matrix *positive, const pm_scaled_entries *entries,
                          const pm_run *run, pm_sinkhorn *s, pm_error *err)
{
    const bool is_pattern = !positive->re;
    pm_status status = is_pattern ? pm_sinkhorn_make_ones(positive, run, s, err)
                                  : pm_sinkhorn_make(positive, PM_ON_HOST, run, s, err);
    if (status)
        return status;
    for (int64_t k = 0; !is_pattern && k < pm_matrix_nnz(positive); ++k)
        s->x[k] = entries->value[k][0];
    pm_sinkhorn_start(s, s->x);
    return pm_sinkhorn_improve(s, TOLERANCE, PRODUCTS, err);
}

/* positive: the absolute values; start: NULL, or the powers of two that they have been multiplied by */
static pm_status scale(const pm_matrix *positive, const int64_t *start,
                       const pm_scaled_entries *entries, const pm_run *run, pm_line_factors *f,
                       pm_error *err)
{
    const int64_t n = positive->nrows;
    double difference = 0;
    pm_sinkhorn s;
    pm_status status = converge(positive, entries, run, &s, err);
    if (!status && !(s.residual <= ENOUGH))
        status = pm_fail(err, PM_UNABLE,
                         "Sinkhorn's scaling did not converge: a sum differs from 1 by %.2g",
                         s.residual);
    if (!status)
        status = make_factors(n, f, err);
    for (int64_t i = 0; !status && i < n; ++i) {
        const int row = pm_sinkhorn_row_exponent(&s, i), col = pm_sinkhorn_col_exponent(&s, i);
        f->row[i] = log2(s.row[i]) + row + (start ? (double)(start[i] + entries->shift[i]) : 0);
        f->col[i] =
            log2(s.col[i]) + col + (start ? (double)(start[n + i] + entries->shift[n + i]) : 0);
        difference += (f->row[i] - f->col[i]) / (2 * (double)n);
        f->residual = s.residual;
    }
    for (int64_t i = 0; !status && i < n; ++i) {
        f->row[i] -= difference;
        f->col[i] += difference;
    }
    pm_sinkhorn_free(&s);
    return status;
}

pm_status pm_line_factors_make(const pm_matrix *a, const pm_run *run, pm_line_factors *out,
                               pm_error *err)
{
    pm_matrix positive = {0};
    pm_scaled_entries entries = {0};
    int64_t *start = NULL;
    pm_line_factors f = {0};
    pm_status status = check_support(a, run, err);
    if (!status && a->re)
        status = make_absolute(a, &positive, err);
    if (!status && a->re)
        status = make_start(&positive, run, &start, err);
    if (!status && a->re)
        status = pm_scaled_entries_make(&positive, run, &entries, err);
    if (!status)
        status = scale(a->re ? &positive : a, start, &entries, run, &f, err);
    free(start);
    pm_scaled_entries_free(&entries);
    pm_matrix_free(&positive);
    if (status)
        pm_line_factors_free(&f);
    else
        *out = f;
    return status;
}

void pm_line_factors_free(pm_line_factors *f)
{
    free(f->row);
    free(f->col);
    *f = (pm_line_factors){0};
}
