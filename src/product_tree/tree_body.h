/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_body.h: the interpreters of product_tree/tree.h for one vector unit.  The
 * includer defines PM_LANES: 8 (AVX-512), 4 (AVX2 with FMA) or 2 (any machine).  All vector units
 * give the same digits.
 *
 * Modulo p < 2^50: h = a b rounded, l = a b - h exactly, q = h / p rounded to an integer; then
 * r = (h - q p) + l is congruent to a b.  With |a|, |b| <= p the quotient is below 2^50, its error
 * below 1/2 + 3/8, so |r| < p; h - q p is an integer below 2^53 and exact. */
#ifndef PM_TREE_BODY_H
#define PM_TREE_BODY_H

#include <math.h>
#include <string.h>

#include "core/lanes.h"
#include "product_tree/tree.h"

#define FOUR _Pragma("GCC unroll 4") for (int i = 0; i < 4; ++i)

enum { WIDTH = 4 * PM_LANES };

/* Four vectors hide the latency of a multiplication. */
typedef struct __attribute__((may_alias)) {
    vec v[4];
} part;

typedef struct {
    part re, im;
} value;

/* ---- parts ---- */

PM_BODY void zero(part *a)
{
    FOUR a->v[i] = (vec){0};
}

PM_BODY void add(part *a, const part *b)
{
    FOUR a->v[i] += b->v[i];
}

PM_BODY void sub(part *a, const part *b)
{
    FOUR a->v[i] -= b->v[i];
}

PM_BODY void mul(part *a, const part *b)
{
    FOUR a->v[i] *= b->v[i];
}

PM_BODY void mul_complex(value *a, const part *b)
{
    FOUR
    {
        vec re = a->re.v[i] * b[0].v[i] - a->im.v[i] * b[1].v[i];
        a->im.v[i] = a->re.v[i] * b[1].v[i] + a->im.v[i] * b[0].v[i];
        a->re.v[i] = re;
    }
}

/* high + low += a, exact except for the rounding of low. */
PM_BODY void two_sum(double *high, double *low, const part *a)
{
    part *h = (part *)high, *l = (part *)low;
    FOUR
    {
        vec s = h->v[i] + a->v[i], t = s - h->v[i];
        l->v[i] += (h->v[i] - (s - t)) + (a->v[i] - t);
        h->v[i] = s;
    }
}

PM_BODY vec size(vec a)
{
    return (vec)((words)a & INT64_MAX);
}

PM_BODY vec modulus(vec re, vec im)
{
    vec square = re * re + im * im;
#if PM_LANES == 8
    return _mm512_sqrt_pd(square);
#elif PM_LANES == 4
    return _mm256_sqrt_pd(square);
#else
    return (vec){sqrt(square[0]), sqrt(square[1])};
#endif
}

PM_BODY void add_size(part *a, const part *b)
{
    FOUR a->v[i] += size(b->v[i]);
}

/* ---- residues ---- */

#if PM_LANES == 2
/* a b - h, where h is the rounded product: Dekker 1971. */
PM_BODY vec product_error(vec a, vec b, vec h)
{
    vec as = a * 0x1.000002p27, bs = b * 0x1.000002p27;
    vec ah = as - (as - a), bh = bs - (bs - b), al = a - ah, bl = b - bh;
    return ((ah * bh - h) + ah * bl + al * bh) + al * bl;
}

/* h - q p, an integer below 2^53 */
PM_BODY vec less_product(vec h, vec q, vec p)
{
    vec m = q * p;
    return (h - m) - product_error(q, p, m);
}
#else
/* a b + c, rounded once */
PM_BODY vec fused(vec a, vec b, vec c)
{
#if PM_LANES == 8
    return _mm512_fmadd_pd(a, b, c);
#else
    return _mm256_fmadd_pd(a, b, c);
#endif
}

PM_BODY vec product_error(vec a, vec b, vec h)
{
    return fused(a, b, -h);
}

PM_BODY vec less_product(vec h, vec q, vec p)
{
    return fused(-q, p, h);
}
#endif

#define MAGIC 0x1.8p52 /* adding it to a double below 2^51 rounds that to an integer */

PM_BODY void mul_residue(part *a, const part *b, double prime_one, double inverse_one)
{
    vec prime = (vec){0} + prime_one, inverse = (vec){0} + inverse_one;
    FOUR
    {
        vec h = a->v[i] * b->v[i], l = product_error(a->v[i], b->v[i], h);
        vec q = (h * inverse + MAGIC) - MAGIC;
        a->v[i] = less_product(h, q, prime) + l;
    }
}

PM_BODY void reduce(part *a, double prime_one, double inverse_one)
{
    vec prime = (vec){0} + prime_one, inverse = (vec){0} + inverse_one;
    FOUR
    {
        vec q = (a->v[i] * inverse + MAGIC) - MAGIC;
        a->v[i] = less_product(a->v[i], q, prime);
    }
}

/* ---- steps ---- */

/* The arithmetic of an interpreter; a constant in each instance. */
enum arithmetic { REAL, COMPLEX, RESIDUES, MAGNITUDES /* real, differences are sums */ };

