/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/square.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/power_of_two.h"
#include "matrix/equilibrate.h"
#include "number/cnum.h"
#include "pm/alloc.h"
#include "sweep/content.h"
#include "sweep/line_classes.h"

enum { MAX = PM_SQUARE_MAX, NONE = PM_NO_ENTRY, TINY = -1000 };

void pm_square_free(pm_square *s)
{
    free(s->rowind);
    free(s->colind);
    free(s->in_ccs);
    free(s->re);
    free(s->im);
    free(s->dd);
    *s = (pm_square){0};
}

/* ---- positions ---- */

/* For each row and column of the square the index of the entry of the block's matrix, or NONE. */
typedef int64_t entry_table[MAX][MAX];

static void spread_twins(const pm_block *b, bool transposed, pm_square *s, entry_table at)
{
    int32_t first_col[MAX + 1] = {0}, row = 0;
    s->n = (int32_t)b->n;
    for (int32_t i = 0; i < s->n; ++i)
        s->row_times[i] = s->col_times[i] = 1;
    for (int i = 0; i < MAX; ++i)
        for (int j = 0; j < MAX; ++j)
            at[i][j] = NONE;
    for (int64_t j = 0; j < b->a.ncols; ++j)
        first_col[j + 1] = first_col[j] + b->col_cap[j];
    for (int64_t i = 0; i < b->a.nrows; ++i)
        for (int32_t copy = 0; copy < b->row_cap[i]; ++copy, ++row)
            for (int64_t k = b->a.rowptr[i]; k < b->a.rowptr[i + 1]; ++k)
                for (int32_t col = first_col[b->a.colind[k]]; col < first_col[b->a.colind[k] + 1];
                     ++col)
                    *(transposed ? &at[col][row] : &at[row][col]) = k;
}

static void set_times(const pm_line_classes *c, bool transposed, pm_square *s)
{
    s->n = c->nrows > c->ncols ? c->nrows : c->ncols;
    memcpy(transposed ? s->col_times : s->row_times, c->row_times, sizeof c->row_times);
    memcpy(transposed ? s->row_times : s->col_times, c->col_times, sizeof c->col_times);
}

static pm_status join_equal_lines(const pm_block *b, bool transposed, pm_square *s, entry_table at,
                                  pm_error *err)
{
    pm_line_classes c;
    pm_status status = pm_line_classes_find(b, &c, err);
    if (status)
        return status;
    set_times(&c, transposed, s);
    for (int32_t i = 0; i < s->n; ++i)
        for (int32_t j = 0; j < s->n; ++j) {
            int32_t row = transposed ? j : i, column = transposed ? i : j;
            at[i][j] = row < c.nrows && column < c.ncols ? c.entry[row][column] : NONE;
        }
    return PM_OK;
}

/* Sets the pattern.  source[k]: the index in the block's matrix of CCS entry k. */
static pm_status lay_out(const entry_table at, pm_square *s, int64_t **source, pm_error *err)
{
    int32_t in_column[MAX][MAX], k = 0, nnz = 0;
    for (int32_t j = 0; j < s->n; ++j)
        for (int32_t i = 0; i < s->n; ++i)
            nnz += at[i][j] != NONE;
    s->rowind = pm_alloc_array(nnz, sizeof *s->rowind);
    s->colind = pm_alloc_array(nnz, sizeof *s->colind);
    s->in_ccs = pm_alloc_array(nnz, sizeof *s->in_ccs);
    *source = pm_alloc_array(nnz, sizeof **source);
    if (!s->rowind || !s->colind || !s->in_ccs || !*source)
        return pm_fail_memory(err, "block");
    for (int32_t j = 0; j < s->n; ++j) {
        for (int32_t i = 0; i < s->n; ++i)
            if (at[i][j] != NONE) {
                (*source)[k] = at[i][j];
                s->rowind[k] = i;
                in_column[i][j] = k++;
            }
        s->colptr[j + 1] = k;
    }
    k = 0;
    for (int32_t i = 0; i < s->n; ++i) {
        for (int32_t j = 0; j < s->n; ++j)
            if (at[i][j] != NONE) {
                s->colind[k] = j;
                s->in_ccs[k++] = in_column[i][j];
            }
        s->rowptr[i + 1] = k;
    }
    return PM_OK;
}

/* ---- integers ---- */

