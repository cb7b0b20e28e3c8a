/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture/spy.h: pictures of the block triangular form of a matrix: its entries as dots, darker ones
 * inside the diagonal blocks, which are outlined. */
#ifndef PM_SPY_H
#define PM_SPY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pm/dm.h"

/* The matrix by cells, each of step x step places. */
typedef struct {
    const pm_dm *d; /* lent */
    int64_t step;
    int64_t rows, cols;         /* cells */
    uint32_t *inside, *outside; /* entries of each cell in diagonal blocks, and not; row by row */
    uint32_t most;              /* in any one cell */
} pm_spy;

/* At most `most` cells a side, one for every place of a matrix that fits. */
pm_status pm_spy_make(const pm_matrix *a, const pm_dm *d, int64_t most, pm_spy *out, pm_error *err);
void pm_spy_free(pm_spy *s);

/* ---- colours: white, outlines, the ground of blocks; entries from pale to dark ---- */

enum {
    PM_SPY_WHITE,
    PM_SPY_OUTLINE,
    PM_SPY_GROUND,
    PM_SPY_SHADES = 8,
    PM_SPY_INSIDE = PM_SPY_GROUND + 1,
    PM_SPY_OUTSIDE = PM_SPY_INSIDE + PM_SPY_SHADES,
    PM_SPY_COLOURS = PM_SPY_OUTSIDE + PM_SPY_SHADES
};
extern const unsigned char pm_spy_palette[PM_SPY_COLOURS][3];

/* Of a cell with entries, the more of them the darker; PM_SPY_WHITE for one without. */
int pm_spy_colour(const pm_spy *s, int64_t row, int64_t col);

/* Pixels that a side of a cell is drawn with; from PM_SPY_ROOMY on, outlines hide no entry. */
enum { PM_SPY_ROOMY = 3 };
int64_t pm_spy_scale(const pm_spy *s);

/* Where a diagonal block stands, in cells: rows top .. bottom-1, columns left .. right-1. */
typedef struct {
    int64_t left, right, top, bottom;
} pm_spy_box;

/* False for a block that has no area, or less than `least` cells in both directions: it is not
 * outlined. */
bool pm_spy_block(const pm_spy *s, int64_t b, int64_t least, pm_spy_box *out);

/* ---- the pictures ---- */

pm_status pm_spy_png(const pm_matrix *a, const pm_dm *d, FILE *f, pm_error *err);
pm_status pm_spy_svg(const pm_matrix *a, const pm_dm *d, FILE *f, pm_error *err);
/* In Braille characters, two dots wide and four high, `width` of them a line. */
pm_status pm_spy_braille(const pm_matrix *a, const pm_dm *d, int width, FILE *f, pm_error *err);

#endif
