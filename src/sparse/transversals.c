/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sparse/transversals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "pm/alloc.h"
#include "sweep/term.h"

enum { MAX = PM_SQUARE_MAX, PREFIXES = 4096 };

/* Lines are rows (side 0) and columns (side 1). */
typedef struct {
    int32_t n;
    int limbs; /* exact; 0: inexact */
    bool is_complex, has_spread;
    uint64_t partners[2][MAX]; /* of each line: the set of lines of the other side */
    int64_t re[MAX][MAX];      /* integers; by row and column */
    double value[MAX][MAX][2]; /* real and complex: scaled to |re| + |im| <= 1 */
    double inexact[MAX];       /* the error of each entry of the row, times PM_SPREAD_SCALE */
    int64_t shift;
} matrix;

/* A partial transversal: the free rows and columns, and the product of the chosen entries. */
typedef struct {
    uint64_t free[2];
    int factors; /* integers: factor[0 .. factors-1], each within 63 bits and a sign */
    int64_t factor[MAX];
    double z[2];         /* real and complex */
    double size, raised; /* products of |re| + |im|, without and with the errors added */
} partial;

typedef struct {
    matrix m;
    int64_t count, cap;
    partial *prefix;
} problem;

/* ---- one step ---- */

/* Finds the line with the fewest free partners and returns their number. */
static int scarcest(const matrix *m, const uint64_t *free, int *side, int *line)
{
    int fewest = MAX + 1;
    for (int s = 0; s < 2; ++s)
        for (uint64_t left = free[s]; left; left &= left - 1) {
            int i = __builtin_ctzll(left);
            int partners = __builtin_popcountll(m->partners[s][i] & free[!s]);
            if (partners >= fewest)
                continue;
            fewest = partners;
            *side = s;
            *line = i;
            if (fewest <= 1)
                return fewest;
        }
    return fewest;
}

static void choose_integer(const matrix *m, int row, int col, partial *p)
{
    int64_t a = m->re[row][col], product;
    int last = p->factors - 1;
    if (last < 0 || __builtin_mul_overflow(p->factor[last], a, &product))
        p->factor[p->factors++] = a;
    else
        p->factor[last] = product;
}

static void choose_inexact(const matrix *m, int row, int col, partial *p)
{
    const double *a = m->value[row][col];
    double size = fabs(a[0]) + fabs(a[1]);
    if (m->is_complex)
        pm_terms_multiply(p->z, a[0], a[1]);
    else
        p->z[0] *= a[0];
    p->size *= size;
    p->raised *= size + m->inexact[row];
}

/* *to: *from with one more entry. */
static void choose(const matrix *m, const partial *from, int side, int line, int partner,
                   partial *to)
{
    int row = side ? partner : line, col = side ? line : partner;
    to->free[0] = from->free[0] & ~(UINT64_C(1) << row);
    to->free[1] = from->free[1] & ~(UINT64_C(1) << col);
    if (m->limbs) {
        to->factors = from->factors;
        memcpy(to->factor, from->factor, (size_t)from->factors * sizeof *to->factor);
        choose_integer(m, row, col, to);
    } else {
        memcpy(to->z, from->z, sizeof to->z);
        to->size = from->size;
        to->raised = from->raised;
        choose_inexact(m, row, col, to);
    }
}

/* ---- the search ---- */

static void add_transversal(const matrix *m, const partial *p, pm_sum *sum)
{
    if (m->limbs) {
        pm_terms_add_factors(p->factor, p->factors, m->limbs, false, sum);
    } else {
        if (m->is_complex)
            pm_terms_add_complex(p->z, false, sum);
        else
            pm_terms_add_real(p->z[0], false, sum);
        /* a bound of the rounding error of the difference; products out of the range of a double,
         * since an index stands for any number of them */
        if (m->has_spread)
            sum->spread += (p->raised - p->size + 0x1p-53 * 6 * m->n * p->raised) / PM_SPREAD_SCALE;
        if (p->size < 0x1p-1000)
            sum->spread += 0x1p-1060;
    }
}

