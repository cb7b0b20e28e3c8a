/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate/expression_tree.h: one item of an input, held in memory.
 *
 * An exact count needs one node at a time.  An estimate needs all blocks: only then it is known
 * which block should get more samples.  So the tree of products and sums is held in memory.  Each
 * matrix is replaced by its blocks: the reductions remove entries in no perfect matching and lines
 * of one entry.  The caller says where they merge lines: the samplers are better on 0/1 matrices.  The tree is evaluated again when blocks have new samples. */
#ifndef PM_EXPRESSION_TREE_H
#define PM_EXPRESSION_TREE_H

#include "estimate/block.h"
#include "pm/expression.h"
#include "pm/value.h"

/* A node of the tree.  pm/expression.h says how it contributes to the group around it. */
typedef struct {
    int64_t parent; /* smaller than its own index; -1: the root */
    int64_t block,
        blocks; /* a leaf: the first of its blocks and how many there are, whose product it is; a group or a number has none */
    bool is_sum; /* a sum; else a product, or a leaf */
    pm_fraction factor;
    pm_field factor_field;
    mpz_t times;
    bool is_zero;          /* 0 for all values of the blocks */
    pm_value value;        /* at the last evaluation, without factor and times */
    pm_xreal contribution; /* the same with factor and times, real part */
    double share;     /* relative change of the root's value for a relative change of this value */
    double power;     /* the product of `times` of this node and of those around it, in products */
    pm_xreal unit;    /* of its spread; see pm_expression_spread */
    pm_spread spread; /* of the value, without factor and times */
    unsigned signs;   /* a sum: the signs of its terms */
} pm_expression_node;

typedef struct {
    char *name;            /* of the item, or NULL */
    bool one_set;          /* of the last matrix: as in pm_node */
    int64_t rows, cols;    /* of the first matrix whose sides leave no matching of its kind */
    pm_matching_kind kind; /* of that matrix */
    bool is_part;          /* the last matrix is a part of a sum or product */
    int64_t matrices;      /* of the item, each counted once */
    int64_t count, cap, nblocks, cap_blocks;
    pm_expression_node *node; /* parents before their children */
    pm_approx_block **block;
    int64_t nsampled; /* blocks that are neither counted nor idle, once they are listed */
    pm_approx_block **sampled;
} pm_expression;

/* In which matrices a line of two entries is left out, and the two lines that it has entries in are merged.  The permanent stays, and
 * Bethe's functional and the bounds that are made from it come nearer to it; but a pattern gets weights. */
typedef enum { PM_MERGES_NONE, PM_MERGES_WEIGHTED, PM_MERGES_ALL } pm_merges;

/* asked: which matchings of whole graphs are counted (pm_node_matchings). */
typedef struct {
    pm_matching_kind asked;
    pm_merges merges;
    bool keeps_general; /* of a graph on one set of vertices no block becomes a bipartite one */
} pm_expression_how;

/* Reads the next item of the source.  x: zeroed; freed by the caller in any case.
 * run:  for the reductions of the matrices; may be NULL.
 * *got: true when an item was read; false at the end of the source, or on failure.
 * Fails: what the source and pm_reduce fail with, PM_ENOMEM. */
pm_status pm_expression_read(pm_expression *x, const pm_node_source *source,
                             const pm_expression_how *how, const pm_run *run, bool *got,
                             pm_error *err);

/* The same for nodes that are put one by one: a visitor for a walk over one item.  x: zeroed. */
typedef struct {
    pm_expression *x;
    const pm_run *run;
    pm_expression_how how;
    const char *input; /* its name, for messages */
} pm_expression_build; /* the context of the walk */
extern const pm_visitor pm_expression_builder;

/* Sets `sampled` to the blocks that are neither counted nor idle.  Called after reading, and again
 * after blocks were counted.  Fails: PM_ENOMEM. */
pm_status pm_expression_list_sampled(pm_expression *x, pm_error *err);
void pm_expression_free(pm_expression *x);

/* Computes the values of all nodes from those of the blocks, and the shares of nodes and blocks.
 * out: initialised by the caller; the value of the root, exact when all blocks are.
 * run: a power that would end after its deadline is refused; may be NULL.
 * Fails: PM_UNABLE a power or an exponent is too large. */
pm_status pm_expression_evaluate(pm_expression *x, const pm_run *run, pm_value *out, pm_error *err);

/* The spread of the root's value, from the spreads of the sampled blocks, to first order.  Its unit
 * is x->node[0].unit: the value, or, when terms of both signs nearly cancel, their size.  is_lost:
 * such a sum is raised to a power, or multiplied by a factor that is as uncertain.
 * Called after pm_expression_evaluate.  Before blocks are sampled only has_both_signs is useful. */
pm_spread pm_expression_spread(pm_expression *x);

/* True when no factor and no counted block is or may be negative or complex: then the root's value
 * grows with the value of each block. */
bool pm_expression_is_positive(const pm_expression *x);

/* Which end of the interval that its rounding leaves of a number is wanted, or its middle. */
typedef enum { PM_LOG10_NEAR, PM_LOG10_LOW, PM_LOG10_HIGH } pm_log10_end;
/* That end, of a logarithm that is wrong by so much at most. */
double pm_log10_rounded(double log10, double wrong, pm_log10_end end);

/* *out: log10 of the root's value when block i has the value 10^log10[i], rounded to one side: numbers of millions of blocks may cancel.
 * -INFINITY stands for the value 0; NAN: the expression is not positive.  Fails: PM_ENOMEM. */
pm_status pm_expression_log10(const pm_expression *x, const double *log10, pm_log10_end end,
                              double *out, pm_error *err);
/* An upper bound of log10 of the size of the root's value, which may be complex, when |block i| is at most 10^log10[i].
 * Fails: PM_ENOMEM. */
pm_status pm_expression_size_log10(const pm_expression *x, const double *log10, double *out,
                                   pm_error *err);

#endif
