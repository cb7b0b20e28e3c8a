/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All shapes are convex, so a point is inside when it is on the same side of all their lines.  A pixel has POINTS
 * points on a grid; how many of them a shape covers gives the opacity of the pixel.  The palette has each colour
 * with each of these opacities, and pale. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "core/text_stream.h"
#include "picture/drawing.h"
#include "picture/png.h"
#include "pm/alloc.h"

enum {
    ACROSS = 4, /* points of a pixel in a row */
    POINTS = ACROSS * ACROSS,
    LEVELS = 12,         /* of opacity, above none */
    MOST_PIXELS = 16384, /* of the width and the height */
    MOST_CORNERS = 16,   /* of an outline; a disc has as many */
    ENTRIES = 1 + 2 * PM_DRAWING_COLOURS * LEVELS
};

#define PALE 0.45

/* In units, as in SVG. */
#define BOND 0.25
#define EDGE 0.05
#define DOT  0.2
#define GAP  0.03 /* around lozenges, a share */

struct pm_canvas {
    double scale; /* pixels in the length 1 of the drawing */
    int64_t width, height;
    unsigned char *pixels; /* 0: nothing; else 1 + paint * LEVELS + level - 1 */
};
typedef struct pm_canvas canvas;

/* A colour, or a pale one. */
static int paint_of(int colour, bool is_pale)
{
    return colour + (is_pale ? PM_DRAWING_COLOURS : 0);
}

/* A convex polygon in pixels from the upper left corner, its corners in order. */
typedef struct {
    int corners;
    double x[MOST_CORNERS], y[MOST_CORNERS];
} outline;

/* ---- filling ---- */

static bool has(const outline *o, double x, double y)
{
    bool is_left = true, is_right = true;
    for (int k = 0; k < o->corners && (is_left || is_right); ++k) {
        const int next = k + 1 < o->corners ? k + 1 : 0;
        const double side =
            (o->x[next] - o->x[k]) * (y - o->y[k]) - (o->y[next] - o->y[k]) * (x - o->x[k]);
        is_left &= side >= 0;
        is_right &= side <= 0;
    }
    return is_left || is_right;
}

static int level_of(const outline *o, int64_t column, int64_t row)
{
    int points = 0;
    for (int k = 0; k < POINTS; ++k)
        points += has(o, (double)column + (k % ACROSS + 0.5) / ACROSS,
                      (double)row + (k / ACROSS + 0.5) / ACROSS);
    return (points * LEVELS + POINTS - 1) / POINTS;
}

/* A pixel is that of the last shape that covers half of it, else of the one that covers most of it. */
static void fill(canvas *c, const outline *o, int paint)
{
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (int k = 0; k < o->corners; ++k) {
        left = fmin(left, o->x[k]);
        right = fmax(right, o->x[k]);
        top = fmin(top, o->y[k]);
        bottom = fmax(bottom, o->y[k]);
    }
    const int64_t first[2] = {(int64_t)fmax(floor(left), 0), (int64_t)fmax(floor(top), 0)};
    const int64_t end[2] = {(int64_t)fmin(ceil(right), (double)c->width),
                            (int64_t)fmin(ceil(bottom), (double)c->height)};
    for (int64_t y = first[1]; y < end[1]; ++y)
        for (int64_t x = first[0]; x < end[0]; ++x) {
            unsigned char *pixel = &c->pixels[y * c->width + x];
            const int level = level_of(o, x, y), old = *pixel ? (*pixel - 1) % LEVELS + 1 : 0;
            const bool is_same = *pixel && (*pixel - 1) / LEVELS == paint;
            if (level > old || (!is_same && 2 * level >= LEVELS))
                *pixel = (unsigned char)(paint * LEVELS + level);
        }
}

static void fill_disc(canvas *c, double x, double y, double radius, int paint)
{
    outline o = {.corners = MOST_CORNERS};
    for (int k = 0; k < MOST_CORNERS; ++k) {
        const double angle = 2 * acos(-1) * k / MOST_CORNERS;
        o.x[k] = x + radius * cos(angle);
        o.y[k] = y + radius * sin(angle);
    }
    fill(c, &o, paint);
}

