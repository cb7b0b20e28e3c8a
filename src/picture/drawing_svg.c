/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All shapes of one colour in one frame are one path.  A unit is 20 long, and numbers have at most one digit after the
 * point. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "io/put.h"
#include "picture/drawing.h"

#define UNIT    20
#define SECONDS 1.5 /* a frame */

/* In tenths. */
typedef struct {
    long x, y;
} point;

static point at(const pm_drawing *d, pm_place p)
{
    const pm_figure *g = d->figure;
    const double scale = 10 * UNIT / g->unit;
    return (point){lround((p.x - g->low.x) * scale), lround((g->high.y - p.y) * scale)};
}

static void put_tenths(long v, FILE *f)
{
    if (v < 0)
        putc('-', f);
    v = labs(v);
    if (v >= 10 || v == 0)
        fprintf(f, "%ld", v / 10);
    if (v % 10)
        fprintf(f, ".%ld", v % 10);
}

static void put_pair(long x, long y, FILE *f)
{
    put_tenths(x, f);
    if (y >= 0)
        putc(' ', f);
    put_tenths(y, f);
}

static void put_line_to(point from, point to, FILE *f)
{
    if (from.y == to.y || from.x == to.x) {
        putc(from.y == to.y ? 'h' : 'v', f);
        put_tenths(from.y == to.y ? to.x - from.x : to.y - from.y, f);
    } else {
        putc('l', f);
        put_pair(to.x - from.x, to.y - from.y, f);
    }
}

static void put_shape(const pm_drawing *d, const pm_shape *s)
{
    point last = at(d, s->corner[0]);
    putc('M', d->f);
    put_pair(last.x, last.y, d->f);
    for (int k = 1; k < s->corners; ++k) {
        const point next = at(d, s->corner[k]);
        put_line_to(last, next, d->f);
        last = next;
    }
    if (s->corners > 2)
        putc('z', d->f);
}

/* ---- head ---- */

static void put_theme(const pm_drawing *d, const char *paper, const char *line, const char *dot)
{
    fprintf(d->f, ".b{fill:%s}.e{stroke:%s}.v{stroke:%s}", paper, line, dot);
    if (d->figure->kind == PM_FIGURE_LOZENGES)
        fprintf(d->f, ".t{stroke:%s}", paper);
}

static bool is_used(const pm_drawing *d, int colour)
{
    return d->loops ? colour == PM_DRAWING_GREY || colour < d->loops->count
                    : colour < d->figure->directions;
}

static void put_style(const pm_drawing *d)
{
    FILE *f = d->f;
    const double seconds = SECONDS * (double)d->frames;
    fputs("<style>\n", f);
    switch (d->figure->kind) {
    case PM_FIGURE_DOMINOES:
        fprintf(f, ".t{stroke-width:%g;stroke-linejoin:round}\n", 2 * PM_FIGURE_ROUNDING * UNIT);
        break;
    case PM_FIGURE_LOZENGES: fputs(".t{stroke-width:1.2;stroke-linejoin:round}\n", f); break;
    case PM_FIGURE_BONDS: fputs(".t{fill:none;stroke-width:5;stroke-linecap:round}\n", f);
    }
    for (int c = 0; c < PM_DRAWING_COLOURS; ++c)
        if (is_used(d, c))
            fprintf(f,
                    d->figure->kind == PM_FIGURE_DOMINOES   ? ".c%d{fill:#%s;stroke:#%s}\n"
                    : d->figure->kind == PM_FIGURE_LOZENGES ? ".c%d{fill:#%s}\n"
                                                            : ".c%d{stroke:#%s}\n",
                    c, pm_drawing_colour(d, c), pm_drawing_colour(d, c));
    fputs(".a{opacity:.45}.e{fill:none}.v{stroke-width:4;stroke-linecap:round}\n", f);
    put_theme(d, "#fff", "#c8ccd2", "#8a8f98");
    fputs("\n@media(prefers-color-scheme:dark){", f);
    put_theme(d, "#14171c", "#454b54", "#8a8f98");
    fputs("}\n", f);
    if (d->frames > 1)
        fprintf(f,
                ".f{visibility:hidden;animation:f %gs step-end infinite}#f1{visibility:visible}\n"
                "@keyframes f{0%%{visibility:visible}%.4f%%{visibility:hidden}}\n"
                "@media(prefers-reduced-motion:reduce){.f{animation:none}}\n",
                seconds, 100 / (double)d->frames);
    fputs("</style>\n", f);
}

static void put_texts(const pm_drawing *d)
{
    fputs("<title>", d->f);
    pm_drawing_put_title(d, d->f);
    fputs("</title>\n<desc>", d->f);
    pm_drawing_put_description(d, d->f);
    fputs("</desc>\n", d->f);
}

