/* SPDX-License-Identifier: GPL-3.0-or-later */
/* elimination/determinant_primes.h: primes below 2^24 for determinants (elimination/determinant.h), and integers from their
 * residues.  For complex numbers the primes are 1 mod 4 and stand twice, once for each root of -1
 * that the imaginary unit may be; the half sum of the two residues is the real part. */
#ifndef PM_DETERMINANT_PRIMES_H
#define PM_DETERMINANT_PRIMES_H

#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

typedef struct {
    int roots;     /* 2 for complex numbers, else 1 */
    int64_t count; /* of primes times roots */
    uint32_t *prime, *unit;
} pm_determinant_primes;

/* Distinct primes whose product has so many bits; independent: others, below 2^23.
 * Fails: PM_ENOMEM. */
pm_status pm_determinant_primes_choose(double bits, bool is_complex, bool independent,
                                       pm_determinant_primes *out, pm_error *err);
void pm_determinant_primes_free(pm_determinant_primes *m);

/* out = part 0 (real) or 1 (imaginary) of the number with these residues, count of them, of
 * absolute value below half the product of the primes. */
pm_status pm_determinant_primes_crt(const pm_determinant_primes *m, const uint64_t *residue,
                                    int part, mpz_t out, pm_error *err);

#endif
