/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "glynn/glynn_entries.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/equilibrate.h"
#include "number/cnum.h"

/* 2^e, -1022 <= e <= 1023 */
static inline double power_of_two(int64_t e)
{
    union {
        uint64_t bits;
        double x;
    } u = {(uint64_t)(e + 1023) << 52};
    return u.x;
}

/* ceil(log2(x)); 0 for x = 0 */
static inline int log2_up(int64_t x)
{
    return x > 1 ? 64 - __builtin_clzll((uint64_t)x - 1) : 0;
}

/* Where the entries of the block are in the matrix with twins written out. */
typedef struct {
    int row_first[PM_GLYNN_MAX], col_first[PM_GLYNN_MAX];
} places;

static void find_places(const int32_t *cap, int64_t count, int *first)
{
    int at = 0;
    for (int64_t k = 0; k < count; ++k) {
        first[k] = at;
        at += cap[k];
    }
}

/* The rows and parts of *g, zeros as its entries, and *p. */
static void begin(const pm_block *b, int parts, pm_glynn *g, places *p)
{
    const int n = pm_glynn_rows((int)b->n);
    g->n = n;
    g->parts = parts;
    memset(g->entry, 0, (size_t)(n * n * parts) * sizeof *g->entry);
    find_places(b->row_cap, b->a.nrows, p->row_first);
    find_places(b->col_cap, b->a.ncols, p->col_first);
}

static bool has_no_twins(const pm_block *b)
{
    return b->n == b->a.nrows && b->n == b->a.ncols;
}

static inline double *entry_at(pm_glynn *g, int i, int j)
{
    return g->entry + (j * g->n + i) * g->parts;
}

/* Copies the numbers of the first row and column of a class to the others. */
static inline void write_out_twins(const pm_block *b, const places *p, int64_t i, int32_t j,
                                   pm_glynn *g)
{
    if (b->row_cap[i] == 1 && b->col_cap[j] == 1)
        return;
    int r = p->row_first[i], c = p->col_first[j];
    const double *from = entry_at(g, r, c);
    for (int u = 0; u < b->row_cap[i]; ++u)
        for (int v = 0; v < b->col_cap[j]; ++v)
            if (u || v)
                memcpy(entry_at(g, r + u, c + v), from, (size_t)g->parts * sizeof *from);
}

/* ---- integers ---- */

enum { MOST_SHIFT = 1000 }; /* of an answer that is an integer */

static inline bool is_short(const pm_dyadic *d)
{
    return d->kind == PM_DYADIC_SMALL && llabs(d->m.small) >> 53 == 0;
}

/* Lowers *unit to the exponent of the parts begin .. end - 1; no exponent is less than `least`. */
static void lower_unit(const pm_dyadic *part, int64_t begin, int64_t end, int64_t least,
                       int64_t *unit)
{
    for (int64_t k = begin; part && k<end && * unit> least; ++k)
        if (part[k].m.small && part[k].exp < *unit)
            *unit = part[k].exp;
}

/* *x = d / 2^unit, an integer; its size is added to *sum.  A sum of 2^53 or more may be rounded, also down
 * to 2^53, but not below it.  False: d has more than 53 bits, or *x more than 106. */
static inline bool get_integer(const pm_dyadic *d, int64_t unit, double *x, double *sum)
{
    if (!is_short(d) || (d->m.small && d->exp - unit > 53))
        return false;
    *x = d->m.small ? (double)d->m.small * power_of_two(d->exp - unit) : 0;
    *sum += fabs(*x);
    return true;
}

/* Entry k in units of 2^unit; its size is added to *size. */
static inline bool set_integer(const pm_matrix *a, int64_t k, int64_t unit, double *x, double *size)
{
    if (!a->re) {
        *x = 1;
        *size += 1;
        return true;
    }
    return get_integer(&a->re[k], unit, x, size)
           && (!a->im || get_integer(&a->im[k], unit, x + 1, size));
}

/* Row i in units of 2^unit; no line of the block has twins.  *sum: of |re| + |im|. */
static bool set_plain_integer_row(const pm_matrix *a, int64_t i, int64_t unit, pm_glynn *g,
                                  double *sum)
{
    double *row = entry_at(g, (int)i, 0), size = 0;
    const int64_t column = g->n * g->parts, end = a->rowptr[i + 1];
    bool is_short = true;
    for (int64_t k = a->rowptr[i]; k < end && is_short; ++k)
        is_short = set_integer(a, k, unit, row + a->colind[k] * column, &size);
    *sum = size;
    return is_short && size < 0x1p53;
}