static void search(const matrix *m, const partial *p, pm_sum *sum)
{
    int side = 0, line = 0;
    if (!p->free[0]) {
        add_transversal(m, p, sum);
        return;
    }
    scarcest(m, p->free, &side, &line);
    partial next;
    for (uint64_t left = m->partners[side][line] & p->free[!side]; left; left &= left - 1) {
        choose(m, p, side, line, __builtin_ctzll(left), &next);
        search(m, &next, sum);
    }
}

static void range(const void *of, uint64_t first, uint64_t end, pm_sum *sum)
{
    const problem *p = of;
    for (uint64_t i = first; i < end && i < (uint64_t)p->count; ++i)
        search(&p->m, &p->prefix[i], sum);
    if (!p->m.limbs)
        pm_terms_settle(sum);
}

/* ---- the list of prefixes ---- */

static bool grow(const matrix *m, const partial *p, partial **list, int64_t *count, int64_t *cap)
{
    int side = 0, line = 0;
    if (!p->free[0]) {
        if (PM_GROW(*list, *cap, *count + 1))
            return false;
        (*list)[(*count)++] = *p;
        return true;
    }
    scarcest(m, p->free, &side, &line);
    for (uint64_t left = m->partners[side][line] & p->free[!side]; left; left &= left - 1) {
        if (PM_GROW(*list, *cap, *count + 1))
            return false;
        choose(m, p, side, line, __builtin_ctzll(left), &(*list)[(*count)++]);
    }
    return true;
}

/* Extends all partial transversals by one entry until there are PREFIXES, or all are complete. */
static pm_status list_prefixes(problem *p, pm_error *err)
{
    const matrix *m = &p->m;
    partial root = {.factors = 0, .z = {1, 0}, .size = 1, .raised = 1};
    root.free[0] = root.free[1] = UINT64_MAX >> (64 - m->n);
    if (PM_GROW(p->prefix, p->cap, 1))
        return pm_fail_memory(err, "enumerate");
    p->prefix[p->count++] = root;
    for (int32_t level = 0; level < m->n && p->count < PREFIXES; ++level) {
        partial *list = NULL;
        int64_t count = 0, cap = 0;
        bool ok = true;
        for (int64_t i = 0; i < p->count && ok; ++i)
            ok = grow(m, &p->prefix[i], &list, &count, &cap);
        free(p->prefix);
        p->prefix = list;
        p->count = count;
        p->cap = cap;
        if (!ok)
            return pm_fail_memory(err, "enumerate");
    }
    return PM_OK;
}

/* ---- the sweep ---- */

static void take_entry(const pm_square *s, int32_t row, int32_t col, int32_t k, matrix *m)
{
    double scale = ldexp(1, -ilogb(fmax((double)s->bound[row], 1)) - 1);
    if (s->re[k] == 0 && (!s->im || s->im[k] == 0) && s->inexact[row] == 0)
        return;
    m->partners[0][row] |= UINT64_C(1) << col;
    m->partners[1][col] |= UINT64_C(1) << row;
    m->re[row][col] = s->re[k];
    m->value[row][col][0] = (double)s->re[k] * scale;
    m->value[row][col][1] = s->im ? (double)s->im[k] * scale : 0;
    m->inexact[row] = s->inexact[row] * scale * PM_SPREAD_SCALE;
    m->has_spread |= s->inexact[row] > 0;
}

static void make_matrix(const pm_square *s, matrix *m)
{
    memset(m, 0, sizeof *m);
    m->n = s->n;
    m->is_complex = s->im != NULL;
    for (int32_t j = 0; j < s->n; ++j)
        for (int32_t k = s->colptr[j]; k < s->colptr[j + 1]; ++k)
            take_entry(s, s->rowind[k], j, k, m);
    if (s->field <= PM_INTEGER)
        m->limbs = pm_square_limbs(s, 0);
    else
        for (int32_t i = 0; i < s->n; ++i)
            m->shift += ilogb(fmax((double)s->bound[i], 1)) + 1;
}

static void free_problem(void *of)
{
    problem *p = of;
    if (p)
        free(p->prefix);
    free(p);
}

