/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "beam/beam_thin.h"

#include <math.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

double pm_beam_largest(const double *x, int64_t n)
{
    double most[4] = {0, 0, 0, 0};
    int64_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k)
            most[k] = x[i + k] > most[k] ? x[i + k] : most[k];
    for (; i < n; ++i)
        most[0] = fmax(most[0], x[i]);
    return fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

uint64_t pm_beam_thin_offset(double u)
{
    return (uint64_t)ldexp(u, PM_THIN_FRACTION);
}

static void count_scores(pm_thin_histogram *h, const double *score, int64_t n, long long top)
{
    memset(h->count, 0, sizeof h->count);
    for (int64_t i = 0; i < n; ++i)
        h->count[pm_thin_bucket(top, score[i])] += score[i] > 0;
    for (int o = 0; o < PM_THIN_OCTAVES; ++o)
        h->octave[o] = pm_thin_octave_of(h->count, o);
}

/* Keeps states by the threshold c.  Without branches, since a branch for each state could not be
 * predicted.  Returns the number of states. */
INLINE int64_t select_states(pm_states *s, int32_t words, const double *score, double c,
                             uint64_t offset)
{
    const uint64_t one = UINT64_C(1) << PM_THIN_FRACTION;
    const double inverse = 1 / c;
    uint64_t sum = offset;
    int64_t n = 0;
    for (int64_t i = 0; i < s->n; ++i) {
        double x = score[i];
        bool large = x >= c;
        sum += large ? 0 : pm_thin_part(x, inverse);
        bool chosen = sum >= one;
        sum &= one - 1;
        for (int32_t w = 0; w < words; ++w)
            s->keys[n * words + w] = s->keys[i * words + w];
        s->hi[n] = s->hi[i] * (large ? 1 : c / x);
        n += large | chosen;
    }
    return n;
}

void pm_beam_thin(pm_states *s, int32_t words, int64_t keep, const double *score, uint64_t offset,
                  pm_thin_histogram *h)
{
    if (s->n <= keep)
        return;
    double largest = pm_beam_largest(score, s->n);
    if (largest <= 0) {
        s->n = 0;
        return;
    }
    long long top = pm_thin_top(largest);
    count_scores(h, score, s->n, top);
    double c = pm_thin_threshold(h->count, h->octave, (double)keep, top);
    s->n = words == 1 ? select_states(s, 1, score, c, offset)
                      : select_states(s, words, score, c, offset);
}
