/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/rationals.h: extended reals as rationals of GMP, and random ones. */
#ifndef PM_TEST_RATIONALS_H
#define PM_TEST_RATIONALS_H

#include <stdint.h>

#include <gmp.h>

#include "pm/value.h"

/* q *= 2^e */
void q_mul_2exp(mpq_t q, int64_t e);
void q_from_xreal(mpq_t q, pm_xreal x);
/* "-1.25e+300", "120", "0.5"; a TAB ends the number. */
void q_from_decimal(mpq_t q, const char *text);
/* Zero has exponent 0; otherwise 1/2 <= |hi| < 1, and hi + lo rounds to hi. */
void assert_normal(pm_xreal x);

/* In [-8, 8]; integers and numbers next to -1 and 1 are frequent.  *rng is advanced. */
double random_part(uint64_t *rng);
/* Of two such parts, times 2^e with e in [-exponents / 2, exponents / 2). */
pm_xreal random_xreal(uint64_t *rng, uint32_t exponents);

#endif