/* The same for a row of real integers whose unit is 1 and that are short; false for other rows. */
static bool set_odd_row(const pm_matrix *a, int64_t i, pm_glynn *g, double *sum)
{
    double *row = entry_at(g, (int)i, 0), size = 0;
    const int64_t column = g->n * g->parts, end = a->rowptr[i + 1];
    uint64_t sizes = 0; /* those of the odd parts, joined by "or" */
    int32_t kinds = 0, exponents = 0;
    bool is_odd = false;
    for (int64_t k = a->rowptr[i]; k < end; ++k) {
        const pm_dyadic *d = &a->re[k];
        const int64_t odd = d->m.small;
        kinds |= d->kind ^ PM_DYADIC_SMALL;
        exponents |= d->exp;
        sizes |= (uint64_t)(odd < 0 ? -odd : odd);
        is_odd |= d->exp == 0 && odd != 0;
        double x = (double)odd * power_of_two(d->exp & 63);
        row[a->colind[k] * column] = x;
        size += fabs(x);
    }
    *sum = size;
    return is_odd && !kinds && exponents >= 0 && exponents <= 53 && sizes >> 53 == 0
           && size < 0x1p53;
}

static bool set_integer_row(const pm_block *b, const places *p, int64_t i, int64_t unit,
                            pm_glynn *g, double *sum)
{
    const pm_matrix *a = &b->a;
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        int32_t j = a->colind[k];
        double *x = entry_at(g, p->row_first[i], p->col_first[j]), size = 0;
        if (!set_integer(a, k, unit, x, &size))
            return false;
        *sum += size * b->col_cap[j];
        write_out_twins(b, p, i, j, g);
    }
    return *sum < 0x1p53;
}

/* Where the sum of |entries| of row i is at most 2^bits[i].  One group where its products are below
 * 2^50, so that eight of them can be added in double; else groups with products of at most 2^53. */
static bool group_rows(const int *bits, pm_glynn *g)
{
    int all = 0, used = 0;
    for (int i = 0; i < g->n; ++i)
        all += bits[i];
    g->groups = 1;
    g->group_end[0] = g->n;
    if (all <= 50)
        return true;
    for (int i = 0; i < g->n; ++i) {
        if (used + bits[i] > (g->groups == 1 ? 50 : 53)) {
            if (g->groups == PM_GLYNN_GROUPS || i == 0)
                return false;
            g->group_end[g->groups - 1] = i;
            g->group_end[g->groups++] = g->n;
            used = 0;
        }
        used += bits[i];
    }
    return g->parts == 1 && g->groups > 1;
}

/* The sum of the terms needs less than 127 bits.  sum[i] and size[i], the bits of sum[i], are of row i. */
static bool is_narrow(const pm_block *b, const double *sum, const int *size, int n)
{
    int64_t sizes = 0;
    double bound = 0; /* log2 of the product of all sums */
    for (int64_t i = 0; i < b->a.nrows; ++i)
        sizes += size[i] * b->row_cap[i];
    if (sizes + n - 1 <= 126)
        return true;
    for (int64_t i = 0; i < b->a.nrows; ++i)
        bound += sum[i] > 1 ? log2(sum[i]) * (1 + 0x1p-40) * b->row_cap[i] : 0;
    return bound + n - 1 < 126.5;
}

/* The exponent of the largest power of two, at least 2^least, that divides all parts of row i; 0 for zeros. */
static int64_t unit_of_row(const pm_matrix *a, int64_t i, int64_t least)
{
    int64_t unit = INT64_MAX;
    lower_unit(a->re, a->rowptr[i], a->rowptr[i + 1], least, &unit);
    lower_unit(a->im, a->rowptr[i], a->rowptr[i + 1], least, &unit);
    return unit == INT64_MAX ? 0 : unit;
}

