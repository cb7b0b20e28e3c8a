/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The dense kernels for real and complex blocks: nanoseconds a term of 2^(n-1), one core, for each
 * vector unit that the machine has.
 *
 * Limit: a term is n additions and n multiplications (complex: four times as many), and the peak
 * of that mix in the unit's registers is measured in the same run.  For double-double the limit
 * counts the operations of the kernel: 7 additions, 4 multiplications; complex 34 and 16.  Floats have
 * twice the lanes.
 * Baseline of `ratio`: PM_DOUBLE of the same field, n and unit.
 * Entries are uniform in -1 .. 1 and not exact, so the sampled spread is part of the time. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench.h"
#include "core/rng.h"
#include "dense/dense_float.h"
#include "pm/alloc.h"

enum { ROUNDS = 7 };

/* ---- the peak: eight chains of additions beside eight of multiplications, no memory ---- */

#if PM_HAVE_X86
#define OP3(op, r, i) op " %%" r i ", %%" r i ", %%" r i "\n\t"
#define OP2(op, r, i) op " %%" r i ", %%" r i "\n\t"
#define EIGHT(OP, op, r, a, b, c, d, e, f, g, h)                                                   \
    OP(op, r, a)                                                                                   \
    OP(op, r, b) OP(op, r, c) OP(op, r, d) OP(op, r, e) OP(op, r, f) OP(op, r, g) OP(op, r, h)
#define MIX(OP, add, mul, r)                                                                       \
    EIGHT(OP, add, r, "0", "1", "2", "3", "4", "5", "6", "7")                                      \
    EIGHT(OP, mul, r, "8", "9", "10", "11", "12", "13", "14", "15")
#define CLEAR(OP, op, r) MIX(OP, op, op, r)
#define LOOP(OP, clear, add, mul, r)                                                               \
    __asm__ volatile(CLEAR(OP, clear, r) "1:\n\t" MIX(OP, add, mul, r)                             \
                         MIX(OP, add, mul, r) "dec %0\n\tjnz 1b\n\t"                               \
                     : "+r"(n)                                                                     \
                     :                                                                             \
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",       \
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15")
enum { IN_LOOP = 16 }; /* of either kind */

PM_TARGET_AVX512 static void loop_avx512(int64_t n)
{
    LOOP(OP3, "vxorpd", "vaddpd", "vmulpd", "zmm");
}

PM_TARGET_AVX2 static void loop_avx2(int64_t n)
{
    LOOP(OP3, "vxorpd", "vaddpd", "vmulpd", "ymm");
}

static void loop_portable(int64_t n)
{
    LOOP(OP2, "xorpd", "addpd", "mulpd", "xmm");
}

/* Seconds of an addition and a multiplication in one lane. */
static double peak(pm_isa isa)
{
    const int64_t times = 1000000;
    double best = INFINITY;
    int lanes = isa == PM_ISA_AVX512 ? 8 : isa == PM_ISA_AVX2 ? 4 : 2;
    for (int i = 0; i < ROUNDS; ++i) {
        double start = processor_seconds();
        (isa == PM_ISA_AVX512 ? loop_avx512
         : isa == PM_ISA_AVX2 ? loop_avx2
                              : loop_portable)(times);
        best = fmin(best, processor_seconds() - start);
    }
    return best / ((double)times * IN_LOOP * lanes);
}
#else
static double peak(pm_isa isa)
{
    (void)isa;
    return NAN;
}
#endif

/* ---- the kernels ---- */