/* One index has nodes / count nodes, of some 20 nanoseconds each. */
static uint64_t piece_of(const pm_transversals_estimate *e, int64_t count)
{
    double wanted = 1e5 * (double)count / fmax(e ? e->nodes : 1e8, 1);
    return wanted < 1 ? 1 : wanted > 1024 ? 1024 : (uint64_t)wanted;
}

pm_status pm_transversals_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                  pm_error *err)
{
    problem *p = pm_calloc_array(1, sizeof *p);
    if (!p)
        return pm_fail_memory(err, "enumerate");
    make_matrix(s, &p->m);
    pm_status status = list_prefixes(p, err);
    if (status) {
        free_problem(p);
        return status;
    }
    *out = (pm_sweep){.what = "enumerate",
                      .count = p->count ? (uint64_t)p->count : 1,
                      .grain = 1,
                      .piece = piece_of(choice, p->count),
                      .limbs = p->m.limbs,
                      /* entries and products are rounded, complex ones more: sweep/term.h */
                      .rounding = p->m.limbs ? 0
                                             : (1 + 0x1p-10) * 0x1p-53
                                                   * ((p->m.is_complex ? 3.25 : 2) * s->n + 2),
                      .shift = p->m.shift,
                      .problem = p,
                      .range = range,
                      .free_problem = free_problem};
    return PM_OK;
}

/* ---- prediction ---- */

typedef struct {
    uint64_t free[2];
} tree_node;

typedef struct {
    tree_node node[PM_TRANSVERSALS_SAMPLE];
    int32_t count;
    double weight; /* the number of nodes that each one represents */
} population;

static uint64_t children(const matrix *m, const tree_node *x, int *side, int *line)
{
    *side = *line = 0;
    scarcest(m, x->free, side, line);
    return m->partners[*side][*line] & x->free[!*side];
}

/* All children of all nodes, or a systematic sample of `most` of them with a random start. */
static void descend(const matrix *m, const population *from, int32_t total, int32_t most,
                    uint64_t *rng, population *to)
{
    int32_t keep = total < most ? total : most, seen = 0;
    double step = (double)total / fmax(keep, 1), at = pm_rng_unit(rng) * step;
    int side, line;
    if (keep == total)
        at = 0;
    to->count = 0;
    to->weight = from->weight * step;
    for (int32_t i = 0; i < from->count; ++i) {
        uint64_t left = children(m, &from->node[i], &side, &line);
        for (; left; left &= left - 1, ++seen) {
            if (to->count == keep || seen != (int32_t)(at + to->count * step))
                continue;
            tree_node *x = &to->node[to->count++];
            *x = from->node[i];
            x->free[side] &= ~(UINT64_C(1) << line);
            x->free[!side] &= ~(left & (0 - left));
        }
    }
}

pm_status pm_transversals_predict(const pm_square *s, int sample, double most,
                                  pm_transversals_estimate *out, pm_error *err)
{
    struct {
        matrix m;
        population at[2];
    } *w = pm_calloc_array(1, sizeof *w);
    if (!w)
        return pm_fail_memory(err, "enumerate");
    uint64_t rng = 1;
    int now = 0, side, line;
    make_matrix(s, &w->m);
    population *p = &w->at[0];
    p->count = 1;
    p->weight = 1;
    p->node[0].free[0] = p->node[0].free[1] = UINT64_MAX >> (64 - s->n);
    out->nodes = 0;
    for (int32_t depth = 0; depth < s->n && p->count && out->nodes <= most; ++depth) {
        int32_t total = 0;
        for (int32_t i = 0; i < p->count; ++i)
            total += __builtin_popcountll(children(&w->m, &p->node[i], &side, &line));
        out->nodes += p->weight * total;
        descend(&w->m, p, total, sample, &rng, &w->at[!now]);
        now = !now;
        p = &w->at[now];
    }
    out->transversals = p->weight * p->count;
    /* a level below PREFIXES and the next one, in an array that has doubled */
    out->bytes = 3 * fmin(out->nodes + 1, (double)PREFIXES * s->n) * sizeof(partial);
    free(w);
    return PM_OK;
}
