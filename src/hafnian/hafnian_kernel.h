/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_kernel.h: what the vector kernels of hafnian.h compute, in four kinds of numbers.
 *
 * The vertices are 2q and 2q + 1 for the pairs q = 0 .. pairs - 1.  A *level* is one anchor k, a pair, with the pairs
 * below it.  The sets of these pairs are numbered by their bits.  The eight sets that differ in pairs 0, 1 and 2
 * only lie side by side: a *row* is eight numbers, one for each of them, and a set T of *high* pairs (3, 4, ..., as
 * bits 0, 1, ...) has one row of each kind.
 *
 * A path begins in vertex 2k, goes through every pair of a set from one of its vertices to the other, and ends in such a
 * vertex.  paths(T, w) is the row of the sums of the weights of all paths that end in w.  With loops there are two *sheets*
 * of such rows: the first is without jumps; the second has at most one jump on each path: from its end v, which stays
 * alone, to any vertex w that stays alone, with the weight of both loops.  So a jump makes a cycle of a path whose two ends are alone.
 *
 * cycles(T): the row of the weights of all paths from 2k to 2k + 1.
 * counts(T): the row of the hafnians of the graphs on the vertices of the sets. */
#ifndef PM_HAFNIAN_KERNEL_H
#define PM_HAFNIAN_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PM_HAFNIAN_LOW = 3, /* pairs that the lanes distinguish */
    PM_HAFNIAN_LANES = 1 << PM_HAFNIAN_LOW,
    PM_HAFNIAN_PAIRS = 30,      /* at most */
    PM_HAFNIAN_PLAIN_BITS = 20, /* of the integers of a plain level */
    PM_HAFNIAN_FEW = 12         /* vertices of a small hafnian, at most */
};

typedef struct {
    int pairs, sheets;
    int anchor; /* k */
    bool
        is_plain; /* residues: coefficients are small integers with a sign; floats: they are single doubles */
    int64_t stride; /* numbers in a row of the two matrices, n + 1 */
    /* Coefficients from row w to column v: the weight of the edge from w to the other vertex of v's pair.  Row
     * and column n are those of a jump.  The second is used for column 2k and column n. */
    const void *step, *close;
    const uint32_t *offset; /* of each T: where its pairs begin among the cells */
    void *cells; /* for each pair of each T, ascending: [sheet][vertex of the pair][lane] */
    void *cycles, *counts;
    /* residues: the modulus m, its inverse -1/m modulo 2^32 */
    uint64_t modulus, inverse;
} pm_hafnian_level;

typedef struct {
    size_t bytes; /* of a number in cells, cycles and counts */
    /* Sets cycles(T) and the cells that lead from T to greater sets, for T = first .. end - 1.  Every T with a pair
     * less has been done before. */
    void (*paths)(const pm_hafnian_level *l, uint32_t first, uint32_t end);
    /* to: the rows of counts(T with k), which are the sums over all parts of T of cycles(part) * counts(rest).
     * k >= PM_HAFNIAN_LOW. */
    void (*sum)(const pm_hafnian_level *l, uint32_t first, uint32_t end, void *to);
    /* The same for k < PM_HAFNIAN_LOW, where counts is one row, whose lanes with k are set. */
    void (*sum_low)(const pm_hafnian_level *l);
    /* counts = 1 for the empty set, and 0 for the other sets of low pairs. */
    void (*begin)(const pm_hafnian_level *l);
    /* NULL, or the sums of a level by ranks (hafnian_ranked.h).  transform: one array, forth or back.  multiply: a = a b, for
     * T = first .. end - 1, where arrays follow one another. */
    void (*transform)(const pm_hafnian_level *l, void *rows, int high, bool inverse);
    void (*multiply)(const pm_hafnian_level *l, void *a, const void *b, int high, uint32_t first,
                     uint32_t end);
} pm_hafnian_kernel;

/* A symmetric matrix of n rows, an even number; sheets: 2 with loops, else 1. */
typedef struct {
    int n, sheets;
    struct {
        double re, im;
    } a[PM_HAFNIAN_FEW][PM_HAFNIAN_FEW];
} pm_hafnian_few;

/* Numbers: residue, uint32_t, coefficients uint64_t; real, two doubles, high and low parts, rows of high parts and of low parts;
 * complex, four doubles, high and low real, high and low imaginary; size, a double that is not negative.
 * All vector units give the same digits unless a product of two doubles underflows. */
typedef struct {
    pm_hafnian_kernel residue, real, complex, size;
    /* The same at once for few vertices; number: room for 2, 4 and 1 doubles; the size is that of all matchings. */
    void (*few_real)(const pm_hafnian_few *g, double *number);
    void (*few_complex)(const pm_hafnian_few *g, double *number);
    void (*few_size)(const pm_hafnian_few *g, double *number);
} pm_hafnian_kernels;

extern const pm_hafnian_kernels pm_hafnian_portable, pm_hafnian_avx2, pm_hafnian_avx512;

#endif
