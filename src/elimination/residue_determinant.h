/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/residue_determinant.h: determinants and Pfaffians of small dense matrices modulo one prime. */
#ifndef PM_RESIDUE_DETERMINANT_H
#define PM_RESIDUE_DETERMINANT_H

#include <stdint.h>

/* 1 / a modulo a prime p below 2^31; a is not a multiple of p. */
uint64_t pm_inverse_modulo(uint64_t a, uint64_t p);

/* The determinant, 0 .. p - 1, of n x n residues modulo a prime p below 2^31, stored by rows; any n >= 0.
 * Overwrites a.
 * Cost: n^3 / 3 multiplications. */
uint64_t pm_residue_determinant(uint64_t *a, int64_t n, uint64_t p);

/* The Pfaffian of a skew-symmetric matrix in the same way, n even. */
uint64_t pm_residue_pfaffian(uint64_t *a, int64_t n, uint64_t p);

#endif
