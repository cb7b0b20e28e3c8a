/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matrix/equilibrate.h"

#include <math.h>
#include <stdbool.h>

enum { MAX = PM_EQUILIBRATE_MAX };
enum { MEAN_PASSES = 4, SINKHORN_PASSES = 60 };
#define NEAR_ENOUGH 0.25 /* change of a divisor in one pass, log2 */

/* The lines of one side. */
typedef struct {
    int32_t lines;
    const int32_t *of, *times; /* the line of each entry; multiplicities */
    double log2[MAX];          /* log2 of the divisors */
} side;

/* Sets the divisors of a side: log2 of the mean, or of the sum, of the entries of a line, which are
 * divided by those of the other side.  Returns the largest change. */
static double divide(const pm_entry_sizes *e, const side *other, bool is_mean, side *s)
{
    double top[MAX], sum[MAX] = {0}, weight[MAX] = {0}, change = 0;
    for (int32_t i = 0; i < s->lines; ++i)
        top[i] = -INFINITY;
    for (int32_t k = 0; k < e->count; ++k) {
        const int32_t i = s->of[k], j = other->of[k];
        const double size = e->size[k] - other->log2[j];
        sum[i] += size * other->times[j];
        weight[i] += other->times[j];
        top[i] = fmax(top[i], size);
    }
    if (!is_mean) {
        for (int32_t i = 0; i < s->lines; ++i)
            sum[i] = 0;
        for (int32_t k = 0; k < e->count; ++k) {
            const int32_t i = s->of[k], j = other->of[k];
            sum[i] += other->times[j] * exp2(e->size[k] - other->log2[j] - top[i]);
        }
    }
    for (int32_t i = 0; i < s->lines; ++i) {
        double now = weight[i] == 0 ? 0 : is_mean ? sum[i] / weight[i] : top[i] + log2(sum[i]);
        change = fmax(change, fabs(now - s->log2[i]));
        s->log2[i] = now;
    }
    return change;
}

/* Returns the largest change of the divisor of a row, log2. */
static double scaling_pass(const pm_entry_sizes *e, bool is_mean, side *rows, side *columns)
{
    divide(e, rows, is_mean, columns);
    return divide(e, columns, is_mean, rows);
}

void pm_equilibrate(const pm_entry_sizes *e, int64_t *row, int64_t *column)
{
    side rows = {.lines = e->nrows, .of = e->row, .times = e->row_times};
    side columns = {.lines = e->ncols, .of = e->column, .times = e->col_times};
    for (int pass = 0; pass < MEAN_PASSES; ++pass)
        scaling_pass(e, true, &rows, &columns);
    for (int pass = 0;
         pass < SINKHORN_PASSES && scaling_pass(e, false, &rows, &columns) > NEAR_ENOUGH; ++pass)
        ;
    for (int32_t i = 0; i < e->nrows; ++i)
        row[i] = llround(rows.log2[i]);
    for (int32_t j = 0; j < e->ncols; ++j)
        column[j] = llround(columns.log2[j]);
}
