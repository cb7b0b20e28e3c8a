/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <stdlib.h>

#include "picture/png.h"
#include "picture/spy.h"
#include "pm/alloc.h"

enum { MOST_CELLS = 2000 };

/* Cell c has the pixels c * scale .. c * scale + scale - 1.  If cells are large, the first pixel is
 * kept free for outlines. */
typedef struct {
    const pm_spy *spy;
    int64_t scale, gap;
    int64_t least; /* cells that a block with an outline has at least */
    int64_t width, height;
    unsigned char *pixels;
} canvas;

static void fill(canvas *c, int64_t left, int64_t right, int64_t top, int64_t bottom, int colour)
{
    for (int64_t y = top; y < bottom; ++y)
        for (int64_t x = left; x < right; ++x)
            c->pixels[y * c->width + x] = (unsigned char)colour;
}

static void paint_blocks(canvas *c)
{
    pm_spy_box box;
    for (int64_t b = 0; b < c->spy->d->nblocks; ++b)
        if (pm_spy_block(c->spy, b, c->least, &box))
            fill(c, box.left * c->scale, box.right * c->scale, box.top * c->scale,
                 box.bottom * c->scale, PM_SPY_BACKGROUND);
}

static void paint_entries(canvas *c)
{
    for (int64_t row = 0; row < c->spy->rows; ++row)
        for (int64_t col = 0; col < c->spy->cols; ++col) {
            int colour = pm_spy_colour(c->spy, row, col);
            if (colour != PM_SPY_WHITE)
                fill(c, col * c->scale + c->gap, (col + 1) * c->scale, row * c->scale + c->gap,
                     (row + 1) * c->scale, colour);
        }
}

static void paint_outlines(canvas *c)
{
    pm_spy_box box;
    for (int64_t b = 0; b < c->spy->d->nblocks; ++b) {
        if (!pm_spy_block(c->spy, b, c->least, &box))
            continue;
        int64_t left = box.left * c->scale, right = box.right * c->scale;
        int64_t top = box.top * c->scale, bottom = box.bottom * c->scale;
        fill(c, left, right + 1, top, top + 1, PM_SPY_OUTLINE);
        fill(c, left, right + 1, bottom, bottom + 1, PM_SPY_OUTLINE);
        fill(c, left, left + 1, top, bottom, PM_SPY_OUTLINE);
        fill(c, right, right + 1, top, bottom, PM_SPY_OUTLINE);
    }
}

pm_status pm_spy_png(const pm_matrix *a, const pm_dm *d, FILE *f, pm_error *err)
{
    pm_spy spy = {0};
    pm_status status = pm_spy_make(a, d, MOST_CELLS, &spy, err);
    if (status)
        return status;
    canvas c = {.spy = &spy, .scale = pm_spy_scale(&spy)};
    bool is_roomy = c.scale >= PM_SPY_ROOMY;
    c.gap = is_roomy ? 1 : 0;
    c.least = is_roomy ? 1 : 3;
    c.width = spy.cols * c.scale + 1; /* the last outline */
    c.height = spy.rows * c.scale + 1;
    c.pixels = pm_calloc_array(c.width * c.height, 1);
    if (c.pixels) {
        paint_blocks(&c);
        paint_entries(&c);
        paint_outlines(&c);
        const pm_png png = {.width = (int32_t)c.width,
                            .height = (int32_t)c.height,
                            .pixels = c.pixels,
                            .ncolours = PM_SPY_COLOURS,
                            .palette = pm_spy_palette};
        status = pm_png_write(f, &png, err);
    } else {
        status = pm_fail_memory(err, "a picture");
    }
    free(c.pixels);
    pm_spy_free(&spy);
    return status;
}
