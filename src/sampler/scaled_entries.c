/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sampler/scaled_entries.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/transposed.h"
#include "pm/alloc.h"
#include "pm/value.h"
#include "spmv/multiply.h"

enum {
    SIMILAR_OCTAVES = 4,  /* the scaling converges fast where log2 of all entries differs by less */
    ITERATIONS = 12,      /* for each power of the entries */
    FACTOR_OCTAVES = 940, /* most |log2| of a factor that is no logarithm */
    MAX_OCTAVES = 900     /* largest |log2| of a scaled entry */
};
#define CHANGE                                                                                     \
    0x1p-7 /* of a factor by an iteration: the next ones would change it by less than an octave */

/* The rows' half of an iteration of Sinkhorn's scaling, with logarithms to base 2, of entries 2^(power size[k]):
 * row[i] = -log2 of the sum over the entries k of row i of 2^(power size[k] + col[j]), j the column of entry k. */
static void scale_rows(const pm_matrix *a, const double *size, double power, const double *col,
                       double *row, int threads)
{
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        double most = -INFINITY, sum = 0;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            most = fmax(most, power * size[k] + col[a->colind[k]]);
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            sum += exp2(power * size[k] + col[a->colind[k]] - most);
        row[i] = sum > 0 ? -(most + log2(sum)) : 0;
    }
}

/* The columns' half, in a range of them.  most: working memory, [ncols]. */
static void scale_range(const pm_matrix *a, const double *size, double power, const double *row,
                        double *col, double *most, pm_column_range range)
{
    for (uint32_t j = range.from; j < range.from + range.count; ++j) {
        most[j] = -INFINITY;
        col[j] = 0;
    }
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = 0; i < a->nrows; ++i)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                const int32_t j = a->colind[k];
                if (!pm_column_is_in(range, j))
                    continue;
                const double x = power * size[k] + row[i];
                if (pass == 0)
                    most[j] = fmax(most[j], x);
                else
                    col[j] += exp2(x - most[j]);
            }
    for (uint32_t j = range.from; j < range.from + range.count; ++j)
        col[j] = col[j] > 0 ? -(most[j] + log2(col[j])) : 0;
}

static void scale_columns(const pm_matrix *a, const double *size, double power, const double *row,
                          double *col, double *most, int threads)
{
#pragma omp parallel for num_threads(threads) schedule(static, 1) if (threads > 1)
    for (int part = 0; part < threads; ++part)
        scale_range(a, size, power, row, col, most, pm_column_range_of(a->ncols, part, threads));
}

/* x[k] = 2^(power size[k]) times the factors 2^line of its row and its column, all divided by the least of them, 2^*least.
 * Returns log2 of the largest. */
static double multiply_out(const pm_matrix *a, const double *size, double power, const double *line,
                           double *x, double *least, int threads)
{
    const double *row = line, *col = line + a->nrows;
    double low = INFINITY, high = -INFINITY;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
#pragma omp for reduction(min : low) reduction(max : high)
        for (int64_t i = 0; i < a->nrows; ++i)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                x[k] = power * size[k] + row[i] + col[a->colind[k]];
                low = fmin(low, x[k]);
                high = fmax(high, x[k]);
            }
#pragma omp for
        for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
            x[k] = exp2(x[k] - low);
    }
    *least = low;
    return high - low;
}

/* An iteration without logarithms.  Returns whether a factor of a row has changed by more than CHANGE of it.
 * a: its entries are scaled; part: its sums are working memory. */
static bool iterate(const pm_csr *a, const pm_spmv_part *part, double *r, double *c, int threads)
{
    double *sum = part->sum;
    bool has_changed = false;
    pm_spmv_multiply(a, c, sum, threads);
#pragma omp parallel for num_threads(threads) reduction(|| : has_changed) if (threads > 1)
    for (int64_t i = 0; i < a->nrows; ++i) {
        const double before = r[i];
        r[i] = sum[i] > 0 ? 1 / sum[i] : 1;
        has_changed = has_changed || !(fabs(r[i] - before) <= CHANGE * r[i]);
    }
    pm_spmv_multiply_transposed(a, NULL, r, c, part, threads);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t j = 0; j < a->ncols; ++j)
        c[j] = c[j] > 0 ? 1 / c[j] : 1;
    return has_changed;
}

/* At most this many iterations without logarithms, fewer where factors could overflow: the first half of an iteration changes
 * log2 of a factor by at most the octaves by which entries differ and log2 n, and each later half by no more than the one before it.
 * Returns how many there were, or `most` where more would change little; 0: the entries differ too much.
 * line: the factors of rows, then of columns.  Working memory: x, [nnz]; factor, [3 n]. */
