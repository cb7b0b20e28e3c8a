/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "masks/mask_program.h"

/* Runs of varying bits: the bits of an index, from the lowest one on, go to them. */
static void set_segments(uint64_t varying, pm_mask_flat *s)
{
    for (int place = 0, at = 0; place < PM_MASK_SLOTS; ++place) {
        if (!(varying >> place & 1))
            continue;
        if (s->segments == 0 || s->segment[s->segments - 1].up != place - at)
            s->segment[s->segments++] = (pm_mask_segment){.up = place - at};
        s->segment[s->segments - 1].mask |= UINT64_C(1) << at++;
    }
}

/* The lowest bits of a number that vary, and that no source looks at. */
static int span_bits_of(const pm_mask_step *step)
{
    uint64_t other = ~step->varying | step->counted;
    for (int32_t k = 0; k < step->nsources; ++k)
        other |= step->sources[k].parity >= 0 ? UINT64_C(1)
                                              : step->sources[k].mask | step->sources[k].flip;
    int n = 0;
    while (n < PM_MASK_SLOTS && !(other >> n & 1))
        ++n;
    return n;
}

void pm_mask_flatten(const pm_mask_step *step, pm_mask_flat *out)
{
    memset(out, 0, sizeof *out);
    out->fixed = step->fixed;
    out->bits = pm_mask_ones(step->varying);
    out->live = step->live;
    out->is_exchange = step->is_exchange;
    out->keeps = step->keeps;
    out->sources = step->nsources;
    out->span_bits = span_bits_of(step);
    out->pairs = step->npairs;
    out->odd = step->odd;
    out->turned = step->turned;
    out->counted = step->counted;
    out->base = step->base;
    out->count = step->count;
    set_segments(step->varying, out);
    for (int32_t k = 0; k < step->nsources; ++k)
        out->source[k] = step->sources[k];
    for (int32_t k = 0; k < step->npairs; ++k) {
        out->low[k] = step->low[k];
        out->high[k] = step->high[k];
    }
}

/* k of n, over 2^n. */
static double share_of(int n, int k)
{
    double share = exp2(-n);
    for (int i = 0; i < k; ++i)
        share *= (double)(n - i) / (i + 1);
    return share;
}

double pm_mask_step_states(const pm_mask_step *s)
{
    const double all = exp2(pm_mask_ones(s->varying));
    if (s->is_exchange && !s->turned)
        return all * (1 - exp2(-s->npairs));
    return s->counted ? all * share_of(pm_mask_ones(s->counted), s->count) : all;
}

double pm_mask_source_reads(const pm_mask_step *s, int32_t k)
{
    const pm_mask_source *t = &s->sources[k];
    const double states = pm_mask_step_states(s);
    if (s->counted) /* each source asks for one of these bits */
        return states * s->count / pm_mask_ones(s->counted);
    return states * exp2(-pm_mask_ones(t->mask & s->varying) - (t->parity >= 0));
}

double pm_mask_step_reads(const pm_mask_step *s)
{
    double reads = s->is_exchange || s->keeps ? pm_mask_step_states(s) : 0;
    for (int32_t k = 0; k < s->nsources; ++k)
        reads += pm_mask_source_reads(s, k);
    return reads;
}
