/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/layers_count.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/machine.h"
#include "core/team.h"
#include "layers/characteristic.h"
#include "layers/components.h"
#include "layers/layers_bound.h"
#include "layers/mod_sum.h"
#include "layers/recurrence.h"
#include "layers/sweep_states.h"
#include "pm/alloc.h"

/* Bytes of a transition while the steps are found: two lists that are merged, and the step. */
enum { STEP_WORK = 8 /* transitions */, TRANSITION_BYTES = 96, TRANSITIONS_MAX = 1 << 26 };

void pm_layers_free(pm_layers *x)
{
    pm_transfer_free(&x->t);
    *x = (pm_layers){0};
}

static pm_status fail_memory(pm_error *err)
{
    return pm_fail_memory(err, "states of layers");
}

/* size[c]: the states of component c.  NULL: out of memory. */
static int64_t *component_sizes(const pm_transfer *t)
{
    int64_t *size = pm_calloc_array(t->ncomponents, sizeof *size);
    for (int64_t s = 0; size && s < t->states; ++s)
        ++size[t->component[s]];
    return size;
}

static pm_status measure(pm_layers *x, pm_error *err)
{
    int64_t *size = component_sizes(&x->t);
    if (!size)
        return fail_memory(err);
    for (int32_t c = 0; c < x->t.ncomponents; ++c) {
        const double n = (double)size[c];
        x->largest = size[c] > x->largest ? size[c] : x->largest;
        x->square += n * n;
        x->cube += n * n * n;
    }
    free(size);
    return PM_OK;
}

pm_status pm_layers_make(const pm_layered *g, int64_t memory, const pm_run *run, pm_layers *out,
                         pm_error *err)
{
    int64_t most = memory / TRANSITION_BYTES;
    pm_layers x = {.g = g};
    pm_status status =
        pm_transfer_make(g, most < TRANSITIONS_MAX ? most : TRANSITIONS_MAX, run, &x.t, err);
    if (!status)
        status = pm_layers_bound(g, &x.t, &x.log2_norm, &x.log2_bound, err);
    if (!status)
        status = measure(&x, err);
    if (status)
        pm_layers_free(&x);
    else
        *out = x;
    return status;
}

double pm_layers_bytes(const pm_layers *x)
{
    double bytes = 0;
    for (int k = 0; k < x->t.head + x->t.cycle + x->t.tail; ++k) {
        const pm_transfer_step *s = &x->t.step[k];
        bytes += 8.0 * (double)s->to + (s->entry ? 8.0 : 4.0) * (double)s->start[s->to];
    }
    return bytes;
}

/* ---- the choice ---- */

/* Primes below 2^62 for the coefficients of a characteristic polynomial: they are sums of products of
 * eigenvalues, at most (1 + norm)^n. */
static double polynomial_primes(const pm_layers *x)
{
    const double bits = (double)x->largest * (x->log2_norm + log2(1 + exp2(-x->log2_norm))) + 2;
    return ceil(bits / PM_PRIME_BITS);
}

static double seconds_of(const pm_layers *x, pm_layers_way way, double moduli)
{
    const double n = (double)x->t.states, repeats = (double)x->g->repeats;
    const double work = (double)x->t.transitions + STEP_WORK * x->t.cycle;
    const double sweep = PM_LAYERS_TRANSITION_SECONDS * work;
    const double starts = x->g->is_ring ? (double)x->largest : 1;
    const double term = PM_LAYERS_PRODUCT_SECONDS * 1.5 * x->square * log2(repeats + 2);
    const double polynomial =
        sweep * (double)x->largest + PM_LAYERS_PRODUCT_SECONDS * 3.5 * x->cube;
    switch (way) {
    case PM_LAYERS_SWEEP: return moduli * starts * repeats * sweep;
    case PM_LAYERS_SEQUENCE:
        return moduli * (2 * n * sweep + PM_LAYERS_PRODUCT_SECONDS * 4 * n * n + term);
    case PM_LAYERS_PRIME: return moduli * (polynomial + term);
    case PM_LAYERS_INTEGER: break;
    }
    const double terms = x->g->is_ring ? 0 : n * sweep;
    return polynomial_primes(x) * polynomial + moduli * (terms + term);
}

