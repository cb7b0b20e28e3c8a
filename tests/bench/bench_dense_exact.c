/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The exact dense kernel: nanoseconds a term on one core, on each vector unit, beside what was
 * predicted; PM_BENCH_CASE names one case.  Ranges of 2^18 to 2^24 terms, the fastest of five,
 * processor time.
 *
 * Peak: vpaddw and vpmullw one to one, on 64 bytes, in registers; a term whose 16-bit additions
 * and multiplications were the only work, n of each, would take n / 16 of them: the column
 * "16-bit". */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithm/rates.h"
#include "bench.h"
#include "core/rng.h"
#include "dense/dense_exact.h"
#include "dense/dense_exact_plan.h"
#include "pm/alloc.h"

static void must_hold(bool ok, const char *what)
{
    if (!ok) {
        fprintf(stderr, "bench_dense_exact: %s\n", what);
        exit(pm_exit_status(PM_EINTERNAL));
    }
}

/* ---- the peak ---- */

#if PM_HAVE_X86

typedef uint16_t lanes __attribute__((vector_size(64)));

/* One of each; not to be simplified. */
#define ADD_AND_MULTIPLY(k)                                                                        \
    do {                                                                                           \
        a##k += step;                                                                              \
        m##k *= step;                                                                              \
        __asm__ volatile("" : "+v"(a##k), "+v"(m##k));                                             \
    } while (0)

/* Instructions a second, half of them additions; in registers, without loads and stores. */
static PM_TARGET_AVX512 double mixed_peak(void)
{
    enum { CHAINS = 6, ROUNDS = 1 << 22 };
    lanes a0 = {1}, a1 = {2}, a2 = {3}, a3 = {4}, a4 = {5}, a5 = {6};
    lanes m0 = {1}, m1 = {2}, m2 = {3}, m3 = {4}, m4 = {5}, m5 = {6}, step = {3};
    double best = INFINITY;
    __asm__ volatile("" : "+v"(step));
    for (int again = 0; again < 5; ++again) {
        double start = processor_seconds();
        for (int r = 0; r < ROUNDS; ++r) {
            ADD_AND_MULTIPLY(0);
            ADD_AND_MULTIPLY(1);
            ADD_AND_MULTIPLY(2);
            ADD_AND_MULTIPLY(3);
            ADD_AND_MULTIPLY(4);
            ADD_AND_MULTIPLY(5);
        }
        best = fmin(best, processor_seconds() - start);
    }
    return 2.0 * CHAINS * ROUNDS / best;
}

#endif

/* ---- cases ---- */

/* Entries: 1, -1 (one in two if signs), or up to 10^digits; each present with the density. */
typedef struct {
    const char *name;
    int32_t n;
    double density;
    bool has_signs;
    int digits;
} bench_case;

static const bench_case cases[] = {
    {"0/1", 20, .5, false, 0},   {"0/1", 24, .5, false, 0},   {"0/1", 28, .5, false, 0},
    {"0/1", 30, .5, false, 0},   {"0/1", 32, .5, false, 0},   {"0/1", 34, .5, false, 0},
    {"0/1", 36, .5, false, 0},   {"0/1", 40, .5, false, 0},   {"0/1", 48, .5, false, 0},
    {"0/1", 56, .5, false, 0},   {"0/1", 64, .5, false, 0},   {"0/1", 32, .1, false, 0},
    {"0/1", 32, .2, false, 0},   {"0/1", 32, .3, false, 0},   {"0/1", 32, .7, false, 0},
    {"0/1", 32, 1, false, 0},    {"0/1", 48, .2, false, 0},   {"0/1", 64, 1, false, 0},
    {"+-1", 28, 1, true, 0},     {"+-1", 36, 1, true, 0},     {"digits", 24, 1, true, 1},
    {"to 999", 24, 1, false, 3}, {"to 999", 27, 1, false, 3}, {"to 999", 28, 1, false, 3},
    {"to 999", 30, 1, false, 3}, {"to 999", 32, 1, false, 3}, {"digits", 24, 1, true, 3},
    {"digits", 24, 1, true, 6},  {"digits", 24, 1, true, 12}, {"digits", 40, .5, true, 1},
    {"digits", 40, .5, true, 3}, {"digits", 40, .5, true, 6}, {"digits", 40, .5, true, 12},
};

static int64_t random_entry(const bench_case *c, uint64_t *rng)
{
    double most = pow(10, c->digits);
    if (pm_rng_unit(rng) >= c->density)
        return 0;
    int64_t a = c->digits ? 1 + (int64_t)(pm_rng_unit(rng) * most) : 1;
    return c->has_signs && pm_rng_below(rng, 2) ? -a : a;
}

static void *zeroed(int64_t count, size_t size)
{
    void *p = pm_calloc_array(count, size);
    must_hold(p != NULL, "memory exhausted");
    return p;
}

static void random_square(const bench_case *c, pm_square *s)
{
    uint64_t rng = 1;
    int32_t n = c->n, k = 0, place[PM_SQUARE_MAX][PM_SQUARE_MAX] = {{0}};
    *s = (pm_square){.n = n, .field = PM_INTEGER};
    s->rowind = zeroed(n * n, sizeof *s->rowind);
    s->colind = zeroed(n * n, sizeof *s->colind);
    s->in_ccs = zeroed(n * n, sizeof *s->in_ccs);
    s->re = zeroed(n * n, sizeof *s->re);
    for (int32_t j = 0; j < n; ++j, s->colptr[j] = k)
        for (int32_t i = 0; i < n; ++i) {
            s->re[k] = random_entry(c, &rng);
            if (s->re[k]) {
                s->rowind[k] = i;
                s->bound[i] += llabs(s->re[k]);
                place[i][j] = ++k;
            }
        }
    k = 0;
    for (int32_t i = 0; i < n; ++i, s->rowptr[i] = k)
        for (int32_t j = 0; j < n; ++j)
            if (place[i][j]) {
                s->colind[k] = j;
                s->in_ccs[k++] = place[i][j] - 1;
            }
}

static double term_seconds(const pm_sweep *w)
{
    double best = INFINITY;
    uint64_t many = UINT64_C(1) << 18;
    for (int again = 0; again < 5; ++again) {
        pm_sum sum = {0};
        many = many < w->count ? many : w->count;
        double start = processor_seconds();
        w->range(w->problem, 0, many, &sum);
        double t = processor_seconds() - start;
        best = fmin(best, t / (double)many);
        if (t < 5e-3)
            many *= 4;
    }
    return best;
}

static void bench(const bench_case *c, double peak)
{
    pm_square s;
    random_square(c, &s);
    double nominal = pm_rates_nominal.seconds[PM_RATE_DENSE_EXACT];
    printf("%s\t%d\t%.1f\t%d", c->name, c->n, c->density, c->digits);
    for (pm_isa isa = PM_ISA_PORTABLE; isa <= pm_isa_best(); ++isa) {
        pm_sweep w;
        must_hold(pm_dense_exact_prepare_isa(&s, isa, &w, NULL) == PM_OK, "memory exhausted");
        const pm_dense_plan *p = w.problem;
        if (isa == PM_ISA_PORTABLE)
            printf("\t%d", w.limbs);
        printf("\t%d\t%.3f", p->ngroups, term_seconds(&w) * 1e9);
        fflush(stdout);
        pm_sweep_free(&w);
    }
    printf("\t%.3f\t%.3f\n", pm_dense_exact_work(&s, false, PM_ISA_AVX512IFMA) * nominal * 1e9,
           c->n / 16.0 / peak * 1e9);
    pm_square_free(&s);
}

int main(void)
{
    bench_start();
    double peak = NAN;
    const char *only = getenv("PM_BENCH_CASE");
#if PM_HAVE_X86
    if (pm_isa_best() >= PM_ISA_AVX512)
        peak = mixed_peak();
    printf("# peak: %.2f additions or multiplications of 32 lanes a nanosecond\n", peak * 1e-9);
#endif
    printf("# entries\tn\tdensity\tdigits\tlimbs");
    for (pm_isa isa = PM_ISA_PORTABLE; isa <= pm_isa_best(); ++isa)
        printf("\tgroups\t%s", pm_isa_name(isa));
    puts("\tpredicted\t16-bit");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        if (!only || strcmp(only, cases[i].name) == 0)
            bench(&cases[i], peak);
    return 0;
}