bool pm_glynn_set_integers(const pm_block *b, pm_glynn *g, int64_t *shift)
{
    const pm_matrix *a = &b->a;
    const bool is_plain = has_no_twins(b);
    const bool may_be_odd = is_plain && a->field == PM_INTEGER;
    const int64_t least = a->field > PM_INTEGER ? INT64_MIN : 0;
    places p;
    int bits[PM_GLYNN_MAX] = {0}, size[PM_GLYNN_MAX];
    double sum[PM_GLYNN_MAX] = {0};
    *shift = 0;
    begin(b, a->im ? 2 : 1, g, &p);
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t unit = 0;
        if (!(may_be_odd && set_odd_row(a, i, g, &sum[i]))) {
            unit = unit_of_row(a, i, least);
            if (is_plain ? !set_plain_integer_row(a, i, unit, g, &sum[i])
                         : !set_integer_row(b, &p, i, unit, g, &sum[i]))
                return false;
        }
        *shift += unit * b->row_cap[i];
        size[i] = log2_up((int64_t)sum[i]);
        for (int u = 0; u < b->row_cap[i]; ++u)
            bits[p.row_first[i] + u] = size[i];
    }
    for (int i = (int)b->n; i < g->n; ++i)
        *entry_at(g, i, i) = 1;
    bool is_short = a->field > PM_INTEGER ? is_narrow(b, sum, size, g->n) : *shift <= MOST_SHIFT;
    return is_short && group_rows(bits, g);
}

/* ---- real and complex numbers ----
 *
 * A row is scaled so that its largest part is in [2^43, 2^44).  High parts are multiples of 2^-4,
 * low parts of 2^-51: sums of 20 of them are exact in a double, and products of 20 sums, if not 0,
 * are between 2^-1020 and 2^970, so that nothing underflows or overflows.
 *
 * Entries of very different sizes, as they are after merging, would leave no digit of a sum with
 * signs.  Where they are found, columns are divided by powers of two before. */

enum { TOP = 44, HIGH_UNIT = -4, LOW_UNIT = -51, LEAST_SHIFT = -900 };
enum {
    EVEN_ENTRIES = 16, /* a row is even when its entries differ by at most so many bits */
    EVEN_COLUMNS = 4   /* columns are, when their largest entries do, in rows of one size */
};

/* Rounded to multiples of 2^unit; |x| < 2^(unit + 51). */
static inline double round_to(double x, int unit)
{
    const double c = 1.5 * power_of_two(unit + 52);
    return (x + c) - c;
}

/* |d| < 2^top_of(d) */
static inline int64_t top_of(const pm_dyadic *d)
{
    if (d->kind != PM_DYADIC_SMALL)
        return d->exp + pm_dyadic_bits(d);
    return d->m.small ? d->exp + 64 - __builtin_clzll((uint64_t)llabs(d->m.small)) : INT64_MIN;
}

/* The larger one of the parts of entry k. */
static inline int64_t entry_top(const pm_matrix *a, int64_t k)
{
    int64_t re = top_of(&a->re[k]), im = a->im ? top_of(&a->im[k]) : INT64_MIN;
    return re > im ? re : im;
}

enum { ENTRIES = PM_GLYNN_MAX * PM_GLYNN_MAX };

/* entry_top of each entry */
static void list_tops(const pm_matrix *a, int64_t *top)
{
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        top[k] = entry_top(a, k);
}

/* The parts of all entries as doubles, which hold them exactly. */
typedef struct {
    double re[ENTRIES], im[ENTRIES];
} doubles;

enum { LEAST_EXPONENT = -512, EXPONENT_BITS = 10 }; /* exponents from -512 to 511 */

/* x[k] = part[k].  Returns false, and x is not to be used, where a part has more than 53 bits, or is an odd number
 * times 2^e with e outside of -512 .. 511. */
static bool get_doubles(const pm_dyadic *part, int64_t count, double *x)
{
    uint64_t sizes = 0; /* those of the odd parts, joined by "or" */
    uint32_t exponents = 0;
    int32_t kinds = 0;
    for (int64_t k = 0; k < count; ++k) {
        const int64_t odd = part[k].m.small;
        kinds |= part[k].kind ^ PM_DYADIC_SMALL;
        exponents |= (uint32_t)part[k].exp - (uint32_t)LEAST_EXPONENT;
        sizes |= (uint64_t)(odd < 0 ? -odd : odd);
        x[k] = (double)odd * power_of_two(part[k].exp);
    }
    return !kinds && exponents >> EXPONENT_BITS == 0 && sizes >> 53 == 0;
}

/* The same as top_of, for a double that is not negative. */
static inline int64_t top_of_double(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits ? (int64_t)(bits >> 52) - 1022 : INT64_MIN;
}

/* The parts of a, and entry_top of each entry.  Returns false where get_doubles does. */
static bool list_doubles(const pm_matrix *a, doubles *x, int64_t *top)
{
    const int64_t nnz = pm_matrix_nnz(a);
    if (!get_doubles(a->re, nnz, x->re) || (a->im && !get_doubles(a->im, nnz, x->im)))
        return false;
    for (int64_t k = 0; k < nnz; ++k) {
        const double re = fabs(x->re[k]), im = a->im ? fabs(x->im[k]) : 0;
        top[k] = top_of_double(re > im ? re : im);
    }
    return true;
}