static void fill_bar(canvas *c, const double x[2], const double y[2], double radius, int paint)
{
    const double dx = x[1] - x[0], dy = y[1] - y[0], length = hypot(dx, dy);
    const double sx = -dy / length * radius, sy = dx / length * radius;
    const outline o = {.corners = 4,
                       .x = {x[0] + sx, x[1] + sx, x[1] - sx, x[0] - sx},
                       .y = {y[0] + sy, y[1] + sy, y[1] - sy, y[0] - sy}};
    fill(c, &o, paint);
}

/* Lines of this radius, with round ends, along the sides; of a segment, along itself. */
static void fill_lines(canvas *c, const outline *o, double radius, int paint)
{
    for (int k = 0; k < o->corners; ++k) {
        const int next = k + 1 < o->corners ? k + 1 : 0;
        fill_disc(c, o->x[k], o->y[k], radius, paint);
        if (next > k || o->corners > 2)
            fill_bar(c, (const double[]){o->x[k], o->x[next]},
                     (const double[]){o->y[k], o->y[next]}, radius, paint);
    }
}

/* ---- the drawing ---- */

static void locate(const pm_drawing *d, pm_place p, double *x, double *y)
{
    *x = (p.x - d->figure->low.x) * d->canvas->scale;
    *y = (d->figure->high.y - p.y) * d->canvas->scale;
}

/* width: of segments, in units. */
static void put_shape(const pm_drawing *d, const pm_shape *s, double width, int paint)
{
    const double unit = d->figure->unit * d->canvas->scale;
    outline o = {.corners = s->corners};
    for (int k = 0; k < s->corners; ++k)
        locate(d, s->corner[k], &o.x[k], &o.y[k]);
    if (d->figure->kind == PM_FIGURE_LOZENGES && s->corners == 4) {
        const double x = (o.x[0] + o.x[2]) / 2, y = (o.y[0] + o.y[2]) / 2;
        for (int k = 0; k < 4; ++k) {
            o.x[k] += GAP * (x - o.x[k]);
            o.y[k] += GAP * (y - o.y[k]);
        }
    }
    if (s->corners > 2)
        fill(d->canvas, &o, paint);
    if (s->corners == 2)
        fill_lines(d->canvas, &o, width / 2 * unit, paint);
    else if (d->figure->kind == PM_FIGURE_DOMINOES)
        fill_lines(d->canvas, &o, PM_FIGURE_ROUNDING * unit, paint);
}

static void put_dot(const pm_drawing *d, int64_t v)
{
    double x, y;
    locate(d, d->figure->place[v], &x, &y);
    fill_disc(d->canvas, x, y, DOT / 2 * d->figure->unit * d->canvas->scale,
              paint_of(PM_DRAWING_GREY, false));
}

static void put_edge(void *drawing, const pm_shape *s)
{
    put_shape(drawing, s, EDGE, paint_of(PM_DRAWING_GREY, true));
}

static void put_graph(pm_drawing *d)
{
    pm_figure_each_edge(d->figure, put_edge, d);
    for (int64_t v = 0; v < d->figure->vertices; ++v)
        put_dot(d, v);
}

pm_status pm_drawing_png_begin(pm_drawing *d, pm_error *err)
{
    const pm_figure *g = d->figure;
    const double width = g->high.x - g->low.x, height = g->high.y - g->low.y;
    const double least = 4 / g->unit, most = 40 / g->unit, wanted = 1000 / fmax(width, height);
    const double scale = fmin(fmax(wanted, least), most);
    if (fmax(width, height) * scale > MOST_PIXELS)
        return pm_fail(
            err, PM_UNABLE,
            "a PNG picture would have %.0f x %.0f pixels, but at most %d x %d are drawn: "
            "an SVG picture has no such limit",
            width * scale, height * scale, MOST_PIXELS, MOST_PIXELS);
    d->canvas = pm_calloc_array(1, sizeof *d->canvas);
    if (!d->canvas)
        return pm_fail_memory(err, "a picture");
    *d->canvas = (canvas){scale, (int64_t)ceil(width * scale), (int64_t)ceil(height * scale), NULL};
    d->canvas->pixels = pm_calloc_array(d->canvas->width * d->canvas->height, 1);
    if (!d->canvas->pixels)
        return pm_fail_memory(err, "a picture");
    if (g->kind == PM_FIGURE_BONDS)
        put_graph(d);
    return PM_OK;
}

