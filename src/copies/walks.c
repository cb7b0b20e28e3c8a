/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "copies/walks.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

#include "copies/copies_entries.h"
#include "copies/walks_problem.h"
#include "copies/walks_run.h"
#include "number/dd.h"
#include "number/prime.h"
#include "pm/alloc.h"
#include "repeated/repeated_digits.h"

enum { LANES = PM_REPEATED_LANES, NOBODY = -1 };
#define MOST_STATES 0x1p26

static const pm_walks_kernel *kernel_for(pm_isa isa, int kind)
{
#if PM_HAVE_X86
    if (isa >= PM_ISA_AVX512)
        return pm_walks_avx512[kind];
    if (isa == PM_ISA_AVX2)
        return pm_walks_avx2[kind];
#endif
    (void)isa;
    return pm_walks_portable[kind];
}

static int64_t round_up(int64_t x)
{
    return (x + LANES - 1) / LANES * LANES;
}

/* ---- pairs ---- */

/* An odd number of vertices gets one more, NOBODY, which is always alone: no edges, and a loop of weight 1. */
typedef struct {
    int32_t count;
    int32_t end[PM_WALKS_ENDS_MAX]; /* the classes of i_0, j_0, i_1, ... */
    int32_t most[PM_WALKS_PAIRS_MAX];
} pairs;

static int32_t largest(const int32_t *left, int32_t n, int32_t but)
{
    int32_t best = but == 0 ? 1 : 0;
    for (int32_t v = best + 1; v < n; ++v)
        if (v != but && left[v] > left[best])
            best = v;
    return best;
}

/* The two vertices with most copies left are joined as often as possible, so the pairs are few.  What is left of one vertex in the
 * end is joined to itself.  Most copies come first. */
static pm_status find_pairs(const pm_vertex_classes *x, pairs *out, pm_error *err)
{
    int32_t left[PM_VERTEX_CLASSES_MAX + 2] = {0};
    const int32_t n = x->count + 2; /* two at least */
    int64_t all = x->total + x->total % 2;
    for (int32_t v = 0; v < x->count; ++v)
        left[v] = x->times[v];
    left[x->count] = (int32_t)(x->total % 2);
    *out = (pairs){.count = 0};
    while (all > 0) {
        const int32_t v = largest(left, n, NOBODY), u = largest(left, n, v);
        const bool is_alone = left[u] == 0;
        const int32_t times = is_alone ? left[v] / 2 : left[u];
        if (out->count == PM_WALKS_PAIRS_MAX)
            return pm_fail(err, PM_UNABLE, "repeated: more than %d kinds of pairs",
                           PM_WALKS_PAIRS_MAX);
        int32_t at = out->count++;
        for (; at > 0 && out->most[at - 1] < times; --at) {
            out->most[at] = out->most[at - 1];
            out->end[2 * at] = out->end[2 * at - 2];
            out->end[2 * at + 1] = out->end[2 * at - 1];
        }
        out->most[at] = times;
        out->end[2 * at] = v == x->count ? NOBODY : v;
        out->end[2 * at + 1] = is_alone ? out->end[2 * at] : u == x->count ? NOBODY : u;
        left[v] -= times;
        left[is_alone ? v : u] -= times;
        all -= 2 * (int64_t)times;
    }
    return PM_OK;
}

/* ---- cost ---- */

/* In vector operations: a product with its sum, each of which waits for the one before. */
static const double costs[PM_COPIES_KINDS] = {8, 14, 26, 88, 30};

/* Products of vectors of walks, and of closed walks with powers. */
static double walk_products(const pairs *g, bool has_loops)
{
    double states = 1, sum = 0, ends = 0, last = 0;
    for (int32_t k = 0; k < g->count; ++k) {
        ends = 2 * (k + 1);
        states *= g->most[k] + 1;
        last = states * ends * (double)round_up((int64_t)ends) / LANES;
        sum += last;
    }
    return sum + (has_loops ? last + states * ends : 0);
}

static double power_products(const pairs *g)
{
    double sum = 0, below = 1;
    for (int32_t k = 1; k < g->count; ++k) {
        const double most = g->most[k],
                     some = k == g->count - 1 ? most * (most - 1) / 2 : most * (most + 1) / 2;
        double box = most;
        for (int32_t j = 1; j < k; ++j)
            box *= g->most[j] + 1;
        sum += some * below + (k == g->count - 1 ? box : 0);
        below *= (most + 1) * (most + 2) / 2;
    }
    return sum * (g->most[0] + 1) * (double)round_up(g->most[0] + 1) / LANES;
}

