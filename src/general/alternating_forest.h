/* SPDX-License-Identifier: GPL-3.0-or-later */
/* general/alternating_forest.h: the search for augmenting paths in a graph with odd cycles.
 *
 * A forest grows from roots along alternating paths: an edge that is not matched, then a matched one.  A vertex at an even
 * distance from its root is *outer*, its partner on the way to the root is *inner*.  An edge between two outer
 * vertices of one tree closes an odd cycle, a *blossom*: all its vertices become outer, and from then on it counts as
 * one vertex, which is named by its base, the vertex next to the root.  An edge between outer vertices of two trees
 * completes an augmenting path.
 *
 * Blossoms are sets of a union-find structure; nothing is contracted.  Each inner vertex that becomes outer keeps the edge
 * that closed its blossom (the bridge), from which its path to the root is found (Gabow 1976).
 *
 * Not a general graph library: the caller decides which vertices are roots, and when the forest ends. */
#ifndef PM_ALTERNATING_FOREST_H
#define PM_ALTERNATING_FOREST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pm/matrix.h"
#include "pm/status.h"

typedef enum { PM_UNREACHED, PM_OUTER, PM_INNER } pm_forest_side;

/* What is kept of a vertex in the forest. */
typedef struct {
    int32_t root;
    int32_t parent; /* of a vertex that was reached as an inner one: the outer vertex from which */
    int32_t bridge
        [2]; /* of such a vertex in a blossom: the edge that closed it; bridge[0] is beyond its partner */
    int32_t link,
        base;         /* union-find: towards the representative; of that: the base of the blossom */
    int64_t mark;     /* the last search of a base that came by */
    signed char side; /* pm_forest_side */
    bool was_inner;
    bool is_closed; /* of a root: its tree does not grow any more */
    signed char rank;
} pm_forest_vertex;

/* Visible for its fields; changed only by the functions below. */
typedef struct {
    const pm_matrix *a;       /* symmetric; its diagonal is ignored */
    const bool *is_left_out;  /* of each entry, in both directions; NULL: none */
    int32_t *partner;         /* the caller's: a matching, -1: none */
    pm_forest_vertex *vertex; /* n */
    int32_t *queue;           /* outer vertices, in the order in which they are scanned */
    int64_t head, tail;
    int32_t *reached; /* every vertex with a side */
    int64_t nreached;
    int32_t *path; /* work space of pm_forest_augment */
    int64_t marks;
    int64_t work; /* entries and steps so far */
} pm_forest;

/* Nothing is reached.  a, partner and is_left_out must outlive the forest.
 * *out: the caller calls pm_forest_free, also after a failure.
 * Fails: PM_ENOMEM. */
pm_status pm_forest_make(const pm_matrix *a, const bool *is_left_out, int32_t *partner,
                         pm_forest *out, pm_error *err);
void pm_forest_free(pm_forest *f);
/* The same in memory of the caller, pm_forest_bytes(n) bytes for n rows, aligned to 8: nothing is freed, and n is below 2^31. */
size_t pm_forest_bytes(int64_t n);
void pm_forest_place(const pm_matrix *a, int32_t *partner, void *memory, pm_forest *out);

/* Forgets the forest, in the time of what was reached. */
void pm_forest_clear(pm_forest *f);
/* v, not reached before, becomes a root.  Its partner, if it has one, must be taken out (pm_forest_take_out). */
void pm_forest_plant(pm_forest *f, int32_t v);
/* The forest does not use v, which is not reached. */
void pm_forest_take_out(pm_forest *f, int32_t v);
/* No forest uses v any more; nothing is reached. */
void pm_forest_remove(pm_forest *f, int32_t v);

typedef enum { PM_FOREST_GREW, PM_FOREST_PATH, PM_FOREST_DONE } pm_forest_step;

/* Scans the edges of the next outer vertex.  PM_FOREST_PATH: edge[] joins two trees. */
pm_forest_step pm_forest_scan(pm_forest *f, int32_t edge[2]);
/* Exchanges matched and unmatched edges on the path through this edge between two roots without partners.  Both trees are
 * closed. */
void pm_forest_augment(pm_forest *f, const int32_t edge[2]);

/* The edges that are not matched on the alternating path from an outer vertex to its root: *count pairs of vertices, which stay valid
 * until the next call of this function or pm_forest_augment. */
const int32_t *pm_forest_path(pm_forest *f, int32_t v, int64_t *count);

/* The base of the blossom of an outer vertex, or the vertex itself. */
int32_t pm_forest_base(pm_forest *f, int32_t v);

#endif
