/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_program.h: a product tree (product_tree/tree_plan.h) with entries and
 * arithmetic: the program that the interpreters run and the code generator writes out.
 *
 * Inexact: cells are doubles, rows scaled by powers of two so that |row sums| <= 1.
 * Modulo primes: cells are doubles that hold integers with known bounds.  Row sums are multiplied
 * exactly, in groups, as long as the bound of the group stays below the primes; a group is then
 * multiplied modulo each prime, with one multiplication.  To keep groups long a product is stored
 * as a pair: a residue, and an exact group that may still grow.  Along the chain of buckets groups
 * keep growing; only the term closes the last group.  Several primes in one sweep share everything
 * that is exact. */
#ifndef PM_TREE_PROGRAM_H
#define PM_TREE_PROGRAM_H

#include "product_tree/tree_plan.h"
#include "sweep/square.h"

/* Residues are multiplied as doubles: see product_tree/tree_body.h. */
#define PM_TREE_PRIME_MAX (UINT64_C(1) << 50)
/* |row sums| of integers are at most 2^PM_TREE_BITS. */
enum { PM_TREE_BITS = 51 };

/* The bound of the number of cells: an input may be reduced modulo each prime, and the term may be
 * a copy; all other nodes have two operands, so there are fewer of them than inputs, once exact and
 * once modulo each prime. */
enum {
    PM_TREE_PRIMES = 4,
    PM_TREE_PROGRAM_CELLS = 2 * PM_TREE_INPUTS + PM_TREE_PRIMES * (2 * PM_TREE_INPUTS + 1)
};

typedef enum {
    PM_TREE_PRODUCT,
    PM_TREE_DIFFERENCE,
    PM_TREE_RESIDUE_PRODUCT,   /* each multiplication modulo a prime; |operands| <= prime */
    PM_TREE_RESIDUE_DIFFERENCE /* of two operands or of one, reduced modulo a prime */
} pm_tree_kind;

/* cell[out] = the product or difference of the cells operand[first .. end - 1].  If `follows`, the
 * result of the previous step is an additional first operand. */
typedef struct {
    int32_t first, end, out;
    uint8_t kind, prime; /* kind: a pm_tree_kind; prime: its index */
    bool follows;
} pm_tree_step;

/* cell += value when the sign of the column becomes +1, -= when it becomes -1 */
typedef struct {
    int32_t cell;
    double re, im;
} pm_tree_update;

/* The updates first_update .. end_update - 1, then the steps first_step .. end_step - 1; the last
 * `nterms` steps are the terms. */
typedef struct {
    int32_t first_update, end_update, first_step, end_step;
} pm_tree_action;

typedef struct {
    pm_tree_plan plan;
    pm_field field;
    int32_t nprimes;                                       /* 0: inexact */
    double prime[PM_TREE_PRIMES], inverse[PM_TREE_PRIMES]; /* 1 / prime */
    int32_t nterms; /* one for each prime; or 1: one exact integer for all */
    int32_t ncells;
    pm_tree_action action[64]; /* of the flips; the slow columns have updates only */
    pm_tree_action everything; /* no updates, all steps */
    pm_tree_step *step;
    int32_t *operand; /* cells */
    pm_tree_update *update;
    int64_t shift; /* permanent of the square's integers = 2^shift * sum of the terms */
    /* The inputs when all signs of the columns that are not eliminated are +1, and bounds of their
     * errors (inexact). */
    double re[PM_TREE_INPUTS], im[PM_TREE_INPUTS], inexact[PM_TREE_INPUTS];
    bool is_exact; /* inexact fields: all these errors are 0 */
    /* Means for a term: additions and multiplications of reals (a multiplication modulo p counts as
     * PM_TREE_RESIDUE_COST), and the work, see pm_tree_term_work. */
    double operations, work;
} pm_tree_program;

#define PM_TREE_RESIDUE_COST 7

/* Makes the program.
 * prime: integers: nprimes primes, 1 .. PM_TREE_PRIMES, each below PM_TREE_PRIME_MAX.  With one
 * prime the square may hold residues of least magnitude instead of the integers.  Real and complex:
 * nprimes = 0.
 * out: set on success; the caller calls pm_tree_program_free.
 * Fails: PM_ENOMEM. */
pm_status pm_tree_program_make(const pm_tree_plan *plan, const pm_square *s, const uint64_t *prime,
                               int32_t nprimes, pm_tree_program *out, pm_error *err);
void pm_tree_program_free(pm_tree_program *p);

#endif
