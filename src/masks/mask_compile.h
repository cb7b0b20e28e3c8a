/* SPDX-License-Identifier: GPL-3.0-or-later */
/* masks/mask_compile.h: what the compilation of a mask program knows of the frontier.  mask_places.c has the bits and the steps that only
 * change where digits are, mask_vertex.c the steps of a vertex, mask_program.c the sequence of all. */
#ifndef PM_MASK_COMPILE_H
#define PM_MASK_COMPILE_H

#include "masks/mask_program.h"

/* Places of a vertex that has no bit. */
enum { PM_PLACE_NONE = -1, PM_PLACE_IMPLIED = -2 };

typedef struct {
    int32_t vertex; /* whose digit it is, or -1: idle */
    /* The digit is 1 where the bit is 0; idle: the bit is 1 in the states that count. */
    bool is_turned;
} pm_mask_bit;

typedef struct {
    const pm_block_graph *g;
    const int64_t *loop;
    const pm_vertex_order *o;
    pm_mask_program *p;
    int64_t cap_steps, cap_bits;
    int32_t *processed; /* of each vertex: neighbours processed */
    int32_t *place;     /* of each vertex: its bit, or PM_PLACE_NONE or PM_PLACE_IMPLIED */
    char *gone;         /* of each vertex: it has left */
    int32_t left;       /* vertices that have left */
    bool has_loops;
    int32_t implied; /* the vertex without a bit, or -1 */
    int32_t nbits;
    pm_mask_bit bit[PM_MASK_SLOTS];
} pm_mask_compiler;

static inline uint64_t pm_mask_at(int32_t place)
{
    return UINT64_C(1) << place;
}

/* The bit where its vertex is matched, and where it is not; idle: in states that do not count, and in those that do. */
static inline uint64_t pm_mask_matched(const pm_mask_compiler *c, int32_t place)
{
    return c->bit[place].is_turned ? 0 : pm_mask_at(place);
}

static inline uint64_t pm_mask_unmatched(const pm_mask_compiler *c, int32_t place)
{
    return c->bit[place].is_turned ? pm_mask_at(place) : 0;
}

static inline bool pm_mask_has_loop(const pm_mask_compiler *c, int32_t u)
{
    return c->loop[u] != PM_MASK_NO_LOOP;
}

/* What the next step does to a neighbour. */
typedef enum {
    PM_MASK_ABSENT, /* it has left before */
    PM_MASK_ENTERS,
    PM_MASK_STAYS,
    PM_MASK_LEAVES, /* it must be matched after the step */
    PM_MASK_BOTH    /* it enters and leaves: it must be matched by the step */
} pm_mask_role;

pm_mask_role pm_mask_role_of(const pm_mask_compiler *c, int32_t u);

/* ---- mask_places.c ---- */

/* The bits of vertices; idle bits that are 1. */
uint64_t pm_mask_live(const pm_mask_compiler *c);
uint64_t pm_mask_idle(const pm_mask_compiler *c);
/* The digit of the implied vertex is 1 where the live bits have this parity. */
int pm_mask_implied_parity(const pm_mask_compiler *c);

/* An idle bit, which may be new.  Fails: PM_UNABLE there are too many. */
pm_status pm_mask_take_bit(pm_mask_compiler *c, int32_t *out, pm_error *err);
void pm_mask_give_bit(pm_mask_compiler *c, int32_t place, int32_t vertex, bool is_turned);
void pm_mask_free_bit(pm_mask_compiler *c, int32_t place, bool is_one);

/* Adds a step over the states that have `value` in the bits `fixed`, with room for so many sources, which the caller adds.
 * Fails: PM_ENOMEM. */
pm_status pm_mask_add_step(pm_mask_compiler *c, uint64_t fixed, uint64_t value, int64_t sources,
                           pm_mask_step **out, pm_error *err);
/* After all of the step is set. */
void pm_mask_end_step(pm_mask_compiler *c, const pm_mask_step *s);

/* Before the step of v, which comes before index t of the order: puts vertices that are touched late in the lowest bits, so that spans are
 * long; and makes another vertex implied in place of one that v touches, if there is one.  v, and what leaves with it, has a bit then.
 * Fails: PM_UNABLE, PM_ENOMEM. */
pm_status pm_mask_arrange(pm_mask_compiler *c, int32_t t, int32_t v, pm_error *err);
/* After the steps before index t: makes a vertex implied where none is and that is possible. */
pm_status pm_mask_imply(pm_mask_compiler *c, int32_t t, pm_error *err);

/* ---- mask_vertex.c ---- */

/* The steps of v, and what they do to the frontier.  *is_zero: no state is left.  Fails: PM_UNABLE, PM_ENOMEM. */
pm_status pm_mask_process(pm_mask_compiler *c, int32_t v, bool *is_zero, pm_error *err);

#endif
