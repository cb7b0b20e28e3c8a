/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The steps of a vertex: see mask_program.h. */
#include "config.h"

#include "masks/mask_compile.h"

enum {
    MANY_BITS = 16,              /* from here on rounds cost less than another bit */
    PARTNERS = PM_MASK_SLOTS + 1 /* all bits, and the implied vertex */
};

typedef struct {
    int32_t vertex;
    int64_t entry; /* of the edge to v */
} partner;

typedef struct {
    int32_t count;
    partner at[PARTNERS];
} partners;

/* The vertex of the steps, its neighbours by their roles, and the states that the steps use: those with `target` in the bit
 * `pivot`, in which v is matched, and the others, in which v is not; `entered`: the bits of neighbours that enter, but for
 * one that has the pivot. */
typedef struct {
    int32_t v;
    partners stays, leaves, enters, both;
    int32_t pivot;
    uint64_t target;
    bool keeps;          /* states with v matched have values before the steps */
    int64_t keep_weight; /* which are multiplied by this */
    uint64_t entered;
} vertex_step;

pm_mask_role pm_mask_role_of(const pm_mask_compiler *c, int32_t u)
{
    if (c->gone[u])
        return PM_MASK_ABSENT;
    const bool is_last =
        c->processed[u] + 1 == c->g->ptr[u + 1] - c->g->ptr[u] && !pm_mask_has_loop(c, u);
    if (c->processed[u] == 0)
        return is_last ? PM_MASK_BOTH : PM_MASK_ENTERS;
    return is_last ? PM_MASK_LEAVES : PM_MASK_STAYS;
}

/* Where there are more than the lists hold, the answer is 0, or there will be too few bits. */
static void find_partners(const pm_mask_compiler *c, int32_t v, vertex_step *x)
{
    partners *of_role[] = {[PM_MASK_ENTERS] = &x->enters,
                           [PM_MASK_STAYS] = &x->stays,
                           [PM_MASK_LEAVES] = &x->leaves,
                           [PM_MASK_BOTH] = &x->both};
    for (int64_t i = c->g->ptr[v]; i < c->g->ptr[v + 1]; ++i) {
        const pm_mask_role role = pm_mask_role_of(c, c->g->adj[i]);
        if (role != PM_MASK_ABSENT && of_role[role]->count < PARTNERS)
            of_role[role]->at[of_role[role]->count++] = (partner){c->g->adj[i], c->g->entry[i]};
    }
}

/* ---- sources ---- */

static void add_source(pm_mask_step *s, uint64_t mask, uint64_t value, uint64_t flip, int64_t entry)
{
    s->sources[s->nsources++] = (pm_mask_source){
        .mask = mask, .value = value, .flip = flip, .weight = (int)entry, .parity = -1};
}

/* The states with these values in these bits are multiplied by an entry. */
static pm_status multiply(pm_mask_compiler *c, uint64_t fixed, uint64_t value, int64_t entry,
                          pm_error *err)
{
    pm_mask_step *s;
    if (entry == PM_UNIT)
        return PM_OK;
    pm_status status = pm_mask_add_step(c, fixed, value, 1, &s, err);
    if (status)
        return status;
    add_source(s, 0, 0, 0, entry);
    pm_mask_end_step(c, s);
    return PM_OK;
}

/* The bits as they are where none of the vertices is matched. */
static uint64_t unmatched(const pm_mask_compiler *c, uint64_t bits)
{
    uint64_t value = 0;
    for (int32_t q = 0; q < c->nbits; ++q)
        if (bits & pm_mask_at(q))
            value |= pm_mask_unmatched(c, q);
    return value;
}

/* ---- bits ---- */

/* One whose edge has weight 1, if there is one. */
static int32_t find_giver(const partners *leaves)
{
    for (int32_t k = 0; k < leaves->count; ++k)
        if (leaves->at[k].entry == PM_UNIT)
            return k;
    return 0;
}

/* The pivot: the bit of v, or of a neighbour that leaves, which is taken out of the list, or an idle bit. */
static pm_status choose_pivot(pm_mask_compiler *c, vertex_step *x, pm_error *err)
{
    x->keep_weight = PM_UNIT;
    x->keeps = true;
    if (c->place[x->v] >= 0) {
        x->pivot = c->place[x->v];
        x->target = pm_mask_matched(c, x->pivot);
        return PM_OK;
    }
    if (x->leaves.count > 0) {
        const int32_t k = find_giver(&x->leaves);
        const partner giver = x->leaves.at[k];
        x->leaves.at[k] = x->leaves.at[--x->leaves.count];
        x->keep_weight = giver.entry;
        x->pivot = c->place[giver.vertex];
        x->target = pm_mask_unmatched(c, x->pivot);
        return PM_OK;
    }
    x->keeps = false;
    pm_status status = pm_mask_take_bit(c, &x->pivot, err);
    if (!status)
        x->target = pm_mask_matched(c, x->pivot);
    return status;
}

