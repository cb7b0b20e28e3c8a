/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dm/push_relabel.h"

#include <assert.h>
#include <stdlib.h>

#include "pm/alloc.h"

/* Of col_of: a row without a column, and one that a search has reached. */
enum { FREE = -1, REACHED = -2 };

#define NEVER INT32_MAX /* the label of a column from which no unmatched one is reached */

/* Labels are made exact again when 1 / WORK of the entries has been looked at.  A row and those that follow it push so many times, then it is the
 * turn of the next one: in meshes 1 to 100 take the same time, and 1000000 a tenth more. */
enum { WORK = 5, PUSHES_IN_TURN = 100 };

typedef struct {
    const pm_matrix *a;
    const pm_columns *columns;
    int32_t *col_of, *row_of;
    int32_t *label; /* [columns] */
    int32_t *queue; /* [columns] */
    int32_t *row;   /* [places]: the unmatched rows, from `first` on, in a ring */
    int64_t places, first, rows;
    int64_t work; /* entries that were looked at since the labels were exact, */
    int64_t most; /* until they are made exact again */
} search;

static int32_t *row_at(const search *s, int64_t k)
{
    return &s->row[(s->first + k) % s->places];
}

/* ---- labels ---- */

/* Reaches the columns of the rows of column j.  Returns how many unmatched rows were reached for the first time. */
static int64_t reach_from(search *s, int32_t j, int64_t *tail)
{
    int64_t found = 0;
    for (int64_t k = s->columns->ptr[j]; k < s->columns->ptr[j + 1]; ++k) {
        const int32_t i = s->columns->row[k], own = s->col_of[i];
        if (own == FREE) {
            s->col_of[i] = REACHED;
            ++found;
        } else if (own >= 0 && s->label[own] < 0) {
            assert(-1 - s->label[own] <= s->label[j] + 1); /* a lower bound */
            s->label[own] = s->label[j] + 1;
            s->queue[(*tail)++] = own;
        }
    }
    return found;
}

/* Makes the labels exact, up to those at which all unmatched rows are reached; labels do not fall.  Meanwhile -1 - label is that of a column
 * which is not reached. */
static void relabel(search *s)
{
    int64_t head = 0, tail = 0, left = s->rows;
    int32_t least = 0; /* of the columns that are not reached */
    for (int64_t j = 0; j < s->a->ncols; ++j) {
        s->label[j] = s->row_of[j] < 0 ? 0 : -1 - s->label[j];
        if (s->row_of[j] < 0)
            s->queue[tail++] = (int32_t)j;
    }
    while (head < tail && left > 0) {
        const int32_t j = s->queue[head++];
        least = s->label[j] + 1;
        left -= reach_from(s, j, &tail);
    }
    if (left > 0)
        least = NEVER;
    for (int64_t j = 0; j < s->a->ncols; ++j)
        if (s->label[j] < 0) {
            const int32_t before = -1 - s->label[j];
            s->label[j] = before > least ? before : least;
        }
    for (int64_t k = 0; k < s->rows; ++k)
        s->col_of[*row_at(s, k)] = FREE;
}

/* ---- pushes ---- */

/* The column of row i with the least label, or -1: no unmatched column is reached from the row. */
static int32_t least_label(const search *s, int32_t i)
{
    int32_t best = -1, label = NEVER;
    for (int64_t k = s->a->rowptr[i]; k < s->a->rowptr[i + 1]; ++k) {
        const int32_t j = s->a->colind[k];
        if (s->label[j] < label) {
            label = s->label[j];
            best = j;
        }
    }
    return label > s->a->ncols ? -1 : best;
}

/* Row i takes a column, the row that had it the next one, and so on, until a column is unmatched, a row has none to take and stays
 * without, or it is the turn of another row or of the labels.  Returns whether a path ended. */
static bool push(search *s, int32_t i)
{
    for (int pushes = 0; pushes < PUSHES_IN_TURN && s->work < s->most; ++pushes) {
        const int32_t j = least_label(s, i);
        s->work += s->a->rowptr[i + 1] - s->a->rowptr[i];
        if (j < 0)
            return false;
        const int32_t loser = s->row_of[j];
        s->row_of[j] = i;
        s->col_of[i] = j;
        ++s->label[j];
        if (loser < 0)
            return true;
        s->col_of[loser] = FREE;
        i = loser;
    }
    *row_at(s, s->rows++) = i;
    return false;
}

static pm_status match_rows(search *s, const pm_run *run, int64_t *matched, pm_error *err)
{
    s->most = pm_matrix_nnz(s->a) / WORK + 1;
    s->work = s->most;
    while (s->rows > 0 && *matched < s->a->ncols) {
        if (s->work >= s->most) {
            if (pm_run_stopped(run))
                return pm_fail(err, PM_ESTOPPED, "stopped during the search for a matching");
            pm_run_progress(run, (double)*matched / (double)s->a->nrows, "matching");
            relabel(s);
            s->work = 0;
        }
        const int32_t i = *row_at(s, 0);
        s->first = (s->first + 1) % s->places;
        --s->rows;
        *matched += push(s, i);
    }
    return PM_OK;
}

pm_status pm_push_relabel(const pm_matrix *a, const pm_columns *columns, const pm_run *run,
                          int32_t *col_of, int32_t *row_of, int64_t *matched, pm_error *err)
{
    search s = {.a = a, .columns = columns, .col_of = col_of, .row_of = row_of};
    pm_status status = PM_OK;
    s.places = a->nrows - *matched;
    if (s.places == 0)
        return PM_OK;
    s.label = pm_calloc_array(a->ncols, sizeof *s.label);
    s.queue = pm_alloc_array(a->ncols, sizeof *s.queue);
    s.row = pm_alloc_array(s.places, sizeof *s.row);
    if (!s.label || !s.queue || !s.row)
        status = pm_fail_memory(err, "the search for a matching");
    for (int64_t i = 0; i < a->nrows && !status; ++i)
        if (col_of[i] < 0)
            s.row[s.rows++] = (int32_t)i;
    if (!status)
        status = match_rows(&s, run, matched, err);
    free(s.label);
    free(s.queue);
    free(s.row);
    return status;
}
