/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dm/short_paths.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum { NONE = -1, END = -2 /* of a path */ };

/* A side of the search.  Forward: rows, each with the row that takes its column.  Backward: columns, each
 * with the column that its row takes. */
typedef struct {
    int32_t *next;  /* NONE: not reached; END: where the search began */
    int32_t *queue; /* what was reached, to be undone */
    int64_t head, tail;
} side;

typedef struct {
    const pm_matrix *a;
    const pm_columns *columns;
    int32_t *col_of, *row_of;
    side rows, cols;
} search;

static void reach(side *s, int32_t v, int32_t next)
{
    s->next[v] = next;
    s->queue[s->tail++] = v;
}

static void begin(side *s)
{
    for (int64_t k = 0; k < s->tail; ++k)
        s->next[s->queue[k]] = NONE;
    s->head = s->tail = 0;
}

/* Row i takes column j; those that lose their column follow, in both directions. */
static void exchange(search *s, int32_t i, int32_t j)
{
    int32_t loser = s->row_of[j], other = s->cols.next[j];
    for (int32_t row = i, col = j; row != END;) { /* back to the unmatched row */
        int32_t free_col = s->col_of[row];
        s->col_of[row] = col;
        s->row_of[col] = row;
        row = s->rows.next[row];
        col = free_col;
    }
    while (other != END) { /* on to an unmatched column */
        int32_t row = loser;
        loser = s->row_of[other];
        s->col_of[row] = other;
        s->row_of[other] = row;
        other = s->cols.next[other];
    }
}

/* The next row of the queue.  Returns true when a path was found, and exchanged. */
static bool step_forward(search *s)
{
    int32_t i = s->rows.queue[s->rows.head++];
    for (int64_t k = s->a->rowptr[i]; k < s->a->rowptr[i + 1]; ++k) {
        int32_t j = s->a->colind[k];
        if (s->cols.next[j] != NONE) {
            exchange(s, i, j);
            return true;
        }
        int32_t owner = s->row_of[j];
        if (s->rows.next[owner] == NONE)
            reach(&s->rows, owner, i);
    }
    return false;
}

/* The next column of the queue. */
static bool step_backward(search *s)
{
    int32_t j = s->cols.queue[s->cols.head++];
    for (int64_t k = s->columns->ptr[j]; k < s->columns->ptr[j + 1]; ++k) {
        int32_t i = s->columns->row[k];
        if (s->rows.next[i] != NONE) {
            exchange(s, i, j);
            return true;
        }
        int32_t own = s->col_of[i];
        if (own >= 0 && s->cols.next[own] == NONE)
            reach(&s->cols, own, j);
    }
    return false;
}

static bool find_path(search *s, int32_t root)
{
    begin(&s->rows);
    begin(&s->cols);
    reach(&s->rows, root, END);
    for (int64_t j = 0; j < s->a->ncols; ++j)
        if (s->row_of[j] < 0)
            reach(&s->cols, (int32_t)j, END);
    while (s->rows.head < s->rows.tail && s->cols.head < s->cols.tail) {
        bool is_forward = s->rows.tail - s->rows.head <= s->cols.tail - s->cols.head;
        if (is_forward ? step_forward(s) : step_backward(s))
            return true;
    }
    return false;
}

static pm_status side_init(side *s, int64_t n, pm_error *err)
{
    *s = (side){pm_alloc_array(n, sizeof *s->next), pm_alloc_array(n, sizeof *s->queue), 0, 0};
    if (!s->next || !s->queue)
        return pm_fail_memory(err, "the search for a matching");
    memset(s->next, 0xff, (size_t)n * sizeof *s->next);
    return PM_OK;
}

pm_status pm_short_paths(const pm_matrix *a, const pm_columns *columns, const pm_run *run,
                         int32_t *col_of, int32_t *row_of, int64_t *matched, pm_error *err)
{
    search s = {.a = a, .columns = columns, .col_of = col_of, .row_of = row_of};
    pm_status status = side_init(&s.rows, a->nrows, err);
    if (!status)
        status = side_init(&s.cols, a->ncols, err);
    bool is_found = true; /* where a search sees all in vain, so may the others */
    for (int64_t i = 0; i < a->nrows && is_found && !status; ++i) {
        if (col_of[i] >= 0)
            continue;
        pm_run_progress(run, (double)*matched / (double)a->nrows, "matching");
        if (pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during the search for a matching");
        is_found = !status && find_path(&s, (int32_t)i);
        *matched += is_found;
    }
    free(s.rows.next);
    free(s.rows.queue);
    free(s.cols.next);
    free(s.cols.queue);
    return status;
}
