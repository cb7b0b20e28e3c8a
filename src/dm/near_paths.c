/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dm/near_paths.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum { NONE = -1, ROOT = -2 };
enum { TRIES = 512, SUCCESSES = 20 /* one in so many, or it ends */ };
enum { ROWS_OF_LOOK = 1024 /* between two looks at the stop flag */ };

typedef struct {
    const pm_matrix *a;
    int32_t *col_of, *row_of;
    int32_t *before; /* of a row: the row that takes its column; NONE: not reached */
    int32_t *queue;  /* what was reached */
} search;

/* Row i takes the unmatched column j; each row before it takes the column that the one after it had. */
static void exchange(search *s, int32_t i, int32_t j)
{
    while (i != ROOT) {
        const int32_t had = s->col_of[i];
        s->col_of[i] = j;
        s->row_of[j] = i;
        j = had;
        i = s->before[i];
    }
}

/* Returns whether there was a path. */
static bool find_path(search *s, int32_t root, int64_t most)
{
    const pm_matrix *a = s->a;
    int64_t head = 0, tail = 0;
    bool is_found = false;
    s->before[root] = ROOT;
    s->queue[tail++] = root;
    while (head < tail && head < most && !is_found) {
        const int32_t i = s->queue[head++];
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1] && !is_found; ++k) {
            const int32_t owner = s->row_of[a->colind[k]];
            if (owner < 0) {
                exchange(s, i, a->colind[k]);
                is_found = true;
            } else if (s->before[owner] == NONE) {
                s->before[owner] = i;
                s->queue[tail++] = owner;
            }
        }
    }
    for (int64_t k = 0; k < tail; ++k)
        s->before[s->queue[k]] = NONE;
    return is_found;
}

pm_status pm_near_paths(const pm_matrix *a, int64_t most, const pm_run *run, int32_t *col_of,
                        int32_t *row_of, int64_t *matched, pm_error *err)
{
    search s = {.a = a, .col_of = col_of, .row_of = row_of};
    pm_status status = PM_OK;
    s.before = pm_alloc_array(a->nrows, sizeof *s.before);
    s.queue = pm_alloc_array(a->nrows, sizeof *s.queue);
    if (!s.before || !s.queue)
        status = pm_fail_memory(err, "the search for a matching");
    else
        memset(s.before, 0xff, (size_t)a->nrows * sizeof *s.before);
    int64_t tries = 0, found = 0;
    for (int64_t i = 0; i < a->nrows && !status; ++i) {
        if (col_of[i] < 0) {
            found += find_path(&s, (int32_t)i, most);
            if (++tries >= TRIES && found * SUCCESSES < tries)
                break;
        }
        if (i % ROWS_OF_LOOK == 0 && pm_run_stopped(run))
            status = pm_fail(err, PM_ESTOPPED, "stopped during the search for a matching");
    }
    *matched += found;
    free(s.before);
    free(s.queue);
    return status;
}
