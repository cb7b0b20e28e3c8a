/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the digits of the frontier are: bits that are taken and given back, exchanges of bits, and the vertex without a bit. */
#include "config.h"

#include "masks/mask_compile.h"
#include "pm/alloc.h"

enum {
    FEW = 8,        /* frontier vertices: up to here each has a bit */
    SHORT_SPAN = 6, /* bits: below this an exchange is worth it */
    NEVER = INT32_MAX
};

/* ---- bits ---- */

uint64_t pm_mask_live(const pm_mask_compiler *c)
{
    uint64_t live = 0;
    for (int32_t q = 0; q < c->nbits; ++q)
        live |= c->bit[q].vertex >= 0 ? pm_mask_at(q) : 0;
    return live;
}

uint64_t pm_mask_idle(const pm_mask_compiler *c)
{
    uint64_t idle = 0;
    for (int32_t q = 0; q < c->nbits; ++q)
        idle |= c->bit[q].vertex < 0 ? pm_mask_unmatched(c, q) : 0;
    return idle;
}

/* The number of turned digits, modulo 2, but for that of one bit or of none (-1). */
static int turned_parity(const pm_mask_compiler *c, int32_t but)
{
    int odd = 0;
    for (int32_t q = 0; q < c->nbits; ++q)
        odd ^= c->bit[q].vertex >= 0 && q != but && c->bit[q].is_turned;
    return odd;
}

/* Vertices that have left are matched to each other or to one of the frontier: the digit sum has the parity of their number. */
int pm_mask_implied_parity(const pm_mask_compiler *c)
{
    return 1 ^ (c->left & 1) ^ turned_parity(c, -1);
}

pm_status pm_mask_take_bit(pm_mask_compiler *c, int32_t *out, pm_error *err)
{
    int32_t q = c->nbits - 1;
    while (q >= 0 && c->bit[q].vertex >= 0)
        --q;
    if (q < 0 && c->nbits == PM_MASK_SLOTS)
        return pm_fail(err, PM_UNABLE, "a frontier of more than %d vertices cannot be counted",
                       (int)PM_MASK_SLOTS);
    if (q < 0) {
        q = c->nbits++;
        c->bit[q] = (pm_mask_bit){-1, false};
    }
    *out = q;
    return PM_OK;
}

void pm_mask_give_bit(pm_mask_compiler *c, int32_t place, int32_t vertex, bool is_turned)
{
    c->bit[place] = (pm_mask_bit){vertex, is_turned};
    c->place[vertex] = place;
}

void pm_mask_free_bit(pm_mask_compiler *c, int32_t place, bool is_one)
{
    const int32_t v = c->bit[place].vertex;
    if (v >= 0)
        c->place[v] = PM_PLACE_NONE;
    c->bit[place] = (pm_mask_bit){-1, is_one};
}

/* ---- steps ---- */

pm_status pm_mask_add_step(pm_mask_compiler *c, uint64_t fixed, uint64_t value, int64_t sources,
                           pm_mask_step **out, pm_error *err)
{
    pm_mask_program *p = c->p;
    if (PM_GROW(p->steps, c->cap_steps, p->nsteps + 1)
        || PM_GROW(p->bits, c->cap_bits, p->nsteps + 2))
        return pm_fail_memory(err, "the program of a frontier");
    const uint64_t live = pm_mask_live(c);
    pm_mask_step *s = &p->steps[p->nsteps];
    *s = (pm_mask_step){
        .varying = live & ~fixed, .fixed = (pm_mask_idle(c) & ~fixed) | value, .live = live};
    s->sources = pm_alloc_array(sources, sizeof *s->sources);
    if (!s->sources)
        return pm_fail_memory(err, "the program of a frontier");
    ++p->nsteps;
    *out = s;
    return PM_OK;
}

void pm_mask_end_step(pm_mask_compiler *c, const pm_mask_step *s)
{
    pm_mask_program *p = c->p;
    p->transitions += pm_mask_step_reads(s);
    p->states += pm_mask_step_states(s);
    for (int32_t k = 0; k < s->nsources; ++k)
        if (s->sources[k].weight != PM_UNIT)
            p->weighted += pm_mask_source_reads(s, k);
    p->depth += s->is_exchange ? 0 : 1 + s->nsources;
    p->bits[p->nsteps] = c->nbits;
    if (c->nbits > p->most_bits)
        p->most_bits = c->nbits;
}

