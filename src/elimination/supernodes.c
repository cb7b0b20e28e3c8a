/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/supernodes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

void pm_supernodes_free(pm_supernodes *s)
{
    free(s->sequence);
    free(s->first);
    free(s->parent);
    free(s->start);
    free(s->later);
    *s = (pm_supernodes){0};
}

/* ---- the elimination tree ---- */

/* The elimination tree.  parent[t]: the first later time whose vertex is adjacent to that of time t
 * when that is eliminated; -1: a root.  above: scratch, shortcuts towards the root. */
static void find_tree(const pm_adjacency *g, const int32_t *order, const int32_t *time,
                      int32_t *parent, int32_t *above)
{
    for (int32_t t = 0; t < g->n; ++t) {
        parent[t] = above[t] = -1;
        for (int32_t k = g->ptr[order[t]]; k < g->ptr[order[t] + 1]; ++k) {
            int32_t s = time[g->adj[k]], up;
            for (; s < t && above[s] != t; s = up) {
                up = above[s];
                above[s] = t;
                if (up < 0) {
                    parent[s] = t;
                    break;
                }
            }
        }
    }
}

/* new[t]: the time of t in a postorder of the tree.  Every subtree is an interval of times; the
 * intervals are assigned from the end.  size, end: scratch, n entries each; end[t] is the end of
 * the part of the interval of t that is not assigned yet. */
static void find_postorder(const int32_t *parent, int32_t n, int32_t *size, int32_t *end,
                           int32_t *new)
{
    int32_t whole = n;
    for (int32_t t = 0; t < n; ++t)
        size[t] = 1;
    for (int32_t t = 0; t < n; ++t)
        if (parent[t] >= 0)
            size[parent[t]] += size[t];
    for (int32_t t = n - 1; t >= 0; --t) {
        int32_t *above = parent[t] >= 0 ? &end[parent[t]] : &whole;
        new[t] = end[t] = *above - 1;
        *above -= size[t];
    }
}

/* Sets sequence (the postorder), time (of each vertex in it) and tree (the parent of each time). */
static pm_status grow_tree(const pm_adjacency *g, const int32_t *order, int32_t *sequence,
                           int32_t *time, int32_t *tree, pm_error *err)
{
    int32_t n = g->n;
    int32_t *parent = pm_alloc_array(n, sizeof *parent), *new = pm_alloc_array(n, sizeof *new);
    int32_t *scratch = pm_alloc_array(n, sizeof *scratch), *end = pm_alloc_array(n, sizeof *end);
    bool done = parent && new &&scratch &&end;
    if (done) {
        for (int32_t t = 0; t < n; ++t)
            time[order[t]] = t;
        find_tree(g, order, time, parent, scratch);
        find_postorder(parent, n, scratch, end, new);
        for (int32_t t = 0; t < n; ++t) {
            sequence[new[t]] = order[t];
            time[order[t]] = new[t];
            tree[new[t]] = parent[t] >= 0 ? new[parent[t]] : -1;
        }
    }
    free(parent);
    free(new);
    free(scratch);
    free(end);
    return done ? PM_OK : pm_fail_memory(err, "the elimination tree");
}

/* ---- structures ---- */

typedef struct {
    const pm_adjacency *g;
    const int32_t *time, *tree;
    int32_t first_kept; /* a time that begins a supernode; the number of vertices: none */
    pm_supernodes *out;
    int64_t cap;      /* of out->later */
    int32_t *seen;    /* of each time: the last time whose list it is in */
    int32_t *list;    /* later neighbours of the current time */
    int32_t *child;   /* of each time: its last supernode child, or -1 */
    int32_t *sibling; /* of each supernode: the next child of the same parent, or -1 */
} builder;

/* Append the times later than t that are not in the list of t yet.  Returns its new length. */
static int32_t add(builder *b, int32_t t, const int32_t *times, int64_t n, int32_t length)
{
    for (int64_t y = 0; y < n; ++y)
        if (times[y] > t && b->seen[times[y]] != t) {
            b->seen[times[y]] = t;
            b->list[length++] = times[y];
        }
    return length;
}

