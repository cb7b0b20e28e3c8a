/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_program.h: a tree of products (tree_plan.h) with entries and arithmetic: what the
 * interpreters run.
 *
 * Inexact: cells are doubles, rows scaled by powers of two so that |row sums| <= 1.
 * Modulo primes: cells are doubles that hold integers within known bounds.  Small row sums multiply
 * exactly until a bound would pass the primes; such groups are then multiplied modulo each prime,
 * one multiplication for a group.  To keep groups long a product is held as a pair, a residue and
 * an exact group that is still open; along the chain of buckets the open groups go on growing, and
 * only the term closes the last of them.  Several primes side by side share all that is exact. */
#ifndef PM_TREE_PROGRAM_H
#define PM_TREE_PROGRAM_H

#include "product_tree/tree_plan.h"
#include "sweep/square.h"

/* Residues are multiplied as doubles: see tree_body.h. */
#define PM_TREE_PRIME_MAX (UINT64_C(1) << 50)
/* |row sums| of integers. */
enum { PM_TREE_BITS = 51 };

/* An input may have to be reduced first, and the term may be a copy; all other nodes have two
 * operands, so there are fewer of them than inputs: once exact, once modulo each prime. */
enum {
    PM_TREE_PRIMES = 4,
    PM_TREE_PROGRAM_CELLS = 2 * PM_TREE_INPUTS + PM_TREE_PRIMES * (2 * PM_TREE_INPUTS + 1)
};

typedef enum {
    PM_TREE_PRODUCT,
    PM_TREE_DIFFERENCE,
    PM_TREE_RESIDUE_PRODUCT,   /* each multiplication modulo a prime; operands within it */
    PM_TREE_RESIDUE_DIFFERENCE /* of two operands, reduced modulo a prime; or of one and nothing */
} pm_tree_kind;

/* cell[out] = the product or difference of the cells operand[first .. end - 1]; if `follows`, the
 * result of the step before is one more operand, the first. */
typedef struct {
    int32_t first, end, out;
    uint8_t kind, prime; /* prime: which one */
    bool follows;
} pm_tree_step;

/* cell += value, or -= when the sign of the column becomes -1 */
typedef struct {
    int32_t cell;
    double re, im;
} pm_tree_update;

/* Updates and steps first .. end - 1; the last `nterms` steps are the terms. */
typedef struct {
    int32_t first_update, end_update, first_step, end_step;
} pm_tree_action;

typedef struct {
    pm_tree_plan plan;
    pm_field field;
    int32_t nprimes;                                       /* 0: inexact */
    double prime[PM_TREE_PRIMES], inverse[PM_TREE_PRIMES]; /* 1 / prime */
    int32_t nterms; /* one for each prime; 1: the same for all, an integer */
    int32_t ncells;
    pm_tree_action action[64]; /* of the flips; the slow columns have updates only */
    pm_tree_action everything; /* no updates, all steps */
    pm_tree_step *step;
    int32_t *operand; /* cells */
    pm_tree_update *update;
    int64_t shift; /* permanent of the square's integers = 2^shift * sum of the terms */
    /* Inputs when all signs of the columns that are not eliminated are +1, and by how much
     * they are off at most (inexact). */
    double re[PM_TREE_INPUTS], im[PM_TREE_INPUTS], inexact[PM_TREE_INPUTS];
    bool is_exact; /* inexact fields: all of these are 0 */
    /* Mean of a term: additions and multiplications of reals, one modulo p as
     * PM_TREE_RESIDUE_COST; and the time they take, see tree.h. */
    double operations, work;
} pm_tree_program;

#define PM_TREE_RESIDUE_COST 7

/* prime: nprimes of them, 1 .. PM_TREE_PRIMES, below PM_TREE_PRIME_MAX, and the square holds
 * integers; or a single one, and it may hold their residues of least magnitude.  Real and complex:
 * nprimes = 0.
 * Fails: PM_ENOMEM. */
pm_status pm_tree_program_make(const pm_tree_plan *plan, const pm_square *s, const uint64_t *prime,
                               int32_t nprimes, pm_tree_program *out, pm_error *err);
void pm_tree_program_free(pm_tree_program *p);

#endif
