/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/gpu_arithmetic.h: the kind of number that a kernel of row sums works on (cuda/term.cuh). */
#ifndef PM_GPU_ARITHMETIC_H
#define PM_GPU_ARITHMETIC_H

#include <stdio.h>

#include "pm/value.h"
#include "sweep/float_kind.h"

/* Primes of one sweep; |row sums| of integers are below 2^PM_GPU_BITS. */
enum { PM_GPU_PRIMES = 4, PM_GPU_BITS = 51 };
#define PM_GPU_PRIME_MAX (UINT64_C(1) << 50)
/* The same in words of 32 bits, for devices that are slow with doubles. */
enum { PM_WORD_PRIMES = 8, PM_WORD_BITS = 28 };
#define PM_WORD_PRIME_MAX (UINT64_C(1) << 30)

/* Beside those of pm_dense_kind. */
enum { PM_GPU_KIND_RESIDUES = PM_DENSE_KINDS, PM_GPU_KIND_WORDS };

typedef struct {
    int32_t n;
    int kind;  /* a pm_dense_kind, PM_GPU_KIND_RESIDUES or PM_GPU_KIND_WORDS */
    bool each; /* every term is added with its rounding */
    int nprimes;
    uint64_t prime[PM_WORD_PRIMES];
    uint64_t closes, reduces; /* rows, see cuda/term.cuh */
} pm_gpu_arithmetic;

/* bound: of each |row sum|, in the rows' sequence; in_words: below 2^PM_WORD_BITS, of primes below
 * PM_WORD_PRIME_MAX and above half of it, else as above. */
void pm_gpu_arithmetic_modulo(const uint64_t *prime, int count, bool in_words, const int64_t *bound,
                              pm_gpu_arithmetic *a);

/* log2 of the factor by which terms in words are too small. */
int64_t pm_gpu_word_shift(const pm_gpu_arithmetic *a);

/* p^-1 modulo 2^32, as a signed number. */
int32_t pm_word_inverse(uint64_t p);

/* Doubles of a row sum. */
static inline int pm_gpu_parts(const pm_gpu_arithmetic *a)
{
    return a->nprimes ? 1 : pm_dense_components((pm_dense_kind)a->kind);
}

/* Terms that a chunk may have, of the places at hand: a power of two. */
int32_t pm_gpu_chunk(const pm_gpu_arithmetic *a, int32_t places);

/* Operations of a product of row sums and of adding it. */
double pm_gpu_product_operations(const pm_gpu_arithmetic *a);

/* `rounding` of a pm_sweep whose chunks have so many terms, its streams 2^flips and which has
 * `pieces`. */
double pm_gpu_term_rounding(const pm_gpu_arithmetic *a, int32_t chunk, int32_t flips,
                            double pieces);

/* What the text defines for cuda/prelude.cuh and cuda/term.cuh. */
void pm_gpu_arithmetic_write(const pm_gpu_arithmetic *a, FILE *f);

#endif
