/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree.h: the sweep of a product tree on the CPU, and its interpreters.
 *
 * Up to 32 lanes are computed at the same time.  They differ in the signs of the slow columns and
 * flip the same column at the same time.  Index t of the sweep is position t / 2^slow of the Gray
 * code in lane t mod 2^slow.  A value takes several vectors, enough to hide the latency of a
 * multiplication; narrower vector units compute the lanes in several groups, with the same
 * digits. */
#ifndef PM_TREE_H
#define PM_TREE_H

#include "core/isa.h"
#include "pm/value.h"
#include "product_tree/tree_program.h"
#include "sweep/sweep.h"

enum { PM_TREE_LANES = 1 << PM_TREE_SLOW };

typedef struct {
    const pm_tree_plan *plan; /* slow: at most PM_TREE_SLOW; copied */
    const uint64_t *prime;    /* integers: the moduli, see pm_tree_program_make */
    int32_t nprimes;          /* inexact: 0 */
    pm_precision precision;   /* not PM_QUAD */
    pm_isa isa;               /* a vector unit that the processor has */
} pm_tree_choice;

/* Prepares the sweep.  choice: a pm_tree_choice.
 * Integers: the sum modulo prime k is in the limbs 2k and 2k + 1, not reduced; see pm_tree_residue.
 * Inexact sums: `absolute` and `spread` are summed over all terms if there are at most 2^12.  If
 * there are more, the magnitudes of the terms as computed are summed over all terms, and the ratios
 * of `absolute` and `spread` to them are taken from a sample of at least 2^12 terms.  (The terms
 * differ much in size, these ratios little.  An eliminated column makes `absolute` larger than the
 * magnitude of the term, because it hides cancellation.)
 * Fails: PM_ENOMEM. */
pm_status pm_tree_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err);

/* 2^shift * sum modulo prime k. */
uint64_t pm_tree_residue(const pm_sweep *s, const pm_sum *sum, int32_t k);

/* The mean number of additions and multiplications of a term, and their cost in units of
 * PM_RATE_PRODUCT_TREE (an operation on values in cache). */
double pm_tree_term_operations(const pm_sweep *s);
double pm_tree_term_work(const pm_sweep *s);

/* ---- what CPU and GPU share ---- */

/* 2^shift * sum modulo prime k. */
uint64_t pm_tree_program_residue(const pm_tree_program *program, const pm_sum *sum, int32_t k);

/* Sums of magnitudes: size over all terms; sampled, absolute and spread over the sampled terms. */
typedef struct {
    double size, sampled, absolute, spread;
} pm_tree_magnitudes;

/* Adds them to sum->absolute and sum->spread; one term in 2^stride was sampled. */
void pm_tree_add_magnitudes(const pm_tree_magnitudes *m, int32_t stride, pm_sum *sum);

/* The member `rounding` of a pm_sweep.  chunk: terms that are summed in double before compensated
 * addition. */
double pm_tree_rounding(const pm_tree_program *p, int32_t chunk);

/* ---- the interpreters ---- */

/* A group of `width` lanes.  Part q (0 real, 1 imaginary) of cell c in lane i is
 * cell[(c * parts + q) * width + i]. */
typedef struct {
    double *cell;
    double *scratch; /* the same layout, for the magnitudes of inexact sums */
    /* inexact: compensated sums; sums of |re| + |im| of all computed terms (size) and of the
     * sampled ones; absolute and spread (sweep/sweep.h) of the sampled terms */
    _Alignas(64) double high[2][PM_TREE_LANES];
    double low[2][PM_TREE_LANES], size[PM_TREE_LANES];
    double sampled[PM_TREE_LANES], absolute[PM_TREE_LANES], spread[PM_TREE_LANES];
    __int128 total[PM_TREE_PRIMES][PM_TREE_LANES]; /* modulo primes */
} pm_tree_group;

typedef struct {
    const pm_tree_program *program;
    int32_t chunk;  /* positions that are summed in double first: a power of two */
    int32_t stride; /* log2: one position in 2^stride is sampled */
} pm_tree_run;

typedef struct {
    int32_t width; /* lanes of a group, a divisor of PM_TREE_LANES */
    /* Sums the positions first .. end - 1, multiples of the chunk; the cells hold the inputs at
     * `first`. */
    void (*real)(const pm_tree_run *r, uint64_t first, uint64_t end, pm_tree_group *g);
    void (*complex)(const pm_tree_run *r, uint64_t first, uint64_t end, pm_tree_group *g);
    void (*residues)(const pm_tree_run *r, uint64_t first, uint64_t end, pm_tree_group *g);
} pm_tree_kernels;

extern const pm_tree_kernels pm_tree_portable, pm_tree_avx2, pm_tree_avx512;

/* The sampled position of run number `stretch` of 2^stride positions. */
static inline uint64_t pm_tree_sampled(uint64_t stretch, int32_t stride)
{
    uint64_t mixed = (stretch + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return stride ? stretch << stride | mixed >> (64 - stride) : stretch;
}

#endif
