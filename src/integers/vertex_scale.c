/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An edge needs that a power p^w of a prime divides d_i d_j.  For small primes half of w goes to either end: x_i = ceil(w / 2) for
 * the largest w of vertex i, and then each x_i in turn is lowered to what its edges still need.  So halves and decimals with one
 * common denominator D cost sqrt(D) a vertex.  What other primes remain of a denominator goes to one end whole. */
#include "config.h"

#include "integers/vertex_scale.h"

#include <stdlib.h>

#include "number/dyadic_roots.h"
#include "pm/alloc.h"

/* One number that is to become an integer: value times d_i d_j, or d_i where j < 0. */
typedef struct {
    int32_t i, j;
    pm_dyadic *value;
} part;

typedef struct {
    int64_t n, count;
    part *part;     /* those of vertex i: first[i] .. first[i+1] - 1 */
    int64_t *first; /* n + 1 */
    mpz_t *rest;    /* odd denominators, without the primes that are done */
    int64_t *need;  /* exponents of the prime in the denominators */
    int64_t *x;     /* exponents of the prime in d */
    mpz_t *d;       /* odd */
    int64_t *twos;  /* d_i is d[i] * 2^twos[i] */
} scales;

static void put(scales *s, int64_t i, int64_t j, pm_dyadic *value)
{
    if (value && !pm_dyadic_is_zero(value))
        s->part[s->count++] = (part){(int32_t)i, (int32_t)j, value};
}

static void put_line(scales *s, const pm_matrix *m, int64_t i, bool are_loops, bool has_copies)
{
    for (int64_t k = m->rowptr[i]; k < m->rowptr[i + 1]; ++k) {
        const bool is_loop = are_loops || (m->colind[k] == i && !has_copies);
        const int64_t j = is_loop ? -1 : m->colind[k];
        put(s, i, j, m->re ? &m->re[k] : NULL);
        put(s, i, j, m->im ? &m->im[k] : NULL);
    }
}

static pm_status begin(pm_matrix *a, pm_matrix *loops, bool has_copies, scales *s, pm_error *err)
{
    const int64_t most = 2 * (pm_matrix_nnz(a) + pm_matrix_nnz(loops));
    s->n = a->nrows;
    s->part = pm_calloc_array(most, sizeof *s->part);
    s->first = pm_calloc_array(s->n + 1, sizeof *s->first);
    s->need = pm_calloc_array(most, sizeof *s->need);
    s->x = pm_calloc_array(s->n, sizeof *s->x);
    s->twos = pm_calloc_array(s->n, sizeof *s->twos);
    mpz_t *rest = pm_alloc_array(most, sizeof *rest), *d = pm_alloc_array(s->n, sizeof *d);
    if (!s->part || !s->first || !s->need || !s->x || !s->twos || !rest || !d) {
        free(rest);
        free(d);
        return pm_fail_memory(err, "scales of vertices");
    }
    for (int64_t i = 0; i < s->n; ++i) {
        put_line(s, a, i, false, has_copies);
        if (loops->rowptr)
            put_line(s, loops, i, true, has_copies);
        s->first[i + 1] = s->count;
        mpz_init_set_ui(d[i], 1);
    }
    s->d = d;
    for (int64_t k = 0; k < s->count; ++k) {
        const pm_dyadic *v = s->part[k].value;
        mpz_init_set_ui(rest[k], 1);
        if (v->kind == PM_DYADIC_FRACTION)
            mpz_set(rest[k], mpq_denref(v->m.fraction));
    }
    s->rest = rest;
    return PM_OK;
}

static void end(scales *s)
{
    for (int64_t k = 0; s->rest && k < s->count; ++k)
        mpz_clear(s->rest[k]);
    for (int64_t i = 0; s->d && i < s->n; ++i)
        mpz_clear(s->d[i]);
    free(s->rest);
    free(s->d);
    free(s->part);
    free(s->first);
    free(s->need);
    free(s->x);
    free(s->twos);
}

static int64_t half_up(int64_t w)
{
    return w > 0 ? w - w / 2 : w / 2;
}

/* The least x_i of vertex i that all of its parts allow, when those of the others are x; is_first: they are not known. */
static int64_t needed(const scales *s, int64_t i, bool is_first)
{
    int64_t most = INT64_MIN;
    for (int64_t k = s->first[i]; k < s->first[i + 1]; ++k) {
        const part *p = &s->part[k];
        const int64_t w = s->need[k], own = p->j < 0                   ? w
                                            : is_first || p->j == p->i ? half_up(w)
                                                                       : w - s->x[p->j];
        if (own > most)
            most = own;
    }
    return most;
}

/* Sets x from need.  least: of the exponents. */
static void balance(scales *s, int64_t least)
{
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = 0; i < s->n; ++i) {
            const int64_t x = needed(s, i, pass == 0);
            s->x[i] = x == INT64_MIN ? 0 : x < least ? least : x;
        }
}

static void balance_twos(scales *s)
{
    for (int64_t k = 0; k < s->count; ++k)
        s->need[k] = -s->part[k].value->exp;
    balance(s, INT64_MIN);
    for (int64_t i = 0; i < s->n; ++i)
        s->twos[i] = s->x[i];
}

