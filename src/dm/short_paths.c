/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dm/short_paths.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum { NONE = -1, END = -2 /* of a path */ };

enum { STEPS_OF_LOOK = 1 << 16 /* between two looks at the stop flag */ };

/* A side of the search, with a tree from each of its unmatched vertices.  Forward: rows, each with the row that takes its column.
 * Backward: columns, each with the column that its row takes. */
typedef struct {
    int32_t *next;  /* NONE: not reached; END: where a tree began */
    int32_t *root;  /* of the tree */
    int32_t *queue; /* what was reached, to be undone */
    int64_t head, tail;
} side;

typedef struct {
    const pm_matrix *a;
    const pm_columns *columns;
    int32_t *col_of, *row_of;
    side rows, cols;
} search;

/* root: of a vertex that begins a tree itself. */
static void reach(side *s, int32_t v, int32_t next, int32_t root)
{
    s->next[v] = next;
    s->root[v] = root;
    s->queue[s->tail++] = v;
}

/* partner: of the vertices of this side; those without one begin trees. */
static void begin(side *s, const int32_t *partner, int64_t n)
{
    for (int64_t k = 0; k < s->tail; ++k)
        s->next[s->queue[k]] = NONE;
    s->head = s->tail = 0;
    for (int64_t v = 0; v < n; ++v)
        if (partner[v] < 0)
            reach(s, (int32_t)v, END, (int32_t)v);
}

/* Whether the tree of v has had its path: then its vertices are passed over, since their partners are not those by which they
 * were reached. */
static bool is_over(const side *s, const int32_t *partner, int32_t v)
{
    return partner[s->root[v]] >= 0;
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
    if (is_over(&s->rows, s->col_of, i))
        return false;
    for (int64_t k = s->a->rowptr[i]; k < s->a->rowptr[i + 1]; ++k) {
        int32_t j = s->a->colind[k];
        if (s->cols.next[j] != NONE) {
            if (is_over(&s->cols, s->row_of, j))
                continue;
            exchange(s, i, j);
            return true;
        }
        int32_t owner = s->row_of[j];
        if (s->rows.next[owner] == NONE)
            reach(&s->rows, owner, i, s->rows.root[i]);
    }
    return false;
}

/* The next column of the queue. */
static bool step_backward(search *s)
{
    int32_t j = s->cols.queue[s->cols.head++];
    if (is_over(&s->cols, s->row_of, j))
        return false;
    for (int64_t k = s->columns->ptr[j]; k < s->columns->ptr[j + 1]; ++k) {
        int32_t i = s->columns->row[k];
        if (s->rows.next[i] != NONE) {
            if (is_over(&s->rows, s->col_of, i))
                continue;
            exchange(s, i, j);
            return true;
        }
        int32_t own = s->col_of[i];
        if (own >= 0 && s->cols.next[own] == NONE)
            reach(&s->cols, own, j, s->cols.root[j]);
    }
    return false;
}

/* All trees at once, each until it meets one of the other side.  Adds the paths to *matched. */
static pm_status find_paths(search *s, const pm_run *run, int64_t *matched, pm_error *err)
{
    begin(&s->rows, s->col_of, s->a->nrows);
    begin(&s->cols, s->row_of, s->a->ncols);
    for (int64_t step = 0; s->rows.head < s->rows.tail && s->cols.head < s->cols.tail; ++step) {
        bool is_forward = s->rows.tail - s->rows.head <= s->cols.tail - s->cols.head;
        *matched += is_forward ? step_forward(s) : step_backward(s);
        if (step % STEPS_OF_LOOK == 0 && pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped during the search for a matching");
    }
    return PM_OK;
}

static pm_status side_init(side *s, int64_t n, pm_error *err)
{
    *s = (side){.next = pm_alloc_array(n, sizeof *s->next),
                .root = pm_alloc_array(n, sizeof *s->root),
                .queue = pm_alloc_array(n, sizeof *s->queue)};
    if (!s->next || !s->root || !s->queue)
        return pm_fail_memory(err, "the search for a matching");
    memset(s->next, 0xff, (size_t)n * sizeof *s->next);
    return PM_OK;
}

static void side_free(side *s)
{
    free(s->next);
    free(s->root);
    free(s->queue);
}

pm_status pm_short_paths(const pm_matrix *a, const pm_columns *columns, const pm_run *run,
                         int32_t *col_of, int32_t *row_of, int64_t *matched, pm_error *err)
{
    search s = {.a = a, .columns = columns, .col_of = col_of, .row_of = row_of};
    pm_status status = side_init(&s.rows, a->nrows, err);
    if (!status)
        status = side_init(&s.cols, a->ncols, err);
    bool finds_many = true;
    while (!status && finds_many && *matched < a->nrows && *matched < a->ncols) {
        const int64_t before = *matched;
        pm_run_progress(run, (double)*matched / (double)a->nrows, "matching");
        status = find_paths(&s, run, matched, err);
        finds_many = *matched - before > a->nrows - *matched;
    }
    side_free(&s.rows);
    side_free(&s.cols);
    return status;
}