/* The largest top[k] - column[j] of each row, INT64_MIN for zeros. */
static void list_row_tops(const pm_matrix *a, const int64_t *top, const int64_t *column,
                          int64_t *row_top)
{
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t most = INT64_MIN;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            int64_t size = top[k] == INT64_MIN ? INT64_MIN : top[k] - column[a->colind[k]];
            most = size > most ? size : most;
        }
        row_top[i] = most;
    }
}

/* Whether sums with signs keep their digits when only rows are scaled, as far as sizes tell.  top: of the entries. */
static bool are_even(const pm_matrix *a, const int64_t *top, const int64_t *row_top)
{
    int64_t column[PM_GLYNN_MAX];
    for (int64_t j = 0; j < a->ncols; ++j)
        column[j] = INT64_MIN;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            if (top[k] == INT64_MIN)
                continue;
            const int64_t below = top[k] - row_top[i];
            int64_t *c = &column[a->colind[k]];
            if (below < -EVEN_ENTRIES)
                return false;
            *c = below > *c ? below : *c;
        }
    for (int64_t j = 0; j < a->ncols; ++j)
        if (column[j] != INT64_MIN && column[j] < -EVEN_COLUMNS)
            return false;
    return true;
}

/* log2 of the divisors of columns that make rows and columns similar in size. */
static void find_divisors(const pm_block *b, int64_t *column)
{
    const pm_matrix *a = &b->a;
    int32_t of_row[ENTRIES], of_column[ENTRIES], count = 0;
    int64_t row[PM_GLYNN_MAX];
    double size[ENTRIES];
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            pm_cnum x = {.re = a->re[k]}; /* borrowed */
            if (a->im)
                x.im = a->im[k];
            if (pm_cnum_is_zero(&x))
                continue;
            of_row[count] = (int32_t)i;
            of_column[count] = a->colind[k];
            size[count++] = pm_cnum_log2(&x);
        }
    pm_equilibrate(&(pm_entry_sizes){.nrows = (int32_t)a->nrows,
                                     .ncols = (int32_t)a->ncols,
                                     .count = count,
                                     .row = of_row,
                                     .column = of_column,
                                     .size = size,
                                     .row_times = b->row_cap,
                                     .col_times = b->col_cap},
                   row, column);
}

/* What the rounding of the entries of a row changes, and the sum of |re| + |im|. */
typedef struct {
    double error, size;
} row_size;

/* x + low = out[0] + out[1], up to the error returned, and |x|. */
static inline row_size split(double x, double low, double *out)
{
    out[0] = round_to(x, HIGH_UNIT);
    double rest = (x - out[0]) + low;
    out[1] = round_to(rest, LOW_UNIT);
    return (row_size){fabs(rest - out[1]), fabs(x)};
}

/* The same for x * 2^shift. */
static row_size split_scaled(pm_xreal x, int64_t shift, double *out)
{
    int64_t e = x.exp + shift;
    if (e < LEAST_SHIFT) /* less than 2^-800 */
        return (row_size){.error = 0x1p-800};
    row_size s = split(x.hi * power_of_two(e), x.lo * power_of_two(e), out);
    s.error += 0x1p-100 * fabs(out[0]) + 0x1p-100;
    return s;
}

/* The same for d * 2^shift; out[0] and out[1] are 0 before. */
static inline row_size set_part(const pm_dyadic *d, int64_t shift, double *out)
{
    int64_t e = d->exp + shift;
    if (is_short(d) && e >= LEAST_SHIFT)
        return split((double)d->m.small * power_of_two(e), 0, out);
    if (!pm_dyadic_is_zero(d))
        return split_scaled(pm_xreal_from_dyadic(d), shift, out);
    return (row_size){0};
}

/* Leaves out the low parts if all are 0. */
static void shorten(pm_glynn *g)
{
    int numbers = g->n * g->n * g->parts / 2;
    for (int k = 0; k < numbers; ++k)
        if (g->entry[2 * k + 1] != 0)
            return;
    for (int k = 1; k < numbers; ++k)
        g->entry[k] = g->entry[2 * k];
    g->parts /= 2;
}

/* The real or the imaginary parts x of row i times `factor`, a power of two; that of column j to row[j stride]. */
static row_size split_parts(const pm_matrix *a, int64_t i, const double *x, double factor,
                            double *row, int64_t stride)
{
    row_size s = {0};
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        row_size part = split(x[k] * factor, 0, row + a->colind[k] * stride);
        s.error += part.error;
        s.size += part.size;
    }
    return s;
}