static pm_status prepare(const pm_vertex_classes *x, int kind, pairs *g, pm_error *err)
{
    if (kind != PM_COPIES_RESIDUE && x->total > PM_COPIES_FLOAT_MAX)
        return pm_fail(err, PM_UNABLE,
                       "repeated counts real and complex graphs of up to %d vertices, not %lld",
                       PM_COPIES_FLOAT_MAX, (long long)x->total);
    pm_status status = find_pairs(x, g, err);
    double states = 1;
    for (int32_t k = 0; k < g->count; ++k)
        states *= g->most[k] + 1;
    if (!status && states > MOST_STATES)
        return pm_fail(err, PM_UNABLE, "repeated: too many walks");
    return status;
}

pm_status pm_walks_cost_of(const pm_vertex_classes *x, int kind, pm_copies_cost *out, pm_error *err)
{
    pairs g;
    pm_status status = prepare(x, kind, &g, err);
    if (status)
        return status;
    double states = 1;
    for (int32_t k = 0; k < g.count; ++k)
        states *= g.most[k] + 1;
    const double products = walk_products(&g, x->has_loops) + power_products(&g);
    const double size = kind == PM_COPIES_RESIDUE ? 0 : costs[PM_DENSE_REAL];
    const double numbers = (double)round_up(2 * g.count) + 1 + 2. * LANES + 2;
    *out = (pm_copies_cost){.terms = LANES * products,
                            .work = products * (costs[kind] + size) + 40 * states,
                            .memory = 1e5 + 8 * states * numbers * pm_copies_components(kind)};
    return PM_OK;
}

/* ---- the problem ---- */

typedef struct {
    pairs pairs;
    pm_copies entries;               /* of the classes: edge, loop, kind and p */
    int64_t shift;                   /* of the answer */
    double factor_edge, factor_loop; /* by which the entries are multiplied further */
} problem;

static void walks_free(pm_walks *w)
{
    free(w->room);
    free(w->inverse);
    free(w->halves);
    *w = (pm_walks){.room = NULL};
}

static void problem_free(problem *q)
{
    free(q->entries.edge);
    free(q->entries.loop);
}

static double size_of(const pm_copies_number *a)
{
    return hypot(a->x[0], a->x[2]) * (1 + 0x1p-48);
}

/* Of the edges of an end with all others. */
static const pm_copies_number *edge_of(const problem *q, int32_t u, int32_t v)
{
    static const pm_copies_number none = {{0}};
    const int32_t i = q->pairs.end[u], j = q->pairs.end[v];
    return i == NOBODY || j == NOBODY ? &none
                                      : &q->entries.edge[(int64_t)i * q->entries.digits.count + j];
}

/* No sum of the edges of an end, and no loop, is above 1 then, so no number of walks is. */
static void find_factors(problem *q, int64_t total)
{
    double most = 0;
    int top;
    for (int32_t u = 0; u < 2 * q->pairs.count; ++u) {
        double sum = 0;
        for (int32_t v = 0; v < 2 * q->pairs.count; ++v)
            sum += size_of(edge_of(q, u, v));
        most = fmax(most, sum);
        if (q->pairs.end[u] != NOBODY) {
            const double loop = size_of(&q->entries.loop[q->pairs.end[u]]);
            most = fmax(most, loop * loop);
        }
    }
    frexp(most, &top);
    const int by = most > 0 ? (int)floor(-(top + 1) / 2.) : 0;
    q->factor_edge = ldexp(1, 2 * by);
    q->factor_loop = ldexp(1, by);
    q->shift -= by * total;
}

static pm_status problem_make(const pm_vertex_classes *x, int kind, uint64_t prime, problem *q,
                              pm_error *err)
{
    pm_copies *f = &q->entries;
    *q = (problem){.factor_edge = 1, .factor_loop = 1};
    *f = (pm_copies){.kind = kind, .p = (double)prime, .inverse = 1 / (double)prime};
    pm_status status = prepare(x, kind, &q->pairs, err);
    if (status)
        return status;
    f->digits.count = x->count;
    for (int32_t i = 0; i < x->count; ++i)
        f->digits.digit[i].column = i;
    f->edge = pm_calloc_array((int64_t)x->count * x->count + 1, sizeof *f->edge);
    f->loop = pm_calloc_array(x->count + 1, sizeof *f->loop);
    if (!f->edge || !f->loop)
        return pm_fail_memory(err, "walks");
    pm_copies_set_entries(x, f, &q->shift);
    if (kind != PM_COPIES_RESIDUE)
        find_factors(q, x->total);
    return PM_OK;
}

static double least(double p, uint64_t residue)
{
    const double x = (double)residue;
    return x > p / 2 ? x - p : x;
}

