/* SPDX-License-Identifier: GPL-3.0-or-later */
/* product_tree/tree_gpu_writer.h: what the parts of the text of a tree (tree_gpu_text.h) have in
 * common: where cells are stored, their names, numbers, and steps. */
#ifndef PM_TREE_GPU_WRITER_H
#define PM_TREE_GPU_WRITER_H

#include <stdio.h>

#include "product_tree/tree_gpu_text.h"

/* Where a cell is stored: in a variable used only at the start of a segment, in shared memory, in a
 * register. */
typedef enum { PM_TREE_LOCAL, PM_TREE_SHARED, PM_TREE_REGISTER } pm_tree_home;

typedef struct {
    const pm_tree_program *p;
    const pm_tree_shape *shape;
    FILE *f;
    bool is_complex, is_inexact;
    bool sizes; /* write the magnitudes: cells m0, m1, ... */
    bool in_words;
    int32_t factors[PM_TREE_PROGRAM_CELLS]; /* words: of each cell, its factors of 2^-32 */
    pm_tree_home home[PM_TREE_PROGRAM_CELLS];
    int32_t slot[PM_TREE_PROGRAM_CELLS]; /* number among the cells in shared memory */
    int32_t nshared;
    double *value; /* the contents of pm_value */
    int64_t nvalues, cap;
    bool failed; /* memory ended */
} pm_tree_writer;

typedef struct {
    char s[40];
} pm_tree_name;

/* ---- tree_gpu_cells.c ---- */

/* Sets home, slot and nshared. */
void pm_tree_find_homes(pm_tree_writer *w);

/* part: 0 real, 1 imaginary */
pm_tree_name pm_tree_cell_name(const pm_tree_writer *w, int32_t cell, int part);
/* An element of pm_value that is v. */
pm_tree_name pm_tree_interned(pm_tree_writer *w, double v);
/* v >= 0, as a literal or an element of pm_value. */
pm_tree_name pm_tree_number(pm_tree_writer *w, double v);
/* Of cells: "int" or "double". */
const char *pm_tree_type_of(const pm_tree_writer *w);

/* ---- tree_gpu_steps.c ---- */

/* in_words: sets factors.  Each multiplication modulo a prime leaves one factor of 2^-32;
 * differences bring both operands to the same number of factors. */
void pm_tree_find_factors(pm_tree_writer *w);
/* Writes the steps of an action.  The terms go to t0, t1, ... (ti0: imaginary part). */
void pm_tree_put_steps(pm_tree_writer *w, const pm_tree_action *a);

#endif