static bool is_possible(const pm_layers *x, pm_layers_way way, bool primes)
{
    return way == PM_LAYERS_SWEEP || way == PM_LAYERS_INTEGER
           || (primes && (way == PM_LAYERS_PRIME) == x->g->is_ring);
}

pm_layers_way pm_layers_choose(const pm_layers *x, int64_t moduli, bool primes, double *seconds,
                               double *bytes)
{
    pm_layers_way best = PM_LAYERS_SWEEP;
    for (pm_layers_way way = PM_LAYERS_SWEEP; way <= PM_LAYERS_INTEGER; ++way)
        if (is_possible(x, way, primes)
            && seconds_of(x, way, (double)moduli) < seconds_of(x, best, (double)moduli))
            best = way;
    const double words = best == PM_LAYERS_SWEEP      ? 0
                         : best == PM_LAYERS_SEQUENCE ? 12 * (double)x->t.states
                                                      : 3 * x->square;
    const double kept = best == PM_LAYERS_INTEGER ? (double)x->t.states * polynomial_primes(x) : 0;
    *seconds = seconds_of(x, best, (double)moduli);
    *bytes = 8 * (words + kept + 4 * (double)x->t.widest);
    return best;
}

/* ---- sums over the ends ---- */

static int tail_of(const pm_transfer *t)
{
    return t->head + t->cycle;
}

/* now = the states after the head. */
static void start(pm_state_vector *v, const pm_run *run)
{
    v->now[0] = 1 % v->m;
    pm_state_vector_run(v, 0, v->t->head, run);
}

/* Adds the products of the values of now and of the weights. */
static uint64_t dot(const pm_state_vector *v, const uint64_t *weight)
{
    pm_mod_sum s = pm_mod_sum_begin(v->m);
    for (int64_t k = 0; k < v->t->states; ++k)
        pm_mod_sum_add(&s, v->now[k], weight[k]);
    return pm_mod_sum_end(&s);
}

/* weight[]: of each state after the cycle, the ways to end. */
static pm_status weigh_ends(pm_state_vector *v, uint64_t **weight, pm_error *err)
{
    const pm_transfer *t = v->t;
    const bool can_end = t->tail == 0 || t->step[tail_of(t) + t->tail - 1].to > 0;
    *weight = pm_calloc_array(t->states, sizeof **weight);
    if (!*weight)
        return fail_memory(err);
    if (can_end && t->states > 0) {
        v->now[0] = 1 % v->m;
        pm_state_vector_run_back(v, tail_of(t), t->tail);
        memcpy(*weight, v->now, (size_t)t->states * sizeof **weight);
    }
    memset(v->now, 0, (size_t)t->widest * sizeof *v->now);
    return PM_OK;
}

/* term[k]: the count with k repetitions, k < count. */
static pm_status list_terms(pm_state_vector *v, int64_t count, const pm_run *run, bool alone,
                            uint64_t *term, pm_error *err)
{
    const pm_transfer *t = v->t;
    uint64_t *weight;
    pm_status status = weigh_ends(v, &weight, err);
    if (!status)
        start(v, alone ? run : NULL);
    for (int64_t k = 0; k < count && !status; ++k) {
        term[k] = dot(v, weight);
        pm_state_vector_run(v, t->head, t->cycle, alone ? run : NULL);
        if (pm_run_stopped(run))
            status = PM_ESTOPPED;
        if (alone)
            pm_run_progress(run, (double)k / (double)count, "terms of a sequence");
    }
    free(weight);
    return status;
}

/* ---- traces ---- */

