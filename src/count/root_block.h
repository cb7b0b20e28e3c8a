/* SPDX-License-Identifier: GPL-3.0-or-later */
/* count/root_block.h: the count of a block whose entries are sums of roots of unity.
 *
 * Modulo a prime p = 1 (mod N), N the common order of all roots, root(N) is a number z, and the block becomes one of
 * residues, which any method for integers counts.  Its count with z^j in place of z, for j prime to N, gives the
 * coefficients of the answer modulo p (integers/root_primes.h), and these the integers.
 *
 * Symmetry: with z^u in place of z the block may have the same rows in another order, or the same columns.  Then the
 * counts with z^j and z^(j u) are equal for each j, and one of them is enough.
 *
 * Bound: lifted to polynomials modulo x^N - 1, entries have the sums of their |coefficients| as norms, which products do
 * not raise. So the sum of the |coefficients| of the answer is at most the permanent of the norms; a power of root(N)
 * has coefficients of at most some size in the normal form, which multiplies that.  Where all counts are equal, see also count/root_norm.h. */
#ifndef PM_ROOT_BLOCK_H
#define PM_ROOT_BLOCK_H

#include "pm/count.h"

/* A count of several blocks. */
typedef struct {
    const pm_count_options *opt; /* of the counts of residues */
    const pm_run *run;
    pm_count_report *report; /* NULL, or of all blocks so far */
    int64_t cap_blocks;
    bool is_partial; /* other parts of the run have to do the rest */
} pm_root_count;

/* b: entries with rational parts.  out: initialised; exact.
 * Fails: PM_UNABLE the common order is above PM_ROOT_ORDER_MAX, or it is refused; as pm_count. */
pm_status pm_root_block_count(pm_root_count *w, const pm_block *b, pm_value *out, pm_error *err);

#endif
