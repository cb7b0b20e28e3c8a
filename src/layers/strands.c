/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/strands.h"

#include <stdlib.h>

#include "layers/band_layers.h"
#include "pm/alloc.h"

enum {
    STRANDS_MAX = 15,
    STEP_MAX = 15,
    SHORT = 64, /* rows: fewer are no strand; and by how much strands may differ */
    DEGREE_MAX = 64
};

/* Strand s begins with line start[s]; start[count] is the number of lines.  The beginning is somewhere from surely_before[s] to
 * surely_after[s]: lines below are the end of the strand before, lines from there on are of this one. */
typedef struct {
    int count;
    int64_t start[STRANDS_MAX + 1], surely_before[STRANDS_MAX], surely_after[STRANDS_MAX];
} strands;

/* ---- rows ---- */

/* The rows are strands in which row i + step repeats row i. */
static bool find_rows(const pm_matrix *a, int64_t step, strands *out)
{
    const int64_t n = a->nrows;
    int64_t i = 0, end = 0; /* of the strand before */
    out->count = 0;
    while (i + step < n) {
        const int64_t first = i;
        while (i + step < n && pm_band_repeats(a, i, step))
            ++i;
        if (i - first >= SHORT) {
            if (out->count == STRANDS_MAX || first - end > SHORT)
                return false;
            out->start[out->count] = out->count ? end : 0;
            out->surely_before[out->count] = out->start[out->count];
            out->surely_after[out->count] = out->count ? first : 0;
            ++out->count;
            end = i + step;
        } else if (i - end > SHORT) {
            return false;
        }
        ++i;
    }
    out->start[out->count] = n;
    return out->count > 1 && n - end <= SHORT;
}

/* ---- columns ---- */

static int by_size(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Where columns are at the beginning of their strands, from a row in the middle of each strand of rows. */
static bool find_columns(const pm_matrix *a, const strands *rows, strands *out)
{
    int64_t base[STRANDS_MAX * DEGREE_MAX], count = 0;
    for (int s = 0; s < rows->count; ++s) {
        const int64_t along = (rows->start[s + 1] - rows->start[s]) / 2, i = rows->start[s] + along;
        if (a->rowptr[i + 1] - a->rowptr[i] > DEGREE_MAX)
            return false;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            base[count++] = a->colind[k] - along;
    }
    qsort(base, (size_t)count, sizeof *base, by_size);
    out->count = 0;
    for (int64_t k = 0; k < count; ++k) {
        if (k && base[k] - base[k - 1] <= SHORT)
            continue;
        if (out->count == STRANDS_MAX)
            return false;
        out->start[out->count++] = base[k] - base[0];
    }
    out->start[out->count] = a->ncols;
    return out->count == rows->count && out->start[out->count - 1] < a->ncols;
}

/* ---- where strands begin ----
 *
 * A line between two strands is at the beginning of one or at the end of the other.  Its neighbours are at the same end of the
 * strip, so it is enough to know this of some lines. */

enum { WINDOW = 2 * SHORT };
typedef enum { UNKNOWN, BEGINNING, END } place;

/* The places of the lines around the beginnings. */
typedef struct {
    const strands *of;
    unsigned char at[STRANDS_MAX][2 * WINDOW]; /* of line start[s] - WINDOW + k */
} places;

/* NULL: the line is far from all beginnings. */
static unsigned char *find_place(places *x, int64_t line)
{
    for (int s = 0; s < x->of->count; ++s) {
        const int64_t k = line - x->of->start[s] + WINDOW;
        if (k >= 0 && k < 2 * WINDOW)
            return &x->at[s][k];
    }
    return NULL;
}

/* The place of row i goes to its columns, or from them to the row where it is not known.  Returns false where they
 * disagree. */
static bool spread(const pm_matrix *a, int64_t i, unsigned char *row, places *cols)
{
    for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
        unsigned char *col = find_place(cols, a->colind[k]);
        if (col && *row == UNKNOWN)
            *row = *col;
        if (col && *col == UNKNOWN)
            *col = *row;
        if (col && *col != *row)
            return false;
    }
    return true;
}

/* The first line of each strand is the first one that is at a beginning. */
static bool set_starts(const places *x, strands *out)
{
    for (int s = 1; s < out->count; ++s) {
        int k = 0;
        while (k < 2 * WINDOW && x->at[s][k] != BEGINNING)
            ++k;
        out->start[s] += k - WINDOW;
        for (; k < 2 * WINDOW; ++k)
            if (x->at[s][k] == END)
                return false;
    }
    return true;
}

