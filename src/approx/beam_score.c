/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "approx/beam_score.h"

#include <math.h>
#include <stdlib.h>

#include "approx/bethe.h"
#include "pm/alloc.h"

#define TOLERANCE   1e-6
#define LEAST_SHARE 0.05
#define PLAUSIBLE   4.0 /* octaves of a factor that may be due to correlations */
enum {
    SWEEPS = 100,
    RANGE = 800, /* octaves that all factors together may span to either side */
    MOST_OCTAVES = 50
};

/* In octaves, of a factor of so many octaves. */
static double tempered(double x)
{
    return x - copysign(fmin(fabs(x), PLAUSIBLE), x) / 4;
}

static double worth(double open, double most)
{
    return exp2(fmax(fmin(tempered(log2(open)), most), -most));
}

pm_status pm_beam_score_plan(const pm_matrix *a, double (*value)[2], const int64_t *entry,
                             pm_beam_plan *p, pm_error *err)
{
    pm_bethe b = {0};
    pm_status rc = pm_bethe_make(a, value, LEAST_SHARE, SWEEPS, TOLERANCE, &b, err);
    double *open = pm_calloc_array(a->nrows + a->ncols, sizeof *open);
    if (!rc && !open)
        rc = pm_fail_memory(err, "beam plan");
    /* from the last edge back, so that nothing is subtracted */
    double most = fmin(RANGE / (double)p->bits, MOST_OCTAVES);
    for (int64_t t = p->nedges - 1; t >= 0 && !rc; --t) {
        pm_beam_edge *e = &p->edges[t];
        bool v_is_row = e->v < a->nrows;
        const double *to_v = v_is_row ? b.to_row : b.to_col, *to_u = v_is_row ? b.to_col : b.to_row;
        e->v_open = e->v_leaves ? 1 : worth(open[e->v], most);
        e->u_open = e->u_leaves ? 1 : worth(open[e->u], most);
        open[e->v] += to_v[entry[t]];
        open[e->u] += to_u[entry[t]];
    }
    free(open);
    pm_bethe_free(&b);
    return rc;
}

/* table[x] = product of open over the bits that x lacks. */
static void fill_table(const double *open, double *table)
{
    table[255] = 1;
    for (int x = 254; x >= 0; --x) {
        int lacks = __builtin_ctz(~(unsigned)x);
        table[x] = table[x | 1 << lacks] * open[lacks];
    }
}

void pm_beam_score(const pm_states *s, int32_t words, int32_t bits, const double *open,
                   double *table, double *score)
{
    int32_t bytes = (bits + 7) / 8;
    for (int32_t b = 0; b < bytes; ++b)
        fill_table(open + 8 * b, table + 256 * b);
    for (int64_t i = 0; i < s->n; ++i) {
        const uint64_t *key = s->keys + i * words;
        double h = s->hi[i];
        for (int32_t b = 0; b < bytes; ++b)
            h *= table[256 * b + (int)(key[b / 8] >> 8 * (b % 8) & 255)];
        score[i] = h;
    }
}
