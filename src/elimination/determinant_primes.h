/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/determinant_primes.h: the primes below 2^24 for determinants
 * (elimination/determinant.h), and integers from their residues.
 *
 * For complex numbers the primes are 1 modulo 4, and each is listed twice, once for each square
 * root u of -1 in place of the imaginary unit.  Half the sum of the two residues is the real part,
 * half their difference divided by u the imaginary part. */
#ifndef PM_DETERMINANT_PRIMES_H
#define PM_DETERMINANT_PRIMES_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

typedef struct {
    int roots;       /* 2 for complex numbers, else 1 */
    int64_t count;   /* number of primes times roots */
    uint32_t *prime; /* count entries */
    uint32_t *unit;  /* count entries: the square root of -1, or 0 if roots is 1 */
} pm_determinant_primes;

/* Distinct primes whose product has at least `bits` bits.
 * independent: primes below 2^23, for independent verification; else primes from 2^24 down.
 * Fails: PM_UNABLE more bits than the primes above 2^20 have, some 2 * 10^7 for real numbers; PM_ENOMEM. */
pm_status pm_determinant_primes_choose(double bits, bool is_complex, bool independent,
                                       pm_determinant_primes *out, pm_error *err);
void pm_determinant_primes_free(pm_determinant_primes *m);

/* Sets out to part 0 (real) or 1 (imaginary) of the number with the given residues, m->count of
 * them.  Its absolute value must be below half the product of the primes.  Fails: PM_ENOMEM. */
pm_status pm_determinant_primes_crt(const pm_determinant_primes *m, const uint64_t *residue,
                                    int part, mpz_t out, pm_error *err);

#endif
