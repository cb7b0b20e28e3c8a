/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "elimination/merging.h"

double pm_front_multiplications(double own, double all)
{
    double rest = all - own;
    return (all * (all * all - 1) - rest * (rest * rest - 1)) / 3;
}

double pm_front_cost(double own, double all)
{
    double rest = all - own;
    return pm_front_multiplications(own, all) + 8 * all * all + 4 * rest * rest + 300 + 200 * own;
}

void pm_merge_supernodes(const pm_supernodes *s, int32_t *own, int32_t *into)
{
    for (int32_t c = 0; c < s->count; ++c) {
        own[c] = s->first[c + 1] - s->first[c];
        into[c] = c;
    }
    for (int32_t c = 0; c < s->count; ++c) {
        int32_t up = s->parent[c];
        if (up < 0)
            continue;
        double mine = own[c], rest = (double)(s->start[c + 1] - s->start[c]);
        double above = own[up], last = (double)(s->start[up + 1] - s->start[up]);
        if (pm_front_cost(mine + above, mine + above + last)
            <= pm_front_cost(mine, mine + rest) + pm_front_cost(above, above + last)) {
            into[c] = up;
            own[up] += own[c];
        }
    }
    for (int32_t c = s->count - 1; c >= 0; --c)
        into[c] = into[into[c]];
}
