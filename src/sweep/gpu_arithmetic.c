/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/gpu_arithmetic.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "gpu/kernel_text.h"
#include "sweep/gpu_records.h"

enum { EXACT_SUM = 8 /* residues below 2^50 that a double adds up exactly */ };

static double least_prime(const pm_gpu_arithmetic *a)
{
    double least = INFINITY;
    for (int k = 0; k < a->nprimes; ++k)
        least = fmin(least, (double)a->prime[k]);
    return least;
}

/* The group of rows that are multiplied exactly. */
typedef struct {
    double product; /* of their bounds */
    int32_t last;   /* row; -1: no group is open */
} open_group;

static void close_group(open_group *g, pm_gpu_arithmetic *a)
{
    if (g->last >= 0)
        a->closes |= UINT64_C(1) << g->last;
    *g = (open_group){1, -1};
}

/* Row sums are multiplied in the order of the rows while the bound of the product stays below the
 * primes; then the product is taken modulo each prime. */
void pm_gpu_arithmetic_modulo(const uint64_t *prime, int count, bool in_words, const int64_t *bound,
                              uint64_t ends, pm_gpu_arithmetic *a)
{
    open_group g = {1, -1};
    a->kind = in_words ? PM_GPU_KIND_WORDS : PM_GPU_KIND_RESIDUES;
    a->nprimes = count;
    for (int k = 0; k < count; ++k)
        a->prime[k] = prime[k];
    double most = least_prime(a) * (1 - 0x1p-40);
    for (int32_t i = 0; i < a->n; ++i) {
        double size = fmax((double)bound[i], 1);
        if (size > most) {
            a->reduces |= UINT64_C(1) << i;
        } else {
            if (g.product * size > most)
                close_group(&g, a);
            g.product *= size;
            g.last = i;
        }
        if (ends >> i & 1)
            close_group(&g, a);
    }
    close_group(&g, a);
}

int64_t pm_gpu_word_shift(const pm_gpu_arithmetic *a)
{
    return a->kind == PM_GPU_KIND_WORDS ? 32 * (__builtin_popcountll(a->closes) - 1) : 0;
}

/* Newton: each step doubles the number of correct bits.  It starts with 3 bits, since p p = 1
 * modulo 8. */
int32_t pm_word_inverse(uint64_t p)
{
    uint32_t x = (uint32_t)p;
    for (int bits = 3; bits < 32; bits *= 2)
        x *= 2 - (uint32_t)p * x;
    int32_t inverse;
    memcpy(&inverse, &x, sizeof inverse);
    return inverse;
}

int32_t pm_gpu_chunk(const pm_gpu_arithmetic *a, int32_t positions)
{
    int32_t most = a->nprimes ? EXACT_SUM : 16;
    return positions < most ? positions : most;
}

double pm_gpu_product_operations(const pm_gpu_arithmetic *a)
{
    static const double each[PM_DENSE_KINDS] = {1, 4, 7, 40, 1, 4},
                        add[PM_DENSE_KINDS] = {2, 4, 11, 22, 2, 4};
    double modular = a->kind == PM_GPU_KIND_WORDS ? 5 : 7;
    if (!a->nprimes)
        return each[a->kind] * a->n + add[a->kind] + (a->each ? 6 : 0);
    int closes = __builtin_popcountll(a->closes), reduces = __builtin_popcountll(a->reduces);
    double multiplied = fmax(closes + 2 * reduces - 1, 0);
    return a->n - reduces + a->nprimes * (1 + modular * multiplied);
}

/* In units of 2^-53 of the sum of |terms|, see dense/dense_float.c: the product; the plain sum of a
 * chunk; the compensated or double-double sum of a segment; the sums of thread blocks and pieces;
 * and the rounding of `absolute`.  In single precision the sum of a segment is compensated with 2^-24. */
double pm_gpu_term_rounding(const pm_gpu_arithmetic *a, int32_t chunk, int32_t flips, double pieces)
{
    const double u = 0x1p-53, v = PM_SINGLE_ROUNDING;
    double n = a->n, product = n - 1, terms = ldexp(1, flips);
    double sums = (4 * terms + 3 * (pieces + 64)) * u;
    bool is_quad = pm_dense_is_quad((pm_dense_kind)a->kind);
    switch ((pm_dense_kind)a->kind) {
    case PM_DENSE_REAL: break;
    case PM_DENSE_COMPLEX: product = 2.25 * (n - 1); break;
    case PM_DENSE_QUAD: product = 4 * n * n * u; break;
    case PM_DENSE_COMPLEX_QUAD: product = 10 * (n + 1) * (n + 1) * u; break;
    case PM_DENSE_SINGLE: product = v * (n + chunk + 8 * terms * v * u); break;
    case PM_DENSE_COMPLEX_SINGLE: product = v * (2.25 * n + chunk + 8 * terms * v * u); break;
    }
    return 1.25 * u * (product + (is_quad || a->each ? 0 : chunk) + sums + (is_quad ? 0 : 4));
}

static void write_macros(const pm_gpu_arithmetic *a, FILE *f)
{
    fprintf(f,
            "#define PM_KIND %d\n#define PM_N %d\n#define PM_TERMS %d\n#define PM_EACH %d\n"
            "#define PM_CLOSES 0x%" PRIx64 "ull\n#define PM_REDUCES 0x%" PRIx64 "ull\n",
            a->kind, (int)a->n, a->nprimes, (int)a->each, a->closes, a->reduces);
    if (!a->nprimes)
        return;
    bool in_words = a->kind == PM_GPU_KIND_WORDS;
    fputs("#define PM_PRIMES {", f);
    for (int k = 0; k < a->nprimes; ++k)
        fprintf(f, in_words ? "%.0f, " : "%a, ", (double)a->prime[k]);
    fputs("}, {", f);
    for (int k = 0; k < a->nprimes; ++k)
        fprintf(f, in_words ? "%.0f, " : "%a, ",
                in_words ? pm_word_inverse(a->prime[k]) : 1 / (double)a->prime[k]);
    fputs("}\n", f);
}

char *pm_gpu_term_text(const pm_gpu_arithmetic *a, const char *kernel, const char *format, ...)
{
    va_list arguments;
    pm_text_stream *s = pm_text_stream_open();
    if (!s)
        return NULL;
    FILE *f = pm_text_stream_file(s);
    va_start(arguments, format);
    vfprintf(f, format, arguments);
    va_end(arguments);
    write_macros(a, f);
    fprintf(f, "%s%s%s%s", pm_text_prelude, pm_text_term, kernel, pm_text_block);
    return pm_text_stream_close(s);
}

void pm_gpu_term_fold(const pm_gpu_arithmetic *a, const void *records, int64_t count, double spread,
                      pm_sum *sum)
{
    if (a->nprimes)
        pm_gpu_fold_residues(records, count, a->nprimes, a->prime, a->nprimes, sum);
    else
        pm_gpu_fold_terms(records, count, spread, sum);
}
