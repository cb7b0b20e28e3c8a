/* SPDX-License-Identifier: GPL-3.0-or-later */
/* repeated/residue_lanes.h: residues modulo a prime p < 2^50, of either sign, in vectors of doubles.
 *
 * Modulo p < 2^50: h = a b rounded, l = a b - h exactly, q = h / p rounded to an integer; then
 * r = (h - q p) + l is congruent to a b.  With |a|, |b| <= p the quotient is below 2^50, its error
 * below 1/2 + 3/8, so |r| < p; h - q p is an integer below 2^53 and exact. */
#ifndef PM_RESIDUE_LANES_H
#define PM_RESIDUE_LANES_H

#include "core/float_lanes.h"

#define MAGIC 0x1.8p52 /* adding it to a double below 2^51 rounds that to an integer */

/* inverse: 1 / p rounded */
PM_BODY vec residue_product(vec a, vec b, double p, double inverse)
{
    vec h = a * b, l = product_error(a, b, h);
    vec q = (h * splat(inverse) + MAGIC) - MAGIC, m = q * splat(p);
    return ((h - m) - product_error(q, splat(p), m)) + l;
}

/* A residue of about the least magnitude, at most p (1/2 + 2^-40); |a| < 2^51. */
PM_BODY vec residue_reduced(vec a, double p, double inverse)
{
    vec q = (a * splat(inverse) + MAGIC) - MAGIC;
    return a - q * splat(p);
}

#endif
