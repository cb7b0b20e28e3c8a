/* SPDX-License-Identifier: GPL-3.0-or-later */
/* layers/recurrence.h: sequences f(0), f(1), ... with a linear recurrence, modulo a number m below 2^62.
 *
 * The generating function of such a sequence is P(x) / Q(x) with Q(0) = 1; a polynomial of degree d is an array
 * of d + 1 coefficients, the constant one first. */
#ifndef PM_RECURRENCE_H
#define PM_RECURRENCE_H

#include <stdint.h>

#include "pm/run.h"
#include "pm/status.h"

/* q: order + 1 coefficients; p: `order` coefficients. */
typedef struct {
    int64_t order;
    uint64_t *p, *q;
} pm_recurrence;

void pm_recurrence_free(pm_recurrence *r);
/* A recurrence of this order with zeros for coefficients, but q[0] = 1.  Fails: PM_ENOMEM. */
pm_status pm_recurrence_alloc(int64_t order, pm_recurrence *out, pm_error *err);

/* The shortest recurrence of the sequence that begins with term[0 .. count - 1] (Berlekamp and Massey).
 * m: a prime.  It is that of the whole sequence if this has one of order at most count / 2.
 * Fails: PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_recurrence_find(const uint64_t *term, int64_t count, uint64_t m, const pm_run *run,
                             pm_recurrence *out, pm_error *err);

/* Sets p from the first `order` terms. */
void pm_recurrence_set_terms(pm_recurrence *r, const uint64_t *term, uint64_t m);

/* Sets p such that term n is the sum of the n-th powers of the roots of x^order Q(1/x). */
void pm_recurrence_set_power_sums(pm_recurrence *r, uint64_t m);

/* *out: term n, n >= 0 (Bostan and Mori 2021, algorithm 1).  About 1.5 order^2 products for each bit of n.
 * Fails: PM_ESTOPPED; PM_ENOMEM. */
pm_status pm_recurrence_term(const pm_recurrence *r, int64_t n, uint64_t m, const pm_run *run,
                             uint64_t *out, pm_error *err);

#endif
