/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "rook/rook_board.h"

#include <stdlib.h>

#include "pm/alloc.h"
#include "pm/settings.h"

static const pm_dyadic one = {.m.small = 1}, zero = {0};

static const pm_dyadic *entry_of(const pm_matrix *a, int64_t k)
{
    return a->re ? &a->re[k] : &one;
}

/* ---- the value of most cells ---- */

typedef struct {
    const pm_dyadic *value;
    int64_t lead;
} majority;

/* Boyer-Moore majority vote of `cells` equal cells. */
static void vote(majority *m, const pm_dyadic *value, int64_t cells)
{
    if (m->lead == 0)
        m->value = value;
    m->lead += pm_dyadic_equal(m->value, value) ? cells : -cells;
    if (m->lead < 0) {
        m->value = value;
        m->lead = -m->lead;
    }
}

/* The value in more than half of the cells; NULL if there is none or it is 0. */
static const pm_dyadic *most_frequent(const pm_block *b)
{
    const pm_matrix *a = &b->a;
    majority m = {.value = &zero};
    int64_t same = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = 0; i < a->nrows; ++i)
            for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
                int64_t cells = (int64_t)b->row_cap[i] * b->col_cap[a->colind[k]];
                if (pass == 0)
                    vote(&m, entry_of(a, k), cells);
                else if (pm_dyadic_equal(m.value, entry_of(a, k)))
                    same += cells;
            }
    return same > b->n * b->n - same ? m.value : NULL;
}

/* ---- the board ---- */

/* (*first)[i]: the first line of the board that is a copy of line i; lines + 1 entries. */
static pm_status first_copies(const int32_t *cap, int64_t lines, int64_t **first, pm_error *err)
{
    *first = pm_alloc_array(lines + 1, sizeof **first);
    if (!*first)
        return pm_fail_memory(err, "a board");
    (*first)[0] = 0;
    for (int64_t i = 0; i < lines; ++i)
        (*first)[i + 1] = (*first)[i] + cap[i];
    return PM_OK;
}

/* Add c - entry, unless it is 0, at all copies of the cell: rows row[0] .. row[1] - 1, columns
 * column[0] .. column[1] - 1. */
static pm_status add_cells(const pm_rook_board *b, const pm_dyadic *entry, const int64_t *row,
                           const int64_t *column, pm_triples *t, pm_error *err)
{
    pm_dyadic cell = {0};
    pm_status status = PM_OK;
    pm_dyadic_set(&cell, entry);
    pm_dyadic_neg(&cell);
    pm_dyadic_add(&cell, &cell, &b->c);
    if (!pm_dyadic_is_in_range(&cell))
        return pm_fail(
            err, PM_UNABLE,
            "rook needs the differences of elements: the binary exponent of one is beyond "
            "2^31, or its digits do not fit into memory%s",
            pm_hint_text(PM_HINT_MEMORY));
    for (int64_t i = row[0]; i < row[1] && !pm_dyadic_is_zero(&cell); ++i)
        for (int64_t j = column[0]; j < column[1] && !status; ++j) {
            pm_dyadic copy = {0};
            pm_dyadic_set(&copy, &cell);
            status = pm_triples_add(t, i, j, 0, &copy, NULL, err);
            if (status)
                pm_dyadic_clear(&copy);
        }
    pm_dyadic_clear(&cell);
    return status;
}

static pm_status list_cells(const pm_rook_board *b, const pm_block *block, const int64_t *row,
                            const int64_t *column, pm_triples *t, pm_error *err)
{
    const pm_matrix *a = &block->a;
    pm_status status = PM_OK;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t j = 0, k = a->rowptr[i]; j < a->ncols && !status; ++j) {
            bool is_there = k < a->rowptr[i + 1] && a->colind[k] == j;
            const pm_dyadic *entry = is_there ? entry_of(a, k++) : &zero;
            status = add_cells(b, entry, row + i, column + j, t, err);
        }
    return status;
}

/* New numbers of the nonempty lines, -1 for empty ones; *count: how many are nonempty.  NULL when
 * memory runs out. */
static int32_t *lines_in_use(const pm_triples *t, bool of_rows, int64_t lines, int64_t *count)
{
    int32_t *number = pm_calloc_array(lines, sizeof *number);
    for (int64_t x = 0; number && x < t->count; ++x)
        number[of_rows ? t->at[x].row : t->at[x].col] = 1;
    *count = 0;
    for (int64_t i = 0; number && i < lines; ++i)
        number[i] = number[i] ? (int32_t)(*count)++ : -1;
    return number;
}

static pm_status leave_out_empty_lines(pm_triples *t, pm_error *err)
{
    int64_t rows, columns;
    int32_t *row = lines_in_use(t, true, t->nrows, &rows);
    int32_t *column = lines_in_use(t, false, t->ncols, &columns);
    bool is_numbered = row && column;
    for (int64_t x = 0; is_numbered && x < t->count; ++x) {
        t->at[x].row = row[t->at[x].row];
        t->at[x].col = column[t->at[x].col];
    }
    t->nrows = rows;
    t->ncols = columns;
    free(row);
    free(column);
    return is_numbered ? PM_OK : pm_fail_memory(err, "a board");
}

static int32_t *ones(int64_t count)
{
    int32_t *x = pm_alloc_array(count, sizeof *x);
    for (int64_t i = 0; x && i < count; ++i)
        x[i] = 1;
    return x;
}

static pm_status set_board(pm_triples *t, pm_rook_board *b, pm_error *err)
{
    pm_status status = leave_out_empty_lines(t, err);
    if (!status)
        status = pm_matrix_from_triples(t, PM_DUPLICATES_ERROR, "", &b->b.a, err);
    if (status)
        return status;
    b->b.row_cap = ones(b->b.a.nrows);
    b->b.col_cap = ones(b->b.a.ncols);
    return b->b.row_cap && b->b.col_cap ? PM_OK : pm_fail_memory(err, "a board");
}

pm_status pm_rook_board_make(const pm_block *b, pm_rook_board *out, pm_error *err)
{
    int64_t *row = NULL, *column = NULL;
    const pm_dyadic *c = most_frequent(b);
    *out = (pm_rook_board){.n = b->n};
    if (!c)
        return pm_fail(err, PM_UNABLE,
                       "rook needs a block in which more than half of the elements have one value "
                       "other than 0");
    pm_triples t = {.field = PM_INTEGER, .nrows = b->n, .ncols = b->n};
    pm_dyadic_set(&out->c, c);
    pm_status status = first_copies(b->row_cap, b->a.nrows, &row, err);
    if (!status)
        status = first_copies(b->col_cap, b->a.ncols, &column, err);
    if (!status)
        status = list_cells(out, b, row, column, &t, err);
    if (!status)
        status = set_board(&t, out, err);
    pm_triples_free(&t);
    free(row);
    free(column);
    if (status)
        pm_rook_board_free(out);
    return status;
}

void pm_rook_board_free(pm_rook_board *b)
{
    pm_dyadic_clear(&b->c);
    pm_block_free(&b->b);
}
