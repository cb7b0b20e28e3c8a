/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Determinants of m x m boards modulo as many primes as a vector has lanes, one core.
 *
 * fronts: nanoseconds a multiplication of a dense front, each of all lanes, for each vector unit.
 * Limit: one vector of multiplications and subtractions, at the rate that registers alone allow,
 * measured in the same run.
 * boards: the sparse elimination, its growth (exponent of the seconds in the number of cells, from
 * one row to the next; nested dissection promises 1.5), and the same matrix as one dense front, by
 * the same kernel.  Baseline of `ratio`: the sparse one. */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "core/rng.h"
#include "elimination/determinant.h"
#include "planar/kasteleyn_matrix.h"
#include "pm/alloc.h"

enum { ROUNDS = 3, DENSE_MOST = 1300 };

static const uint32_t prime[PM_LANES_MAX] = {16777213, 16777199, 16777183, 16777153,
                                             16777141, 16777139, 16777127, 16777121};

static void *room(int64_t bytes)
{
    void *p = aligned_alloc(64, (size_t)(bytes + 63) / 64 * 64);
    if (!p)
        exit(pm_exit_status(PM_ENOMEM));
    return p;
}

/* ---- the peak: twelve chains, no memory ---- */

#if PM_HAVE_X86
#define TWELVE(OP)                                                                                 \
    OP("0")                                                                                        \
    OP("1") OP("2") OP("3") OP("4") OP("5") OP("6") OP("7") OP("8") OP("9") OP("10") OP("11")
#define FUSED512(i) "vfnmadd231pd %%zmm12, %%zmm13, %%zmm" i "\n\t"
#define FUSED256(i) "vfnmadd231pd %%ymm12, %%ymm13, %%ymm" i "\n\t"
#define LOOP(OP)                                                                                   \
    __asm__ volatile("1:\n\t" TWELVE(OP) "dec %0\n\tjnz 1b\n\t"                                    \
                     : "+r"(n)                                                                     \
                     :                                                                             \
                     : "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",       \
                       "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13")

PM_TARGET_AVX512 static void loop_avx512(int64_t n)
{
    __asm__ volatile("vxorpd %%zmm12, %%zmm12, %%zmm12\n\tvxorpd %%zmm13, %%zmm13, %%zmm13" ::
                         : "xmm12", "xmm13");
    LOOP(FUSED512);
}

PM_TARGET_AVX2 static void loop_avx2(int64_t n)
{
    __asm__ volatile("vxorpd %%ymm12, %%ymm12, %%ymm12\n\tvxorpd %%ymm13, %%ymm13, %%ymm13" ::
                         : "xmm12", "xmm13");
    LOOP(FUSED256);
}

/* Seconds of one vector. */
static double peak(pm_isa isa)
{
    const int64_t times = 1000000;
    double best = INFINITY;
    for (int i = 0; i < ROUNDS && isa > PM_ISA_PORTABLE; ++i) {
        double start = processor_seconds();
        if (isa >= PM_ISA_AVX512)
            loop_avx512(times);
        else
            loop_avx2(times);
        best = fmin(best, (processor_seconds() - start) / (12.0 * (double)times));
    }
    return best;
}
#else
static double peak(pm_isa isa)
{
    (void)isa;
    return INFINITY;
}
#endif

/* ---- fronts ---- */

static void bench_front(pm_isa isa, int32_t m, int32_t own)
{
    const pm_front_kernel *kernel = pm_front_kernel_for(isa);
    int64_t doubles = (int64_t)m * m * kernel->lanes;
    double *from = room(doubles * 8), *front = room(doubles * 8);
    double *column = room(64 * (int64_t)m), best = INFINITY;
    _Alignas(64) double det[PM_LANES_MAX] = {1, 1, 1, 1, 1, 1, 1, 1};
    uint64_t rng = 1;
    pm_lane_primes q = {0};
    for (int l = 0; l < PM_LANES_MAX; ++l) {
        q.p[l] = prime[l];
        q.per_p[l] = 1.0 / prime[l];
    }
    for (int64_t i = 0; i < doubles; ++i)
        from[i] = (double)pm_rng_below(&rng, 1 << 23);
    double rest = m - own, all = m;
    double work = (all * (all * all - 1) - rest * (rest * rest - 1)) / 3;
    int times = (int)(3e7 / work) + 1;
    for (int i = 0; i < ROUNDS; ++i) {
        double start, spent = 0;
        for (int k = 0; k < times; ++k) {
            memcpy(front, from, (size_t)doubles * 8);
            start = processor_seconds();
            kernel->eliminate(&q, front, m, own, column, det);
            spent += processor_seconds() - start;
        }
        best = fmin(best, spent / times);
    }
    printf("%s\t%d\t%d\t%.3f\t", pm_isa_name(isa), m, own, 1e9 * best / work);
    if (isa > PM_ISA_PORTABLE)
        printf("%.0f%%\n", 100 * peak(isa) * work / best);
    else
        printf("-\n");
    free(from);
    free(front);
    free(column);
}