PM_BODY part *cell(double *cells, int32_t c, enum arithmetic kind)
{
    return (part *)cells + (kind == COMPLEX ? 2 * c : c);
}

PM_BODY void multiply(value *a, const part *b, enum arithmetic kind)
{
    if (kind == COMPLEX)
        mul_complex(a, b);
    else
        mul(&a->re, b);
}

PM_BODY void subtract(value *a, const part *b, enum arithmetic kind)
{
    if (kind == MAGNITUDES)
        add(&a->re, b);
    else
        sub(&a->re, b);
    if (kind == COMPLEX)
        sub(&a->im, b + 1);
}

/* One step.  *a: the result of the previous step, then of this one. */
PM_BODY void run_step(const pm_tree_program *p, const pm_tree_step *s, double *cells, value *a,
                      enum arithmetic kind)
{
    const int32_t *o = p->operand + s->first, *end = p->operand + s->end;
    if (!s->follows) {
        const part *first = cell(cells, *o++, kind);
        a->re = first[0];
        if (kind == COMPLEX)
            a->im = first[1];
    }
    if (s->kind == PM_TREE_PRODUCT) {
        for (; o < end; ++o)
            multiply(a, cell(cells, *o, kind), kind);
    } else if (kind == RESIDUES && s->kind == PM_TREE_RESIDUE_PRODUCT) {
        for (; o < end; ++o)
            mul_residue(&a->re, cell(cells, *o, kind), p->prime[s->prime], p->inverse[s->prime]);
    } else {
        if (o < end)
            subtract(a, cell(cells, *o, kind), kind);
        if (kind == RESIDUES && s->kind == PM_TREE_RESIDUE_DIFFERENCE)
            reduce(&a->re, p->prime[s->prime], p->inverse[s->prime]);
    }
}

/* All steps of an action but those of the terms, which are returned. */
PM_BODY const pm_tree_step *run_steps(const pm_tree_program *p, const pm_tree_action *action,
                                      double *cells, value *a, enum arithmetic kind)
{
    const pm_tree_step *s = p->step + action->first_step;
    const pm_tree_step *term = p->step + action->end_step - (kind == RESIDUES ? p->nterms : 1);
    for (; s < term; ++s) {
        run_step(p, s, cells, a, kind);
        part *out = cell(cells, s->out, kind);
        out[0] = a->re;
        if (kind == COMPLEX)
            out[1] = a->im;
    }
    return term;
}

PM_BODY void update(const pm_tree_program *p, const pm_tree_action *action, bool minus,
                    double *cells, enum arithmetic kind)
{
    double sign = minus ? -1 : 1;
    for (int32_t k = action->first_update; k < action->end_update; ++k) {
        const pm_tree_update *u = &p->update[k];
        part *x = cell(cells, u->cell, kind);
        double re = sign * u->re, im = sign * u->im;
        FOUR x[0].v[i] += re;
        if (kind == COMPLEX)
            FOUR x[1].v[i] += im;
    }
}

/* ---- the terms' magnitudes ---- */

/* The term with every input replaced by its magnitude plus `raise` times the bound of its error. */
PM_BODY void magnitude(const pm_tree_program *p, pm_tree_group *g, double raise, value *a,
                       enum arithmetic kind)
{
    for (int32_t c = 0; c < p->plan.ninputs; ++c) {
        const part *x = cell(g->cell, c, kind);
        part *out = cell(g->scratch, c, MAGNITUDES);
        double more = raise * p->inexact[c];
        FOUR out->v[i] = more + (kind == COMPLEX ? modulus(x[0].v[i], x[1].v[i]) : size(x[0].v[i]));
    }
    const pm_tree_step *term = run_steps(p, &p->everything, g->scratch, a, MAGNITUDES);
    run_step(p, term, g->scratch, a, MAGNITUDES);
}

static __attribute__((noinline)) PM_BODY_TARGET void
sample(const pm_tree_program *p, pm_tree_group *g, const value *term, enum arithmetic kind)
{
    value whole, raised;
    add_size((part *)g->sampled, &term->re);
    if (kind == COMPLEX)
        add_size((part *)g->sampled, &term->im);
    if (kind == COMPLEX)
        magnitude(p, g, 0, &whole, COMPLEX);
    else
        magnitude(p, g, 0, &whole, REAL);
    add((part *)g->absolute, &whole.re);
    if (p->is_exact)
        return;
    if (kind == COMPLEX)
        magnitude(p, g, PM_SPREAD_SCALE, &raised, COMPLEX);
    else
        magnitude(p, g, PM_SPREAD_SCALE, &raised, REAL);
    FOUR raised.re.v[i] = (raised.re.v[i] - whole.re.v[i]) * (1 / PM_SPREAD_SCALE);
    add((part *)g->spread, &raised.re);
}

/* The term is passed by value, so that the variable of the caller stays in registers. */
PM_BODY void look(const pm_tree_program *p, pm_tree_group *g, value term, enum arithmetic kind)
{
    sample(p, g, &term, kind);
}

/* ---- ranges ---- */

/* The sums of a chunk. */
typedef struct {
    part re, im, size;
    words bits[PM_TREE_PRIMES][4];
} chunk_sum;