/* The trace, from all repetitions. */
static pm_status sum_trace(pm_state_vector *v, const pm_components *m, int64_t largest,
                           int64_t repeats, const pm_run *run, bool alone, uint64_t *out)
{
    const pm_transfer *t = v->t;
    *out = 0;
    for (int64_t k = 0; k < largest; ++k) {
        pm_components_set_states(v, m, k);
        for (int64_t r = 0; r < repeats; ++r) {
            pm_state_vector_run(v, t->head, t->cycle, alone ? run : NULL);
            if (pm_run_stopped(run))
                return PM_ESTOPPED;
        }
        for (int32_t c = 0; c < t->ncomponents; ++c)
            if (k < pm_component_size(m, c))
                *out = pm_mod_add(*out, v->now[m->member[m->first[c] + k]], v->m);
        if (alone)
            pm_run_progress(run, (double)k / (double)largest, "a trace");
    }
    return PM_OK;
}

/* ---- characteristic polynomials ---- */

/* The cycle as a matrix for each component, one after another. */
static pm_status write_matrices(pm_state_vector *v, const pm_components *m, int64_t largest,
                                const pm_run *run, uint64_t *all)
{
    const pm_transfer *t = v->t;
    for (int64_t k = 0; k < largest; ++k) {
        uint64_t *a = all;
        pm_components_set_states(v, m, k);
        pm_state_vector_run(v, t->head, t->cycle, NULL);
        for (int32_t c = 0; c < t->ncomponents; ++c) {
            const int64_t n = pm_component_size(m, c);
            for (int64_t i = 0; k < n && i < n; ++i)
                a[i * n + k] = v->now[m->member[m->first[c] + i]];
            a += n * n;
        }
        if (pm_run_stopped(run))
            return PM_ESTOPPED;
    }
    return PM_OK;
}

/* q: the coefficients of the polynomials of all components modulo the prime, one after another, n + 1 for
 * a component of n states. */
static pm_status find_polynomials(const pm_layers *x, const pm_components *m, uint64_t prime,
                                  const pm_run *run, uint64_t *q, pm_error *err)
{
    pm_state_vector v = {0};
    uint64_t *all = pm_alloc_array((int64_t)x->square, sizeof *all), *a = all;
    pm_status status = all ? pm_state_vector_make(x->g, &x->t, prime, &v, err) : fail_memory(err);
    if (!status)
        status = write_matrices(&v, m, x->largest, run, all);
    for (int32_t c = 0; c < x->t.ncomponents && !status; ++c) {
        const int64_t n = pm_component_size(m, c);
        status = pm_characteristic(a, n, prime, run, q, err);
        a += n * n;
        q += n + 1;
    }
    pm_state_vector_free(&v);
    free(all);
    return status;
}

/* Adds the terms of number `repeats` of all components: power sums of a ring; of a strip, which has one
 * component, the sequence that begins with term[]. */
static pm_status add_terms(const pm_layers *x, const pm_components *m, const uint64_t *q,
                           uint64_t modulus, const uint64_t *term, const pm_run *run, uint64_t *out,
                           pm_error *err)
{
    pm_status status = PM_OK;
    *out = 0;
    for (int32_t c = 0; c < x->t.ncomponents && !status; ++c) {
        const int64_t n = pm_component_size(m, c);
        pm_recurrence r = {0};
        uint64_t value = 0;
        status = pm_recurrence_alloc(n, &r, err);
        if (!status) {
            memcpy(r.q, q, (size_t)(n + 1) * sizeof *q);
            if (x->g->is_ring)
                pm_recurrence_set_power_sums(&r, modulus);
            else
                pm_recurrence_set_terms(&r, term, modulus);
            status = pm_recurrence_term(&r, x->g->repeats, modulus, run, &value, err);
        }
        *out = pm_mod_add(*out, value, modulus);
        pm_recurrence_free(&r);
        q += n + 1;
    }
    return status;
}