static uint64_t magnitude(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* The value, or its residue of least magnitude.  False: beyond 62 bits. */
static bool integer_value(const pm_matrix *a, int64_t k, uint64_t modulus, int64_t *out)
{
    if (!a->re) {
        *out = 1;
        return true;
    }
    if (modulus) {
        uint64_t v = pm_dyadic_mod(&a->re[k], modulus);
        *out = v > modulus / 2 ? -(int64_t)(modulus - v) : (int64_t)v;
        return true;
    }
    const pm_dyadic *x = &a->re[k];
    if (pm_dyadic_bits(x) + x->exp > 62)
        return false;
    *out = x->m.small * (INT64_C(1) << x->exp);
    return true;
}

static int64_t add_capped(int64_t sum, uint64_t size, int32_t times)
{
    int64_t more;
    return __builtin_mul_overflow(size, times, &more) || __builtin_add_overflow(sum, more, &sum)
               ? INT64_MAX
               : sum;
}

/* most: of the bound of a row. */
static pm_status take_integers(const pm_matrix *a, const int64_t *source, int64_t most,
                               uint64_t modulus, pm_square *s, pm_error *err)
{
    for (int32_t j = 0; j < s->n; ++j)
        for (int32_t k = s->colptr[j]; k < s->colptr[j + 1]; ++k) {
            int64_t *bound = &s->bound[s->rowind[k]];
            bool fits = integer_value(a, source[k], modulus, &s->re[k]);
            if (fits)
                *bound = add_capped(*bound, magnitude(s->re[k]), s->col_times[j]);
            if (!fits || *bound > most)
                return pm_fail(err, PM_UNABLE, "the integers are too large for this method");
        }
    return PM_OK;
}

/* ---- real and complex numbers ---- */

static double log2_size(pm_xreal x)
{
    return x.hi == 0 ? -INFINITY : (double)x.exp + log2(fabs(x.hi));
}

static double scaled(double x, int64_t by)
{
    return pm_times_power_of_two(x, by);
}

/* x, the value of v, in units of 2^-by: dd as a double-double; returns it rounded to an integer.
 * Adds a bound of either rounding error to *lost_by_dd and *lost_by_integer. */
static int64_t round_to_unit(const pm_dyadic *v, pm_xreal x, int64_t by, double dd[2],
                             double *lost_by_dd, double *lost_by_integer)
{
    double hi = scaled(x.hi, x.exp + by), lo = scaled(x.lo, x.exp + by), lost = 0;
    double whole = nearbyint(hi), rest = (hi - whole) + lo, more = nearbyint(rest);
    if (pm_dyadic_bits(v) > 100)
        lost += fabs(hi) * PM_XREAL_EPS;
    if (fabs(hi) < 0x1p-900 && x.hi != 0)
        lost += ldexp(1, TINY);
    dd[0] = hi, dd[1] = lo;
    *lost_by_dd += lost;
    *lost_by_integer += lost + fabs(rest - more) * (1 + 0x1p-40);
    return (int64_t)whole + (int64_t)more;
}

/* Row sums of |re| + |im| at the scale of the row, raised by what doubles lose. */
static void absolute_sums(const pm_square *s, pm_xreal (*v)[2], const int64_t *row,
                          const int64_t *column, double *sum)
{
    memset(sum, 0, MAX * sizeof *sum);
    for (int32_t j = 0; j < s->n; ++j)
        for (int32_t k = s->colptr[j]; k < s->colptr[j + 1]; ++k)
            for (int part = 0; part < 2; ++part)
                sum[s->rowind[k]] +=
                    s->col_times[j]
                    * fabs(scaled(v[k][part].hi, v[k][part].exp - row[s->rowind[k]] - column[j]));
}

/* Entries before they become integers, in CCS order. */
typedef struct {
    pm_cnum *exact;   /* after the division by the contents of rows and columns */
    pm_xreal (*x)[2]; /* their parts */
    double *size;     /* log2 of the larger part */
    int32_t *column;
} entries;

static void free_entries(entries *e, int32_t nnz)
{
    for (int32_t k = 0; e->exact && k < nnz; ++k)
        pm_cnum_clear(&e->exact[k]);
    free(e->exact);
    free(e->x);
    free(e->size);
    free(e->column);
}

static pm_status take_entries(const pm_matrix *a, const int64_t *source, pm_square *s, entries *e,
                              pm_error *err)
{
    int32_t nnz = pm_square_nnz(s);
    e->exact = pm_calloc_array(nnz, sizeof *e->exact);
    e->x = pm_alloc_array(nnz, sizeof *e->x);
    e->size = pm_alloc_array(nnz, sizeof *e->size);
    e->column = pm_alloc_array(nnz, sizeof *e->column);
    if (!e->exact || !e->x || !e->size || !e->column)
        return pm_fail_memory(err, "block");
    for (int32_t k = 0; k < nnz; ++k) {
        pm_dyadic_set(&e->exact[k].re, &a->re[source[k]]);
        if (a->im)
            pm_dyadic_set(&e->exact[k].im, &a->im[source[k]]);
    }
    for (int32_t j = 0; j < s->n; ++j)
        for (int32_t k = s->colptr[j]; k < s->colptr[j + 1]; ++k)
            e->column[k] = j;
    s->factor = pm_content_divide(s, e->exact);
    for (int32_t k = 0; k < nnz; ++k) {
        e->x[k][0] = pm_xreal_from_dyadic(&e->exact[k].re);
        e->x[k][1] = pm_xreal_from_dyadic(&e->exact[k].im);
        if (!pm_cnum_is_in_range(&e->exact[k]))
            return pm_fail(err, PM_UNABLE, "entries have exponents that differ by 2^31 or more");
        e->size[k] = fmax(log2_size(e->x[k][0]), log2_size(e->x[k][1]));
    }
    return PM_OK;
}

/* unit: entries of row i become integers times 2^unit[i], apart from the divisor of the column. */
static void round_entries(const entries *e, const int64_t *unit, const int64_t *column,
                          pm_square *s)
{
    for (int32_t j = 0; j < s->n; ++j)
        for (int32_t k = s->colptr[j]; k < s->colptr[j + 1]; ++k) {
            int32_t i = s->rowind[k];
            int64_t by = -unit[i] - column[j];
            double lost_by_dd = 0, lost = 0;
            s->re[k] = round_to_unit(&e->exact[k].re, e->x[k][0], by, s->dd[k], &lost_by_dd, &lost);
            if (s->im)
                s->im[k] = round_to_unit(&e->exact[k].im, e->x[k][1], by, s->dd[k] + 2, &lost_by_dd,
                                         &lost);
            uint64_t size = magnitude(s->re[k]) + (s->im ? magnitude(s->im[k]) : 0);
            s->bound[i] += (int64_t)size * s->col_times[j];
            s->inexact_dd[i] += lost_by_dd * s->col_times[j];
            s->inexact[i] += lost * s->col_times[j];
        }
}

static pm_status take_reals(const pm_matrix *a, const int64_t *source, int bits, pm_square *s,
                            pm_error *err)
{
    int64_t row[MAX], column[MAX], unit[MAX];
    double sum[MAX];
    entries e = {0};
    pm_status status = take_entries(a, source, s, &e, err);
    if (status)
        goto done;
    s->dd = pm_calloc_array(pm_square_nnz(s), sizeof *s->dd);
    if (!s->dd) {
        status = pm_fail_memory(err, "block");
        goto done;
    }
    pm_equilibrate(&(pm_entry_sizes){.nrows = s->n,
                                     .ncols = s->n,
                                     .count = pm_square_nnz(s),
                                     .row = s->rowind,
                                     .column = e.column,
                                     .size = e.size,
                                     .row_times = s->row_times,
                                     .col_times = s->col_times},
                   row, column);
    absolute_sums(s, e.x, row, column, sum);
    for (int32_t i = 0; i < s->n; ++i) {
        int top;
        frexp(sum[i], &top); /* sum < 2^top; half the room is left for what rounding adds */
        unit[i] = row[i] + top - (bits - 1);
        s->shift += unit[i] * s->row_times[i] + column[i] * s->col_times[i];
    }
    round_entries(&e, unit, column, s);
done:
    free_entries(&e, pm_square_nnz(s));
    return status;
}

/* ---- all fields ---- */

static pm_square begin(const pm_block *b)
{
    return (pm_square){.field = b->a.field, .factor = pm_xreal_make(1, 0, 0)};
}

/* Fills s, whose n and multiplicities are set, and moves it to *out.  most: integers, of the bound
 * of a row. */
static pm_status fill(const pm_block *b, const entry_table at, int bits, int64_t most,
                      uint64_t modulus, pm_square s, pm_square *out, pm_error *err)
{
    int64_t *source = NULL;
    pm_status status = lay_out(at, &s, &source, err);
    if (!status) {
        s.re = pm_calloc_array(pm_square_nnz(&s), sizeof *s.re);
        if (s.field == PM_COMPLEX)
            s.im = pm_calloc_array(pm_square_nnz(&s), sizeof *s.im);
        if (!s.re || (s.field == PM_COMPLEX && !s.im))
            status = pm_fail_memory(err, "block");
    }
    if (!status)
        status = s.field <= PM_INTEGER ? take_integers(&b->a, source, most, modulus, &s, err)
                                       : take_reals(&b->a, source, bits, &s, err);
    free(source);
    if (status)
        pm_square_free(&s);
    else
        *out = s;
    return status;
}

pm_status pm_square_make(const pm_block *b, bool transposed, int bits, uint64_t modulus,
                         pm_square *out, pm_error *err)
{
    entry_table at;
    pm_square s = begin(b);
    if (b->n > MAX)
        return pm_fail(err, PM_UNABLE, "n = %" PRId64 " is beyond %d", b->n, MAX);
    spread_twins(b, transposed, &s, at);
    return fill(b, (const int64_t(*)[MAX])at, bits, INT64_C(1) << bits, modulus, s, out, err);
}

pm_status pm_square_make_classes(const pm_block *b, bool transposed, int bits, uint64_t modulus,
                                 pm_square *out, pm_error *err)
{
    entry_table at;
    pm_square s = begin(b);
    pm_status status = join_equal_lines(b, transposed, &s, at, err);
    return status ? status
                  : fill(b, (const int64_t(*)[MAX])at, bits, INT64_MAX, modulus, s, out, err);
}

pm_status pm_square_make_shape(const pm_block *b, pm_square *out, pm_error *err)
{
    pm_line_classes c;
    pm_status status = pm_line_classes_find(b, &c, err);
    if (status)
        return status;
    *out = begin(b);
    set_times(&c, false, out);
    return PM_OK;
}

pm_square pm_square_transposed_shape(const pm_square *s)
{
    pm_square t = *s;
    memcpy(t.row_times, s->col_times, sizeof t.row_times);
    memcpy(t.col_times, s->row_times, sizeof t.col_times);
    return t;
}
