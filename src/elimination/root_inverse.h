/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/root_inverse.h: the inverse of a sparse matrix, between the pairs of its last front, modulo many primes.
 *
 * If the rows and columns of a matrix are those of a front and all others, the inverse of the Schur complement on the
 * front is that part of the inverse of the whole matrix.  A cell (c, r) of the inverse, times the determinant, is the
 * cofactor of entry (r, c). When row r and column c are left out, the inverse of the rest is found from it by one step
 * of elimination (front_kernel.h, shrink_inverse).
 *
 * A singular matrix has no inverse, but may have cofactors that are not 0.  With a border of b random rows and columns
 * it is regular, unless more than b rows depend on the others.  By Jacobi's theorem on complementary minors its
 * determinant without the border is that with it times the minor of the inverse in the rows and columns of the border,
 * and a cofactor that times a minor with one row and column more.
 *
 * With four classes of signs (planar/kasteleyn.h) the determinant and the cofactors are those of a sum: half of three
 * classes less half of the fourth.
 *
 * Of a skew-symmetric matrix these are Pfaffians: the cofactor of entry (r, c) is, but for its sign, the Pfaffian
 * without rows and columns r and c, and both are left out together.  (The inverse is skew-symmetric, and the sum over c
 * of entry (r, c) times the Pfaffian times cell (c, r) is the Pfaffian.) */
#ifndef PM_ROOT_INVERSE_H
#define PM_ROOT_INVERSE_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "elimination/determinant_primes.h"
#include "elimination/elimination.h"
#include "elimination/front_kernel.h"
#include "elimination/integer_entries.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    int classes;     /* of signs: 1 or PM_ROOT_CLASSES_MAX */
    int least;       /* of four: the one that is subtracted */
    uint8_t negated; /* bit c is set if class c is counted with the opposite sign */
    int32_t border;  /* rows and columns, 0 .. PM_ROOT_BORDER_MAX; even if skew-symmetric */
} pm_root_signs;

enum { PM_ROOT_CLASSES_MAX = 4, PM_ROOT_BORDER_MAX = 40 };

typedef struct {
    const pm_front_kernel *kernel;
    bool is_skew;
    pm_root_signs signs;
    pm_determinant_primes primes; /* a multiple of the kernel's lanes, */
    double prime_bits;            /* each above 2^prime_bits */
    int64_t batches;              /* of one prime for each lane, that are needed */
    int64_t batches_made;
    int32_t pairs; /* of the front */
    int32_t size;  /* pairs + border: rows and columns that an inverse has room for */
    int32_t left;  /* rows and columns that are left, with those of the border */
    int32_t *row_at,
        *col_at; /* of each row and column of the matrix: its column and row in the inverse; -1: left out */
    int32_t *row_of, *col_of; /* the opposite, `left` entries each */
    pm_lane_primes *lanes;    /* of each batch */
    void *memory;
    double *cells; /* size x size cells of each batch, class after class */
    uint64_t
        *residue; /* of the determinant of what is left with the border, for each class and prime */
} pm_root_inverse;

/* e: with a root front (pm_elimination_make_rooted).  z: real.
 * bits: the absolute value of the determinant in each class, and of every cofactor that will be asked for, is below
 * 2^bits.
 * attempt: other primes, and other numbers in the border, for each number from 0.
 * *found: whether all pivots are nonzero modulo these primes; *out is not set otherwise.
 * The caller frees *out.  Fails: PM_UNABLE there are too few primes; PM_ESTOPPED,
 * PM_ENOMEM. */
pm_status pm_root_inverse_make(const pm_elimination *e, const pm_integer_entries *z,
                               pm_root_signs signs, double bits, int attempt, const pm_run *run,
                               pm_root_inverse *out, bool *found, pm_error *err);
void pm_root_inverse_free(pm_root_inverse *x);
/* Bytes for so many pairs and bits, on any machine; also those that one thread takes on the way if there is a border or
 * the matrix is skew-symmetric. */
double pm_root_inverse_bytes(int32_t pairs, bool is_skew, pm_root_signs signs, double bits);

/* The determinant of what is left, as pm_root_inverse_leave_out counts its sign.  Fails: PM_ENOMEM. */
pm_status pm_root_inverse_determinant(const pm_root_inverse *x, double bits, mpz_t out,
                                      pm_error *err);

/* The cofactor of row r and column c, which are numbered as the pairs of the front: in each class the determinant of
 * what is left, times cell (c, r) of its inverse, times -1 if bit `class` of negative is set.
 * bits: the absolute values are below 2^bits, at most the bits of pm_root_inverse_make or of the last
 * pm_root_inverse_leave_out.
 * Fails: PM_ENOMEM. */
pm_status pm_root_inverse_cofactor(const pm_root_inverse *x, int32_t r, int32_t c, uint8_t negative,
                                   double bits, mpz_t out, pm_error *err);

/* Leaves out row r and column c, of a skew-symmetric matrix also row c and column r.  The determinant becomes that
 * cofactor.
 * *found: false if a matrix with its border becomes singular modulo a prime: *x can then only be freed.
 * bits: as above, for what is asked later; primes that are not needed for them are not used any more.
 * Fails: PM_ESTOPPED. */
pm_status pm_root_inverse_leave_out(pm_root_inverse *x, int32_t r, int32_t c, uint8_t negative,
                                    double bits, const pm_run *run, bool *found, pm_error *err);

#endif
