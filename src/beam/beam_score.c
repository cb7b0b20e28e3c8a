/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "beam/beam_score.h"

#include <math.h>
#include <stdlib.h>

#include "bounds/bethe.h"
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

/* What is to come for a vertex. */
typedef struct {
    double open;
    int32_t edges, ends; /* how many, and the exclusive or of their other ends */
} prospect;

static void tell(const prospect *p, bool leaves, double most, double *open, int32_t *last)
{
    *open = leaves ? 1 : worth(p->open, most);
    *last = p->edges == 1 ? p->ends : -1;
}

static void look_forward(prospect *p, double message, int32_t neighbour)
{
    p->open += message;
    p->ends ^= neighbour;
    ++p->edges;
}

pm_status pm_beam_score_plan(const pm_matrix *a, double (*value)[2], const int64_t *entry,
                             pm_beam_plan *p, pm_error *err)
{
    pm_bethe b = {0};
    pm_status status = pm_bethe_make(a, value, LEAST_SHARE, SWEEPS, TOLERANCE, &b, err);
    prospect *of = pm_calloc_array(a->nrows + a->ncols, sizeof *of);
    if (!status && !of)
        status = pm_fail_memory(err, "beam plan");
    /* from the last edge back, so that nothing is subtracted */
    double most = fmin(RANGE / (double)p->bits, MOST_OCTAVES);
    for (int64_t t = p->nedges - 1; t >= 0 && !status; --t) {
        pm_beam_edge *e = &p->edges[t];
        bool v_is_row = e->v < a->nrows;
        const double *to_v = v_is_row ? b.to_row : b.to_col, *to_u = v_is_row ? b.to_col : b.to_row;
        tell(&of[e->v], e->v_leaves, most, &e->v_open, &e->v_last);
        tell(&of[e->u], e->u_leaves, most, &e->u_open, &e->u_last);
        look_forward(&of[e->v], to_v[entry[t]], e->u);
        look_forward(&of[e->u], to_u[entry[t]], e->v);
    }
    free(of);
    pm_bethe_free(&b);
    return status;
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

int32_t pm_beam_find_conflicts(int32_t bits, const pm_beam_frontier *f)
{
    int32_t n = 0;
    for (int32_t b = 0; b < bits; ++b) {
        if (f->last[b] < 0)
            continue;
        int32_t w = f->bit_of[f->last[b]];
        if (w >= 0)
            f->clash[n++] = (pm_beam_conflict){b, w, true};
        for (int32_t c = 0; c < b; ++c)
            if (f->last[c] == f->last[b]) {
                f->clash[n++] = (pm_beam_conflict){b, c, false};
                break;
            }
    }
    return n;
}

static bool is_dead(const uint64_t *key, const pm_beam_conflict *clash, int32_t nclashes)
{
    for (int32_t c = 0; c < nclashes; ++c) {
        bool u = key[clash[c].unmatched / 64] & pm_state_bit(clash[c].unmatched);
        bool w = key[clash[c].other / 64] & pm_state_bit(clash[c].other);
        if (!u && w == clash[c].is_set)
            return true;
    }
    return false;
}

void pm_beam_score(const pm_states *s, int32_t words, int32_t bits, const pm_beam_frontier *front,
                   double *score)
{
    int32_t nclashes = pm_beam_find_conflicts(bits, front);
    double *table = front->table;
    int32_t bytes = (bits + 7) / 8;
    for (int32_t b = 0; b < bytes; ++b)
        fill_table(front->open + 8 * b, table + 256 * b);
    for (int64_t i = 0; i < s->n; ++i) {
        const uint64_t *key = s->keys + i * words;
        double h = s->hi[i];
        for (int32_t b = 0; b < bytes; ++b)
            h *= table[256 * b + (int)(key[b / 8] >> 8 * (b % 8) & 255)];
        score[i] = nclashes && is_dead(key, front->clash, nclashes) ? 0 : h;
    }
}

void pm_beam_frontier_clear(pm_beam_frontier *f, int32_t bits, int32_t vertices)
{
    for (int32_t k = 0; k < bits; ++k) {
        f->open[k] = 1;
        f->last[k] = -1;
    }
    for (int32_t v = 0; v < vertices; ++v)
        f->bit_of[v] = -1;
}

static void set_bit(pm_beam_frontier *f, int32_t bit, int32_t vertex, bool leaves, double open,
                    int32_t last)
{
    f->open[bit] = open;
    f->last[bit] = leaves ? -1 : last;
    f->bit_of[vertex] = leaves ? -1 : bit;
}

void pm_beam_frontier_update(pm_beam_frontier *f, const pm_beam_edge *e)
{
    set_bit(f, e->v_bit, e->v, e->v_leaves, e->v_open, e->v_last);
    set_bit(f, e->u_bit, e->u, e->u_leaves, e->u_open, e->u_last);
}
