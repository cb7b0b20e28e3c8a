/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The directed graph of the rows (dulmage_mendelsohn.c) is strongly connected if row 0 reaches all rows and is
 * reached by all.  The second is the first for the transpose: the columns take the place of the rows that they
 * are matched to. */
#include "config.h"

#include "dm/one_block.h"

#include <stdlib.h>

#include "dm/by_columns.h"
#include "pm/alloc.h"

enum {
    AHEAD = 8,  /* steps of the queue between one request for memory and what depends on it */
    ENTRIES = 8 /* of a line, that are asked for */
};

/* Line i has the entries index[start[i]] .. index[start[i + 1] - 1], and arcs to of[e] for each e of them. */
typedef struct {
    const int64_t *start;
    const int32_t *index, *of;
    int64_t n;
} lines;

static int64_t last_to_ask(const lines *g, int32_t i)
{
    int64_t end = g->start[i + 1];
    return end - g->start[i] < ENTRIES ? end : g->start[i] + ENTRIES;
}

/* Asks for what the next lines of the queue need: their starts, then their entries, then where these lead. */
static void ask_ahead(const lines *g, const int32_t *queue, int64_t head, int64_t tail)
{
    if (head + 3 * AHEAD < tail)
        __builtin_prefetch(&g->start[queue[head + 3 * AHEAD]]);
    if (head + 2 * AHEAD < tail)
        __builtin_prefetch(&g->index[g->start[queue[head + 2 * AHEAD]]]);
    if (head + AHEAD < tail) {
        int32_t i = queue[head + AHEAD];
        for (int64_t k = g->start[i]; k < last_to_ask(g, i); ++k)
            __builtin_prefetch(&g->of[g->index[k]]);
    }
}

/* seen: [n] zeros; queue: room for n. */
static bool reaches_all(const lines *g, unsigned char *seen, int32_t *queue)
{
    int64_t head = 0, tail = 0;
    seen[0] = 1;
    queue[tail++] = 0;
    while (head < tail && tail < g->n) {
        ask_ahead(g, queue, head, tail);
        int32_t i = queue[head++];
        for (int64_t k = g->start[i]; k < g->start[i + 1]; ++k) {
            int32_t next = g->of[g->index[k]];
            if (seen[next])
                continue;
            seen[next] = 1;
            queue[tail++] = next;
        }
    }
    return tail == g->n;
}

pm_status pm_one_block(const pm_matrix *a, const int32_t *col_of, const int32_t *row_of,
                       const pm_run *run, bool *is_one, pm_error *err)
{
    const int64_t n = a->nrows;
    pm_columns columns = {0};
    unsigned char *seen = pm_calloc_array(n, 2);
    int32_t *queue = pm_alloc_array(n, sizeof *queue);
    pm_status status = seen && queue ? PM_OK : pm_fail_memory(err, "the blocks of a matrix");
    const lines rows = {a->rowptr, a->colind, row_of, n};
    *is_one = !status && reaches_all(&rows, seen, queue);
    if (*is_one) {
        status = pm_columns_make(a, run, &columns, err);
        const lines cols = {columns.ptr, columns.row, col_of, n};
        *is_one = !status && reaches_all(&cols, seen + n, queue);
    }
    pm_columns_free(&columns);
    free(seen);
    free(queue);
    return status;
}