/* The first one that enters has the pivot, turned so that it is matched where v was not; the others get other bits. */
static pm_status give_bits(pm_mask_compiler *c, vertex_step *x, pm_error *err)
{
    pm_status status = PM_OK;
    pm_mask_free_bit(c, x->pivot, x->target != 0);
    for (int32_t k = 0, q = x->pivot; k < x->enters.count && !status; ++k) {
        if (k > 0)
            status = pm_mask_take_bit(c, &q, err);
        if (status)
            return status;
        pm_mask_give_bit(c, q, x->enters.at[k].vertex, c->bit[q].is_turned);
        if (k > 0)
            x->entered |= pm_mask_at(q);
    }
    return status;
}

/* What leaves must be matched. */
static void free_bits(pm_mask_compiler *c, const partners *leaves)
{
    for (int32_t k = 0; k < leaves->count; ++k) {
        const int32_t q = c->place[leaves->at[k].vertex];
        pm_mask_free_bit(c, q, pm_mask_matched(c, q) != 0);
    }
}

/* ---- the steps ---- */

/* v takes the neighbour number k that enters, k >= 1: the states in which it is matched; those of later ones come later. */
static pm_status match_entering(pm_mask_compiler *c, const vertex_step *x, int32_t k, pm_error *err)
{
    const int32_t q = c->place[x->enters.at[k].vertex];
    const uint64_t pivot = pm_mask_at(x->pivot);
    uint64_t before = 0;
    pm_mask_step *s;
    for (int32_t i = 1; i < k; ++i)
        before |= pm_mask_at(c->place[x->enters.at[i].vertex]);
    const uint64_t later = x->entered & ~before & ~pm_mask_at(q);
    pm_status status = pm_mask_add_step(c, pm_mask_at(q) | later,
                                        pm_mask_matched(c, q) | unmatched(c, later), 1, &s, err);
    if (status)
        return status;
    add_source(s, pivot | before, x->target | unmatched(c, before), pm_mask_at(q) | pivot,
               x->enters.at[k].entry);
    pm_mask_end_step(c, s);
    return PM_OK;
}

/* pivot: its bit, or 0. */
static void add_stays(const pm_mask_compiler *c, const vertex_step *x, uint64_t pivot,
                      pm_mask_step *s)
{
    for (int32_t k = 0; k < x->stays.count; ++k) {
        const partner *u = &x->stays.at[k];
        if (u->vertex == c->implied) {
            add_source(s, 0, 0, pivot, u->entry);
            s->sources[s->nsources - 1].parity = pm_mask_implied_parity(c);
            continue;
        }
        const uint64_t bit = pm_mask_at(c->place[u->vertex]);
        add_source(s, bit, pm_mask_matched(c, c->place[u->vertex]), bit | pivot, u->entry);
    }
}

/* v takes a neighbour of the frontier, or stays alone. */
static pm_status match_frontier(pm_mask_compiler *c, const vertex_step *x, const uint64_t *leaving,
                                pm_error *err)
{
    const uint64_t pivot = pm_mask_at(x->pivot), fixed = pivot | x->entered;
    const uint64_t value = x->target | unmatched(c, x->entered);
    const bool has_loop = pm_mask_has_loop(c, x->v);
    const int64_t count = x->stays.count + x->leaves.count + has_loop;
    pm_mask_step *s;
    pm_status status = multiply(c, fixed, value, x->keep_weight, err);
    if (status || (count == 0 && x->keeps))
        return status;
    status = pm_mask_add_step(c, fixed, value, count, &s, err);
    if (status)
        return status;
    s->keeps = x->keeps;
    add_stays(c, x, pivot, s);
    for (int32_t k = 0; k < x->leaves.count; ++k)
        add_source(s, 0, 0, leaving[k] | pivot, x->leaves.at[k].entry);
    if (has_loop)
        add_source(s, 0, 0, pivot, c->loop[x->v]);
    pm_mask_end_step(c, s);
    return PM_OK;
}