/* Row i times 2^scale; no line of the block has twins. */
static row_size set_plain_row(const pm_matrix *a, int64_t i, const doubles *x, int64_t scale,
                              pm_glynn *g)
{
    double *row = entry_at(g, (int)i, 0);
    const int64_t stride = g->n * g->parts;
    const double factor = power_of_two(scale);
    row_size s = split_parts(a, i, x->re, factor, row, stride);
    if (a->im) {
        row_size im = split_parts(a, i, x->im, factor, row + 2, stride);
        s.error += im.error;
        s.size += im.size;
    }
    return s;
}

static row_size set_row(const pm_block *b, const places *p, int64_t i, int64_t scale,
                        const int64_t *column, pm_glynn *g)
{
    const pm_matrix *a = &b->a;
    row_size row = {0};
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        int32_t j = a->colind[k];
        double *x = entry_at(g, p->row_first[i], p->col_first[j]);
        row_size re = set_part(&a->re[k], scale - column[j], x), im = {0};
        if (a->im)
            im = set_part(&a->im[k], scale - column[j], x + 2);
        row.error += (re.error + im.error) * b->col_cap[j];
        row.size += (re.size + im.size) * b->col_cap[j];
        write_out_twins(b, p, i, j, g);
    }
    return row;
}

void pm_glynn_set_numbers(const pm_block *b, pm_glynn *g, int64_t *shift, double *inexact)
{
    const pm_matrix *a = &b->a;
    places p;
    doubles x;
    double size = 1, error = 0;
    int64_t column[PM_GLYNN_MAX] = {0}, row_top[PM_GLYNN_MAX], top[ENTRIES];
    *shift = 0;
    begin(b, a->im ? 4 : 2, g, &p);
    bool is_plain = has_no_twins(b) && list_doubles(a, &x, top);
    if (!is_plain)
        list_tops(a, top);
    list_row_tops(a, top, column, row_top);
    if (!are_even(a, top, row_top)) {
        find_divisors(b, column);
        list_row_tops(a, top, column, row_top);
        is_plain = false;
    }
    for (int64_t j = 0; j < a->ncols; ++j)
        *shift += column[j] * b->col_cap[j];
    for (int64_t i = 0; i < a->nrows; ++i) {
        int64_t scale = row_top[i] == INT64_MIN ? 0 : TOP - row_top[i];
        row_size s =
            is_plain ? set_plain_row(a, i, &x, scale, g) : set_row(b, &p, i, scale, column, g);
        *shift -= scale * b->row_cap[i];
        for (int u = 0; u < b->row_cap[i]; ++u)
            size *= s.size + s.error;
        error += s.size > 0 ? s.error / s.size * b->row_cap[i] : 0;
    }
    for (int i = (int)b->n; i < g->n; ++i)
        *entry_at(g, i, i) = 1;
    *inexact = error > 0 ? 1.01 * size * expm1(error) : 0;
    shorten(g);
}

/* The products of row sums are so small that pm_glynn_set_integers needs one group; a quick look,
 * which may miss that. */
static bool are_clearly_short(const pm_block *b)
{
    const pm_matrix *a = &b->a;
    uint64_t sizes = 0; /* of the odd parts, joined by "or" */
    int32_t kinds = 0, exponent = 0;
    int64_t bits = 0;
    if (a->im || !has_no_twins(b))
        return false;
    for (int64_t k = 0; k < a->rowptr[a->nrows]; ++k) {
        const int64_t odd = a->re[k].m.small;
        kinds |= a->re[k].kind ^ PM_DYADIC_SMALL;
        sizes |= (uint64_t)(odd < 0 ? -odd : odd);
        exponent = a->re[k].exp > exponent ? a->re[k].exp : exponent;
    }
    for (int64_t i = 0; i < a->nrows; ++i)
        bits += log2_up(a->rowptr[i + 1] - a->rowptr[i]);
    return !kinds && bits + a->nrows * (exponent + (64 - __builtin_clzll(sizes | 1))) <= 50;
}

bool pm_glynn_takes(const pm_block *b)
{
    pm_glynn g;
    int64_t shift;
    if (b->n > PM_GLYNN_MAX)
        return false;
    return b->a.field != PM_INTEGER || are_clearly_short(b) || pm_glynn_set_integers(b, &g, &shift);
}
