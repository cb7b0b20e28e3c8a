/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "edges/integer_set.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

pm_status pm_integer_set_reach(pm_integer_set *s, int64_t v, pm_error *err)
{
    const int64_t wanted = (v >> 6) + 1;
    if (wanted <= s->nwords)
        return PM_OK;
    if (PM_GROW(s->word, s->cap, wanted))
        return pm_fail_memory(err, "labels");
    memset(s->word + s->nwords, 0, (size_t)(wanted - s->nwords) * sizeof *s->word);
    s->nwords = wanted;
    return PM_OK;
}

int64_t pm_integer_set_count(const pm_integer_set *s)
{
    int64_t count = 0;
    for (int64_t k = 0; k < s->nwords; ++k)
        count += __builtin_popcountll(s->word[k].bits);
    return count;
}

int64_t pm_integer_set_largest(const pm_integer_set *s)
{
    int64_t k = s->nwords - 1;
    while (k >= 0 && !s->word[k].bits)
        --k;
    return k < 0 ? -1 : 64 * k + 63 - __builtin_clzll(s->word[k].bits);
}

int64_t pm_integer_set_next(const pm_integer_set *s, int64_t from)
{
    if (!pm_integer_set_reaches(s, from))
        return -1;
    int64_t k = from >> 6;
    uint64_t bits = s->word[k].bits & ~UINT64_C(0) << (from & 63);
    while (!bits && ++k < s->nwords)
        bits = s->word[k].bits;
    return bits ? 64 * k + __builtin_ctzll(bits) : -1;
}

int64_t pm_integer_set_rank_all(pm_integer_set *s)
{
    int64_t count = 0;
    for (int64_t k = 0; k < s->nwords; ++k) {
        s->word[k].before = count;
        count += __builtin_popcountll(s->word[k].bits);
    }
    return count;
}

void pm_integer_set_free(pm_integer_set *s)
{
    free(s->word);
    *s = (pm_integer_set){0};
}
