/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/integer_entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

#define EXPONENT_MAX (INT64_C(1) << 24)

void pm_integer_entries_free(pm_integer_entries *z)
{
    for (int part = 0; part < 2; ++part) {
        free(z->start[part]);
        free(z->limb[part]);
    }
    *z = (pm_integer_entries){0};
}

/* ---- exponents ---- */

/* The least exponent of the real and the imaginary part of entry k; INT64_MAX if it is 0. */
static int64_t exponent(const pm_matrix *a, int64_t k)
{
    int64_t least = INT64_MAX;
    if (!pm_dyadic_is_zero(&a->re[k]))
        least = a->re[k].exp;
    if (a->im && !pm_dyadic_is_zero(&a->im[k]) && a->im[k].exp < least)
        least = a->im[k].exp;
    return least;
}

/* The exponents of the powers of 2 by which rows, and then columns, can be divided. */
static void find_exponents(const pm_matrix *a, int64_t *row, int64_t *col)
{
    for (int64_t j = 0; j < a->ncols; ++j)
        col[j] = INT64_MAX;
    for (int64_t i = 0; i < a->nrows; ++i) {
        row[i] = INT64_MAX;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            row[i] = exponent(a, k) < row[i] ? exponent(a, k) : row[i];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t left = exponent(a, k) - row[i];
            col[a->colind[k]] = left < col[a->colind[k]] ? left : col[a->colind[k]];
        }
    }
}

static int64_t half_down(int64_t x)
{
    return x / 2 - (x % 2 < 0);
}

/* The same for a symmetric matrix, with the same power for row v and column v.  An edge of exponent e
 * bounds the powers s and t of its ends by s + t <= e.  Half of the least exponent at each vertex is
 * allowed; then one vertex after another gets as much as its neighbours leave. */
static void find_vertex_exponents(const pm_matrix *a, int64_t *vertex)
{
    for (int64_t v = 0; v < a->nrows; ++v) {
        vertex[v] = INT64_MAX;
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            vertex[v] = exponent(a, k) < vertex[v] ? exponent(a, k) : vertex[v];
        vertex[v] = vertex[v] == INT64_MAX ? 0 : half_down(vertex[v]);
    }
    for (int64_t v = 0; v < a->nrows; ++v) {
        int64_t most = INT64_MAX;
        for (int64_t k = a->rowptr[v]; k < a->rowptr[v + 1]; ++k)
            if (exponent(a, k) != INT64_MAX && exponent(a, k) - vertex[a->colind[k]] < most)
                most = exponent(a, k) - vertex[a->colind[k]];
        vertex[v] = most == INT64_MAX ? 0 : most;
    }
}

static int64_t vertex_shift(const pm_block *b, const int64_t *vertex)
{
    int64_t shift = 0;
    for (int64_t v = 0; v < b->a.nrows; ++v)
        shift += vertex[v];
    return shift;
}

static int64_t total_shift(const pm_block *b, const int64_t *row, const int64_t *col)
{
    int64_t shift = 0;
    for (int64_t i = 0; i < b->a.nrows; ++i)
        if (row[i] != INT64_MAX)
            shift += row[i] * b->row_cap[i];
    for (int64_t j = 0; j < b->a.ncols; ++j)
        if (col[j] != INT64_MAX)
            shift += col[j] * b->col_cap[j];
    return shift;
}

/* ---- limbs ---- */

/* Limbs of the integer x / 2^by. */
static int64_t count_limbs(const pm_dyadic *x, int64_t by)
{
    int64_t bits = pm_dyadic_is_zero(x) ? 0 : pm_dyadic_bits(x) + x->exp - by;
    return (bits + PM_LIMB_BITS - 1) / PM_LIMB_BITS;
}

static void write_limbs(const pm_dyadic *x, int64_t by, int64_t n, double *limb)
{
    int64_t e;
    mpz_t z, low;
    mpz_inits(z, low, NULL);
    pm_dyadic_get_mpz_2exp(z, &e, x);
    mpz_mul_2exp(z, z, n ? (mp_bitcnt_t)(e - by) : 0);
    for (int64_t i = n - 1; i >= 0; --i) {
        mpz_tdiv_r_2exp(low, z, PM_LIMB_BITS);
        mpz_tdiv_q_2exp(z, z, PM_LIMB_BITS);
        limb[i] = mpz_get_d(low);
    }
    mpz_clears(z, low, NULL);
}

static pm_status make_part(const pm_matrix *a, const pm_dyadic *value, const int64_t *row,
                           const int64_t *col, int64_t **start, double **limb, pm_error *err)
{
    int64_t total = 0, nnz = pm_matrix_nnz(a);
    *start = pm_alloc_array(nnz + 1, sizeof **start);
    if (!*start)
        return pm_fail_memory(err, "entries as integers");
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t by = row[i] + col[a->colind[k]];
            if (!pm_dyadic_is_zero(&value[k]) && value[k].exp - by > EXPONENT_MAX)
                return pm_fail(
                    err, PM_UNABLE,
                    "the entries differ too much in size: they cannot be scaled to integers");
            (*start)[k] = total;
            total += count_limbs(&value[k], by);
        }
    (*start)[nnz] = total;
    *limb = pm_alloc_array(total, sizeof **limb);
    if (!*limb)
        return pm_fail_memory(err, "entries as integers");
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            write_limbs(&value[k], row[i] + col[a->colind[k]], (*start)[k + 1] - (*start)[k],
                        *limb + (*start)[k]);
    return PM_OK;
}

pm_status pm_integer_entries_make(const pm_block *b, pm_integer_entries *out, pm_error *err)
{
    const pm_matrix *a = &b->a;
    pm_integer_entries z = {0};
    pm_status status = PM_OK;
    if (!a->re) {
        *out = z;
        return PM_OK;
    }
    int64_t *row = pm_alloc_array(a->nrows, sizeof *row);
    int64_t *col = pm_alloc_array(a->ncols, sizeof *col);
    if (!row || !col) {
        status = pm_fail_memory(err, "entries as integers");
    } else {
        if (b->general) {
            find_vertex_exponents(a, row);
            memcpy(col, row, (size_t)a->nrows * sizeof *col);
            z.shift = vertex_shift(b, row);
        } else {
            find_exponents(a, row, col);
            z.shift = total_shift(b, row, col);
        }
        status = make_part(a, a->re, row, col, &z.start[0], &z.limb[0], err);
    }
    if (!status && a->im)
        status = make_part(a, a->im, row, col, &z.start[1], &z.limb[1], err);
    free(row);
    free(col);
    if (status)
        pm_integer_entries_free(&z);
    else
        *out = z;
    return status;
}