/* ---- boards ---- */

static void make_board(int side, pm_block *out)
{
    pm_error err;
    pm_triples t = {.nrows = side * side / 2, .ncols = side * side / 2};
    *out = (pm_block){.n = t.nrows};
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
            for (int d = 0; d < 2; ++d) {
                int x = i * side + j, y = d ? x + side : x + 1, odd = (i + j) % 2;
                if ((d ? i : j) + 1 < side) /* two cells of a row are one of either side */
                    must(pm_triples_add(&t, (odd ? y : x) / 2, (odd ? x : y) / 2, 0, NULL, NULL,
                                        &err),
                         &err);
            }
    must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "board", &out->a, &err), &err);
    pm_triples_free(&t);
    out->row_cap = room(4 * out->n);
    out->col_cap = room(4 * out->n);
    for (int64_t i = 0; i < out->n; ++i)
        out->row_cap[i] = out->col_cap[i] = 1;
}

static double time_elimination(const pm_elimination *e)
{
    static const pm_integer_entries ones = {0};
    static const uint32_t unit[PM_LANES_MAX] = {0};
    pm_error err;
    pm_determinant *d;
    uint64_t residue[PM_LANES_MAX];
    double best = INFINITY;
    must(pm_determinant_open(e, &ones, pm_front_kernel_for(pm_isa_best()), &d, &err), &err);
    for (int i = 0; i < ROUNDS; ++i) {
        double start = processor_seconds();
        must(pm_determinant_modulo(d, 0, prime, unit, NULL, residue, &err), &err);
        best = fmin(best, processor_seconds() - start);
    }
    pm_determinant_close(d);
    return best;
}

static void bench_board(int side, double *last_side, double *last)
{
    pm_error err;
    pm_block b;
    pm_plain_graph w;
    pm_paired_matrix p;
    pm_elimination e;
    int lanes = pm_front_kernel_for(pm_isa_best())->lanes;
    make_board(side, &b);
    must(pm_plain_graph_make(&b, &w, &err), &err);
    must(pm_kasteleyn_matrix_make(&w, &p, &err), &err);
    int32_t *order = room(4 * b.n);
    must(pm_elimination_order(&p, 0, order, &err), &err);
    must(pm_elimination_make(&p, order, &e, &err), &err);
    free(order);
    pm_plain_graph_free(&w);
    double sparse = time_elimination(&e);
    printf("%d\t%lld\t%.4g\t%.2f\t%.4f\t", side, (long long)b.n, e.multiplications,
           pm_determinant_bytes(&e, lanes) / 0x1p20, sparse);
    if (*last > 0)
        printf("%.2f\t", log(sparse / *last) / log(side * side / (*last_side * *last_side)));
    else
        printf("-\t");
    *last_side = side;
    *last = sparse;
    pm_elimination_free(&e);
    if (b.n <= DENSE_MOST) {
        must(pm_elimination_make_dense(&p, &e, &err), &err);
        double dense = time_elimination(&e);
        printf("%.4f\t%.0f\n", dense, dense / sparse);
        pm_elimination_free(&e);
    } else {
        printf("-\t-\n");
    }
    fflush(stdout);
    pm_paired_matrix_free(&p);
    pm_block_free(&b);
}

int main(void)
{
    bench_start();
    static const int32_t size[][2] = {{32, 12}, {64, 24}, {128, 48}, {200, 200}};
    static const int sides[] = {20, 30, 40, 50, 80, 100, 150, 200};
    double last_side = 0, last = 0;
    puts("# unit\tfront\tits own\tns a multiplication\tof the limit");
    for (int isa = 0; isa <= (int)pm_isa_best() && isa <= PM_ISA_AVX512; ++isa)
        for (int i = 0; i < (int)(sizeof size / sizeof *size); ++i)
            bench_front((pm_isa)isa, size[i][0], size[i][1]);
    puts("# side\tn\tmultiplications\tMiB\tseconds\texponent\tdense\tratio");
    for (int i = 0; i < (int)(sizeof sides / sizeof *sides); ++i)
        bench_board(sides[i], &last_side, &last);
    return 0;
}
