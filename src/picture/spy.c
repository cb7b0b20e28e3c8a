/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "picture/spy.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void count(pm_spy *s, const pm_matrix *a, const int32_t *col_at)
{
    const pm_dm *d = s->d;
    for (int64_t b = 0; b < d->nblocks; ++b)
        for (int64_t row = d->r[b]; row < d->r[b + 1]; ++row)
            for (int64_t k = a->rowptr[d->p[row]]; k < a->rowptr[d->p[row] + 1]; ++k) {
                int64_t col = col_at[a->colind[k]];
                int64_t cell = row / s->step * s->cols + col / s->step;
                uint32_t *of = col >= d->s[b] && col < d->s[b + 1] ? s->inside : s->outside;
                ++of[cell];
                uint32_t sum = s->inside[cell] + s->outside[cell];
                s->most = sum > s->most ? sum : s->most;
            }
}

pm_status pm_spy_make(const pm_matrix *a, const pm_dm *d, int64_t most, pm_spy *out, pm_error *err)
{
    int64_t step = larger(1, (larger(a->nrows, a->ncols) + most - 1) / most);
    pm_spy s = {.d = d,
                .step = step,
                .rows = (a->nrows + step - 1) / step,
                .cols = (a->ncols + step - 1) / step};
    pm_status status = PM_OK;
    int32_t *col_at = pm_alloc_array(a->ncols, sizeof *col_at);
    s.inside = pm_calloc_array(s.rows * s.cols, sizeof *s.inside);
    s.outside = pm_calloc_array(s.rows * s.cols, sizeof *s.outside);
    if (!col_at || !s.inside || !s.outside) {
        status = pm_fail_memory(err, "a picture");
        goto done;
    }
    for (int64_t k = 0; k < a->ncols; ++k)
        col_at[d->q[k]] = (int32_t)k;
    count(&s, a, col_at);
    *out = s;
    s = (pm_spy){0};
done:
    free(col_at);
    pm_spy_free(&s);
    return status;
}

void pm_spy_free(pm_spy *s)
{
    free(s->inside);
    free(s->outside);
    *s = (pm_spy){0};
}

/* ---- colours and sizes ---- */

/* Blue and orange, which the colour-blind can tell apart. */
const unsigned char pm_spy_palette[PM_SPY_COLOURS][3] = {
    {255, 255, 255}, {90, 90, 90},    {238, 242, 248}, /* white, outline, background */
    {170, 196, 226}, {147, 178, 215}, {125, 161, 204}, {102, 143, 193}, /* inside */
    {80, 126, 182},  {57, 108, 171},  {35, 91, 160},   {12, 73, 149},   /* */
    {250, 216, 180}, {248, 204, 160}, {246, 192, 140}, {243, 180, 120}, /* outside */
    {241, 168, 100}, {238, 156, 80},  {236, 144, 60},  {230, 126, 34},
};

int pm_spy_colour(const pm_spy *s, int64_t row, int64_t col)
{
    uint32_t inside = s->inside[row * s->cols + col], outside = s->outside[row * s->cols + col];
    if (inside + outside == 0)
        return PM_SPY_WHITE;
    double share = log1p(inside + outside) / log1p(s->most);
    int shade = (int)fmin(share * PM_SPY_SHADES, PM_SPY_SHADES - 1);
    return (inside ? PM_SPY_INSIDE : PM_SPY_OUTSIDE) + shade;
}

int64_t pm_spy_scale(const pm_spy *s)
{
    enum { LARGEST = 16, SIDE = 800 };
    int64_t scale = SIDE / larger(1, larger(s->rows, s->cols));
    return scale > LARGEST ? LARGEST : larger(scale, 1);
}

bool pm_spy_block(const pm_spy *s, int64_t b, int64_t least, pm_spy_box *out)
{
    const pm_dm *d = s->d;
    int64_t height = d->r[b + 1] - d->r[b], width = d->s[b + 1] - d->s[b];
    if (height == 0 || width == 0 || larger(height, width) < least * s->step)
        return false;
    *out = (pm_spy_box){.left = d->s[b] / s->step,
                        .right = (d->s[b + 1] + s->step - 1) / s->step,
                        .top = d->r[b] / s->step,
                        .bottom = (d->r[b + 1] + s->step - 1) / s->step};
    return true;
}
