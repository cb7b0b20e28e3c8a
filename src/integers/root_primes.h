/* SPDX-License-Identifier: GPL-3.0-or-later */
/* integers/root_primes.h: roots of unity modulo primes, and a sum of roots from its values modulo a prime.
 *
 * Modulo a prime p = 1 (mod order) there are phi(order) numbers z of this order.  A sum of roots with integer
 * coefficients has a residue for each of them, in which z stands for root(order): the values of one polynomial, the sum
 * in its normal form, at the roots of the cyclotomic polynomial.  They determine its coefficients modulo p (Lagrange). */
#ifndef PM_ROOT_PRIMES_H
#define PM_ROOT_PRIMES_H

#include <stdbool.h>
#include <stdint.h>

/* The largest prime p = 1 (mod order) below n; 0: there is none. */
uint64_t pm_root_prime_below(uint64_t n, int32_t order);
/* A number whose powers modulo p, a prime = 1 (mod order), repeat after `order` of them, and not before. */
uint64_t pm_root_modulo(uint64_t p, int32_t order);
/* value[j], j < order prime to it: the residue with z^j in place of root(order).  poly: of pm_root_polynomial.
 * c[0 .. phi(order) - 1]: set to the coefficients modulo p. */
void pm_root_coefficients(uint64_t p, int32_t order, uint64_t z, const int64_t *poly,
                          const uint64_t *value, uint64_t *c);

#endif