static void set_fractions(pm_walks *w, int32_t n)
{
    const uint64_t p = (uint64_t)w->field.p;
    for (int32_t k = 1; k <= n; ++k)
        if (w->field.kind == PM_COPIES_RESIDUE) {
            w->inverse[k][0] = least(w->field.p, pm_mod_inverse((uint64_t)k, p));
            w->halves[k][0] = least(w->field.p, pm_mod_mul((uint64_t)k, pm_mod_inverse(2, p), p));
        } else {
            w->inverse[k][0] = 1. / k;
            w->inverse[k][1] = -fma(w->inverse[k][0], k, -1) / k;
            w->halves[k][0] = k / 2.;
        }
}

static pm_status allocate(pm_walks *w, pm_error *err)
{
    const int64_t components = pm_copies_components(w->field.kind), states = w->stride[w->pairs];
    const int64_t edges = 2 * w->pairs * components * w->width, loops = 2 * components * w->width;
    const int64_t walks = states * components * w->width, closed = round_up(states * components);
    const int64_t powers = states / w->stride[1] * components * (w->lead + w->row);
    w->room = pm_calloc_array(edges + loops + walks + closed + powers + LANES, sizeof *w->room);
    w->inverse = pm_calloc_array(w->most[0] + 1, sizeof *w->inverse);
    w->halves = pm_calloc_array(w->most[0] + 1, sizeof *w->halves);
    if (!w->room || !w->inverse || !w->halves)
        return pm_fail_memory(err, "walks");
    w->edge = pm_repeated_aligned(w->room);
    w->loop = w->edge + edges;
    w->walk = w->loop + loops;
    w->closed = w->walk + walks;
    w->power = w->closed + closed;
    return PM_OK;
}

/* to: component 0; sizes: those of absolute values */
static void put(const pm_walks *w, const pm_copies_number *a, double factor, bool sizes, double *to)
{
    for (int c = 0; c < pm_copies_components(w->field.kind); ++c)
        to[c * w->width] =
            factor * (sizes ? size_of(a) : a->x[w->field.kind == PM_DENSE_COMPLEX ? 2 * c : c]);
}

static void set_entries(const problem *q, bool sizes, pm_walks *w)
{
    static const pm_copies_number one = {{1}};
    const int64_t size = (int64_t)pm_copies_components(w->field.kind) * w->width;
    for (int32_t u = 0; u < 2 * w->pairs; ++u) {
        const int32_t class = q->pairs.end[u];
        for (int32_t v = 0; v < 2 * w->pairs; ++v)
            put(w, edge_of(q, v, u ^ 1), q->factor_edge, sizes, w->edge + v * size + u);
        const pm_copies_number *loop = class == NOBODY ? &one : &q->entries.loop[class];
        const double factor = class == NOBODY ? 1 : q->factor_loop;
        put(w, loop, factor, sizes, w->loop + u);
        put(w, loop, factor, sizes, w->loop + size + (u ^ 1));
    }
}

/* sizes: of absolute values, in double */
static pm_status walks_make(const problem *q, bool has_loops, bool sizes, pm_walks *w,
                            pm_error *err)
{
    const pairs *g = &q->pairs;
    *w = (pm_walks){.field = {.kind = sizes ? PM_DENSE_REAL : q->entries.kind,
                              .p = q->entries.p,
                              .inverse = q->entries.inverse},
                    .has_loops = has_loops,
                    .pairs = g->count,
                    .width = (int32_t)round_up(2 * g->count)};
    w->stride[0] = 1;
    for (int32_t k = 0; k < g->count; ++k) {
        w->most[k] = g->most[k];
        w->stride[k + 1] = w->stride[k] * (g->most[k] + 1);
    }
    w->lead = round_up(w->most[0]);
    w->row = round_up(w->most[0] + 1);
    pm_status status = allocate(w, err);
    if (status)
        return status;
    set_fractions(w, w->most[0]);
    set_entries(q, sizes, w);
    return PM_OK;
}

static bool is_short(const problem *q, bool has_loops)
{
    const double products = walk_products(&q->pairs, has_loops) + power_products(&q->pairs);
    return products * costs[q->entries.kind] < PM_WALKS_SHORT_WORK;
}

/* The coefficient, without the factor; residues: of least magnitude in out->x[0]. */
static pm_status coefficient(const problem *q, bool has_loops, bool sizes, pm_isa isa,
                             const pm_run *run, pm_copies_number *out, pm_error *err)
{
    pm_walks w;
    *out = (pm_copies_number){{q->pairs.count == 0}};
    if (q->pairs.count == 0)
        return PM_OK;
    pm_status status = walks_make(q, has_loops, sizes, &w, err);
    if (!status)
        status = pm_walks_run(kernel_for(isa, w.field.kind), &w, is_short(q, has_loops), run, err);
    if (!status) {
        const int components = pm_copies_components(w.field.kind);
        const int64_t size = w.lead + w.row, last = w.stride[w.pairs] / w.stride[1] - 1;
        const double *from = w.power + last * components * size + w.lead + w.most[0];
        for (int c = 0; c < components; ++c)
            out->x[w.field.kind == PM_DENSE_COMPLEX ? 2 * c : c] = from[c * size];
    }
    walks_free(&w);
    return status;
}