static int scale_by_factors(const pm_matrix *a, const double *size, double power, int most,
                            double *line, double *x, double *factor, int threads)
{
    const int64_t n = a->nrows;
    double *r = factor, *c = factor + n, least;
    const double octaves = multiply_out(a, size, power, line, x, &least, threads);
    const double safe = FACTOR_OCTAVES / (2 * (octaves + log2((double)n)));
    const int count = safe >= most ? most : safe >= 1 ? (int)safe : 0; /* 0, too, without entries */
    for (int64_t j = 0; j < n && count; ++j)
        r[j] = c[j] = 1;
    const pm_csr scaled = {n, n, a->rowptr, a->colind, x, NULL};
    pm_spmv_part part = {0};
    if (count)
        part = pm_spmv_part_make(&scaled, factor + 2 * n);
    bool has_changed = true;
    for (int done = 0; done < count && has_changed; ++done)
        has_changed = iterate(&scaled, &part, r, c, threads);
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < (count ? n : 0); ++i) {
        line[i] += log2(r[i]) - least;
        line[n + i] += log2(c[i]);
    }
    return has_changed ? count : most;
}

/* All iterations for a power.  Working memory: as above. */
static void scale_power(const pm_matrix *a, const double *size, double power, double *line,
                        double *x, double *factor, int threads)
{
    double *row = line, *col = line + a->nrows;
    for (int done = 0; done < ITERATIONS;) {
        const int count =
            scale_by_factors(a, size, power, ITERATIONS - done, line, x, factor, threads);
        if (!count) {
            scale_rows(a, size, power, col, row, threads);
            scale_columns(a, size, power, row, col, factor, threads);
        }
        done += count ? count : 1;
    }
}

/* Only graphs on one set of vertices have labels here. */
static pm_status fail_out_of_range(const pm_matrix *a, int64_t i, int64_t k, pm_error *err)
{
    char first[24], second[24];
    const char *row = pm_label(&a->row_labels, i, first);
    const char *col = pm_label(&a->col_labels, a->colind[k], second);
    if (!pm_labels_exist(&a->row_labels))
        return pm_fail(err, PM_UNABLE,
                       "the entries differ by too many orders of magnitude: that of row %s and "
                       "column %s cannot be brought near to 1 by scaling rows and columns",
                       row, col);
    if (strcmp(row, col) == 0)
        return pm_fail(err, PM_UNABLE,
                       "the weights differ by too many orders of magnitude: that of the loop at "
                       "'%s' cannot be brought near to 1 by scaling the weights at each vertex",
                       row);
    return pm_fail(err, PM_UNABLE,
                   "the weights differ by too many orders of magnitude: that between '%s' and "
                   "'%s' cannot be brought near to 1 by scaling the weights at each vertex",
                   row, col);
}

static int64_t half(int64_t x)
{
    return (x - (x & 1)) / 2;
}

/* The values of a row.  Returns an entry that is out of range, or -1.
 * has_loops: the diagonal has the weights of leaving vertices alone, whose squares are scaled as entries. */
static int64_t set_row(const pm_matrix *a, bool has_loops, int64_t i, pm_scaled_entries *s)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        pm_xreal x = pm_xreal_from_dyadic(&a->re[k]);
        const int64_t shift = s->shift[i] + s->shift[a->nrows + a->colind[k]];
        const int64_t e = x.exp + (has_loops && a->colind[k] == i ? half(shift) : shift);
        if (e > MAX_OCTAVES || e < -MAX_OCTAVES)
            return k;
        s->value[k][0] = ldexp(x.hi, (int)e);
        s->value[k][1] = ldexp(x.lo, (int)e);
    }
    return -1;
}

