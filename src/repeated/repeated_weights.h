/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/repeated_weights.h: the weights of the digits of repeated_digits.h, without the weights of
 * tiles. */
#ifndef PM_REPEATED_WEIGHTS_H
#define PM_REPEATED_WEIGHTS_H

#include <stdbool.h>

#include "repeated/repeated_digits.h"

/* out[k]: high and low part of (-1)^k C(c,k) / 2^c, at most 106 bits of it; g->radix of them. */
void pm_repeated_weights(const pm_repeated_digit *g, double (*out)[2]);
/* out[k]: (-1)^k C(c,k) modulo the prime, 0 .. prime - 1.  prime: above c. */
void pm_repeated_weights_modulo(const pm_repeated_digit *g, uint64_t prime, uint64_t *out);

/* True when all products of weights have at most 53 bits. */
bool pm_repeated_weights_are_exact(const pm_repeated_digits *d);

#endif
