/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "beam/beam_score.h"

#include <math.h>
#include <stdlib.h>

#include "bounds/bethe.h"
#include "pm/alloc.h"

#define TOLERANCE        1e-6
#define MIN_SHARE        0.05
#define TEMPERED_OCTAVES 4.0 /* log2 of factors that may be due to correlations */
enum {
    ITERATIONS = 100,
    TOTAL_OCTAVES = 800, /* largest |log2| of the product of all factors */
    MAX_OCTAVES = 50     /* largest |log2| of one factor */
};

/* x = log2 of f(u); returns log2 of the factor of the score. */
static double tempered(double x)
{
    return x - copysign(fmin(fabs(x), TEMPERED_OCTAVES), x) / 4;
}

static double score_factor(double f, double max_log2)
{
    return exp2(fmax(fmin(tempered(log2(f)), max_log2), -max_log2));
}

/* The edges of a vertex that are processed later. */
typedef struct {
    double sum;                /* of their messages: f(u) */
    int32_t edges, neighbours; /* their number; the exclusive or of their other vertices */
} future;

static void set_factor(const future *p, bool leaves, double max_log2, double *factor,
                       int32_t *last_neighbour)
{
    *factor = leaves ? 1 : score_factor(p->sum, max_log2);
    *last_neighbour = p->edges == 1 ? p->neighbours : -1;
}

static void add_edge(future *p, double message, int32_t neighbour)
{
    p->sum += message;
    p->neighbours ^= neighbour;
    ++p->edges;
}

pm_status pm_beam_score_plan(const pm_matrix *a, double (*value)[2], const int64_t *entry,
                             const pm_run *run, pm_beam_plan *p, pm_error *err)
{
    static const pm_bethe_limits limits = {MIN_SHARE, ITERATIONS, TOLERANCE};
    pm_bethe b = {0};
    pm_status status = pm_bethe_make(a, value, &limits, NULL, run, &b, err);
    future *of = pm_calloc_array(a->nrows + a->ncols, sizeof *of);
    if (!status && !of)
        status = pm_fail_memory(err, "beam plan");
    if (!status)
        pm_bethe_balance(pm_matrix_nnz(a), &b);
    /* from the last edge to the first, so that messages are only added, never subtracted */
    double max_log2 = fmin(TOTAL_OCTAVES / (double)p->bits, MAX_OCTAVES);
    for (int64_t t = p->nedges - 1; t >= 0 && !status; --t) {
        pm_beam_edge *e = &p->edges[t];
        bool v_is_row = e->v < a->nrows;
        const double *to_v = v_is_row ? b.to_row : b.to_col, *to_u = v_is_row ? b.to_col : b.to_row;
        set_factor(&of[e->v], e->v_leaves, max_log2, &e->v_factor, &e->v_last_neighbour);
        set_factor(&of[e->u], e->u_leaves, max_log2, &e->u_factor, &e->u_last_neighbour);
        add_edge(&of[e->v], to_v[entry[t]], e->u);
        if (e->u != e->v)
            add_edge(&of[e->u], to_u[entry[t]], e->v);
    }
    free(of);
    pm_bethe_free(&b);
    return status;
}

/* table[x] = product of factor[k] over the bits k, 0 .. 7, that are clear in x. */
static void fill_table(const double *factor, double *table)
{
    table[255] = 1;
    for (int x = 254; x >= 0; --x) {
        int missing = __builtin_ctz(~(unsigned)x);
        table[x] = table[x | 1 << missing] * factor[missing];
    }
}

int32_t pm_beam_find_conflicts(int32_t bits, const pm_beam_frontier *f)
{
    int32_t n = 0;
    for (int32_t b = 0; b < bits; ++b) {
        if (f->last_neighbour[b] < 0)
            continue;
        int32_t w = f->bit_of[f->last_neighbour[b]];
        if (w >= 0)
            f->conflict[n++] = (pm_beam_conflict){b, w, true};
        for (int32_t c = 0; c < b; ++c)
            if (f->last_neighbour[c] == f->last_neighbour[b]) {
                f->conflict[n++] = (pm_beam_conflict){b, c, false};
                break;
            }
    }
    return n;
}

static bool is_dead(const uint64_t *key, const pm_beam_conflict *clash, int32_t nconflicts)
{
    for (int32_t c = 0; c < nconflicts; ++c) {
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
    int32_t nconflicts = pm_beam_find_conflicts(bits, front);
    double *table = front->byte_factor;
    int32_t bytes = (bits + 7) / 8;
    for (int32_t b = 0; b < bytes; ++b)
        fill_table(front->factor + 8 * b, table + 256 * b);
    for (int64_t i = 0; i < s->n; ++i) {
        const uint64_t *key = s->keys + i * words;
        double h = s->hi[i];
        for (int32_t b = 0; b < bytes; ++b)
            h *= table[256 * b + (int)(key[b / 8] >> 8 * (b % 8) & 255)];
        score[i] = nconflicts && is_dead(key, front->conflict, nconflicts) ? 0 : h;
    }
}

void pm_beam_frontier_clear(pm_beam_frontier *f, int32_t bits, int32_t vertices)
{
    for (int32_t k = 0; k < bits; ++k) {
        f->factor[k] = 1;
        f->last_neighbour[k] = -1;
    }
    for (int32_t v = 0; v < vertices; ++v)
        f->bit_of[v] = -1;
}

static void set_bit(pm_beam_frontier *f, int32_t bit, int32_t vertex, bool leaves, double factor,
                    int32_t last_neighbour)
{
    f->factor[bit] = factor;
    f->last_neighbour[bit] = leaves ? -1 : last_neighbour;
    f->bit_of[vertex] = leaves ? -1 : bit;
}

void pm_beam_frontier_update(pm_beam_frontier *f, const pm_beam_edge *e)
{
    set_bit(f, e->v_bit, e->v, e->v_leaves, e->v_factor, e->v_last_neighbour);
    set_bit(f, e->u_bit, e->u, e->u_leaves, e->u_factor, e->u_last_neighbour);
}