/* but: rows with this partner are left out; or NULL. */
static void put_matching(const pm_drawing *d, const int32_t *partner, const int32_t *but)
{
    for (int64_t i = 0; i < d->figure->a->nrows; ++i) {
        pm_shape s[2];
        const int count = pm_figure_shapes_of_row(d->figure, partner, but, i, s);
        for (int n = 0; n < count; ++n)
            put_shape(d, &s[n], BOND, paint_of(pm_drawing_colour_of(d, i, &s[n]), s[n].is_cut));
    }
}

static pm_status put_alone(const pm_drawing *d, const int32_t *partner, pm_error *err)
{
    bool *is_matched;
    pm_status status = pm_figure_matched(d->figure, partner, &is_matched, err);
    for (int64_t v = 0; v < d->figure->vertices && !status; ++v)
        if (!is_matched[v])
            put_dot(d, v);
    free(is_matched);
    return status;
}

pm_status pm_drawing_png_frame(pm_drawing *d, const int32_t *partner, pm_error *err)
{
    put_matching(d, partner, NULL);
    return d->figure->kind == PM_FIGURE_BONDS ? PM_OK : put_alone(d, partner, err);
}

pm_status pm_drawing_png_loops(pm_drawing *d, const int32_t *first, const int32_t *second,
                               pm_error *err)
{
    (void)err;
    put_matching(d, first, NULL);
    put_matching(d, second, first);
    return PM_OK;
}

/* ---- the file ---- */

static void make_palette(const pm_drawing *d, unsigned char palette[ENTRIES][3],
                         unsigned char opacity[ENTRIES])
{
    for (int k = 0; k < 3; ++k)
        palette[0][k] = 0;
    opacity[0] = 0;
    for (int e = 1; e < ENTRIES; ++e) {
        const int paint = (e - 1) / LEVELS, level = (e - 1) % LEVELS + 1;
        const unsigned long rgb =
            strtoul(pm_drawing_colour(d, paint % PM_DRAWING_COLOURS), NULL, 16);
        for (int k = 0; k < 3; ++k)
            palette[e][k] = (unsigned char)(rgb >> (16 - 8 * k));
        opacity[e] =
            (unsigned char)lround(255.0 * level / LEVELS * (paint < PM_DRAWING_COLOURS ? 1 : PALE));
    }
}

static char *text_of(const pm_drawing *d, void (*put)(const pm_drawing *d, FILE *f))
{
    pm_text_stream *s = pm_text_stream_open();
    if (s)
        put(d, pm_text_stream_file(s));
    return pm_text_stream_close(s);
}

pm_status pm_drawing_png_end(pm_drawing *d, pm_error *err)
{
    unsigned char palette[ENTRIES][3], opacity[ENTRIES];
    char *title = text_of(d, pm_drawing_put_title),
         *description = text_of(d, pm_drawing_put_description);
    make_palette(d, palette, opacity);
    const pm_png png = {.width = (int32_t)d->canvas->width,
                        .height = (int32_t)d->canvas->height,
                        .pixels = d->canvas->pixels,
                        .ncolours = ENTRIES,
                        .palette = (const unsigned char(*)[3])palette,
                        .opacity = opacity,
                        .title = title,
                        .description = description};
    pm_status status = title && description ? pm_png_write(d->f, &png, err)
                                            : pm_fail_memory(err, "the text of a picture");
    free(title);
    free(description);
    return status;
}

void pm_drawing_png_drop(pm_drawing *d)
{
    if (d->canvas)
        free(d->canvas->pixels);
    free(d->canvas);
    d->canvas = NULL;
}
