/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_gpu_text.h: a product tree written out as the text of a GPU kernel, for one
 * matrix.
 *
 * One thread sums one segment: it sets its inputs, evaluates the whole tree, and goes through the
 * positions of its Gray code.  The flips of the `inner` first columns are written out one after
 * another, for 2^inner positions at a time, with the cells in registers.  The flips of the other
 * columns stand in a switch, once for these 2^inner positions.  Cells that only they use lie in
 * shared memory.
 *
 * Values of entries are exact to the last bit.  Short ones are literals.  Others, and primes, stand
 * in pm_value, a table in constant memory that the text leaves empty; matrices that differ only in
 * these values share one text.  cuda/prelude.cuh and cuda/tree.cuh go before the generated text and
 * cuda/block.cuh after it. */
#ifndef PM_TREE_GPU_TEXT_H
#define PM_TREE_GPU_TEXT_H

#include "product_tree/tree_program.h"

/* Where a segment has more than one position, one warp of 2^PM_TREE_SAMPLED_LOG2 samples a term. */
enum { PM_TREE_SAMPLED_LOG2 = 3 };

typedef struct {
    int32_t flips, slow; /* flips + slow: pm_tree_outer of the plan; flips: at most the plan's */
    int32_t inner;       /* columns whose flips are written out, at most flips */
    int32_t chunk;       /* log2 of the positions whose terms are summed in double, at most inner */
    int32_t threads;     /* of a thread block */
    int32_t blocks;      /* thread blocks that must fit a multiprocessor */
    int32_t shared_cells; /* doubles, or 32-bit words, of shared memory that a thread may have */
    bool in_turn;         /* factors are multiplied one after another, not in pairs */
    bool in_words;        /* integers of 32 bits: see sweep/gpu_arithmetic.h for the bounds */
} pm_tree_shape;

typedef struct {
    char *text;
    double *value; /* the contents of pm_value: doubles, or ints (in_words) */
    int64_t nvalues;
    int32_t shared_cells; /* doubles or ints of shared memory that a thread uses */
    /* in_words: the terms modulo prime k are 2^shift_of[k] times too small */
    int32_t shift_of[PM_TREE_PRIMES];
} pm_tree_gpu_source;

/* Writes the text.  *out is set on success; the caller frees it.  Fails: PM_ENOMEM. */
pm_status pm_tree_gpu_text(const pm_tree_program *p, const pm_tree_shape *shape,
                           pm_tree_gpu_source *out, pm_error *err);
void pm_tree_gpu_source_free(pm_tree_gpu_source *t);

#endif
