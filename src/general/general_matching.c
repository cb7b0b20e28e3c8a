/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A search grows a tree of alternating paths from an unmatched vertex.  An edge between two even vertices closes an odd
 * cycle, a blossom, which is contracted to one even vertex.  An edge to an unmatched vertex ends a path that
 * enlarges the matching.  A search that ends without one proves that no matching is perfect. */
#include "config.h"

#include "general/general_matching.h"

#include <stdlib.h>

#include "pm/alloc.h"

enum { UNSEEN, EVEN, ODD };

typedef struct {
    const pm_matrix *a;
    int32_t *mate; /* -1: unmatched */
    int32_t *
        from; /* of an odd vertex, and of a contracted one: the vertex before it on a path from the root */
    int32_t *base;  /* union-find: leads to the base of the blossom that holds the vertex */
    int32_t *mark;  /* of a base: the number of the last walk that met it */
    int32_t *queue; /* even vertices; a vertex gets even once */
    int32_t *seen;  /* vertices with a label */
    uint8_t *label;
    int32_t nqueue, nseen, walk;
} search;

static int32_t base_of(search *s, int32_t v)
{
    while (s->base[v] != v)
        v = s->base[v] = s->base[s->base[v]];
    return v;
}

static void match_greedily(search *s)
{
    for (int32_t v = 0; v < (int32_t)s->a->nrows; ++v)
        for (int64_t k = s->a->rowptr[v]; k < s->a->rowptr[v + 1] && s->mate[v] < 0; ++k) {
            int32_t w = s->a->colind[k];
            if (w != v && s->mate[w] < 0) {
                s->mate[v] = w;
                s->mate[w] = v;
            }
        }
}

static void give_label(search *s, int32_t v, uint8_t label)
{
    if (s->label[v] == UNSEEN)
        s->seen[s->nseen++] = v;
    s->label[v] = label;
    if (label == EVEN)
        s->queue[s->nqueue++] = v;
}

/* The base of the next even blossom on the way to the root; -1 beyond the root. */
static int32_t step_up(search *s, int32_t base)
{
    int32_t odd = s->mate[base];
    return odd < 0 ? -1 : base_of(s, s->from[odd]);
}

/* Where the ways from v and w to the root meet. */
static int32_t meeting_base(search *s, int32_t v, int32_t w)
{
    int32_t at = base_of(s, v), other = base_of(s, w);
    ++s->walk;
    while (s->mark[at] != s->walk) {
        s->mark[at] = s->walk;
        int32_t up = step_up(s, at);
        if (other < 0) {
            at = up;
        } else {
            at = other;
            other = up;
        }
    }
    return at;
}

/* Contract the way from v up to the base; `across` is the neighbour of v on the other side of the odd cycle.  A blossom
 * on the way is passed vertex by vertex, so its base changes only when the way leaves it. */
static void contract(search *s, int32_t v, int32_t across, int32_t base)
{
    while (base_of(s, v) != base) {
        int32_t mate = s->mate[v];
        s->from[v] = across;
        if (s->label[mate] == ODD)
            give_label(s, mate, EVEN);
        if (s->base[v] == v)
            s->base[v] = base;
        if (s->base[mate] == mate)
            s->base[mate] = base;
        across = mate;
        v = s->from[mate];
    }
}

/* Match along the path that ends at the unmatched vertex w. */
static void augment(search *s, int32_t w)
{
    while (w >= 0) {
        int32_t v = s->from[w], next = s->mate[v];
        s->mate[w] = v;
        s->mate[v] = w;
        w = next;
    }
}

/* Returns true if the edge ends a path. */
static bool follow(search *s, int32_t v, int32_t w)
{
    if (s->label[w] == UNSEEN) {
        s->from[w] = v;
        if (s->mate[w] < 0)
            return true;
        give_label(s, w, ODD);
        give_label(s, s->mate[w], EVEN);
    } else if (s->label[w] == EVEN && base_of(s, v) != base_of(s, w)) {
        int32_t base = meeting_base(s, v, w);
        contract(s, v, w, base);
        contract(s, w, v, base);
    }
    return false;
}

static bool find_path(search *s, int32_t root)
{
    s->nqueue = s->nseen = 0;
    give_label(s, root, EVEN);
    for (int32_t head = 0; head < s->nqueue; ++head) {
        int32_t v = s->queue[head];
        for (int64_t k = s->a->rowptr[v]; k < s->a->rowptr[v + 1]; ++k)
            if (follow(s, v, s->a->colind[k])) {
                augment(s, s->a->colind[k]);
                return true;
            }
    }
    return false;
}

static void forget(search *s)
{
    for (int32_t x = 0; x < s->nseen; ++x) {
        s->label[s->seen[x]] = UNSEEN;
        s->base[s->seen[x]] = s->seen[x];
    }
}

static pm_status match_all(search *s, const pm_run *run, bool *is_perfect, pm_error *err)
{
    *is_perfect = s->a->nrows % 2 == 0;
    match_greedily(s);
    for (int32_t v = 0; v < (int32_t)s->a->nrows && *is_perfect; ++v) {
        if (s->mate[v] >= 0)
            continue;
        if (pm_run_stopped(run))
            return pm_fail(err, PM_ESTOPPED, "stopped during a search for a perfect matching");
        *is_perfect = find_path(s, v);
        forget(s);
    }
    return PM_OK;
}

pm_status pm_general_perfect_matching(const pm_matrix *a, const pm_run *run, int32_t *mate,
                                      bool *is_perfect, pm_error *err)
{
    int64_t n = a->nrows;
    search s = {.a = a, .mate = mate};
    pm_status status;
    s.from = pm_alloc_array(n, sizeof *s.from);
    s.base = pm_alloc_array(n, sizeof *s.base);
    s.mark = pm_calloc_array(n, sizeof *s.mark);
    s.queue = pm_alloc_array(n, sizeof *s.queue);
    s.seen = pm_alloc_array(n, sizeof *s.seen);
    s.label = pm_calloc_array(n, sizeof *s.label);
    if (!s.from || !s.base || !s.mark || !s.queue || !s.seen || !s.label) {
        status = pm_fail_memory(err, "a perfect matching");
    } else {
        for (int32_t v = 0; v < (int32_t)n; ++v) {
            mate[v] = -1;
            s.base[v] = v;
        }
        status = match_all(&s, run, is_perfect, err);
    }
    free(s.from);
    free(s.base);
    free(s.mark);
    free(s.queue);
    free(s.seen);
    free(s.label);
    return status;
}
