/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/expression_tree.h: one item of an input, held in memory.
 *
 * An exact count can be taken as the nodes pass.  An estimate cannot: which block deserves more
 * samples is known only when all of them are.  So the tree of products and sums is kept, its
 * matrices as blocks (Dulmage-Mendelsohn and degree 1 taken out, nothing merged), and evaluated
 * again whenever the blocks know more. */
#ifndef PM_EXPRESSION_TREE_H
#define PM_EXPRESSION_TREE_H

#include "estimate/block.h"
#include "pm/expression.h"
#include "pm/value.h"

/* worth (factor * value)^times in a product, factor * value * times in a sum */
typedef struct {
    int64_t parent; /* below its own index; -1: the root */
    int64_t block;  /* of a leaf; -1: a group, or a number alone */
    bool is_sum;    /* a group of terms; else of factors */
    pm_fraction factor;
    pm_field factor_field;
    mpz_t times;
    bool is_zero;     /* whatever the blocks are worth */
    pm_value value;   /* before factor and times, when last evaluated */
    pm_xreal worth;   /* with them, its real part */
    double share;     /* relative change of the root's value by that of this value */
    double power;     /* times of this node and of those around it, in products */
    pm_xreal unit;    /* of its spread; see pm_expression_spread */
    pm_spread spread; /* of the value, before factor and times */
    unsigned signs;   /* of a sum: those of its terms */
} pm_expression_node;

typedef struct {
    char *name;       /* of the item, or NULL */
    int64_t matrices; /* of the item, each counted once */
    int64_t count, cap, nblocks, cap_blocks;
    pm_expression_node *node; /* parents before their children */
    pm_approx_block **block;
    int64_t nsampled; /* blocks that are neither counted nor idle, once gathered */
    pm_approx_block **sampled;
} pm_expression;

/* Reads the next item of the source.  x: zeroed; freed by the caller in any case.
 * run:  for the reductions of the matrices; may be NULL.
 * *got: true when an item was read; false at the end of the source, or on failure.
 * Fails: what the source and pm_reduce fail with, PM_ENOMEM. */
pm_status pm_expression_read(pm_expression *x, const pm_node_source *source, const pm_run *run,
                             bool *got, pm_error *err);

/* The same for nodes that are put one by one: a visitor for a walk over one item.  x: zeroed. */
typedef struct {
    pm_expression *x;
    const pm_run *run;
} pm_expression_build; /* the context of the walk */
extern const pm_visitor pm_expression_builder;

/* After an expression was read, and again when blocks have been counted: the blocks that are to be sampled. */
pm_status pm_expression_gather(pm_expression *x, pm_error *err);
void pm_expression_free(pm_expression *x);

/* From the values of the blocks those of all nodes; *out (initialised) is the root's, exact when
 * all blocks are.  Then every block knows its share.
 * Fails: PM_UNABLE a power or an exponent beyond reach, or the deadline of the run. */
pm_status pm_expression_evaluate(pm_expression *x, const pm_run *run, pm_value *out, pm_error *err);

/* How far the value is from the truth, by the spreads of the sampled blocks, to first order, in the unit
 * of the root: its value, or, where terms of both signs nearly cancel, their size.  Lost: where such a
 * sum is raised to a power, or multiplied by what is as uncertain.  After pm_expression_evaluate; before
 * blocks are sampled it says whether terms have both signs. */
pm_spread pm_expression_spread(pm_expression *x);

/* No factor and no counted block is negative or complex: no value falls when that of a block grows. */
bool pm_expression_is_positive(const pm_expression *x);

/* log10 of the root's value when block i has the value 10^log10[i]; -INFINITY is 0; NAN where
 * the expression is not positive.
 * Within 1e-12 relative, for at most a million nodes. */
pm_status pm_expression_log10(const pm_expression *x, const double *log10, double *out,
                              pm_error *err);

#endif
