/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sparse/skip_problem.h"

#include <stdlib.h>
#include <string.h>
#if PM_HAVE_X86
#include <immintrin.h>
#endif

#include "core/machine.h"
#include "pm/alloc.h"
#include "sparse/sparse_ryser.h"
#include "sweep/gpu_sweep.h"
#include "sweep/sum_bits.h"

enum { SMALL_BITS = 18, SAMPLES_BITS = 15, PIECE_BITS = 17, LANES = PM_SKIP_LANES };

/* ---- jumps ---- */

/* The first index after g at which a column of the first zero row flips.  The column that flips at
 * an index is its lowest 1 bit, so the candidates are multiples of 2^low, whose lowest bit is
 * alternately `low` and higher.  Rows are sorted by their lowest column, the highest first, so
 * another zero row could lengthen the jump by at most one such step: the maximum over all zero rows
 * (algorithm 10) costs more than it saves. */
static inline uint64_t after_zeros(const pm_skip_problem *p, uint64_t zeros, uint64_t g)
{
    int i = __builtin_ctzll(zeros);
    uint64_t next = ((g >> p->low[i]) + 1) << p->low[i];
    return next + ((~p->mask[i] >> __builtin_ctzll(next) & 1) << p->low[i]);
}

/* ---- row sums of any size ---- */

static void wide_range(const pm_skip_problem *p, uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_terms *t = &p->terms;
    pm_row_sums x;
    pm_row_sums_at(t, first, &x);
    for (uint64_t g = first;;) {
        uint64_t next = g + 1;
        if (x.zeros)
            next = after_zeros(p, x.zeros, g);
        else
            pm_terms_add(t, &x, g & 1, sum);
        if (next >= end)
            break;
        pm_row_sums_move(t, g, next, &x);
        g = next;
    }
    if (!t->is_exact)
        pm_terms_settle(sum);
}

/* ---- row sums in bytes ---- */

/* All row sums, one in each byte; the bytes after the last row are 1 and do not change. */
typedef int8_t bytes64 __attribute__((vector_size(PM_SQUARE_MAX), aligned(PM_SQUARE_MAX)));
typedef uint8_t ubytes64 __attribute__((vector_size(PM_SQUARE_MAX), aligned(PM_SQUARE_MAX)));
typedef int8_t bytes32 __attribute__((vector_size(32)));
typedef int16_t shorts32 __attribute__((vector_size(64)));
typedef int16_t shorts16 __attribute__((vector_size(32)));
typedef int32_t ints16 __attribute__((vector_size(64)));
typedef int32_t ints8 __attribute__((vector_size(32)));
typedef int64_t longs8 __attribute__((vector_size(64)));

typedef union {
    bytes64 all;
    bytes32 half[2];
    int8_t at[PM_SQUARE_MAX];
    uint64_t word[8];
} byte_sums;

typedef struct {
    /* the change of x when column k leaves T [0] or enters T [1] */
    byte_sums step[2][PM_SQUARE_MAX];
    byte_sums x;
} byte_columns;

static void make_bytes(const pm_terms *t, uint64_t index, byte_columns *c)
{
    pm_row_sums x;
    memset(c->step, 0, sizeof c->step);
    memset(c->x.at, 1, sizeof c->x.at);
    for (int k = 0; k < t->flips; ++k)
        for (int32_t e = t->colptr[k]; e < t->colptr[k + 1]; ++e) {
            c->step[0][k].at[t->rowind[e]] = (int8_t)t->re[e];
            c->step[1][k].at[t->rowind[e]] = (int8_t)-t->re[e];
        }
    pm_row_sums_at(t, index, &x);
    for (int32_t i = 0; i < t->n; ++i)
        c->x.at[i] = (int8_t)x.re[i];
}

/* Returns a set with one bit for each byte that is 0. */
static inline __attribute__((always_inline)) uint64_t zero_bytes(const byte_sums *x)
{
    uint64_t zeros = 0;
    const uint64_t low = UINT64_C(0x7f7f7f7f7f7f7f7f);
    for (int w = 0; w < 8; ++w) {
        uint64_t is_zero = ~(((x->word[w] & low) + low) | x->word[w] | low); /* bit 7 of each */
        zeros |= ((is_zero >> 7) * UINT64_C(0x0102040810204080) >> 56) << 8 * w;
    }
    return zeros;
}