static void set_factor(const pairs *g, mpz_t out)
{
    mpz_t x;
    mpz_init(x);
    mpz_set_ui(out, 1);
    for (int32_t k = 0; k < g->count; ++k) {
        mpz_fac_ui(x, (unsigned long)g->most[k]);
        mpz_mul(out, out, x);
    }
    mpz_clear(x);
}

/* ---- residues ---- */

pm_status pm_walks_residue(const pm_vertex_classes *x, uint64_t prime, pm_isa isa,
                           const pm_run *run, uint64_t *residue, pm_error *err)
{
    problem q;
    pm_copies_number a;
    pm_status status = problem_make(x, PM_COPIES_RESIDUE, prime, &q, err);
    if (!status)
        status = coefficient(&q, x->has_loops, false, isa, run, &a, err);
    if (!status) {
        const int64_t r = (int64_t)fmod(a.x[0], (double)prime);
        mpz_t factor;
        mpz_init(factor);
        set_factor(&q.pairs, factor);
        *residue = pm_mod_mul((uint64_t)(r < 0 ? r + (int64_t)prime : r),
                              mpz_fdiv_ui(factor, prime), prime);
        mpz_clear(factor);
    }
    problem_free(&q);
    return status;
}

/* ---- real and complex numbers ---- */

/* The error of a sum of m products, relative to the sum of the absolute values, in units of u = 2^-53, or of u^2 for double-doubles.  The
 * high parts of these are added without error; a low part is at most (m + 4) u, and each of m additions to it rounds twice; a product leaves
 * out or rounds at most 32.  Complex parts have twice as many real products, relative to the same sizes, and both count: sqrt 2. */
static double sum_rounding(bool is_quad, double m)
{
    return 1.5 * (is_quad ? 2 * m * m + 10 * m + 32 : m + 5);
}

/* Each of n pairs is in one jump, and one sum of walks at most ends with it; and in one sum of the exponential, the parts of which
 * are normalised before they are added: five roundings each.  The entries are rounded before. */
static double relative_error(const pairs *g, int kind, double total)
{
    const bool is_quad = kind >= PM_DENSE_QUAD;
    const double unit = is_quad ? 0x1p-106 : 0x1p-53;
    double n = 0, rows = 1;
    for (int32_t k = 0; k < g->count; ++k) {
        n += g->most[k];
        rows *= k ? g->most[k] + 1 : 1;
    }
    const double walk = 2 * sum_rounding(is_quad, 2 * g->count) + 64;
    const double power = sum_rounding(is_quad, g->most[0] + 1) + 8 * rows + 64;
    return 1.01 * (unit * (n * (walk + power) + 4 * total) + 4 * total * PM_XREAL_EPS);
}

/* All walks are at most 1, and the coefficients of the exponential, of absolute values, at most 2^350: with all y = r = n / (n + m), n
 * vertices and m kinds of pairs, exp L is at most (1 - r)^-m exp(m / (1 - r)), and r^-n at most e^m.  Less than 2^50 steps lose at most 2^-1020
 * each, times 2^350 at most for what follows. */
#define UNDERFLOW_ERROR 0x1p-600

static void finish(const pm_vertex_classes *x, const problem *q, const pm_copies_number *a,
                   double size, pm_value *out)
{
    mpq_t product;
    mpq_init(product);
    set_factor(&q->pairs, mpq_numref(product));
    const pm_xreal factor = pm_xreal_from_mpq(product);
    mpq_clear(product);
    const double error =
        size * (1 + 0x1p-20) * relative_error(&q->pairs, q->entries.kind, (double)x->total)
        + 4 * PM_XREAL_EPS * (fabs(a->x[0]) + fabs(a->x[2])) + UNDERFLOW_ERROR;
    pm_value_set_real(out, x->a->field,
                      pm_xreal_mul(pm_xreal_make(a->x[0], a->x[1], q->shift), factor),
                      pm_xreal_mul(pm_xreal_make(a->x[2], a->x[3], q->shift), factor),
                      pm_xreal_mul(pm_xreal_make(error * (1 + 0x1p-40), 0, q->shift), factor));
}

pm_status pm_walks_float(const pm_vertex_classes *x, int kind, pm_isa isa, const pm_run *run,
                         pm_value *out, pm_error *err)
{
    problem q;
    pm_copies_number a, size;
    pm_status status = problem_make(x, kind, 0, &q, err);
    if (!status)
        status = coefficient(&q, x->has_loops, false, isa, run, &a, err);
    if (!status)
        status = coefficient(&q, x->has_loops, true, isa, run, &size, err);
    if (!status)
        finish(x, &q, &a, size.x[0], out);
    problem_free(&q);
    return status;
}