static void random_square(int32_t n, pm_field field, pm_square *s)
{
    pm_error err;
    uint64_t rng = 1;
    pm_triples t = {.field = field, .nrows = n, .ncols = n};
    pm_block b = {.n = n};
    for (int32_t i = 0; i < n * n; ++i) {
        pm_dyadic re = {0}, im = {0};
        pm_dyadic_set_d(&re, 2 * pm_rng_unit(&rng) - 1);
        pm_dyadic_set_d(&im, 2 * pm_rng_unit(&rng) - 1);
        must(pm_triples_add(&t, i / n, i % n, 0, &re, field == PM_COMPLEX ? &im : NULL, &err),
             &err);
    }
    must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "bench", &b.a, &err), &err);
    pm_triples_free(&t);
    b.row_cap = pm_alloc_array(n, sizeof *b.row_cap);
    b.col_cap = pm_alloc_array(n, sizeof *b.col_cap);
    if (!b.row_cap || !b.col_cap)
        exit(pm_exit_status(PM_ENOMEM));
    for (int32_t i = 0; i < n; ++i)
        b.row_cap[i] = b.col_cap[i] = 1;
    must(pm_square_make(&b, false, 62, 0, s, &err), &err);
    pm_block_free(&b);
}

/* Seconds a term: pieces of the middle of the index space, at most 2^23 terms, the best round. */
static double term_seconds(const pm_sweep *s)
{
    pm_error err;
    pm_run run = {.threads = 1};
    pm_sum sum;
    uint64_t terms = s->count < 1 << 23 ? s->count : 1 << 23, first = 0;
    while (terms > 4 * s->piece)
        terms /= 2;
    if (s->count > terms)
        first = s->count / 2;
    double best = INFINITY;
    for (int i = 0; i < ROUNDS; ++i) {
        double start = processor_seconds();
        must(pm_sweep_range(s, first, first + terms, &run, &sum, &err), &err);
        best = fmin(best, processor_seconds() - start);
    }
    return best / (double)terms;
}

static const char *const precision_name[] = {[PM_KAHAN] = "kahan",
                                             [PM_DOUBLE] = "double",
                                             [PM_DQ] = "dq",
                                             [PM_QUAD] = "quad",
                                             [PM_SINGLE] = "single"};

/* Additions or multiplications, whatever is more, a row and term. */
static double operations(pm_field field, pm_precision p)
{
    bool is_complex = field == PM_COMPLEX;
    if (p == PM_QUAD)
        return is_complex ? (34 + 16) / 2. : (7 + 4) / 2.;
    return (is_complex ? 4 : 1) / (p == PM_SINGLE ? 2. : 1.);
}

static void bench(int32_t n, pm_field field, pm_isa isa, double unit)
{
    static const pm_precision all[] = {PM_DOUBLE, PM_KAHAN, PM_DQ, PM_QUAD, PM_SINGLE};
    pm_error err;
    pm_square q = {0};
    double baseline = 0;
    random_square(n, field, &q);
    for (int i = 0; i < (int)(sizeof all / sizeof *all); ++i) {
        pm_sweep s = {0};
        must(pm_dense_float_prepare_isa(&q, all[i], isa, &s, &err), &err);
        double t = term_seconds(&s), limit = operations(field, all[i]) * n * unit;
        baseline = i == 0 ? t : baseline;
        printf("%-8s %-8s %-7s %d\t%.3f\t%.3f\t%.1f%%\t%.3f\n", pm_isa_name(isa),
               field == PM_COMPLEX ? "complex" : "real", precision_name[all[i]], n, 1e9 * t,
               1e9 * limit, 100 * limit / t, t / baseline);
        fflush(stdout);
        pm_sweep_free(&s);
    }
    pm_square_free(&q);
}

int main(void)
{
    bench_start();
    static const int32_t sizes[] = {24, 28, 30};
    pm_isa best = pm_isa_best() > PM_ISA_AVX512 ? PM_ISA_AVX512 : pm_isa_best();
    puts("# unit\tfield\tprecision\tn\tns a term\tlimit\tof the limit\tratio");
    for (int isa = (int)best; isa >= PM_ISA_PORTABLE; --isa) {
        double unit = peak((pm_isa)isa);
        printf("# %s: %.3g additions and as many multiplications a second at the peak\n",
               pm_isa_name((pm_isa)isa), 1 / unit);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
            bench(sizes[i], PM_REAL, (pm_isa)isa, unit);
            bench(sizes[i], PM_COMPLEX, (pm_isa)isa, unit);
        }
    }
    return 0;
}
