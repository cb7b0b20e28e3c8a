/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mpi/division.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* Seconds of a range: the most and the least; and of a measurement, after which another one begins. */
#define MOST   0.5
#define LEAST  0.02
#define BRIEF  0.001
#define WINDOW 1.0

pm_status pm_division_make(int ranks, pm_division *out, pm_error *err)
{
    *out = (pm_division){.ranks = ranks, .rank = pm_calloc_array(ranks, sizeof *out->rank)};
    return out->rank ? PM_OK : pm_fail_memory(err, "the ranks");
}

void pm_division_free(pm_division *d)
{
    free(d->rank);
    *d = (pm_division){0};
}

void pm_division_begin(pm_division *d)
{
    memset(d->rank, 0, (size_t)d->ranks * sizeof *d->rank);
    d->rate = 0;
}

void pm_division_note(pm_division *d, int rank, uint64_t indices, double now)
{
    pm_division_rank *r = &d->rank[rank];
    if (r->since == 0) {
        r->since = now;
        return;
    }
    r->done += indices;
    double seconds = now - r->since;
    if (seconds > BRIEF && r->done > 0) {
        double rate = (double)r->done / seconds;
        d->rate = fmax(d->rate + (rate - r->rate), rate); /* whatever the rounding errors */
        r->rate = rate;
    }
    if (seconds > WINDOW) {
        r->since = now;
        r->done = 0;
    }
}

uint64_t pm_division_size(const pm_division *d, int rank, uint64_t left, uint64_t unit)
{
    double own = d->rank[rank].rate;
    if (own <= 0)
        return unit;
    double seconds = fmax(LEAST, fmin(MOST, (double)left / d->rate / 2));
    double units = floor(own * seconds / (double)unit);
    if (units * (double)unit >= (double)left)
        return left > unit ? (left - 1) / unit * unit + unit : unit;
    return units > 1 ? (uint64_t)units * unit : unit;
}
