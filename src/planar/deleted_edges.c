/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "planar/deleted_edges.h"

static int32_t row_of(const pm_matrix *a, int32_t entry)
{
    int64_t low = 0, high = a->nrows; /* the entry is in one of the rows low .. high - 1 */
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (a->rowptr[middle] <= entry)
            low = middle;
        else
            high = middle;
    }
    return (int32_t)low;
}

static int16_t first_with(const int32_t *end, int32_t e)
{
    int16_t first = 0;
    while (end[first] != end[e])
        ++first;
    return first;
}

void pm_deleted_edges_make(const pm_matrix *a, const int32_t *entry, int32_t count,
                           pm_deleted_edges *out)
{
    out->count = count;
    for (int32_t e = 0; e < count; ++e) {
        out->row[e] = row_of(a, entry[e]);
        out->col[e] = a->colind[entry[e]];
        out->first_of_row[e] = first_with(out->row, e);
        out->first_of_col[e] = first_with(out->col, e);
    }
}

/* ---- matchings ---- */

typedef struct {
    const pm_deleted_edges *edges;
    int32_t depth;                        /* number of edges */
    int16_t chosen[PM_DELETED_EDGES_MAX]; /* the edges, ascending */
    uint8_t row_used[PM_DELETED_EDGES_MAX], col_used[PM_DELETED_EDGES_MAX];
} matching;

static void set_used(matching *m, int32_t e, uint8_t used)
{
    m->row_used[m->edges->first_of_row[e]] = used;
    m->col_used[m->edges->first_of_col[e]] = used;
}

static bool is_free(const matching *m, int32_t e)
{
    return !m->row_used[m->edges->first_of_row[e]] && !m->col_used[m->edges->first_of_col[e]];
}

/* The next matching in depth-first order: with one more edge, or with the last edge replaced by a
 * later one.  False after the last matching. */
static bool next_matching(matching *m)
{
    int32_t e = m->depth ? m->chosen[m->depth - 1] + 1 : 0;
    for (;;) {
        while (e < m->edges->count && !is_free(m, e))
            ++e;
        if (e < m->edges->count) {
            m->chosen[m->depth++] = (int16_t)e;
            set_used(m, e, 1);
            return true;
        }
        if (m->depth == 0)
            return false;
        e = m->chosen[--m->depth];
        set_used(m, e++, 0);
    }
}

static void write_set(const matching *m, uint64_t *set)
{
    for (int w = 0; w < pm_deleted_edges_words(m->edges); ++w)
        set[w] = 0;
    for (int32_t d = 0; d < m->depth; ++d)
        set[m->chosen[d] / 64] |= UINT64_C(1) << m->chosen[d] % 64;
}

int64_t pm_deleted_edges_matchings(const pm_deleted_edges *x, int64_t most, uint64_t *sets)
{
    matching m = {.edges = x};
    int64_t found = 0;
    do {
        if (sets && found < most)
            write_set(&m, sets + found * pm_deleted_edges_words(x));
    } while (++found <= most && next_matching(&m));
    return found;
}