/* Eight products, of 8 bytes each, at most 2^56. */
static inline __attribute__((always_inline)) void byte_products(const byte_sums *x,
                                                                int64_t product[LANES])
{
    union {
        shorts32 all;
        shorts16 half[2];
    } s;
    union {
        ints16 all;
        ints8 half[2];
    } i;
    longs8 l;
    s.all = __builtin_convertvector(x->half[0], shorts32)
            * __builtin_convertvector(x->half[1], shorts32);
    i.all = __builtin_convertvector(s.half[0], ints16) * __builtin_convertvector(s.half[1], ints16);
    l = __builtin_convertvector(i.half[0], longs8) * __builtin_convertvector(i.half[1], longs8);
    memcpy(product, &l, sizeof l);
}

static inline __attribute__((always_inline)) void
add_bytes(const pm_skip_problem *p, const byte_sums *x, int limbs, bool minus, pm_sum *sum)
{
    int64_t product[LANES], factor[LANES];
    byte_products(x, product);
    if (limbs == 1) {
        pm_terms_add_factors(product, LANES, 1, minus, sum);
        return;
    }
    for (int b = 0; b < p->lane_groups; ++b) {
        factor[b] = product[p->lane_group[b]];
        for (int l = p->lane_group[b] + 1; l < p->lane_group[b + 1]; ++l)
            factor[b] *= product[l];
    }
    pm_terms_add_factors(factor, p->lane_groups, limbs, minus, sum);
}

static inline __attribute__((always_inline)) void
narrow_body(const pm_skip_problem *p, uint64_t first, uint64_t end, pm_sum *sum,
            uint64_t (*zero_mask)(const byte_sums *))
{
    byte_columns c;
    int limbs = p->terms.limbs;
    make_bytes(&p->terms, first, &c);
    byte_sums x = c.x;
    for (uint64_t g = first;;) {
        /* branches, because the processor predicts them */
        uint64_t zeros = zero_mask(&x), next = g + 1;
        if (zeros)
            next = after_zeros(p, zeros, g);
        else
            add_bytes(p, &x, limbs, g & 1, sum);
        if (next >= end)
            break;
        uint64_t gray = next ^ next >> 1;
        for (uint64_t change = gray ^ g ^ g >> 1; change; change &= change - 1) {
            int k = __builtin_ctzll(change);
            /* without signs: a change by up to 254 wraps, and the sum, which fits, wraps back */
            x.all = (bytes64)((ubytes64)x.all + (ubytes64)c.step[gray >> k & 1][k].all);
        }
        g = next;
    }
}

static void narrow_portable(const pm_skip_problem *p, uint64_t first, uint64_t end, pm_sum *sum)
{
    narrow_body(p, first, end, sum, zero_bytes);
}

#if PM_HAVE_X86
PM_TARGET_AVX2 static inline __attribute__((always_inline)) uint64_t
zero_bytes_avx2(const byte_sums *x)
{
    const __m256i *v = (const __m256i *)x, zero = _mm256_setzero_si256();
    uint32_t low = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v[0], zero));
    uint32_t high = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v[1], zero));
    return (uint64_t)high << 32 | low;
}

PM_TARGET_AVX2 static void narrow_avx2(const pm_skip_problem *p, uint64_t first, uint64_t end,
                                       pm_sum *sum)
{
    narrow_body(p, first, end, sum, zero_bytes_avx2);
}

PM_TARGET_AVX512 static inline __attribute__((always_inline)) uint64_t
zero_bytes_avx512(const byte_sums *x)
{
    __m512i v = *(const __m512i *)x;
    return _mm512_testn_epi8_mask(v, v);
}

PM_TARGET_AVX512 static void narrow_avx512(const pm_skip_problem *p, uint64_t first, uint64_t end,
                                           pm_sum *sum)
{
    narrow_body(p, first, end, sum, zero_bytes_avx512);
}
#endif

static void narrow_range(const pm_skip_problem *p, uint64_t first, uint64_t end, pm_sum *sum)
{
#if PM_HAVE_X86
    if (p->isa >= PM_ISA_AVX512)
        narrow_avx512(p, first, end, sum);
    else if (p->isa == PM_ISA_AVX2)
        narrow_avx2(p, first, end, sum);
    else
#endif
        narrow_portable(p, first, end, sum);
}

/* ---- the sweep ---- */

static void range(const void *of, uint64_t first, uint64_t end, pm_sum *sum)
{
    const pm_skip_problem *p = of;
    if (p->is_narrow)
        narrow_range(p, first, end, sum);
    else
        wide_range(p, first, end, sum);
    pm_terms_spread(&p->terms, p->sample_bits, first, end, sum);
}

void pm_skip_problem_free(void *of)
{
    pm_skip_problem *p = of;
    if (p)
        pm_terms_free(&p->terms);
    free(p);
}

static bool fits_bytes(const pm_terms *t)
{
    for (int32_t i = 0; i < t->n; ++i)
        if (t->bound[i] > INT8_MAX)
            return false;
    return t->is_exact;
}

