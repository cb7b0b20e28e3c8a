/* SPDX-License-Identifier: GPL-3.0-or-later */
/* edges/number_block.h: is a table of edges meant as a matrix?
 *
 * A block of numbers may be a matrix.  Of whole numbers these are blocks of 2 x 2, 2 x 3 and 3 x 3: three
 * or more lines of two numbers are most often edges, and four or more of three are edges with weights.
 * Vertices are hardly ever called 0.5 or 1+2j: with such a label a block of any length may be a matrix.
 * A pair such as (1,2) is a complex number too, but vertices of grids have such names. */
#ifndef PM_NUMBER_BLOCK_H
#define PM_NUMBER_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

/* Zeroed: no label was looked at. */
typedef struct {
    bool has_names;     /* a label is not a number */
    bool has_fractions; /* or it is a number that no vertex is called */
    int64_t lines;      /* edges so far; the labels of the first three count */
} pm_number_block;

/* The labels of the next edge. */
void pm_number_block_add(pm_number_block *x, const char *const text[2], const int64_t length[2]);

/* A matrix is as likely as edges.  fields: of each line, 2 or 3. */
bool pm_number_block_is_likely(const pm_number_block *x, int fields);

/* Adds to a message about the edges that a matrix is another format.  A matrix often has equal rows: then
 * its lines are duplicate edges. */
void pm_number_block_hint(pm_error *err);

/* The text consists of the characters of numbers and of commas, semicolons and TABs between them. */
bool pm_is_separated_numbers(const char *text, int64_t length);

#endif