/* ---- when vertices are touched ---- */

/* The index in the order of the first step from t on that touches v, a vertex of the frontier. */
static int32_t next_touch(const pm_mask_compiler *c, int32_t v, int32_t t)
{
    int32_t first = c->o->pos[v] >= t ? c->o->pos[v] : NEVER;
    for (int64_t i = c->g->ptr[v]; i < c->g->ptr[v + 1]; ++i) {
        const int32_t pos = c->o->pos[c->g->adj[i]];
        if (pos >= t && pos < first && !c->gone[c->g->adj[i]])
            first = pos;
    }
    return first;
}

/* Whether the step of v changes or reads the digit of u. */
static bool touches(const pm_mask_compiler *c, int32_t v, int32_t u)
{
    for (int64_t i = c->g->ptr[v]; i < c->g->ptr[v + 1]; ++i)
        if (c->g->adj[i] == u)
            return true;
    return u == v;
}

/* The bit, not among `but`, of the vertex that is touched last of all from step t on; -1: there is none.  Only vertices that the
 * step of v does not touch; with may_stay also those that it touches and that stay.  v = -1: there is no such step. */
static int32_t find_latest(const pm_mask_compiler *c, int32_t t, int32_t v, bool may_stay,
                           uint64_t but)
{
    int32_t best = -1, latest = -1;
    for (int32_t q = 0; q < c->nbits; ++q) {
        const int32_t u = c->bit[q].vertex;
        if (u < 0 || u == v || (but & pm_mask_at(q)))
            continue;
        if (v >= 0 && touches(c, v, u) && !(may_stay && pm_mask_role_of(c, u) == PM_MASK_STAYS))
            continue;
        const int32_t touch = next_touch(c, u, t);
        if (touch > latest) {
            latest = touch;
            best = q;
        }
    }
    return best;
}

/* ---- exchanges of bits ---- */

static bool is_short(const pm_mask_compiler *c, int32_t v)
{
    for (int32_t q = 0; q < c->nbits && q < SHORT_SPAN; ++q)
        if (c->bit[q].vertex < 0 || touches(c, v, c->bit[q].vertex))
            return true;
    return false;
}

/* The bits of the PM_MASK_LOW vertices that are touched last of all. */
static uint64_t find_late_bits(const pm_mask_compiler *c, int32_t t, int32_t v)
{
    uint64_t late = 0;
    for (int32_t k = 0, q = 0; k < PM_MASK_LOW && q >= 0; ++k) {
        q = find_latest(c, t, v, false, late);
        late |= q >= 0 ? pm_mask_at(q) : 0;
    }
    return late;
}

static void exchange_bits(pm_mask_compiler *c, int32_t a, int32_t b)
{
    const pm_mask_bit x = c->bit[a];
    c->bit[a] = c->bit[b];
    c->bit[b] = x;
    if (c->bit[a].vertex >= 0)
        c->place[c->bit[a].vertex] = a;
    if (c->bit[b].vertex >= 0)
        c->place[c->bit[b].vertex] = b;
}

/* Vertices that are touched late to the lowest bits. */
static pm_status exchange(pm_mask_compiler *c, int32_t t, int32_t v, pm_error *err)
{
    const uint64_t late = find_late_bits(c, t, v);
    pm_mask_step *s;
    if (late >> PM_MASK_LOW == 0)
        return PM_OK;
    pm_status status = pm_mask_add_step(c, 0, 0, 0, &s, err);
    if (status)
        return status;
    s->is_exchange = true;
    s->varying |= pm_mask_at(PM_MASK_LOW) - 1; /* whole rows */
    s->fixed &= ~(pm_mask_at(PM_MASK_LOW) - 1);
    for (int32_t a = 0, b = PM_MASK_LOW; a < PM_MASK_LOW; ++a) {
        if (late & pm_mask_at(a))
            continue;
        while (b < c->nbits && !(late & pm_mask_at(b)))
            ++b;
        if (b == c->nbits)
            break;
        s->low[s->npairs] = a;
        s->high[s->npairs++] = b;
        exchange_bits(c, a, b++);
    }
    pm_mask_end_step(c, s);
    return PM_OK;
}