/* Lane l of byte_products multiplies the rows l, l + 8, l + 16, ... */
static void group_lanes(pm_skip_problem *p)
{
    double bits = 0;
    for (int l = 0; l < LANES; ++l) {
        double more = 0;
        for (int32_t i = l; i < p->terms.n; i += LANES)
            more += log2(fmax((double)p->terms.bound[i], 1));
        if (l == 0 || bits + more > 62.9) {
            p->lane_group[p->lane_groups++] = l;
            bits = 0;
        }
        bits += more;
    }
    p->lane_group[p->lane_groups] = LANES;
}

/* Sorts the rows by their lowest column in the order of the columns, the highest first. */
static void sort_rows(const pm_square *s, pm_column_order *order)
{
    int32_t position[PM_SQUARE_MAX], lowest[PM_SQUARE_MAX], count = 0;
    for (int32_t c = 0; c < s->n; ++c)
        position[order->cols[c]] = c;
    for (int32_t i = 0; i < s->n; ++i) {
        lowest[i] = s->n;
        for (int32_t k = s->rowptr[i]; k < s->rowptr[i + 1]; ++k)
            if (position[s->colind[k]] < lowest[i])
                lowest[i] = position[s->colind[k]];
    }
    for (int32_t c = s->n; c >= 0; --c)
        for (int32_t i = 0; i < s->n; ++i)
            if (lowest[i] == c)
                order->rows[count++] = i;
}

pm_status pm_skip_terms(const pm_square *s, const pm_skip_choice *choice, const uint64_t *start,
                        pm_terms *out, pm_error *err)
{
    pm_pattern pattern = pm_square_pattern(s);
    pm_column_order order;
    pm_status status = PM_OK;
    if (choice->keep_order)
        pm_column_order_given(s->n, &order);
    else
        status = pm_column_order_skip(&pattern, order.cols, order.rows, err);
    if (status)
        return status;
    sort_rows(s, &order);
    return pm_terms_make_from(s, choice->form, &order, start, out, err);
}

pm_status pm_skip_problem_make(const pm_square *s, const pm_skip_choice *choice,
                               pm_skip_problem **out, pm_error *err)
{
    pm_skip_problem *p = pm_calloc_array(1, sizeof *p);
    if (!p)
        return pm_fail_memory(err, "skipper");
    pm_terms *t = &p->terms;
    pm_status status = pm_skip_terms(s, choice, NULL, t, err);
    if (status) {
        pm_skip_problem_free(p);
        return status;
    }
    if (choice->any_range)
        t->limbs = pm_terms_any_range_limbs(t);
    for (int32_t i = 0; i < t->n; ++i) {
        p->mask[i] = t->columns[i] | UINT64_MAX << t->flips;
        p->low[i] = __builtin_ctzll(p->mask[i]);
    }
    p->is_narrow = fits_bytes(t);
    if (p->is_narrow)
        group_lanes(p);
    p->sample_bits = t->flips > SMALL_BITS ? t->flips - SAMPLES_BITS : 0;
    *out = p;
    return PM_OK;
}

pm_status pm_skip_prepare_isa(const pm_square *s, const pm_skip_choice *chosen, pm_isa isa,
                              pm_sweep *out, pm_error *err)
{
    pm_skip_problem *p;
    pm_status status = pm_skip_problem_make(s, chosen, &p, err);
    if (status)
        return status;
    p->isa = isa;
    const pm_terms *t = &p->terms;
    uint64_t grain = UINT64_C(1) << (t->has_spread ? p->sample_bits : 0);
    uint64_t wanted = chosen->piece ? chosen->piece : UINT64_C(1) << PIECE_BITS;
    uint64_t piece = wanted > grain ? wanted : grain;
    *out = (pm_sweep){
        .what = "skipper",
        .count = pm_terms_count(t),
        .grain = grain,
        .piece = piece,
        .share = t->is_exact ? 0 : pm_gpu_sweep_share(t->flips, PM_GPU_SPARSE_INDEX_WORK, piece),
        .limbs = t->is_exact ? t->limbs : 0,
        .rounding = t->is_exact ? 0 : pm_terms_rounding(t),
        .sampled = t->has_spread && p->sample_bits > 0,
        .shift = t->shift,
        .problem = p,
        .range = range,
        .free_problem = pm_skip_problem_free};
    return PM_OK;
}

pm_status pm_skip_prepare(const pm_square *s, const void *choice, pm_sweep *out, pm_error *err)
{
    return pm_skip_prepare_isa(s, choice, pm_isa_best(), out, err);
}

double pm_skip_sum_bits(const pm_sweep *s)
{
    return pm_terms_sum_bits(&((const pm_skip_problem *)s->problem)->terms);
}
