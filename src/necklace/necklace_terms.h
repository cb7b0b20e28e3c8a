/* SPDX-License-Identifier: GPL-3.0-or-later */
/* necklace/necklace_terms.h: Ryser's sum where rows are geometric sequences, as one over orbits of sets of columns.
 *
 * Let a_{i,k} = a_{i,0} w_i^k for all rows i and columns k, modulo m, with w_i^n = 1 and prod w_i = 1.  Take the a_{i,0} out.  The term
 * of a set S of columns is f(S) = (-1)^(n - |S|) prod_i s_i(S), with row sums s_i(S) = sum_{k in S} w_i^k.
 *
 * Shifts.  s_i(S + 1) = w_i s_i(S), so f(S + 1) = f(S).  One set of each orbit is enough: a necklace.
 *
 * Units.  If u is prime to n, s_i(u S) = sum_{k in S} (w_i^u)^k.  Where the w_i^u are the w_j in another order, f(u S) = f(S).  Such u are
 * a group U.  Let c_d(S) be the number of pairs k, k + d in S.  It is the same for all shifts, c_{ud}(u S) = c_d(S) and c_{-d} = c_d.
 * Let T(S) be the number of u in U for which c_u(S) is the largest one.  For each S the sum over these u of 1 / T(S) is 1, so
 *
 *   sum_S f(S) = sum_u sum_{S: c_u(S) largest} f(S) / T(S) = |U| sum_{S: c_1(S) largest} f(S) / T(S),
 *
 * where S was replaced by u S, which changes neither f nor T.  If -1 is in U, units in pairs u, -u count once in |U| and T; and then
 * S and -S have the same term, as well as the same c_d, so that one of the two necklaces is enough.
 *
 * Complements.  Let r rows have w_i = 1 and let all other rows have the sum 0, as they do modulo primes.  Then s_i of the other columns is
 * n - |S| for the former and -s_i(S) for the latter, and
 *
 *   f(S) = (-1)^(n - |S|) |S|^r g(S),   f(complement) = (-1)^|S| (n - |S|)^r (-1)^(n - r) g(S),
 *
 * with g the product over the other rows.  The c_d of the complement are those of S plus n - 2 |S|: T is the same.  So one of the
 * two is enough: the one with an even number of columns if n is odd, the smaller one if n is even. */
#ifndef PM_NECKLACE_TERMS_H
#define PM_NECKLACE_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

enum { PM_NECKLACE_MOST = 62, PM_NECKLACE_UNITS = 31 };

/* The sum is factor * (full + sum over words x of weight[ones(x)][T(x) - 1] * words(x) * g(x)), over the necklaces x, neither all 0
 * nor all 1, that pm_necklace_words of cuda/necklace_step.h takes, with at most `most` ones, an even number of them if is_even, and with
 * the largest c_d at unit[0] = 1. */
typedef struct {
    int n;
    uint64_t m;
    int rows;        /* with w_i other than 1 */
    uint64_t *power; /* [n][rows]: w_i^k */
    int units, unit[PM_NECKLACE_UNITS];
    bool has_sides; /* -1 is one of U */
    bool is_even;
    int most;
    uint64_t *weight; /* [n + 1][units] */
    uint64_t full, factor;
} pm_necklace_terms;

/* a: n x n residues modulo m, which is odd and below 2^62, with the symmetry; 1 <= n <= PM_NECKLACE_MOST; first entries of rows have
 * inverses.  The caller frees *out, also after a failure.  Fails: PM_ENOMEM. */
pm_status pm_necklace_terms_make(const uint64_t *a, int n, uint64_t m, pm_necklace_terms *out,
                                 pm_error *err);
void pm_necklace_terms_free(pm_necklace_terms *t);

/* The whole sum: factor * (full + sum).  sum: below m. */
uint64_t pm_necklace_whole(const pm_necklace_terms *t, uint64_t sum);

/* ---- words ---- */

/* The prefixes of necklaces, of `length` beads, of which the first one is 0; 1 <= length < 62: how many there are, and the next one.
 * *x: the one before, at first 0.  Returns false where there is none.
 * Source: Fredricksen, Kessler and Maiorana (Knuth, The Art of Computer Programming, 7.2.1.1, algorithm F). */
double pm_necklace_prefixes(int length);
bool pm_necklace_next(uint64_t *x, int length);

/* Free beads of words with a prefix of so many beads: not the last one, nor one that makes the ones even. */
int pm_necklace_free(const pm_necklace_terms *t, int prefix);
/* The longest prefix, at least 1, whose words have this many free beads. */
int pm_necklace_prefix(const pm_necklace_terms *t, int free_beads);

/* The words with prefixes of so many beads, and about how many of them have terms. */
double pm_necklace_candidates(const pm_necklace_terms *t, int prefix);
double pm_necklace_count(const pm_necklace_terms *t);

#endif