PM_BODY void clear(chunk_sum *s, enum arithmetic kind)
{
    if (kind == RESIDUES) {
        memset(s->bits, 0, sizeof s->bits);
        return;
    }
    zero(&s->re);
    zero(&s->size);
    if (kind == COMPLEX)
        zero(&s->im);
}

PM_BODY void add_term(chunk_sum *s, const value *a, bool minus, enum arithmetic kind)
{
    add_size(&s->size, &a->re);
    if (minus)
        sub(&s->re, &a->re);
    else
        add(&s->re, &a->re);
    if (kind != COMPLEX)
        return;
    add_size(&s->size, &a->im);
    if (minus)
        sub(&s->im, &a->im);
    else
        add(&s->im, &a->im);
}

/* For an integer t, |t| < 2^51, the low bits of MAGIC + t are t. */
PM_BODY void add_bits(words *bits, const part *a, bool minus)
{
    FOUR
    {
        vec t = minus ? MAGIC - a->v[i] : MAGIC + a->v[i];
        bits[i] += (words)t;
    }
}

/* Runs the steps of an action and adds its terms to the sum.  *a: the last term. */
PM_BODY void evaluate(const pm_tree_program *p, const pm_tree_action *action, double *cells,
                      bool minus, value *a, chunk_sum *sum, enum arithmetic kind)
{
    const pm_tree_step *term = run_steps(p, action, cells, a, kind);
    if (kind == RESIDUES) {
        for (int32_t i = 0; i < p->nterms; ++i) {
            run_step(p, term + i, cells, a, kind);
            add_bits(sum->bits[i], &a->re, minus);
        }
    } else {
        run_step(p, term, cells, a, kind);
        add_term(sum, a, minus, kind);
    }
}

PM_BODY void flush_bits(const words *from, int32_t terms, __int128 *total)
{
    const double magic = MAGIC;
    uint64_t bias, bits[WIDTH];
    memcpy(&bias, &magic, sizeof bias);
    memcpy(bits, from, sizeof bits);
    for (int i = 0; i < WIDTH; ++i)
        total[i] += (int64_t)(bits[i] - (uint64_t)terms * bias);
}

PM_BODY void flush(const pm_tree_program *p, chunk_sum *s, int32_t terms, pm_tree_group *g,
                   enum arithmetic kind)
{
    if (kind == RESIDUES) {
        for (int32_t i = 0; i < p->nterms; ++i)
            flush_bits(s->bits[i], terms, g->total[i]);
    } else {
        add((part *)g->size, &s->size);
        two_sum(g->high[0], g->low[0], &s->re);
        if (kind == COMPLEX)
            two_sum(g->high[1], g->low[1], &s->im);
    }
    clear(s, kind);
}

PM_BODY void run(const pm_tree_run *r, uint64_t first, uint64_t end, pm_tree_group *g,
                 enum arithmetic kind)
{
    const pm_tree_program *p = r->program;
    double *cells = g->cell;
    value a;
    chunk_sum sum;
    bool sampling = kind != RESIDUES, all = r->stride == 0;
    uint64_t sampled = sampling ? pm_tree_sampled(first >> r->stride, r->stride) : 0;
    clear(&sum, kind);
    evaluate(p, &p->everything, cells, false, &a, &sum, kind);
    for (uint64_t t = first;;) {
        /* positions in pairs: column 0 flips between them */
        if (sampling && (all || t == sampled))
            look(p, g, a, kind);
        if (p->plan.flips == 0) {
            flush(p, &sum, 1, g, kind);
            return;
        }
        update(p, &p->action[0], !(t >> 1 & 1), cells, kind);
        evaluate(p, &p->action[0], cells, true, &a, &sum, kind);
        if (sampling && (all || t + 1 == sampled))
            look(p, g, a, kind);
        t += 2;
        if ((t & (uint64_t)(r->chunk - 1)) == 0) {
            flush(p, &sum, r->chunk, g, kind);
            if (t == end)
                return;
        }
        if (sampling && (t & ((UINT64_C(1) << r->stride) - 1)) == 0)
            sampled = pm_tree_sampled(t >> r->stride, r->stride);
        int column = __builtin_ctzll(t);
        update(p, &p->action[column], !(t >> (column + 1) & 1), cells, kind);
        evaluate(p, &p->action[column], cells, false, &a, &sum, kind);
    }
}

/* Defines the interpreters of this vector unit. */
#define PM_TREE_KERNEL(name, kind)                                                                 \
    static PM_BODY_TARGET void name(const pm_tree_run *r, uint64_t first, uint64_t end,            \
                                    pm_tree_group *g)                                              \
    {                                                                                              \
        run(r, first, end, g, kind);                                                               \
    }
#define PM_TREE_KERNELS(name)                                                                      \
    PM_TREE_KERNEL(run_real, REAL)                                                                 \
    PM_TREE_KERNEL(run_complex, COMPLEX)                                                           \
    PM_TREE_KERNEL(run_residues, RESIDUES)                                                         \
    const pm_tree_kernels name = {WIDTH, run_real, run_complex, run_residues};

#endif
