/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree.h: the sweep of a tree of products, and its interpreters.
 *
 * Thirty-two streams run side by side; they differ in the signs of the slow columns and flip the
 * same column at the same time.  Index t of the sweep is stream t mod 2^slow at place t / 2^slow
 * of the Gray code.  A value is a few vectors, as many as hide the latency of a multiplication;
 * vector units that are narrower run the streams in several groups, with the same digits. */
#ifndef PM_TREE_H
#define PM_TREE_H

#include "core/isa.h"
#include "pm/value.h"
#include "product_tree/tree_program.h"
#include "sweep/sweep.h"

enum { PM_TREE_SLOW = 5, PM_TREE_STREAMS = 1 << PM_TREE_SLOW };

typedef struct {
    const pm_tree_plan *plan; /* slow at most PM_TREE_SLOW; copied */
    const uint64_t *prime;    /* integers: moduli, see pm_tree_program_make */
    int32_t nprimes;          /* inexact: 0 */
    pm_precision precision;   /* not PM_QUAD */
    pm_isa isa;               /* one that the processor has */
} pm_tree_choice;

/* choice: a pm_tree_choice.  Sums modulo prime k stand in the limbs 2k and 2k + 1, not reduced:
 * pm_tree_residue.  Inexact sums: up to 2^12 terms `absolute` and `spread` are summed in
 * full.  Beyond that the terms as they are, without what atoms hide, are summed in full, and how
 * much larger the two are is taken from a sample of at least 2^12 terms: a few terms are by far the
 * largest, but these ratios vary little.
 * Fails: PM_ENOMEM. */
pm_status pm_tree_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);

/* 2^shift * sum modulo prime k. */
uint64_t pm_tree_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

/* Mean of a term: additions and multiplications, and what they take in the unit of the planner's
 * rates, an operation on values in cache. */
double pm_tree_term_operations(const pm_sweep *s);
double pm_tree_term_work(const pm_sweep *s);

/* ---- what all ways to run a tree share ---- */

/* 2^shift * sum modulo prime k. */
uint64_t pm_tree_program_residue(const pm_tree_program *program, const pm_sum *sum, int32_t k);

/* Sums of magnitudes: all, of the terms sampled, and what belongs to these. */
typedef struct {
    double size, sampled, absolute, spread;
} pm_tree_magnitudes;

/* To sum->absolute and sum->spread; one term of 2^stride was sampled. */
void pm_tree_add_magnitudes(const pm_tree_magnitudes *m, int32_t stride, pm_sum *sum);

/* Of a pm_sweep, with terms that are summed in chunks before they meet others. */
double pm_tree_rounding(const pm_tree_program *p, int32_t chunk);

/* ---- the interpreters ---- */

/* One group of streams, `width` of them.  Cell c, part q (0 real, 1 imaginary) of stream i is
 * cell[(c * parts + q) * width + i]. */
typedef struct {
    double *cell;
    double *scratch; /* as cell, for the magnitudes of inexact sums */
    /* inexact: compensated sums, and sums of |re| + |im| of the terms as computed; the same of
     * the terms sampled, and their parts of what sweep.h calls so */
    _Alignas(64) double high[2][PM_TREE_STREAMS];
    double low[2][PM_TREE_STREAMS], size[PM_TREE_STREAMS];
    double sampled[PM_TREE_STREAMS], absolute[PM_TREE_STREAMS], spread[PM_TREE_STREAMS];
    __int128 total[PM_TREE_PRIMES][PM_TREE_STREAMS]; /* modulo primes */
} pm_tree_group;

typedef struct {
    const pm_tree_program *program;
    int32_t chunk;  /* places summed before the sum is added to the others: a power of two */
    int32_t stride; /* log2: one place of 2^stride is sampled */
} pm_tree_run;

typedef struct {
    int32_t width; /* streams of a group, a divisor of PM_TREE_STREAMS */
    /* Places first .. end - 1, multiples of the chunk; the inputs stand in the cells. */
    void (*real)(const pm_tree_run *r, uint64_t first, uint64_t end, pm_tree_group *g);
    void (*complex)(const pm_tree_run *r, uint64_t first, uint64_t end, pm_tree_group *g);
    void (*residues)(const pm_tree_run *r, uint64_t first, uint64_t end, pm_tree_group *g);
} pm_tree_kernels;

extern const pm_tree_kernels pm_tree_portable, pm_tree_avx2, pm_tree_avx512;

/* The place of a stretch of 2^stride places whose terms are looked at. */
static inline uint64_t pm_tree_sampled(uint64_t stretch, int32_t stride)
{
    uint64_t mixed = (stretch + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return stride ? stretch << stride | mixed >> (64 - stride) : stretch;
}

#endif
