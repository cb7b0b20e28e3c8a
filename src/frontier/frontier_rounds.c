/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_rounds.h"

/* The number of the old state that becomes new state j of a step that drops slots. */
static int64_t source(const pm_frontier_rounds *r, int64_t j)
{
    int64_t at = 0;
    int32_t new_rest = r->to->sum, old_rest = r->from->sum;
    for (int32_t i = 0; i < r->step->nslots; ++i) {
        const pm_frontier_step_slot *s = &r->step->slots[i];
        int32_t d = 0;
        if (s->new_slot < 0) {
            d = s->kept;
        } else {
            for (int64_t n; d < r->to->slots[s->new_slot].range; ++d, j -= n)
                if ((n = pm_frontier_level_below(r->to, s->new_slot, new_rest - d)) > j)
                    break;
            new_rest -= d;
        }
        at += pm_frontier_level_offset(r->from, s->old_slot, old_rest, d);
        old_rest -= d;
    }
    return at + j;
}

static int64_t gap(const pm_frontier_rounds *r, int64_t j)
{
    return r->from->offset + source(r, j) - r->to->offset - j;
}

/* The first new state with a gap of at least g. */
static int64_t first_with_gap(const pm_frontier_rounds *r, int64_t g)
{
    int64_t low = 0, high = r->to->states;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (gap(r, middle) >= g)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

pm_frontier_rounds pm_frontier_rounds_of(const pm_frontier_program *p, int32_t i)
{
    pm_frontier_rounds r = {.step = &p->steps[i], .from = &p->levels[i], .to = &p->levels[i + 1]};
    if (r.step->kind == PM_STEP_DROP) {
        r.up = first_with_gap(&r, 0);
        r.down = first_with_gap(&r, 1);
    }
    return r;
}

bool pm_frontier_rounds_next(pm_frontier_rounds *r, int64_t *begin, int64_t *end)
{
    if (r->up > 0) {
        *end = r->up;
        *begin = r->up + gap(r, r->up - 1);
        if (*begin < 0)
            *begin = 0;
        r->up = *begin;
        return true;
    }
    if (r->down >= r->to->states)
        return false;
    *begin = r->down;
    *end = r->to->states;
    if (r->step->kind == PM_STEP_DROP && gap(r, *begin) < *end - *begin)
        *end = *begin + gap(r, *begin);
    r->down = *end;
    return true;
}