/* The integer coefficients of all polynomials: found[prime][coefficient] become coefficient[]. */
static void join_residues(const uint64_t *found, const uint64_t *prime, int primes, int64_t count,
                          mpz_t *coefficient, uint64_t *column)
{
    for (int64_t k = 0; k < count; ++k) {
        for (int i = 0; i < primes; ++i)
            column[i] = found[i * count + k];
        pm_crt(coefficient[k], column, prime, primes, true);
    }
}

/* ---- residues ---- */

typedef struct {
    const pm_layers *x;
    const pm_components *m;
    const pm_run *run;
    const mpz_t *coefficient; /* of PM_LAYERS_INTEGER */
    bool alone;               /* there is one modulus */
    pm_layers_sink sink;
} counting;

static pm_status count_strip(const counting *c, pm_layers_way way, pm_state_vector *v,
                             uint64_t *out, pm_error *err)
{
    const pm_layers *x = c->x;
    const int64_t n = x->t.states;
    pm_recurrence r = {0};
    const int64_t count = way == PM_LAYERS_SEQUENCE ? 2 * n : n;
    uint64_t *term = pm_alloc_array(count, sizeof *term);
    pm_status status = term ? list_terms(v, count, c->run, c->alone, term, err) : fail_memory(err);
    if (!status && way == PM_LAYERS_SEQUENCE) {
        status = pm_recurrence_find(term, count, v->m, c->run, &r, err);
        if (!status)
            status = pm_recurrence_term(&r, x->g->repeats, v->m, c->run, out, err);
        pm_recurrence_free(&r);
    } else if (!status) {
        uint64_t *q = pm_alloc_array(n + 1, sizeof *q);
        for (int64_t k = 0; q && k <= n; ++k)
            q[k] = mpz_fdiv_ui(c->coefficient[k], v->m);
        status = q ? add_terms(x, c->m, q, v->m, term, c->run, out, err) : fail_memory(err);
        free(q);
    }
    free(term);
    return status;
}

static pm_status sweep_strip(const counting *c, pm_state_vector *v, uint64_t *out, pm_error *err)
{
    const pm_transfer *t = &c->x->t;
    const int64_t repeats = c->x->g->repeats;
    uint64_t *weight;
    pm_status status = weigh_ends(v, &weight, err);
    if (!status)
        start(v, c->alone ? c->run : NULL);
    for (int64_t k = 0; k < repeats && !status; ++k) {
        pm_state_vector_run(v, t->head, t->cycle, c->alone ? c->run : NULL);
        if (pm_run_stopped(c->run))
            status = PM_ESTOPPED;
        if (c->alone)
            pm_run_progress(c->run, (double)k / (double)repeats, "parts of a strip");
    }
    if (!status)
        *out = dot(v, weight);
    free(weight);
    return status;
}

static pm_status count_ring(const counting *c, pm_layers_way way, uint64_t modulus, uint64_t *out,
                            pm_error *err)
{
    const pm_layers *x = c->x;
    const int64_t count = x->t.states + x->t.ncomponents;
    uint64_t *q = pm_alloc_array(count, sizeof *q);
    pm_status status = q ? PM_OK : fail_memory(err);
    if (!status && way == PM_LAYERS_PRIME)
        status = find_polynomials(x, c->m, modulus, c->run, q, err);
    for (int64_t k = 0; k < count && !status && way == PM_LAYERS_INTEGER; ++k)
        q[k] = mpz_fdiv_ui(c->coefficient[k], modulus);
    if (!status)
        status = add_terms(x, c->m, q, modulus, NULL, c->run, out, err);
    free(q);
    return status;
}

