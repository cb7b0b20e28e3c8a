/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "masks/mask_flat.h"

/* What a digit 1 of a slot adds to the number of a state. */
static uint64_t bit_of(const pm_mask_level *l, int32_t slot)
{
    return slot < l->implied ? 0 : UINT64_C(1) << (slot - l->implied);
}

static int place_of(const pm_mask_level *l, int32_t slot)
{
    return (int)(slot - l->implied);
}

static void add_partner(pm_mask_flat *s, int *count, uint64_t bit, uint64_t old_bit, int64_t entry)
{
    s->partner[s->staying + s->entering + s->leaving] =
        (pm_mask_partner){.bit = bit, .old_bit = old_bit, .weight = (int)entry};
    s->is_weighted |= entry != PM_UNIT;
    ++*count;
}

/* The digit of slot `to` of the new level is that of slot `from` of the old one. */
static void add_moved(const pm_mask_level *old, const pm_mask_level *new, int32_t from, int32_t to,
                      pm_mask_flat *s)
{
    const uint64_t mask = bit_of(new, to);
    const int up = place_of(old, from) - place_of(new, to);
    if (to < new->implied || from < old->implied)
        return;
    if (s->segments > 0 && s->segment[s->segments - 1].up == up)
        s->segment[s->segments - 1].mask |= mask;
    else
        s->segment[s->segments++] = (pm_mask_segment){.mask = mask, .up = up};
}

/* Slot 0 of the new level, whose digit is implied and not inside a span. */
static void set_implied(const pm_mask_level *old, const pm_mask_touch *t, pm_mask_flat *s)
{
    s->implied = !t->is_neighbour ? 1 : t->old_slot >= 0 ? 2 : 3;
    s->implied_weight = (int)t->entry;
    s->implied_bit = t->old_slot >= 0 ? bit_of(old, t->old_slot) : 0;
    s->is_weighted |= t->is_neighbour && t->entry != PM_UNIT;
}

static bool is_entering(const pm_mask_touch *t)
{
    return t->is_neighbour && t->old_slot < 0;
}

/* Slots 0 .. low - 1 are the same in both levels. */
static void flatten_vertex(const pm_mask_step *step, const pm_mask_level *old,
                           const pm_mask_level *new, pm_mask_flat *s)
{
    for (int32_t q = 0; q < step->low; ++q)
        add_moved(old, new, q, q, s);
    for (int32_t k = step->nbefore; k < step->ntouches; ++k) {
        const pm_mask_touch *t = &step->touches[k];
        if (t->new_slot < new->implied)
            set_implied(old, t, s);
        else if (t->old_slot >= 0)
            add_moved(old, new, t->old_slot, t->new_slot, s);
        if (t->new_slot >= new->implied && t->is_neighbour && t->old_slot >= 0) {
            s->stays |= bit_of(new, t->new_slot);
            add_partner(s, &s->staying, bit_of(new, t->new_slot), bit_of(old, t->old_slot),
                        t->entry);
        }
    }
    for (int32_t k = step->nbefore; k < step->ntouches; ++k) {
        const pm_mask_touch *t = &step->touches[k];
        if (t->new_slot < new->implied || !is_entering(t))
            continue;
        s->enters |= bit_of(new, t->new_slot);
        add_partner(s, &s->entering, bit_of(new, t->new_slot), 0, t->entry);
    }
    for (int32_t k = 0; k < step->nbefore; ++k) {
        const pm_mask_touch *t = &step->touches[k];
        if (t->old_slot < 0) {
            ++s->both;
            s->both_weight = (int)t->entry;
            s->is_weighted |= t->entry != PM_UNIT;
            continue;
        }
        s->fixed += bit_of(old, t->old_slot);
        add_partner(s, &s->leaving, 0, bit_of(old, t->old_slot), t->entry);
    }
    s->span_bits = step->low > new->implied ? (int)(step->low - new->implied) : 0;
    s->has_own = step->own_slot >= 0;
    s->own_bit = s->has_own ? bit_of(old, step->own_slot) : 0;
    s->has_loop = step->has_loop;
    s->loop_weight = (int)step->loop;
    s->is_weighted |= step->has_loop && step->loop != PM_UNIT;
}

static void flatten_permutation(const pm_mask_level *old, const pm_mask_level *new, pm_mask_flat *s)
{
    s->is_permutation = 1;
    s->implied = new->implied;
    s->drops = old->implied && !new->implied;
    for (int32_t q = 0; q < new->nslots; ++q)
        for (int32_t r = 0; r < old->nslots; ++r) {
            if (new->slots[q] != old->slots[r])
                continue;
            if (q < new->implied)
                s->implied_bit = bit_of(old, r);
            else if (r >= old->implied)
                s->segment[s->segments++] =
                    (pm_mask_segment){.mask = bit_of(new, q), .up = place_of(old, r)};
        }
}

void pm_mask_flatten(const pm_mask_program *p, int32_t i, pm_mask_flat *out)
{
    const pm_mask_step *step = &p->steps[i];
    const pm_mask_level *old = &p->levels[i], *new = &p->levels[i + 1];
    *out = (pm_mask_flat){.bits = (int)pm_mask_bits(new), .parity = new->parity};
    if (step->vertex < 0)
        flatten_permutation(old, new, out);
    else
        flatten_vertex(step, old, new, out);
}
