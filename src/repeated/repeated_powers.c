/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "repeated/repeated_powers.h"

pm_repeated_powers pm_repeated_powers_make(const pm_square *s)
{
    pm_repeated_powers p = {0};
    for (int32_t i = 0; i < s->n; ++i) {
        int32_t times = s->row_times[i], at = p.rows;
        if (times == 0)
            continue;
        /* insertion: rows of the same multiplicity stay in their order */
        for (; at > 0 && s->row_times[p.row[at - 1]] > times; --at)
            p.row[at] = p.row[at - 1];
        p.row[at] = i;
        ++p.rows;
        p.all_bits |= (uint32_t)times;
    }
    for (int32_t k = 0; k < p.rows; ++k) {
        if (k == 0 || s->row_times[p.row[k]] != s->row_times[p.row[k - 1]])
            p.times[p.groups++] = s->row_times[p.row[k]];
        p.end[p.groups - 1] = k + 1;
    }
    p.top = 31 - __builtin_clz(p.all_bits | 1);
    return p;
}

double pm_repeated_multiplications(const pm_repeated_powers *p)
{
    double count = p->rows + p->top;
    for (int32_t g = 0; g < p->groups; ++g)
        count += __builtin_popcount((uint32_t)p->times[g]);
    return count;
}
