/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/expand.h: per(A), or a hafnian, as nested sums and products of those of smaller matrices, exactly.
 *
 * The permanent is linear in every row and every column.  A line of d entries is the sum of
 * ceil(d/2) lines, each with two of these entries; if d is odd, one line has a single entry.  The
 * reductions of pm/reduce.h remove a line of one or two entries.  So a line of d entries gives
 * ceil(d/2) terms, each with a row and a column less.  For d = 3, 4 these are the expansions of
 * Forbert and Marx 2003 (SUperman 2026, Eq. 6 and Alg. 4).
 *
 * The hafnian of a graph on one set of vertices is expanded in the same way along a vertex: its d entries,
 * a loop among them, give ceil(d/2) terms.  Parts of the graph that are bipartite become permanents.
 *
 * Each term is reduced, split into its blocks, and expanded again, until no line has fewer than
 * min_degree entries or another limit is reached.  Then it is written as it is.  The limits change
 * the form of the expression and never its value.
 *
 * The terms of a sum that are not yet expanded are kept in a pool.  Their blocks are in canonical
 * form, so terms that are equal up to the order of their lines are found and become one term with
 * the sum of their factors.  The largest term is expanded first.  Terms mostly become smaller, so a
 * term that is equal to one already expanded seldom appears later.  (A pair of entries that is not
 * merged, because its numbers would become too long, does not make a term smaller.)  When half of
 * the memory is in use the smallest term is expanded first, that is depth before breadth, and a
 * block whose terms would not fit the remaining memory is written as it is. */
#ifndef PM_EXPAND_H
#define PM_EXPAND_H

#include "pm/expression.h"
#include "pm/matrix.h"
#include "pm/reduce.h"
#include "pm/run.h"
#include "pm/status.h"

typedef struct {
    bool
        general; /* the matrix is symmetric, and its (loop) hafnian is expanded (pm_node.general) */
    pm_reduce_options reduce; /* degree1 and degree2 are always done */
    int64_t min_degree;       /* expand lines with fewer entries than this; twins count once */
    int64_t until_n;          /* do not expand blocks with this number of rows or fewer */
    int64_t max_n;            /* do not expand blocks with more rows */
    int64_t max_terms;        /* the most terms in all: an expansion into t terms adds t - 1 */
    int64_t max_depth;        /* of groups, at most PM_DEPTH_MAX; 0: nothing is done */
    int64_t pool_bytes;       /* the most bytes, about, of all terms not yet written */
} pm_expand_options;

/* All reductions, min_degree 5, until_n 0, any n, max_terms 1000, max_depth PM_DEPTH_MAX,
 * pool_bytes 128 MiB. */
pm_expand_options pm_expand_defaults(void);

/* Visits the nodes of an expression whose value is per(A), or with opt->general the hafnian: one item.
 * Rectangular matrices have the value 0.
 * visitor: its functions get nodes whose matrix, factor and times are valid during the call and
 * must not be moved out of them.  A matrix has the field of the input, or, for a pattern or integer
 * input, either of these two; it has no order and no labels.  When nothing could be done with the
 * input, the only node is the input itself, with its own arrays: node->matrix.rowptr == a->rowptr.
 * times is 1 in sums.  A number has a factor_field of at least PM_INTEGER and at least that of the
 * input.
 * Time: for each term about a reduction (pm/reduce.h) and a few passes over its entries.
 * Memory: pool_bytes, the matrix, and what one reduction needs.
 * A matrix or term stays as it is when it cannot be reduced, or when its factor would have a
 * numerator or denominator of more than PM_FRACTION_BITS_MAX bits.
 * Fails: what the visitor fails with, PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_expand(const pm_matrix *a, const pm_expand_options *opt, const pm_run *run,
                    const pm_visitor *visitor, void *context, pm_error *err);

#endif