/* Strands are long, about equally long, and one after another. */
static bool are_similar(const strands *x)
{
    const int64_t mean = x->start[x->count] / x->count;
    for (int s = 0; s < x->count; ++s)
        if (llabs(x->start[s + 1] - x->start[s] - mean) > SHORT)
            return false;
    return mean >= 2 * WINDOW;
}

static bool find_starts(const pm_matrix *a, strands *rows, strands *cols)
{
    places r = {.of = rows}, c = {.of = cols};
    for (int round = 0; round < 3; ++round)
        for (int s = 0; s <= rows->count; ++s) {
            const int64_t first = rows->start[s] - WINDOW, end = rows->start[s] + WINDOW;
            for (int64_t i = first < 0 ? 0 : first; i < end && i < a->nrows; ++i) {
                unsigned char last = END;
                unsigned char *row = s < rows->count ? find_place(&r, i) : &last;
                if (s < rows->count && i < rows->surely_before[s])
                    *row = END;
                if (s < rows->count && i >= rows->surely_after[s])
                    *row = BEGINNING;
                if (!spread(a, i, row, &c))
                    return false;
            }
        }
    return set_starts(&r, rows) && set_starts(&c, cols) && are_similar(rows) && are_similar(cols);
}

/* ---- the matrix ---- */

/* at[line]: its number across the strands, `step` lines of each strand in turn. */
static int32_t *number_across(const strands *x, int64_t step)
{
    int32_t *at = pm_alloc_array(x->start[x->count], sizeof *at);
    int64_t number = 0, longest = 0;
    for (int s = 0; s < x->count; ++s)
        if (x->start[s + 1] - x->start[s] > longest)
            longest = x->start[s + 1] - x->start[s];
    for (int64_t along = 0; at && along < longest; along += step)
        for (int s = 0; s < x->count; ++s)
            for (int64_t k = x->start[s] + along;
                 k < x->start[s] + along + step && k < x->start[s + 1]; ++k)
                at[k] = (int32_t)number++;
    return at;
}

/* Entry k of a becomes the next one of the last row of b, which is sorted. */
static void insert(const pm_matrix *a, int64_t k, int32_t col, pm_matrix *b, int64_t first,
                   int64_t end)
{
    int64_t to = end;
    for (; to > first && b->colind[to - 1] > col; --to) {
        b->colind[to] = b->colind[to - 1];
        if (b->re)
            b->re[to] = b->re[to - 1];
    }
    b->colind[to] = col;
    if (b->re) {
        b->re[to] = (pm_dyadic){0};
        pm_dyadic_set(&b->re[to], &a->re[k]);
    }
}

static pm_status permute(const pm_matrix *a, const int32_t *row_at, const int32_t *col_at,
                         pm_matrix *out, pm_error *err)
{
    pm_matrix b = {0};
    int32_t *row_of = pm_alloc_array(a->nrows, sizeof *row_of);
    pm_status status =
        row_of ? pm_matrix_alloc(&b, a->field, a->nrows, a->ncols, pm_matrix_nnz(a), err)
               : pm_fail_memory(err, "a strip");
    if (status) {
        free(row_of);
        return status;
    }
    for (int64_t i = 0; i < a->nrows; ++i)
        row_of[row_at[i]] = (int32_t)i;
    b.rowptr[0] = 0;
    for (int64_t to = 0; to < a->nrows; ++to) {
        const int64_t i = row_of[to], first = b.rowptr[to];
        int64_t end = first;
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            insert(a, k, col_at[a->colind[k]], &b, first, end++);
        b.rowptr[to + 1] = end;
    }
    free(row_of);
    *out = b;
    return PM_OK;
}

pm_status pm_strands_across(const pm_matrix *a, pm_matrix *out, pm_error *err)
{
    strands rows, cols;
    int64_t step = 1;
    while (step <= STEP_MAX
           && !(find_rows(a, step, &rows) && find_columns(a, &rows, &cols)
                && find_starts(a, &rows, &cols)))
        ++step;
    if (step > STEP_MAX)
        return pm_fail(err, PM_UNABLE, "the rows of the matrix are no strands");
    int32_t *row_at = number_across(&rows, step), *col_at = number_across(&cols, step);
    pm_status status =
        row_at && col_at ? permute(a, row_at, col_at, out, err) : pm_fail_memory(err, "a strip");
    free(row_at);
    free(col_at);
    return status;
}
