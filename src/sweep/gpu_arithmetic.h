/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/gpu_arithmetic.h: the kind of numbers that a kernel of the Ryser family computes with
 * (cuda/term.cuh). */
#ifndef PM_GPU_ARITHMETIC_H
#define PM_GPU_ARITHMETIC_H

#include "pm/value.h"
#include "sweep/float_kind.h"
#include "sweep/sum.h"

/* Residues in doubles: primes of one sweep; |row sums| of integers are below 2^PM_GPU_BITS. */
enum { PM_GPU_PRIMES = 4, PM_GPU_BITS = 51 };
#define PM_GPU_PRIME_MAX (UINT64_C(1) << 50)
/* Residues in words of 32 bits, for devices that are slow with doubles. */
enum { PM_WORD_PRIMES = 8, PM_WORD_BITS = 28 };
#define PM_WORD_PRIME_MAX (UINT64_C(1) << 30)

/* Kinds of numbers in addition to those of pm_dense_kind. */
enum { PM_GPU_KIND_RESIDUES = PM_DENSE_KINDS, PM_GPU_KIND_WORDS };

typedef struct {
    int32_t n; /* rows */
    int kind;  /* a pm_dense_kind, PM_GPU_KIND_RESIDUES or PM_GPU_KIND_WORDS */
    bool each; /* every term is added with its rounding error */
    int nprimes;
    uint64_t prime[PM_WORD_PRIMES];
    uint64_t closes, reduces; /* sets of rows, bit i for row i: see cuda/term.cuh */
} pm_gpu_arithmetic;

/* Sets kind, primes, closes and reduces; a->n is set.
 * ends: the rows after which a product ends in any case, as bits.
 * bound: [n], of each |row sum|, in the order of the rows.
 * in_words: bounds below 2^PM_WORD_BITS, primes below PM_WORD_PRIME_MAX and above half of it;
 * otherwise below 2^PM_GPU_BITS and PM_GPU_PRIME_MAX. */
void pm_gpu_arithmetic_modulo(const uint64_t *prime, int count, bool in_words, const int64_t *bound,
                              uint64_t ends, pm_gpu_arithmetic *a);

/* log2 of the factor by which terms in words are too small; 0 for other kinds. */
int64_t pm_gpu_word_shift(const pm_gpu_arithmetic *a);

/* p^-1 modulo 2^32, as a signed number; p is odd. */
int32_t pm_word_inverse(uint64_t p);

/* The number of doubles, or words, of one row sum. */
static inline int pm_gpu_parts(const pm_gpu_arithmetic *a)
{
    return a->nprimes ? 1 : pm_dense_components((pm_dense_kind)a->kind);
}

/* The number of terms of a chunk, at most `positions`; both are powers of two. */
int32_t pm_gpu_chunk(const pm_gpu_arithmetic *a, int32_t positions);

/* Additions and multiplications to multiply the row sums of a term and to add it. */
double pm_gpu_product_operations(const pm_gpu_arithmetic *a);

/* The member `rounding` of a pm_sweep with `chunk` terms in a chunk, segments of 2^flips positions
 * and `pieces` pieces. */
double pm_gpu_term_rounding(const pm_gpu_arithmetic *a, int32_t chunk, int32_t flips,
                            double pieces);

/* The text of a kernel: macros in the format of printf, the macros that cuda/prelude.cuh and
 * cuda/term.cuh need, and `kernel` between these files and cuda/block.cuh.  The caller frees it;
 * NULL when memory ends. */
char *pm_gpu_term_text(const pm_gpu_arithmetic *a, const char *kernel, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the records of such a kernel (sweep/gpu_records.h). */
void pm_gpu_term_fold(const pm_gpu_arithmetic *a, const void *records, int64_t count, double spread,
                      pm_sum *sum);

#endif