static pm_status count_one(const counting *c, pm_layers_way way, uint64_t modulus, uint64_t *out,
                           pm_error *err)
{
    const pm_layers *x = c->x;
    pm_state_vector v;
    if (x->g->is_ring && way != PM_LAYERS_SWEEP)
        return count_ring(c, way, modulus, out, err);
    pm_status status = pm_state_vector_make(x->g, &x->t, modulus, &v, err);
    if (status)
        return status;
    if (way != PM_LAYERS_SWEEP)
        status = count_strip(c, way, &v, out, err);
    else if (x->g->is_ring)
        status = sum_trace(&v, c->m, x->largest, x->g->repeats, c->run, c->alone, out);
    else
        status = sweep_strip(c, &v, out, err);
    pm_state_vector_free(&v);
    return status;
}

/* Keeps the first failure of several threads. */
static void keep_failure(pm_status mine, const pm_error *why, pm_status *status, pm_error *err)
{
#pragma omp critical(pm_layers_failure)
    if (mine && !*status) {
        *status = mine;
        if (err)
            *err = *why;
    }
}

/* coefficient[]: initialised. */
static pm_status find_integers(const pm_layers *x, const pm_components *m, const pm_run *run,
                               mpz_t *coefficient, pm_error *err)
{
    const int64_t count = x->t.states + x->t.ncomponents;
    const int primes = (int)polynomial_primes(x), threads = pm_team(run, pm_run_threads(run));
    uint64_t *prime = pm_alloc_array(primes, sizeof *prime);
    uint64_t *column = pm_alloc_array(primes, sizeof *column);
    uint64_t *found = pm_alloc_array(primes * count, sizeof *found);
    pm_status status = prime && column && found ? PM_OK : fail_memory(err);
    for (int i = 0; i < primes && !status; ++i)
        prime[i] = pm_prime_below(i ? prime[i - 1] : PM_MODULUS_MAX);
    const int rounds = status ? 0 : primes;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int i = 0; i < rounds; ++i) {
        pm_error why = {0};
        keep_failure(find_polynomials(x, m, prime[i], run, found + i * count, &why), &why, &status,
                     err);
    }
    if (!status)
        join_residues(found, prime, primes, count, coefficient, column);
    free(prime);
    free(column);
    free(found);
    return status;
}

static pm_status count_all(const counting *c, pm_layers_way way, const uint64_t *modulus,
                           int64_t moduli, uint64_t *residue, pm_error *err)
{
    pm_status status = PM_OK;
    const int threads = c->alone ? 1 : pm_team(c->run, pm_run_threads(c->run));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int64_t k = 0; k < moduli; ++k) {
        pm_error why = {0};
        pm_status mine = count_one(c, way, modulus[k], &residue[k], &why);
        if (!mine && c->sink.found)
            mine = c->sink.found(c->sink.context, (int)k, 1, &residue[k], &why);
        keep_failure(mine, &why, &status, err);
    }
    return status;
}

pm_status pm_layers_residues(const pm_layers *x, pm_layers_way way, const uint64_t *modulus,
                             int64_t moduli, const pm_run *run, pm_layers_sink sink,
                             uint64_t *residue, pm_error *err)
{
    pm_components m = {0};
    const int64_t count = x->t.states + x->t.ncomponents;
    if (x->t.states == 0) {
        memset(residue, 0, (size_t)moduli * sizeof *residue);
        return PM_OK;
    }
    mpz_t *coefficient = pm_alloc_array(count, sizeof *coefficient);
    pm_status status = coefficient ? pm_components_make(&x->t, &m, err) : fail_memory(err);
    if (coefficient)
        for (int64_t k = 0; k < count; ++k)
            mpz_init(coefficient[k]);
    if (!status && way == PM_LAYERS_INTEGER)
        status = find_integers(x, &m, run, coefficient, err);
    const counting c = {x, &m, run, (const mpz_t *)coefficient, moduli == 1, sink};
    if (!status)
        status = count_all(&c, way, modulus, moduli, residue, err);
    if (coefficient)
        for (int64_t k = 0; k < count; ++k)
            mpz_clear(coefficient[k]);
    free(coefficient);
    pm_components_free(&m);
    return status;
}
