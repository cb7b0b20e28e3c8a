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

/* The number of the first end at this vertex. */
static int16_t place_of(const pm_deleted_edges *x, int32_t vertex)
{
    int16_t end = 0;
    while (x->end[end / 2][end % 2] != vertex)
        ++end;
    return end;
}

void pm_deleted_edges_make(const pm_drawn_graph *d, const int32_t *entry, int32_t count,
                           pm_deleted_edges *out)
{
    out->count = count;
    for (int32_t e = 0; e < count; ++e) {
        out->end[e][0] = row_of(d->a, entry[e]);
        out->end[e][1] = pm_drawn_end(d, entry[e]);
        for (int side = 0; side < 2; ++side)
            out->place[e][side] = place_of(out, out->end[e][side]);
    }
}

/* ---- matchings ---- */

typedef struct {
    const pm_deleted_edges *edges;
    int32_t depth;                             /* number of edges */
    int16_t chosen[PM_DELETED_EDGES_MAX];      /* the edges, ascending */
    uint8_t is_used[2 * PM_DELETED_EDGES_MAX]; /* by place */
} matching;

static void set_used(matching *m, int32_t e, uint8_t used)
{
    m->is_used[m->edges->place[e][0]] = m->is_used[m->edges->place[e][1]] = used;
}

static bool is_free(const matching *m, int32_t e)
{
    return !m->is_used[m->edges->place[e][0]] && !m->is_used[m->edges->place[e][1]];
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
