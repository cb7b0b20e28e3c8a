/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "integers/integer_scale.h"

#include <stdlib.h>

#include "integers/scale_factor.h"
#include "integers/vertex_scale.h"
#include "number/dyadic_roots.h"
#include "pm/alloc.h"
#include "pm/dm.h"

/* ---- values ---- */

/* What some entries have in common: each is an integer times divisor * 2^low / multiple.  Zeroed by init: of no entries. */
typedef struct {
    mpz_t divisor, multiple;
    int64_t low;
    mpq_t q; /* room */
} common;

static void common_init(common *c)
{
    mpz_init(c->divisor);
    mpz_init_set_ui(c->multiple, 1);
    c->low = INT64_MAX;
    mpq_init(c->q);
}

static void common_clear(common *c)
{
    mpz_clears(c->divisor, c->multiple, NULL);
    mpq_clear(c->q);
}

static void common_reset(common *c)
{
    mpz_set_ui(c->divisor, 0);
    mpz_set_ui(c->multiple, 1);
    c->low = INT64_MAX;
}

/* how(c, x) for each coefficient x, which it may change to another number that is not 0. */
static void for_coefficients(pm_root_sum *r, common *c, void (*how)(common *, pm_dyadic *))
{
    pm_dyadic x = {0};
    for (int32_t k = 0; k < r->count; ++k) {
        int64_t e;
        pm_dyadic_set_mpq_2exp(&x, r->c[k], 0);
        how(c, &x);
        pm_dyadic_get_mpq_2exp(r->c[k], &e, &x);
        mpq_mul_2exp(r->c[k], r->c[k], e > 0 ? (mp_bitcnt_t)e : 0);
        mpq_div_2exp(r->c[k], r->c[k], e < 0 ? (mp_bitcnt_t)-e : 0);
    }
    pm_dyadic_clear(&x);
}

static void add_coefficient(common *c, pm_dyadic *x);
static void divide(common *c, pm_dyadic *x);

static void common_add(common *c, const pm_dyadic *x)
{
    int64_t e;
    if (x->kind == PM_DYADIC_ROOTS) {
        for_coefficients(x->m.roots, c, add_coefficient);
        return;
    }
    if (pm_dyadic_is_zero(x))
        return;
    pm_dyadic_get_mpq_2exp(c->q, &e, x);
    if (e < c->low)
        c->low = e;
    mpz_gcd(c->divisor, c->divisor, mpq_numref(c->q));
    if (x->kind == PM_DYADIC_FRACTION)
        mpz_lcm(c->multiple, c->multiple, mpq_denref(c->q));
}

static void add_coefficient(common *c, pm_dyadic *x)
{
    common_add(c, x);
}

/* All are 1 already. */
static bool common_is_one(const common *c)
{
    return c->low == 0 && mpz_cmp_ui(c->divisor, 1) == 0 && mpz_cmp_ui(c->multiple, 1) == 0;
}

static bool common_is_empty(const common *c)
{
    return c->low == INT64_MAX;
}

/* x *= multiple / (divisor * 2^low), an integer. */
static void divide(common *c, pm_dyadic *x)
{
    int64_t e;
    if (pm_dyadic_is_zero(x))
        return;
    if (x->kind == PM_DYADIC_ROOTS) {
        for_coefficients(x->m.roots, c, divide);
        return;
    }
    pm_dyadic_get_mpq_2exp(c->q, &e, x);
    mpz_ptr z = mpq_numref(c->q);
    mpz_divexact(z, z, c->divisor);
    if (mpz_cmp(c->multiple, mpq_denref(c->q)) != 0) {
        mpz_divexact(mpq_denref(c->q), c->multiple, mpq_denref(c->q));
        mpz_mul(z, z, mpq_denref(c->q));
    }
    mpz_set_ui(mpq_denref(c->q), 1);
    pm_dyadic_set_mpz_2exp(x, z, e - c->low);
}

static void add_entries(const pm_matrix *a, int64_t from, int64_t to, common *c)
{
    for (int64_t k = from; k < to; ++k) {
        common_add(c, &a->re[k]);
        if (a->im)
            common_add(c, &a->im[k]);
    }
}

static void divide_entries(pm_matrix *a, int64_t from, int64_t to, common *c)
{
    for (int64_t k = from; k < to; ++k) {
        divide(c, &a->re[k]);
        if (a->im)
            divide(c, &a->im[k]);
    }
}

/* ---- lines ---- */

