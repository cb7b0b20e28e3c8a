/* SPDX-License-Identifier: GPL-3.0-or-later */
/* copies/walks_problem.h: the second way to count graphs whose vertices have copies, by walks over pairs.
 *
 * The copies are divided into pairs: pair k joins a copy of vertex i_k with one of j_k, most_k times.  Give each pair a variable y_k.  A is
 * the symmetric matrix of the 2m ends i_0, j_0, i_1, ... of the m kinds of pairs, b their loops, X exchanges the two ends of each pair, and Y is
 * diagonal with y_k at both ends.  The (loop) hafnian is
 *
 *   prod_k most_k! * the coefficient of y_0^most_0 y_1^most_1 ... in exp L,
 *   L = 1/2 sum over n >= 1 of tr (YXA)^n / n  +  1/2 sum over n >= 0 of b' (YXA)^n YX b.
 *
 * Proof: give pair k complex Gaussian numbers z_k at one end and its conjugate at the other, E |z|^(2p) = p!.  All z are independent, so in
 * the expectation of exp(x'Ax/2 + b'x), x the ends times sqrt y, only monomials with equal powers at both ends of each pair are left.  The
 * coefficient of such a monomial in the exponential is the hafnian over prod most_k!^2, and its expectation prod most_k!.  The expectation
 * itself is det(I - YXA)^(-1/2) exp(b'(I - YXA)^(-1) YX b / 2), as power series.  The identity between polynomials in A and b that follows holds
 * in any field in which the numbers up to N can be divided by.
 *
 * L is found by walks that take an edge of A and jump to the other end of the pair in turn, with W_a[u] = the weight of all walks with
 * the jumps y^a that are at the end u after a jump:
 *
 *   W_a[u] = sum over w of W_(a - e_k(u))[w] A[w][partner of u].
 *
 * Walks that begin and end at the first end of pair k are a_k L_a without loops, since a closed walk and its reverse pass different ends; for all
 * a of pairs up to k.  Then, with k the last pair in a,
 *
 *   a_k (exp L)_a = sum over b <= a of b_k L_b (exp L)_(a - b).
 *
 * Nothing is subtracted but where the signs of the entries say so.  Thus an error is a small multiple of the same number of |A| and |b|. */
#ifndef PM_WALKS_PROBLEM_H
#define PM_WALKS_PROBLEM_H

#include "copies/copies_problem.h"

enum { PM_WALKS_PAIRS_MAX = 16, PM_WALKS_ENDS_MAX = 2 * PM_WALKS_PAIRS_MAX };

typedef struct {
    pm_copies field; /* kind, p and inverse only */
    bool has_loops;
    int32_t pairs, width; /* width: two for each pair, and 0 up to a full vector of 8 */
    int32_t most[PM_WALKS_PAIRS_MAX];
    /* Of a_k in the number of a; the last one is the number of all a. */
    int64_t stride[PM_WALKS_PAIRS_MAX + 1];
    /* A row of exp L has all powers of y_0: `lead` zeros, and its numbers up to a full vector. */
    int64_t lead, row;
    double *room;   /* holds the arrays below; they begin at multiples of 64 bytes */
    double *edge;   /* [ends w][components][width]: of w and the partner of u */
    double *loop;   /* [2][components][width]: of u, and of its partner */
    double *walk;   /* [stride[pairs]][components][width] */
    double *closed; /* [stride[pairs]][components]: a_k L_a, k the last pair in a */
    double *power;  /* [stride[pairs] / stride[1]][components][lead + row]: exp L */
    double (*inverse)[2], (*halves)[2]; /* 1 / k and k / 2 */
} pm_walks;

/* What fills walk, closed and power, the last row of which ends with the coefficient.  A state needs those with smaller
 * digits only.  All vector units give the same digits, unless products underflow. */
typedef struct {
    /* Closed walks that begin in pair `last`, for the states first .. end - 1 of those up to `last`.  Before: walk is 0, but 1 at the first
     * end of the pair in state 0. */
    void (*close)(const pm_walks *w, int32_t last, int64_t first, int64_t end);
    /* Adds to closed what walks between two loops give.  Before: walk is 0. */
    void (*join)(const pm_walks *w, int64_t first, int64_t end);
    /* The rows first .. end - 1 of exp L. */
    void (*power)(const pm_walks *w, int64_t first, int64_t end);
} pm_walks_kernel;
extern const pm_walks_kernel *const pm_walks_portable[PM_COPIES_KINDS],
    *const pm_walks_avx2[PM_COPIES_KINDS], *const pm_walks_avx512[PM_COPIES_KINDS];

#endif