/* ---- the vertex without a bit ---- */

/* The implied vertex takes bit q, and the vertex that has it becomes implied.  If P is the parity of the digit sum and R that of
 * the other digits, the first digit is P + R + the second one: so it is the same bit, turned if P is 1, where R is even. */
static pm_status change_implied(pm_mask_compiler *c, int32_t q, pm_error *err)
{
    pm_mask_step *s;
    pm_status status = pm_mask_add_step(c, pm_mask_at(q), 0, 0, &s, err);
    if (status)
        return status;
    const int32_t u = c->bit[q].vertex;
    s->is_exchange = true;
    s->turned = pm_mask_at(q);
    s->live &= ~s->turned;
    s->odd = !turned_parity(c, q);
    pm_mask_end_step(c, s);
    pm_mask_give_bit(c, q, c->implied, c->bit[q].is_turned != (c->left & 1));
    c->place[u] = PM_PLACE_IMPLIED;
    c->implied = u;
    return PM_OK;
}

/* The implied vertex gets a bit, which is as it was where the digit is 0. */
static pm_status end_implied(pm_mask_compiler *c, pm_error *err)
{
    int32_t q;
    pm_mask_step *s;
    pm_status status = pm_mask_take_bit(c, &q, err);
    const int parity = pm_mask_implied_parity(c);
    for (int digit = 1; digit >= 0 && !status; --digit) {
        const uint64_t value = digit ? pm_mask_matched(c, q) : pm_mask_unmatched(c, q);
        status = pm_mask_add_step(c, pm_mask_at(q), value, 1, &s, err);
        if (status)
            return status;
        s->sources[s->nsources++] = (pm_mask_source){.flip = digit ? pm_mask_at(q) : 0,
                                                     .weight = PM_UNIT,
                                                     .parity = digit ? parity : 1 - parity};
        pm_mask_end_step(c, s);
    }
    if (!status) {
        pm_mask_give_bit(c, q, c->implied, c->bit[q].is_turned);
        c->implied = -1;
    }
    return status;
}

/* One of the two values of a bit is 0 in each state: their sum needs no bit. */
pm_status pm_mask_imply(pm_mask_compiler *c, int32_t t, pm_error *err)
{
    pm_mask_step *s;
    int32_t count = 0;
    for (int32_t q = 0; q < c->nbits; ++q)
        count += c->bit[q].vertex >= 0;
    if (c->has_loops || c->implied >= 0 || count <= FEW)
        return PM_OK;
    const int32_t q = find_latest(c, t, -1, false, 0), u = c->bit[q].vertex;
    pm_status status = pm_mask_add_step(c, pm_mask_at(q), 0, 1, &s, err);
    if (status)
        return status;
    s->keeps = true;
    s->sources[s->nsources++] =
        (pm_mask_source){.flip = pm_mask_at(q), .weight = PM_UNIT, .parity = -1};
    pm_mask_end_step(c, s);
    pm_mask_free_bit(c, q, false);
    c->place[u] = PM_PLACE_IMPLIED;
    c->implied = u;
    return PM_OK;
}

pm_status pm_mask_arrange(pm_mask_compiler *c, int32_t t, int32_t v, pm_error *err)
{
    pm_status status = PM_OK;
    if (c->implied >= 0 && touches(c, v, c->implied)) {
        const bool stays = c->implied != v && pm_mask_role_of(c, c->implied) == PM_MASK_STAYS;
        int32_t q = find_latest(c, t, v, false, 0);
        if (q < 0 && !stays)
            q = find_latest(c, t, v, true, 0);
        if (q >= 0)
            status = change_implied(c, q, err);
        else if (!stays)
            status = end_implied(c, err);
    }
    return !status && c->nbits > PM_MASK_LOW && is_short(c, v) ? exchange(c, t, v, err) : status;
}