static void scale_rows(pm_matrix *a, const int64_t *times, common *c, pm_scale_factor *f)
{
    for (int64_t i = 0; i < a->nrows && !f->is_long; ++i) {
        common_reset(c);
        add_entries(a, a->rowptr[i], a->rowptr[i + 1], c);
        if (common_is_empty(c) || common_is_one(c))
            continue;
        pm_scale_factor_mul(f, c->divisor, c->multiple, c->low, times ? times[i] : 1);
        divide_entries(a, a->rowptr[i], a->rowptr[i + 1], c);
    }
}

static pm_status transpose(pm_matrix *a, pm_error *err)
{
    pm_matrix turned = {0};
    pm_status status = pm_matrix_transpose(a, &turned, err);
    if (status)
        return status;
    pm_matrix_free(a);
    *a = turned;
    return PM_OK;
}

static pm_status scale_columns(pm_matrix *a, const int64_t *times, common *c, pm_scale_factor *f,
                               pm_error *err)
{
    pm_status status = transpose(a, err);
    if (status)
        return status;
    scale_rows(a, times, c, f);
    return transpose(a, err);
}

/* All entries by one number, which divides the answer as often as there are edges in a matching. */
static pm_status scale_all(pm_matrix *a, const pm_matched_lines *lines, const pm_run *run,
                           common *c, pm_scale_factor *f, pm_error *err)
{
    int64_t edges = 0;
    pm_matrix whole = {0};
    pm_status status = pm_matrix_repeat(a, lines->row_times, lines->col_times, &whole, err);
    int32_t *of = status ? NULL : pm_alloc_array(whole.nrows + whole.ncols, sizeof *of);
    if (!status && !of)
        status = pm_fail_memory(err, "a matching");
    if (!status)
        status = pm_matching_maximum(&whole, run, of, of + whole.nrows, &edges, err);
    free(of);
    pm_matrix_free(&whole);
    if (status)
        return status;
    const int64_t nnz = pm_matrix_nnz(a);
    common_reset(c);
    add_entries(a, 0, nnz, c);
    if (common_is_empty(c))
        return PM_OK;
    pm_scale_factor_mul(f, c->divisor, c->multiple, c->low, edges);
    divide_entries(a, 0, nnz, c);
    return PM_OK;
}

/* ---- the matrix ---- */

static pm_status scale(pm_matrix *a, const pm_matched_lines *lines, const pm_run *run,
                       pm_scale_factor *f, pm_error *err)
{
    common c;
    pm_status status = PM_OK;
    const bool rows = lines->kind == PM_MATCHING_PERFECT || lines->kind == PM_MATCHING_ROWS,
               columns = lines->kind == PM_MATCHING_PERFECT || lines->kind == PM_MATCHING_COLUMNS;
    common_init(&c);
    if (rows)
        scale_rows(a, lines->row_times, &c, f);
    if (columns)
        status = scale_columns(a, lines->col_times, &c, f, err);
    if (!rows && !columns)
        status = scale_all(a, lines, run, &c, f, err);
    common_clear(&c);
    return status;
}

static void drop_labels(pm_matrix *a)
{
    pm_labels_free(&a->row_labels);
    pm_labels_free(&a->col_labels);
}

pm_status pm_integer_scale_make(const pm_matrix *a, const pm_matched_lines *lines,
                                const pm_run *run, pm_integer_scale *out, pm_error *err)
{
    pm_scale_factor f = {.exp = 0};
    pm_status status = pm_matrix_copy(a, &out->a, err);
    if (!status && lines->loops)
        status = pm_matrix_copy(lines->loops, &out->loops, err);
    drop_labels(&out->a);
    if (!status && lines->general)
        status = pm_vertex_scale(&out->a, &out->loops, lines->row_times, &f, err);
    else if (!status)
        status = scale(&out->a, lines, run, &f, err);
    if (!status && !pm_scale_factor_take(&f, out->factor))
        status = pm_fail(err, PM_UNABLE,
                         "refused: the common denominator of the answer does not fit into memory");
    pm_scale_factor_free(&f);
    if (!status && (!pm_matrix_is_in_range(&out->a) || !pm_matrix_is_in_range(&out->loops)))
        status = pm_fail(err, PM_UNABLE,
                         "refused: an entry without its denominator does not fit "
                         "into memory");
    if (out->a.field == PM_REAL)
        out->a.field = PM_INTEGER;
    if (out->loops.field == PM_REAL)
        out->loops.field = PM_INTEGER;
    return status;
}

void pm_integer_scale_init(pm_integer_scale *s)
{
    s->a = s->loops = (pm_matrix){.rowptr = NULL};
    mpq_init(s->factor);
}

void pm_integer_scale_free(pm_integer_scale *s)
{
    pm_matrix_free(&s->a);
    pm_matrix_free(&s->loops);
    mpq_clear(s->factor);
}