/* Fills s->value and s->exp.  Working memory: size, one number an entry; line, 5 n numbers. */
static pm_status scale(const pm_matrix *a, bool has_loops, pm_scaled_entries *s, double *size,
                       double *line, int threads, pm_error *err)
{
    int64_t n = a->nrows;
    double *r = line, *c = line + n, least = INFINITY, largest = -INFINITY;
#pragma omp parallel for num_threads(threads) reduction(min                                        \
                                                        : least)                                   \
    reduction(max                                                                                  \
              : largest) if (threads > 1)
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            pm_xreal x = pm_xreal_from_dyadic(&a->re[k]);
            size[k] = log2(x.hi) + (double)x.exp;
            if (has_loops && a->colind[k] == i)
                size[k] *= 2;
            least = fmin(least, size[k]);
            largest = fmax(largest, size[k]);
        }
    for (int64_t i = 0; i < n; ++i)
        r[i] = c[i] = 0;
    /* The larger an entry, the more iterations the scaling needs.  So the entries to the power 2^-h
     * are scaled first; twice their logarithmic scaling is a good start for the power 2^-(h-1). */
    double spread = largest - least;
    int halvings = spread > SIMILAR_OCTAVES ? ilogb(spread / SIMILAR_OCTAVES) + 1 : 0;
    for (int h = halvings; h >= 0; --h) {
        double power = ldexp(1, -h);
        scale_power(a, size, power, line, s->value[0], line + 2 * n, threads); /* set below */
        for (int64_t i = 0; h && i < 2 * n; ++i)
            line[i] *= 2;
    }
    for (int64_t i = 0; i < n; ++i) {
        r[i] = nearbyint(r[i]);
        c[i] = nearbyint(c[i]);
        s->shift[i] = (int64_t)r[i];
        s->shift[n + i] = (int64_t)c[i];
        s->exp -= s->shift[i] + s->shift[n + i];
    }
    int64_t bad = -1; /* the first row with an entry out of range */
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < n; ++i)
        if (set_row(a, has_loops, i, s) >= 0) {
#pragma omp critical(pm_scaled_entries)
            bad = bad < 0 || i < bad ? i : bad;
        }
    return bad < 0 ? PM_OK : fail_out_of_range(a, bad, set_row(a, has_loops, bad, s), err);
}

static pm_status make(const pm_matrix *a, bool has_loops, const pm_run *run, pm_scaled_entries *out,
                      pm_error *err)
{
    pm_status status = PM_OK;
    int64_t nnz = pm_matrix_nnz(a);
    pm_scaled_entries s = {.value = pm_alloc_array(nnz, sizeof *s.value)};
    double *size = NULL, *line = NULL;
    if (!s.value) {
        status = pm_fail_memory(err, "entries");
        goto done;
    }
    for (int64_t k = 0; k < nnz && !a->re; ++k) {
        s.value[k][0] = 1;
        s.value[k][1] = 0;
    }
    if (a->re) {
        size = pm_alloc_array(nnz, sizeof *size);
        line = pm_alloc_array(5 * a->nrows, sizeof *line);
        s.shift = pm_alloc_array(2 * a->nrows, sizeof *s.shift);
        status = size && line && s.shift
                     ? scale(a, has_loops, &s, size, line, pm_transposed_threads(nnz, run), err)
                     : pm_fail_memory(err, "entries");
    }
    if (status)
        goto done;
    *out = s;
    s = (pm_scaled_entries){0};
done:
    free(size);
    free(line);
    pm_scaled_entries_free(&s);
    return status;
}

pm_status pm_scaled_entries_make(const pm_matrix *a, const pm_run *run, pm_scaled_entries *out,
                                 pm_error *err)
{
    return make(a, false, run, out, err);
}

/* The values of a row, but for the loop.  Returns an entry that is out of range, or -1. */
static int64_t balance_row(const pm_matrix *a, int64_t i, pm_scaled_entries *s)
{
    const int64_t *r = s->shift, *c = r + a->nrows, x = half(r[i] + c[i]);
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        const int32_t j = a->colind[k];
        const int64_t change = j == i ? 0 : x + half(r[j] + c[j]) - r[i] - c[j];
        const int64_t octaves = change + ilogb(s->value[k][0]);
        if (octaves > MAX_OCTAVES || octaves < -MAX_OCTAVES)
            return k;
        for (int part = 0; part < 2; ++part)
            s->value[k][part] = ldexp(s->value[k][part], (int)change);
    }
    return -1;
}

static pm_status balance(const pm_matrix *a, pm_scaled_entries *s, pm_error *err)
{
    s->exp = 0;
    for (int64_t i = 0; i < a->nrows; ++i) {
        const int64_t bad = balance_row(a, i, s);
        if (bad >= 0)
            return fail_out_of_range(a, i, bad, err);
    }
    for (int64_t i = 0; i < a->nrows; ++i) {
        s->shift[i] = s->shift[a->nrows + i] = half(s->shift[i] + s->shift[a->nrows + i]);
        s->exp -= s->shift[i];
    }
    return PM_OK;
}

pm_status pm_scaled_entries_make_symmetric(const pm_matrix *a, const pm_run *run,
                                           pm_scaled_entries *out, pm_error *err)
{
    pm_scaled_entries s = {0};
    pm_status status = make(a, true, run, &s, err);
    if (!status && s.shift)
        status = balance(a, &s, err);
    if (status)
        pm_scaled_entries_free(&s);
    else
        *out = s;
    return status;
}

void pm_scaled_entries_free(pm_scaled_entries *s)
{
    free(s->value);
    free(s->shift);
    *s = (pm_scaled_entries){0};
}
