/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/equilibrate.h"

#include <math.h>

enum { MAX = PM_SQUARE_MAX };
enum { MEAN_PASSES = 4, SINKHORN_PASSES = 60 };
#define NEAR_ENOUGH 0.25 /* change of a divisor in one pass, log2 */

typedef struct {
    const pm_square *s;
    const double *size;           /* log2 |entry|, CCS */
    double row[MAX], column[MAX]; /* log2 of the divisors */
} scaling;

/* log2 of the mean, or of the sum, of the scaled entries in_ccs[first .. end - 1] of a line (in_ccs
 * NULL: of the entries first .. end - 1). */
static double line_size(const scaling *c, const int32_t *in_ccs, int32_t first, int32_t end,
                        const int32_t *other, const double *other_scale, const int32_t *times,
                        bool is_mean)
{
    double sum = 0, weight = 0, top = -INFINITY;
    for (int32_t k = first; k < end; ++k) {
        double size = c->size[in_ccs ? in_ccs[k] : k] - other_scale[other[k]];
        sum += size * times[other[k]];
        weight += times[other[k]];
        top = fmax(top, size);
    }
    if (is_mean || first == end)
        return first == end ? 0 : sum / weight;
    sum = 0;
    for (int32_t k = first; k < end; ++k)
        sum +=
            times[other[k]] * exp2(c->size[in_ccs ? in_ccs[k] : k] - other_scale[other[k]] - top);
    return top + log2(sum);
}

/* Returns the largest change of a divisor, log2. */
static double scaling_pass(scaling *c, bool is_mean)
{
    const pm_square *s = c->s;
    double change = 0;
    for (int32_t j = 0; j < s->n; ++j)
        c->column[j] = line_size(c, NULL, s->colptr[j], s->colptr[j + 1], s->rowind, c->row,
                                 s->row_times, is_mean);
    for (int32_t i = 0; i < s->n; ++i) {
        double now = line_size(c, s->in_ccs, s->rowptr[i], s->rowptr[i + 1], s->colind, c->column,
                               s->col_times, is_mean);
        change = fmax(change, fabs(now - c->row[i]));
        c->row[i] = now;
    }
    return change;
}

void pm_equilibrate(const pm_square *s, const double *size, int64_t *row, int64_t *column)
{
    scaling c = {.s = s, .size = size};
    for (int pass = 0; pass < MEAN_PASSES; ++pass)
        scaling_pass(&c, true);
    for (int pass = 0; pass < SINKHORN_PASSES && scaling_pass(&c, false) > NEAR_ENOUGH; ++pass)
        ;
    for (int32_t i = 0; i < s->n; ++i) {
        row[i] = llround(c.row[i]);
        column[i] = llround(c.column[i]);
    }
}