static void put_edge(void *drawing, const pm_shape *s)
{
    put_shape(drawing, s);
}

/* Of a drawing of bonds: all edges, thin. */
static void put_graph(pm_drawing *d)
{
    fputs("<path class=\"e\" d=\"", d->f);
    pm_figure_each_edge(d->figure, put_edge, d);
    fputs("\"/>\n", d->f);
}

static void put_dot(const pm_drawing *d, int64_t v)
{
    const point p = at(d, d->figure->place[v]);
    putc('M', d->f);
    put_pair(p.x, p.y, d->f);
    fputs("h0", d->f);
}

void pm_drawing_svg_begin(pm_drawing *d)
{
    const pm_figure *g = d->figure;
    const point size = at(d, (pm_place){g->high.x, g->low.y});
    const double largest = fmax((double)size.x, (double)size.y) / 10;
    const double scale = fmin(1.5, 720 / fmax(largest, 1));
    fprintf(d->f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.1f %.1f\">\n",
            ceil(scale * (double)size.x / 10), ceil(scale * (double)size.y / 10),
            (double)size.x / 10, (double)size.y / 10);
    put_texts(d);
    put_style(d);
    fputs("<rect class=\"b\" width=\"100%\" height=\"100%\"/>\n", d->f);
    if (g->kind != PM_FIGURE_BONDS)
        return;
    put_graph(d);
    fputs("<path class=\"v\" d=\"", d->f);
    for (int64_t v = 0; v < g->vertices; ++v)
        put_dot(d, v);
    fputs("\"/>\n", d->f);
}

/* ---- frames ---- */

/* but: rows with this partner are left out; or NULL. */
static void put_colour(const pm_drawing *d, const int32_t *partner, const int32_t *but, int colour,
                       bool is_cut)
{
    bool is_open = false;
    for (int64_t i = 0; i < d->figure->a->nrows; ++i) {
        pm_shape s[2];
        const int count = pm_figure_shapes_of_row(d->figure, partner, but, i, s);
        for (int n = 0; n < count; ++n) {
            if (pm_drawing_colour_of(d, i, &s[n]) != colour || s[n].is_cut != is_cut)
                continue;
            if (!is_open)
                fprintf(d->f, "<path class=\"t c%d%s\" d=\"", colour, is_cut ? " a" : "");
            is_open = true;
            put_shape(d, &s[n]);
        }
    }
    if (is_open)
        fputs("\"/>\n", d->f);
}

/* Vertices without a partner, of a tiling: drawings of bonds show all vertices. */
static pm_status put_alone(const pm_drawing *d, const int32_t *partner, pm_error *err)
{
    int64_t alone = 0;
    bool *is_matched;
    pm_status status = pm_figure_matched(d->figure, partner, &is_matched, err);
    for (int64_t v = 0; v < d->figure->vertices && !status; ++v) {
        if (is_matched[v])
            continue;
        if (alone++ == 0)
            fputs("<path class=\"v\" d=\"", d->f);
        put_dot(d, v);
    }
    if (alone)
        fputs("\"/>\n", d->f);
    free(is_matched);
    return status;
}

pm_status pm_drawing_svg_frame(pm_drawing *d, const int32_t *partner, pm_error *err)
{
    pm_status status = PM_OK;
    if (d->frames > 1)
        fprintf(d->f, "<g class=\"f\" id=\"f%" PRId64 "\" style=\"animation-delay:%gs\">\n",
                d->drawn + 1, SECONDS * (double)(d->drawn - d->frames));
    ++d->drawn;
    for (int is_cut = 0; is_cut < 2; ++is_cut)
        for (int c = 0; c < d->figure->directions; ++c)
            put_colour(d, partner, NULL, c, is_cut);
    if (d->figure->kind != PM_FIGURE_BONDS)
        status = put_alone(d, partner, err);
    if (d->frames > 1)
        fputs("</g>\n", d->f);
    return status;
}

pm_status pm_drawing_svg_loops(pm_drawing *d, const int32_t *first, const int32_t *second,
                               pm_error *err)
{
    (void)err;
    for (int is_cut = 0; is_cut < 2; ++is_cut)
        for (int c = 0; c < PM_DRAWING_COLOURS; ++c) {
            put_colour(d, first, NULL, c, is_cut);
            put_colour(d, second, first, c, is_cut);
        }
    return PM_OK;
}

pm_status pm_drawing_svg_end(pm_drawing *d, pm_error *err)
{
    fputs("</svg>\n", d->f);
    return pm_put_check(d->f, err);
}
