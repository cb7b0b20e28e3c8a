/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cell is a unit square.  All cells of one colour are one path, with a line of width 1 for each
 * run of cells in a row. */
#include "config.h"

#include <inttypes.h>

#include "picture/spy.h"

enum { MOST_CELLS = 1000 };

static void put_head(const pm_spy *s, FILE *f)
{
    int64_t scale = pm_spy_scale(s);
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRId64 "\" height=\"%" PRId64
            "\" viewBox=\"0 0 %" PRId64 " %" PRId64 "\" overflow=\"visible\">\n",
            s->cols * scale, s->rows * scale, s->cols, s->rows);
    fprintf(f,
            "<title>%" PRId64 " x %" PRId64 ", structural rank %" PRId64 ", %" PRId64
            " blocks</title>\n",
            s->d->nrows, s->d->ncols, s->d->rank, s->d->nblocks);
    fprintf(f, "<rect width=\"%" PRId64 "\" height=\"%" PRId64 "\" fill=\"white\"/>\n", s->cols,
            s->rows);
}

static void put_colour(int colour, FILE *f)
{
    const unsigned char *c = pm_spy_palette[colour];
    fprintf(f, "#%02x%02x%02x", c[0], c[1], c[2]);
}

static void put_boxes(const pm_spy *s, FILE *f)
{
    int64_t least = pm_spy_scale(s) >= PM_SPY_ROOMY ? 1 : 3;
    pm_spy_box x;
    for (int64_t b = 0; b < s->d->nblocks; ++b)
        if (pm_spy_block(s, b, least, &x))
            fprintf(f, "M%" PRId64 " %" PRId64 "h%" PRId64 "v%" PRId64 "h%" PRId64 "z\n", x.left,
                    x.top, x.right - x.left, x.bottom - x.top, x.left - x.right);
}

static void put_blocks(const pm_spy *s, FILE *f)
{
    fputs("<path fill=\"", f);
    put_colour(PM_SPY_BACKGROUND, f);
    fputs("\" d=\"", f);
    put_boxes(s, f);
    fputs("\"/>\n", f);
}

static void put_outlines(const pm_spy *s, FILE *f)
{
    fputs("<path fill=\"none\" stroke=\"", f);
    put_colour(PM_SPY_OUTLINE, f);
    fprintf(f, "\" stroke-width=\"%.4g\" d=\"", 1.0 / (double)pm_spy_scale(s));
    put_boxes(s, f);
    fputs("\"/>\n", f);
}

/* The cells of one colour; the path begins with its first cell. */
static void put_entries(const pm_spy *s, int colour, FILE *f)
{
    bool is_open = false;
    for (int64_t row = 0; row < s->rows; ++row)
        for (int64_t col = 0, end; col < s->cols; col = end) {
            for (end = col; end < s->cols && pm_spy_colour(s, row, end) == colour;)
                ++end;
            if (end == col) {
                ++end;
                continue;
            }
            if (!is_open) {
                fputs("<path stroke=\"", f);
                put_colour(colour, f);
                fputs("\" d=\"", f);
                is_open = true;
            }
            fprintf(f, "M%" PRId64 " %" PRId64 ".5h%" PRId64 "\n", col, row, end - col);
        }
    if (is_open)
        fputs("\"/>\n", f);
}

pm_status pm_spy_svg(const pm_matrix *a, const pm_dm *d, FILE *f, pm_error *err)
{
    pm_spy spy = {0};
    pm_status status = pm_spy_make(a, d, MOST_CELLS, &spy, err);
    if (status)
        return status;
    put_head(&spy, f);
    put_blocks(&spy, f);
    for (int colour = PM_SPY_INSIDE; colour < PM_SPY_COLOURS; ++colour)
        put_entries(&spy, colour, f);
    put_outlines(&spy, f);
    fputs("</svg>\n", f);
    pm_spy_free(&spy);
    return ferror(f) ? pm_fail(err, PM_EIO, "cannot write the picture") : PM_OK;
}