/* List the later neighbours of time t when it is eliminated.  Returns their number. */
static int32_t list_neighbours(builder *b, int32_t t)
{
    const pm_adjacency *g = b->g;
    const pm_supernodes *s = b->out;
    int32_t v = s->sequence[t], length = 0;
    for (int32_t k = g->ptr[v]; k < g->ptr[v + 1]; ++k)
        length = add(b, t, &b->time[g->adj[k]], 1, length);
    for (int32_t c = b->child[t]; c >= 0; c = b->sibling[c])
        length = add(b, t, &s->later[s->start[c]], s->start[c + 1] - s->start[c], length);
    return length;
}

/* Time t, with its later neighbours in b->list, extends the last supernode or begins a new one. */
static pm_status add_time(builder *b, int32_t t, int32_t length, pm_error *err)
{
    pm_supernodes *s = b->out;
    int32_t last = s->count - 1;
    bool extends = t > 0 && t != b->first_kept && b->tree[t - 1] == t
                   && s->start[last + 1] - s->start[last] == length + 1;
    if (!extends)
        s->first[++last] = t;
    if (PM_GROW(s->later, b->cap, s->start[last] + length))
        return pm_fail_memory(err, "the structure of the elimination");
    if (length)
        memcpy(&s->later[s->start[last]], b->list, (size_t)length * sizeof *b->list);
    s->count = last + 1;
    s->first[s->count] = t + 1;
    s->start[s->count] = s->start[last] + length;
    return PM_OK;
}

static pm_status build(builder *b, pm_error *err)
{
    pm_supernodes *s = b->out;
    for (int32_t t = 0; t < s->n; ++t)
        b->seen[t] = b->child[t] = -1;
    s->start[0] = 0;
    for (int32_t t = 0; t < s->n; ++t) {
        pm_status status = add_time(b, t, list_neighbours(b, t), err);
        if (status)
            return status;
        /* the last supernode becomes a child of the parent of t; if time t + 1 extends it, t + 1
         * is that parent */
        int32_t up = b->tree[t], last = s->count - 1;
        if (up >= 0) {
            b->sibling[last] = b->child[up];
            b->child[up] = last;
        }
    }
    /* now seen[t] is the supernode of time t */
    for (int32_t c = 0; c < s->count; ++c)
        for (int32_t t = s->first[c]; t < s->first[c + 1]; ++t)
            b->seen[t] = c;
    for (int32_t c = 0; c < s->count; ++c) {
        int32_t up = b->tree[s->first[c + 1] - 1];
        s->parent[c] = up >= 0 ? b->seen[up] : -1;
    }
    return PM_OK;
}

pm_status pm_supernodes_find(const pm_adjacency *g, const int32_t *order, int32_t kept,
                             pm_supernodes *out, pm_error *err)
{
    int32_t n = g->n;
    pm_supernodes s = {.n = n};
    pm_status status;
    int32_t *time = pm_alloc_array(n, sizeof *time), *tree = pm_alloc_array(n, sizeof *tree);
    builder b = {.g = g, .time = time, .tree = tree, .first_kept = n - kept, .out = &s};
    s.sequence = pm_alloc_array(n, sizeof *s.sequence);
    s.first = pm_alloc_array((int64_t)n + 1, sizeof *s.first);
    s.parent = pm_alloc_array(n, sizeof *s.parent);
    s.start = pm_alloc_array((int64_t)n + 1, sizeof *s.start);
    b.seen = pm_alloc_array(n, sizeof *b.seen);
    b.list = pm_alloc_array(n, sizeof *b.list);
    b.child = pm_alloc_array(n, sizeof *b.child);
    b.sibling = pm_alloc_array(n, sizeof *b.sibling);
    if (!time || !tree || !s.sequence || !s.first || !s.parent || !s.start || !b.seen || !b.list
        || !b.child || !b.sibling)
        status = pm_fail_memory(err, "supernodes");
    else
        status = grow_tree(g, order, s.sequence, time, tree, err);
    if (!status)
        status = build(&b, err);
    if (status)
        pm_supernodes_free(&s);
    else
        *out = s;
    free(time);
    free(tree);
    free(b.seen);
    free(b.list);
    free(b.child);
    free(b.sibling);
    return status;
}
