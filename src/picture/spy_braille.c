/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Braille character is U+2800 plus one bit for each of its 2 x 4 dots.
 *
 * If the matrix fits, entries are at every second dot, and outlines at the dots between them.
 * Otherwise each cell is one dot, and outlines are at the outermost dots of the blocks. */
#include "config.h"

#include <stdlib.h>

#include "picture/spy.h"
#include "pm/alloc.h"

enum { DOTS_WIDE = 2, DOTS_HIGH = 4, LEAST_OUTLINED = 4 };

typedef struct {
    int64_t width, height; /* characters */
    unsigned char *dots;   /* of each character */
} page;

static void set(page *p, int64_t x, int64_t y)
{
    static const unsigned char bit[DOTS_HIGH][DOTS_WIDE] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    p->dots[y / DOTS_HIGH * p->width + x / DOTS_WIDE] |= bit[y % DOTS_HIGH][x % DOTS_WIDE];
}

static void outline(page *p, int64_t left, int64_t right, int64_t top, int64_t bottom)
{
    for (int64_t x = left; x <= right; ++x) {
        set(p, x, top);
        set(p, x, bottom);
    }
    for (int64_t y = top; y <= bottom; ++y) {
        set(p, left, y);
        set(p, right, y);
    }
}

static void draw(const pm_spy *s, bool is_wide, page *p)
{
    for (int64_t row = 0; row < s->rows; ++row)
        for (int64_t col = 0; col < s->cols; ++col)
            if (pm_spy_colour(s, row, col) != PM_SPY_WHITE)
                set(p, is_wide ? 2 * col + 1 : col, is_wide ? 2 * row + 1 : row);
    pm_spy_box x;
    for (int64_t b = 0; b < s->d->nblocks; ++b)
        if (pm_spy_block(s, b, is_wide ? 1 : LEAST_OUTLINED, &x)) {
            if (is_wide)
                outline(p, 2 * x.left, 2 * x.right, 2 * x.top, 2 * x.bottom);
            else
                outline(p, x.left, x.right - 1, x.top, x.bottom - 1);
        }
}

static void put_page(const page *p, FILE *f)
{
    for (int64_t y = 0; y < p->height; ++y) {
        const unsigned char *line = &p->dots[y * p->width];
        int64_t end = p->width;
        while (end > 0 && !line[end - 1])
            --end;
        for (int64_t x = 0; x < end; ++x) /* UTF-8 of U+2800 + dots */
            fprintf(f, "\xE2%c%c", 0xA0 | line[x] >> 6, 0x80 | (line[x] & 0x3F));
        putc('\n', f);
    }
}

pm_status pm_spy_braille(const pm_matrix *a, const pm_dm *d, int width, FILE *f, pm_error *err)
{
    int64_t room = (int64_t)DOTS_WIDE * width, side = a->nrows > a->ncols ? a->nrows : a->ncols;
    bool is_wide = 2 * side + 1 <= room;
    pm_spy spy = {0};
    pm_status status = pm_spy_make(a, d, room, &spy, err);
    if (status)
        return status;
    int64_t wide = is_wide ? 2 * spy.cols + 1 : spy.cols,
            high = is_wide ? 2 * spy.rows + 1 : spy.rows;
    page p = {.width = (wide + DOTS_WIDE - 1) / DOTS_WIDE,
              .height = (high + DOTS_HIGH - 1) / DOTS_HIGH};
    p.dots = pm_calloc_array(p.width * p.height, 1);
    if (p.dots) {
        draw(&spy, is_wide, &p);
        put_page(&p, f);
    } else {
        status = pm_fail_memory(err, "a picture");
    }
    free(p.dots);
    pm_spy_free(&spy);
    return status;
}
