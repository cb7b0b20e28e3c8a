/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dense/dense_exact.h"

#include <stdlib.h>

#include "algorithm/rates.h"
#include "core/machine.h"
#include "dense/dense_exact_plan.h"
#include "dense/dense_exact_range.h"
#include "pm/alloc.h"
#include "sweep/sum_bits.h"

typedef void range_function(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);

static range_function *const range_on[] = {
    [PM_ISA_PORTABLE] = pm_dense_exact_range_portable,
#if PM_HAVE_X86
    [PM_ISA_AVX2] = pm_dense_exact_range_avx2,
    [PM_ISA_AVX512] = pm_dense_exact_range_avx512,
    [PM_ISA_AVX512IFMA] = pm_dense_exact_range_avx512,
#endif
};

/* Instructions in place of one of 64 bytes.  Only IFMA has long products in vectors. */
static const double vectors_on[] = {
    [PM_ISA_PORTABLE] = 4, [PM_ISA_AVX2] = 2, [PM_ISA_AVX512] = 1, [PM_ISA_AVX512IFMA] = 1};

static range_function *choose_range(const pm_dense_plan *p, pm_isa isa)
{
    if (p->ngroups == 0)
        return pm_dense_exact_range_terms;
#if PM_HAVE_X86
    if (p->tail == PM_DENSE_IFMA)
        return pm_dense_exact_range_ifma;
#endif
    return range_on[isa];
}

static pm_dense_tail tail_on(pm_isa isa)
{
    return isa == PM_ISA_AVX512IFMA ? PM_DENSE_IFMA : PM_DENSE_LIMBS;
}

/* The number of indices of a piece, a power of two.  It depends on the problem only, so it uses the
 * nominal rate and its vector unit, never calibrated ones. */
static uint64_t choose_piece(double work, uint64_t grain, uint64_t count)
{
    double unit = pm_rates_nominal.seconds[PM_RATE_DENSE_EXACT];
    uint64_t piece = grain;
    while (piece < count && (double)piece * work * unit < PM_PIECE_SECONDS)
        piece *= 2;
    return piece;
}

static double nominal_work(const pm_square *s, bool keep_order)
{
    return pm_dense_exact_work(s, keep_order, pm_rates_nominal.isa);
}

static const pm_dense_exact_choice defaults;

static int any_range_limbs(const pm_square *s, const pm_dense_plan *p)
{
    int limbs = pm_sum_bits_limbs(pm_square_sum_bits(s, p->shift));
    return limbs > p->limbs ? limbs : p->limbs;
}

static pm_status prepare(const pm_square *s, const pm_dense_exact_choice *c, pm_isa isa,
                         pm_sweep *out, pm_error *err)
{
    pm_dense_plan *p = pm_alloc_array(1, sizeof *p);
    if (!p)
        return pm_fail_memory(err, "row sums");
    pm_dense_plan_make(s, tail_on(isa), c->keep_order, p);
    if (c->any_range)
        p->limbs = any_range_limbs(s, p);
    uint64_t count = UINT64_C(1) << (s->n - 1);
    uint64_t grain = s->n > PM_DENSE_GRAIN_BITS ? UINT64_C(1) << PM_DENSE_GRAIN_BITS : 1;
    *out = (pm_sweep){.what = "ryser",
                      .count = count,
                      .grain = grain,
                      .piece = choose_piece(nominal_work(s, c->keep_order), grain, count),
                      .limbs = p->limbs,
                      .shift = p->shift,
                      .problem = p,
                      .range = choose_range(p, isa),
                      .free_problem = free};
    return PM_OK;
}

pm_status pm_dense_exact_prepare_isa(const pm_square *s, pm_isa isa, pm_sweep *out, pm_error *err)
{
    return prepare(s, &defaults, isa, out, err);
}

pm_status pm_dense_exact_prepare(const pm_square *s, const void *choice, pm_sweep *out,
                                 pm_error *err)
{
    return prepare(s, choice ? choice : &defaults, pm_isa_best(), out, err);
}

double pm_dense_exact_work(const pm_square *s, bool keep_order, pm_isa isa)
{
    pm_dense_plan p;
    pm_dense_plan_make(s, tail_on(isa), keep_order, &p);
    return vectors_on[isa] * (p.work - p.products) + p.products;
}
