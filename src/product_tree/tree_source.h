/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_source.h: a tree of products written out as the text of a GPU kernel, for one matrix.
 *
 * A thread is a stream: it sets its inputs, evaluates the whole tree, and goes through the places
 * of its Gray code.  The flips of the `inner` first columns are written out one after another,
 * 2^inner places at a time, with the cells in registers; those of the others stand in a switch once
 * for all these places.  Cells that only those need lie in shared memory.
 *
 * Values of entries are exact to the last bit: short ones are literals, others, and primes, stand
 * in a table in constant memory, pm_value, which the text leaves empty: so matrices that differ in
 * these alone have one text.  cuda/prelude.cuh goes before what is written here and cuda/block.cuh
 * after it. */
#ifndef PM_TREE_SOURCE_H
#define PM_TREE_SOURCE_H

#include "product_tree/tree_program.h"

/* Where there is more than one place, a term is sampled in one warp of so many. */
enum { PM_TREE_SAMPLED_LOG2 = 3 };

typedef struct {
    int32_t flips, slow; /* flips + slow: pm_tree_outer of the plan; flips: at most the plan's */
    int32_t inner;       /* at most flips */
    int32_t chunk;       /* log2 of places whose terms are summed in double, at most inner */
    int32_t threads;     /* of a block */
    int32_t blocks;      /* that must fit a multiprocessor */
    int32_t cold;        /* doubles, or words, of shared memory a thread may have */
    bool in_turn;        /* factors are multiplied one after another, not in pairs */
    bool in_words;       /* integers of 32 bits: see gpu_arithmetic.h for the bounds */
} pm_tree_shape;

typedef struct {
    char *text;
    double *value; /* what pm_value is to hold, as doubles, or ints in words */
    int64_t nvalues;
    int32_t cold;                     /* doubles or ints of shared memory a thread */
    int32_t short_of[PM_TREE_PRIMES]; /* words: log2 of the factor by which terms are too small */
} pm_tree_text;

/* Fails: PM_ENOMEM. */
pm_status pm_tree_source(const pm_tree_program *p, const pm_tree_shape *shape, pm_tree_text *out,
                         pm_error *err);
void pm_tree_text_free(pm_tree_text *t);

#endif
