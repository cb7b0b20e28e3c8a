/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_compile.h: what the parts of the compiler of frontier programs share.
 * frontier_program.c goes through the order; frontier_layout.c chooses and permutes layouts;
 * frontier_in_place.c makes the steps that run in place; frontier_place.c gives every level its place
 * in the array. */
#ifndef PM_FRONTIER_COMPILE_H
#define PM_FRONTIER_COMPILE_H

#include "frontier/frontier_program.h"
#include "order/state_count.h"

enum { PM_WAITING, PM_INSIDE, PM_GONE };

typedef struct {
    const pm_block_graph *g;
    const pm_vertex_order *o;
    int64_t value_bytes;
    char *where;        /* of each vertex: waiting (before the frontier), inside it, or gone */
    int32_t *processed; /* of each vertex: neighbours processed */
    int32_t *slots;     /* the layout: vertices, the lowest slot first */
    int32_t nslots;
    int32_t *sorted;      /* scratch layout */
    int32_t *next_change; /* time of the next touch, by vertex */
    pm_digit_ways ways;   /* scratch for counting */
    int32_t k;            /* rows done - columns done, by capacity */
    pm_frontier_program p;
    int64_t cap_steps, cap_levels;
} pm_frontier_compiler;

static inline int32_t pm_compiler_degree(const pm_frontier_compiler *c, int32_t v)
{
    return (int32_t)(c->g->ptr[v + 1] - c->g->ptr[v]);
}

/* ---- frontier_program.c ---- */

/* The slot of vertex u when `done` of its neighbours are processed. */
pm_frontier_slot pm_compiler_slot(const pm_frontier_compiler *c, int32_t u, int32_t done);
/* Appends a step of zeros.  Returns NULL when memory runs out. */
pm_frontier_step *pm_compiler_add_step(pm_frontier_compiler *c, pm_error *err);
/* Allocates s->slots and *vertex, which the caller frees, `room` elements each.  Fails: PM_ENOMEM; *vertex is
 * NULL then. */
pm_status pm_compiler_make_slots(pm_frontier_step *s, int32_t room, int32_t **vertex,
                                 pm_error *err);
/* Appends the level of c->slots after the last step.  slots: NULL, or the c->nslots slots where they
 * are others than those of the vertices. */
pm_status pm_compiler_add_level(pm_frontier_compiler *c, const pm_frontier_slot *slots,
                                pm_error *err);
/* Marks v as processed, and the neighbours that enter and leave, and sets c->k.  Returns the part of
 * its change by the neighbours that leave. */
int32_t pm_compiler_mark(pm_frontier_compiler *c, int32_t v);
/* Sets the new layout and the members that engines need of a step whose slots are given, the lowest
 * first; a slot has a place in the new layout where its new_slot is not -1.  vertex: of each slot. */
void pm_compiler_finish_slots(pm_frontier_compiler *c, pm_frontier_step *s, const int32_t *vertex);
/* Counts the spans of the last level and the depth; sets the transitions of the last step. */
pm_status pm_compiler_count(pm_frontier_compiler *c, double transitions, pm_error *err);
/* The role of a neighbour u of the vertex that is processed. */
pm_frontier_role pm_compiler_role(const pm_frontier_compiler *c, int32_t u);

/* ---- frontier_layout.c ---- */

/* Sets c->next_change of the layout for steps from t on. */
void pm_compiler_find_next_changes(pm_frontier_compiler *c, int32_t t);
/* The same of a vertex that enters in step t. */
int32_t pm_compiler_next_change(const pm_frontier_compiler *c, int32_t u, int32_t t);
/* The number of lowest slots that step t does not change. */
int32_t pm_compiler_untouched(const pm_frontier_compiler *c, const int32_t *slots, int32_t t);
/* The number of spans of a level whose lowest `low` slots a step does not change: the digit vectors
 * of the other slots that the lowest slots can complete. */
pm_status pm_compiler_count_spans(pm_frontier_compiler *c, const pm_frontier_slot *slots,
                                  int32_t nslots, int64_t sum, int32_t low, double *spans,
                                  pm_error *err);
/* Adds a permutation step before step t if that gains enough. */
pm_status pm_compiler_permute(pm_frontier_compiler *c, int32_t t, int32_t branches, pm_error *err);
/* Seconds of a span, and to permute one state. */
double pm_compiler_span_seconds(int branches);
double pm_compiler_permute_seconds(int64_t value_bytes);

/* ---- frontier_in_place.c ---- */

/* Sets *out to the order c->o with vertices later whose steps could not be in place, if waits[v].  c is
 * as before the first step, then and afterwards.  The caller frees *out, also after a failure.
 * Fails: PM_ENOMEM. */
pm_status pm_compiler_reorder(pm_frontier_compiler *c, const char *waits, pm_vertex_order *out,
                              pm_error *err);
/* Whether the step of v can be in place. */
bool pm_compiler_can_be_in_place(const pm_frontier_compiler *c, int32_t v);
/* Appends that step, and one that drops the slots of v and of the neighbours that leave. */
pm_status pm_compiler_add_in_place(pm_frontier_compiler *c, int32_t v, pm_error *err);

/* ---- frontier_place.c ---- */

/* Sets the offset of every level and p->room.  Fails: PM_ENOMEM. */
pm_status pm_frontier_place_levels(pm_frontier_program *p, pm_error *err);

#endif
