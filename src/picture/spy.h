/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture/spy.h: pictures of the block triangular form of a matrix.  Entries are dots, darker where
 * there are more of them; the diagonal blocks have a colour of their own and an outline. */
#ifndef PM_SPY_H
#define PM_SPY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "pm/dm.h"

/* The matrix, divided into cells of step x step positions. */
typedef struct {
    const pm_dm *d; /* owned by the caller */
    int64_t step;
    int64_t rows, cols; /* numbers of cells */
    uint32_t *inside,
        *outside;  /* entries of each cell inside and outside of diagonal blocks, row by
                                 * row */
    uint32_t most; /* the largest number of entries in a cell */
} pm_spy;

/* Uses at most `most` x `most` cells; step is 1 when the matrix is not larger.  The caller frees
 * *out.  Fails: PM_ENOMEM. */
pm_status pm_spy_make(const pm_matrix *a, const pm_dm *d, int64_t most, pm_spy *out, pm_error *err);
void pm_spy_free(pm_spy *s);

/* ---- colours ---- */

/* White, outlines, the background of blocks; then shades from pale to dark for entries inside and
 * outside of blocks. */

enum {
    PM_SPY_WHITE,
    PM_SPY_OUTLINE,
    PM_SPY_BACKGROUND,
    PM_SPY_SHADES = 8,
    PM_SPY_INSIDE = PM_SPY_BACKGROUND + 1,
    PM_SPY_OUTSIDE = PM_SPY_INSIDE + PM_SPY_SHADES,
    PM_SPY_COLOURS = PM_SPY_OUTSIDE + PM_SPY_SHADES
};
extern const unsigned char pm_spy_palette[PM_SPY_COLOURS][3];

/* The colour of a cell: darker with more entries, PM_SPY_WHITE without entries. */
int pm_spy_colour(const pm_spy *s, int64_t row, int64_t col);

/* The side of a cell in pixels.  From PM_SPY_ROOMY pixels on, outlines do not hide entries. */
enum { PM_SPY_ROOMY = 3 };
int64_t pm_spy_scale(const pm_spy *s);

/* The cells of a diagonal block: rows top .. bottom-1, columns left .. right-1. */
typedef struct {
    int64_t left, right, top, bottom;
} pm_spy_box;

/* *out: the cells of block b.  Returns false when the block gets no outline: it has no rows, no
 * columns, or fewer than `least` cells in both directions. */
bool pm_spy_block(const pm_spy *s, int64_t b, int64_t least, pm_spy_box *out);

/* ---- the pictures ---- */

/* All fail with PM_ENOMEM or PM_EIO. */
pm_status pm_spy_png(const pm_matrix *a, const pm_dm *d, FILE *f, pm_error *err);
pm_status pm_spy_svg(const pm_matrix *a, const pm_dm *d, FILE *f, pm_error *err);
/* Braille characters, which are two dots wide and four high.  width: characters in a line. */
pm_status pm_spy_braille(const pm_matrix *a, const pm_dm *d, int width, FILE *f, pm_error *err);

#endif
