/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/copies_problem.h: what the vector kernels of the room sum.
 *
 * Vertex v has s_v copies, N together.  With h_v = s_v - 2 k_v and the forms q = h'Ah and l = h'b (A: weights of edges, its
 * diagonal those between two copies of a vertex; b: loops), the loop hafnian of the graph with all copies is
 *
 *   1/N! 2^-N * sum over 0 <= k_v <= s_v of prod_v (-1)^k_v C(s_v, k_v) * sum_r c_r q^r l^(N-2r),
 *
 * where c_r = N! / (r! (N-2r)! 2^r) is the number of sets of r disjoint edges among N vertices.  Without loops only
 * r = N/2 is left.
 * Proof: the loop hafnian is the coefficient of x_1 ... x_N in the power series exp(x'Ax/2 + b'x), and the degree N part of the series is
 * the inner sum over N!.  With all copies as variables the coefficient is 2^-N times the sum over all signs of their product and that
 * part (polarization); it depends on the number k_v of negative signs only.
 * Source: Kan 2008, From moments of sum to moments of product, theorem 1; the finite-difference sieve of Bulmer and others 2022.
 *
 * The numbers k_v are the digits of repeated/repeated_digits.h; a term and its complement are equal.  Inner digits have tables of
 * their part of q and l; a tile adds its own part and the forms between both, which are linear in the inner digits. */
#ifndef PM_COPIES_PROBLEM_H
#define PM_COPIES_PROBLEM_H

#include <stdbool.h>

#include "repeated/repeated_digits.h"
#include "sweep/float_kind.h"
#include "sweep/sum.h"

/* The kinds of pm_dense_kind but those in single precision, and residues modulo a prime below 2^50 in doubles. */
enum { PM_COPIES_RESIDUE = PM_DENSE_COMPLEX_QUAD + 1, PM_COPIES_KINDS };

/* A number: double-doubles of both parts, or a residue of least magnitude in x[0]. */
typedef struct {
    double x[4];
} pm_copies_number;

typedef struct {
    int kind;
    bool has_loops;
    pm_repeated_digits digits;
    int32_t half; /* N / 2, rounded down */
    bool is_odd;
    double p, inverse; /* the prime, and 1 / p rounded */
    /* In the order of the digits. */
    pm_copies_number *edge; /* [count][count] */
    pm_copies_number *loop; /* [count] */
    /* [2] for each digit and its values, as pm_repeated_float.digit_weight; residues have their weight in the first one, without 2^-c.
     * Digit j begins at first[j]. */
    double (*digit_weight)[2];
    int32_t first[PM_SQUARE_MAX];
    double *room; /* holds the arrays below; they begin at multiples of 64 bytes */
    double *quadratic,
        *linear;         /* [components][padded]: q and l of the inner digits of each pattern */
    double *weight;      /* [2][padded]: high and low part; 0 behind the last pattern */
    double *coefficient; /* [half + 1][2]: c_r times a power of two, or its residue */
    double raised_q, raised_l; /* the errors of q and l, times `scale` */
    double scale;              /* a power of two */
} pm_copies;

static inline int pm_copies_components(int kind)
{
    return kind == PM_COPIES_RESIDUE ? 1 : pm_dense_components((pm_dense_kind)kind);
}

/* The range functions of a pm_sweep, without and with loops.  All vector units give the same digits. */
typedef void pm_copies_range(const void *problem, uint64_t first, uint64_t end, pm_sum *sum);
typedef pm_copies_range *pm_copies_ranges[PM_COPIES_KINDS][2];
extern const pm_copies_ranges pm_copies_portable, pm_copies_avx2, pm_copies_avx512;

#endif
