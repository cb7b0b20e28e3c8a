/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/beam_thin.h"

#include <math.h>
#include <string.h>

#define INLINE   static inline __attribute__((always_inline))
#define TOO_MANY 1.2 /* times those wanted */
enum {
    FRACTION = 62, /* bits of c */
    SHIFT = 49,    /* bits of a double below exponent and three digits of the mantissa */
    SAMPLE = 8192  /* states of the histogram, at least */
};

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

static int64_t digits_of(double x)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> SHIFT;
}

/* The least double with these digits. */
static double from_digits(int64_t digits)
{
    double x;
    int64_t bits = digits << SHIFT;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Bucket b: scores with digits top - b; the last one all that is smaller too. */
static void fill(pm_thin_histogram *h, const double *score, int64_t n, int64_t stride, int64_t top)
{
    memset(h, 0, sizeof *h);
    for (int64_t i = 0; i < n; i += stride) {
        int64_t b = top - digits_of(score[i]);
        b = b < PM_THIN_BUCKETS ? b : PM_THIN_BUCKETS - 1;
        h->sum[b] += score[i];
        h->count[b] += 1;
    }
}

/* About the least c for which sum over states of min(1, score / c) <= keep.  In the bucket of c
 * that sum is no more than  above + min(count, sum / c) + below / c. */
static double threshold(const pm_thin_histogram *h, double keep, int64_t top)
{
    double below = 0, above = 0;
    for (int b = 0; b < PM_THIN_BUCKETS; ++b)
        above += h->count[b];
    for (int b = PM_THIN_BUCKETS - 1; b >= 0; --b) {
        double sum = h->sum[b], count = h->count[b], end = from_digits(top - b + 1);
        above -= count;
        /* not added to above: what is tiny beside it must not vanish */
        double room = keep - above, c = end;
        if (fmin(count, sum / end) + below / end <= room) {
            if (room > count && below / (room - count) <= sum / count)
                c = below / (room - count);
            else if (below + sum > 0)
                c = (below + sum) / room;
            return b < PM_THIN_BUCKETS - 1 ? fmax(fmin(c, end), from_digits(top - b)) : c;
        }
        below += sum;
    }
    return below / keep; /* all are below */
}

/* How many are expected to stay. */
static double expected(const double *score, int64_t n, double c)
{
    double sum[4] = {0, 0, 0, 0}, unit = 1 / c;
    for (int64_t i = 0; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k) {
            double p = score[i + k] * unit;
            sum[k] += p < 1 ? p : 1;
        }
    return sum[0] + sum[1] + sum[2] + sum[3] + 3;
}

/* start: uniform in 0 .. 2^FRACTION - 1.  Without branches: who stays cannot be foretold. */
INLINE int64_t sweep(pm_states *s, int32_t words, const double *score, double c, uint64_t start)
{
    const uint64_t one = UINT64_C(1) << FRACTION;
    const double unit = (double)one / c;
    uint64_t sum = start;
    int64_t n = 0;
    for (int64_t i = 0; i < s->n; ++i) {
        double x = score[i];
        bool large = x >= c;
        sum += large ? 0 : (uint64_t)(int64_t)(x * unit);
        bool chosen = sum >= one;
        sum &= one - 1;
        for (int32_t w = 0; w < words; ++w)
            s->keys[n * words + w] = s->keys[i * words + w];
        s->hi[n] = s->hi[i] * (large ? 1 : c / x);
        n += large | chosen;
    }
    return n;
}

void pm_beam_thin(pm_states *s, int32_t words, int64_t keep, const double *score, double u,
                  pm_thin_histogram *h)
{
    double largest = pm_beam_largest(score, s->n);
    if (s->n <= keep || largest <= 0)
        return;
    int64_t stride = s->n / SAMPLE, top = digits_of(largest);
    stride = stride > 1 ? stride : 1;
    fill(h, score, s->n, stride, top);
    double c = threshold(h, (double)keep / (double)stride, top);
    /* a sample can mislead where the list has a period */
    if (stride > 1 && expected(score, s->n, c) > TOO_MANY * (double)keep) {
        fill(h, score, s->n, 1, top);
        c = threshold(h, (double)keep, top);
    }
    uint64_t start = (uint64_t)ldexp(u, FRACTION);
    s->n = words == 1 ? sweep(s, 1, score, c, start) : sweep(s, words, score, c, start);
}