/* Whether v is processed in rounds: where it would need a bit that no neighbour can have afterwards. */
static bool is_by_rounds(const pm_mask_compiler *c, const vertex_step *x)
{
    if (c->place[x->v] >= 0 || x->leaves.count + x->enters.count > 0 || c->nbits < MANY_BITS
        || pm_mask_has_loop(c, x->v))
        return false;
    for (int32_t k = 0; k < x->stays.count; ++k)
        if (x->stays.at[k].vertex == c->implied)
            return false;
    for (int32_t q = 0; q < c->nbits; ++q)
        if (c->bit[q].vertex < 0)
            return false;
    return true;
}

/* States in which more of the neighbours are matched come first, since they read the others. */
static pm_status match_by_rounds(pm_mask_compiler *c, const vertex_step *x, pm_error *err)
{
    uint64_t counted = 0;
    pm_mask_step *s;
    for (int32_t k = 0; k < x->stays.count; ++k)
        counted |= pm_mask_at(c->place[x->stays.at[k].vertex]);
    for (int32_t count = x->stays.count; count >= 0; --count) {
        pm_status status = pm_mask_add_step(c, 0, 0, x->stays.count, &s, err);
        if (status)
            return status;
        s->counted = counted;
        s->base = unmatched(c, counted);
        s->count = count;
        add_stays(c, x, 0, s);
        pm_mask_end_step(c, s);
    }
    return PM_OK;
}

/* The frontier first: the bits of what leaves may be given to what enters. */
static pm_status match_any(pm_mask_compiler *c, vertex_step *x, pm_error *err)
{
    uint64_t leaving[PM_MASK_SLOTS];
    pm_status status = choose_pivot(c, x, err);
    if (status)
        return status;
    for (int32_t k = 0; k < x->leaves.count; ++k)
        leaving[k] = pm_mask_at(c->place[x->leaves.at[k].vertex]);
    free_bits(c, &x->leaves);
    status = give_bits(c, x, err);
    if (!status)
        status = match_frontier(c, x, leaving, err);
    for (int32_t k = 1; k < x->enters.count && !status; ++k)
        status = match_entering(c, x, k, err);
    if (!status && x->enters.count > 0)
        status = multiply(c, pm_mask_at(x->pivot) | x->entered,
                          (pm_mask_at(x->pivot) ^ x->target) | unmatched(c, x->entered),
                          x->enters.at[0].entry, err);
    return status;
}

/* v must take the neighbour that enters and leaves.  The others that enter are not matched. */
static pm_status match_only(pm_mask_compiler *c, vertex_step *x, pm_error *err)
{
    const int32_t own = c->place[x->v];
    pm_mask_step *s;
    if (own >= 0)
        pm_mask_free_bit(c, own, pm_mask_unmatched(c, own) != 0);
    free_bits(c, &x->leaves);
    pm_status status = multiply(c, 0, 0, x->both.at[0].entry, err);
    for (int32_t k = 0, q; k < x->enters.count && !status; ++k) {
        status = pm_mask_take_bit(c, &q, err);
        if (status)
            break;
        pm_mask_give_bit(c, q, x->enters.at[k].vertex, c->bit[q].is_turned);
        status = pm_mask_add_step(c, pm_mask_at(q), pm_mask_matched(c, q), 0, &s, err);
        if (!status)
            pm_mask_end_step(c, s);
    }
    return status;
}

pm_status pm_mask_process(pm_mask_compiler *c, int32_t v, bool *is_zero, pm_error *err)
{
    vertex_step x = {.v = v};
    pm_status status;
    find_partners(c, v, &x);
    const partners leaves = x.leaves;
    *is_zero = x.both.count > 1;
    if (*is_zero)
        return PM_OK;
    c->left += 1 + x.leaves.count + x.both.count;
    status = x.both.count          ? match_only(c, &x, err)
             : is_by_rounds(c, &x) ? match_by_rounds(c, &x, err)
                                   : match_any(c, &x, err);
    c->gone[v] = true;
    for (int32_t k = 0; k < leaves.count; ++k)
        c->gone[leaves.at[k].vertex] = true;
    for (int32_t k = 0; k < x.both.count; ++k)
        c->gone[x.both.at[k].vertex] = true;
    for (int64_t i = c->g->ptr[v]; i < c->g->ptr[v + 1]; ++i)
        ++c->processed[c->g->adj[i]];
    return status;
}