static void balance_prime(scales *s, unsigned long prime)
{
    bool is_found = false;
    mpz_t p;
    mpz_init_set_ui(p, prime);
    for (int64_t k = 0; k < s->count; ++k) {
        s->need[k] =
            mpz_cmp_ui(s->rest[k], 1) == 0 ? 0 : (int64_t)mpz_remove(s->rest[k], s->rest[k], p);
        is_found = is_found || s->need[k];
    }
    if (is_found) {
        balance(s, 0);
        for (int64_t i = 0; i < s->n; ++i) {
            mpz_t power;
            mpz_init(power);
            mpz_ui_pow_ui(power, prime, (unsigned long)s->x[i]);
            mpz_mul(s->d[i], s->d[i], power);
            mpz_clear(power);
        }
    }
    mpz_clear(p);
}

/* The remaining denominators: vertex i takes what its neighbours before it do not have. */
static pm_status take_rest(scales *s, pm_error *err)
{
    mpz_t *taken = pm_alloc_array(s->n, sizeof *taken), r;
    if (!taken)
        return pm_fail_memory(err, "scales of vertices");
    mpz_init(r);
    for (int64_t i = 0; i < s->n; ++i) {
        mpz_init_set_ui(taken[i], 1);
        for (int64_t k = s->first[i]; k < s->first[i + 1]; ++k) {
            const part *p = &s->part[k];
            mpz_set(r, s->rest[k]);
            if (p->j >= 0 && p->j < i) {
                mpz_gcd(r, r, taken[p->j]);
                mpz_divexact(r, s->rest[k], r);
            }
            mpz_lcm(taken[i], taken[i], r);
        }
        mpz_mul(s->d[i], s->d[i], taken[i]);
    }
    for (int64_t i = 0; i < s->n; ++i)
        mpz_clear(taken[i]);
    mpz_clear(r);
    free(taken);
    return PM_OK;
}

/* Multiplies the parts, and divides *f. */
static void apply(const scales *s, const int64_t *times, pm_scale_factor *f)
{
    mpz_t one;
    mpq_t q;
    mpq_init(q);
    mpz_init_set_ui(one, 1);
    for (int64_t k = 0; k < s->count; ++k) {
        const part *p = &s->part[k];
        int64_t e;
        pm_dyadic_get_mpq_2exp(q, &e, p->value);
        mpz_mul(mpq_numref(q), mpq_numref(q), s->d[p->i]);
        if (p->j >= 0)
            mpz_mul(mpq_numref(q), mpq_numref(q), s->d[p->j]);
        mpz_divexact(mpq_numref(q), mpq_numref(q), mpq_denref(q));
        e += s->twos[p->i] + (p->j >= 0 ? s->twos[p->j] : 0);
        mpz_set_ui(mpq_denref(q), 1);
        pm_dyadic_set_mpz_2exp(p->value, mpq_numref(q), e);
    }
    for (int64_t i = 0; i < s->n; ++i)
        pm_scale_factor_mul(f, one, s->d[i], -s->twos[i], times ? times[i] : 1);
    mpz_clear(one);
    mpq_clear(q);
}

/* ---- roots of unity ---- */

/* *d = the least common multiple of the denominators. */
static void add_denominators(const pm_matrix *a, mpz_t d)
{
    for (int64_t k = 0; a->rowptr && k < pm_matrix_nnz(a); ++k)
        for (int side = 0; side < (a->im ? 2 : 1); ++side) {
            pm_root_sum r;
            pm_root_sum_init(&r);
            pm_dyadic_get_roots(&r, side ? &a->im[k] : &a->re[k]);
            for (int32_t t = 0; t < r.count; ++t)
                mpz_lcm(d, d, mpq_denref(r.c[t]));
            pm_root_sum_clear(&r);
        }
}

/* Multiplies edges by d^2 and loops by d. */
static void multiply_by(pm_matrix *a, const mpz_t d, bool are_loops, bool has_copies)
{
    pm_dyadic one = {0}, two = {0};
    pm_dyadic_set_mpz(&one, d);
    pm_dyadic_mul(&two, &one, &one);
    for (int64_t i = 0; a->rowptr && i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const bool is_loop = are_loops || (!has_copies && a->colind[k] == i);
            pm_dyadic_mul(&a->re[k], &a->re[k], is_loop ? &one : &two);
            if (a->im)
                pm_dyadic_mul(&a->im[k], &a->im[k], is_loop ? &one : &two);
        }
    pm_dyadic_clear(&one);
    pm_dyadic_clear(&two);
}

/* One number for all vertices. */
static void scale_alike(pm_matrix *a, pm_matrix *loops, const int64_t *times, pm_scale_factor *f)
{
    mpz_t d, one;
    mpz_init_set_ui(d, 1);
    mpz_init_set_ui(one, 1);
    add_denominators(a, d);
    add_denominators(loops, d);
    if (mpz_cmp_ui(d, 1) != 0) {
        multiply_by(a, d, false, times != NULL);
        multiply_by(loops, d, true, false);
    }
    for (int64_t i = 0; i < a->nrows; ++i)
        pm_scale_factor_mul(f, one, d, 0, times ? times[i] : 1);
    mpz_clear(d);
    mpz_clear(one);
}

pm_status pm_vertex_scale(pm_matrix *a, pm_matrix *loops, const int64_t *times, pm_scale_factor *f,
                          pm_error *err)
{
    static const unsigned char primes[] = {3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37, 41,
                                           43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97};
    scales s = {.n = 0};
    if (pm_matrix_has_roots(a) || pm_matrix_has_roots(loops)) {
        scale_alike(a, loops, times, f);
        return PM_OK;
    }
    pm_status status = begin(a, loops, times != NULL, &s, err);
    if (!status) {
        balance_twos(&s);
        for (size_t k = 0; k < sizeof primes; ++k)
            balance_prime(&s, primes[k]);
        status = take_rest(&s, err);
    }
    if (!status)
        apply(&s, times, f);
    end(&s);
    return status;
}
