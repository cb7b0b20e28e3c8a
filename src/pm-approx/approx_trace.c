/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-approx/approx_trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/output.h"
#include "pm/alloc.h"

pm_status pm_trace_add(pm_trace *t, const pm_trace_point *p, pm_error *err)
{
    if (PM_GROW(t->point, t->cap, t->count + 1))
        return pm_fail_memory(err, "a trace");
    t->point[t->count++] = *p;
    return PM_OK;
}

void pm_trace_free(pm_trace *t)
{
    free(t->point);
    *t = (pm_trace){0};
}

pm_status pm_trace_write(const pm_trace *t, const char *path, pm_trace_form *form, pm_error *err)
{
    pm_output out = {0};
    pm_status status = pm_output_open(&out, path, err);
    if (!status) {
        form(t, out.stream);
        status = pm_output_commit(&out, err);
    }
    pm_output_discard(&out);
    return status;
}

/* ---- a table ---- */

static void put_number(pm_xreal x, FILE *f)
{
    char *text = pm_xreal_text(x, 10);
    fprintf(f, "\t%s", text ? text : "nan");
    free(text);
}

void pm_trace_put_table(const pm_trace *t, FILE *f)
{
    fputs("# item\tsamples\tseconds\testimate\tlow\thigh\n", f);
    for (int64_t i = 0; i < t->count; ++i) {
        const pm_trace_point *p = &t->point[i];
        fprintf(f, "%" PRId64 "\t%" PRId64 "\t%.6f", p->item, p->samples, p->seconds);
        put_number(p->estimate, f);
        put_number(p->low, f);
        put_number(p->high, f);
        fputc('\n', f);
    }
}

/* ---- a picture ---- */

enum { WIDTH = 640, HEIGHT = 240, LEFT = 70, RIGHT = 20, TOP = 30, BOTTOM = 40 };

/* The points of one item, and the window in which they are drawn. */
typedef struct {
    const pm_trace_point *point;
    int64_t count;
    double least, most; /* log10 of the samples */
    double reach;       /* the window is 1 - reach .. 1 + reach */
    int64_t top;        /* of the panel */
} panel;

static double relative(const panel *p, pm_xreal x)
{
    pm_xreal last = p->point[p->count - 1].estimate;
    if (x.hi == 0 || last.hi == 0)
        return 0;
    return x.exp - last.exp > 100 ? 0x1p100 : ldexp(x.hi / last.hi, (int)(x.exp - last.exp));
}

static double horizontal(const panel *p, const pm_trace_point *at)
{
    double span = fmax(p->most - p->least, 1e-9);
    return LEFT + (log10((double)at->samples) - p->least) / span * (WIDTH - LEFT - RIGHT);
}

static double vertical(const panel *p, double value)
{
    double shown = fmin(fmax(value, 1 - p->reach), 1 + p->reach);
    double height = HEIGHT - TOP - BOTTOM;
    return (double)p->top + TOP + height * (1 + p->reach - shown) / (2 * p->reach);
}

/* The window is three times the last interval; an early point outside of it is drawn at its edge.
 * */
static panel make_panel(const pm_trace *t, int64_t first, int64_t end)
{
    panel p = {.point = t->point + first, .count = end - first};
    const pm_trace_point *last = &t->point[end - 1];
    p.least = log10((double)p.point->samples);
    p.most = log10((double)last->samples);
    double width = fmax(relative(&p, last->high) - 1, 1 - relative(&p, last->low));
    p.reach = isfinite(width) && width > 0 ? fmin(3 * width, 1) : 0.01;
    p.top = (last->item - t->point->item) * HEIGHT;
    return p;
}

static void put_text(FILE *f, double x, double y, double value, const char *unit)
{
    fprintf(f, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.4g%s</text>\n", x, y, value,
            unit);
}

static void put_band(const panel *p, FILE *f)
{
    fputs("<path fill=\"#9ecae1\" d=\"", f);
    for (int64_t i = 0; i < p->count; ++i)
        fprintf(f, "%c%.1f %.1f\n", i ? 'L' : 'M', horizontal(p, &p->point[i]),
                vertical(p, relative(p, p->point[i].high)));
    for (int64_t i = p->count; i-- > 0;)
        fprintf(f, "L%.1f %.1f\n", horizontal(p, &p->point[i]),
                vertical(p, relative(p, p->point[i].low)));
    fputs("z\"/>\n<path fill=\"none\" stroke=\"#08519c\" d=\"", f);
    for (int64_t i = 0; i < p->count; ++i)
        fprintf(f, "%c%.1f %.1f\n", i ? 'L' : 'M', horizontal(p, &p->point[i]),
                vertical(p, relative(p, p->point[i].estimate)));
    fputs("\"/>\n", f);
}

static void put_axes(const panel *p, FILE *f)
{
    double bottom = (double)p->top + HEIGHT - BOTTOM;
    fprintf(f, "<path fill=\"none\" stroke=\"black\" d=\"M%d %.1fV%.1fH%d\"/>\n", LEFT,
            (double)p->top + TOP, bottom, WIDTH - RIGHT);
    for (int k = -1; k <= 1; ++k)
        put_text(f, LEFT - 6, vertical(p, 1 + k * p->reach) + 4, 1 + k * p->reach, "");
    put_text(f, LEFT + 20, bottom + 16, pow(10, p->least), "");
    put_text(f, WIDTH - RIGHT, bottom + 16, pow(10, p->most), " samples");
}

static void put_exact(const panel *p, FILE *f)
{
    char *text = pm_xreal_text(p->point->estimate, 17);
    double middle = (double)p->top + HEIGHT / 2.0;
    fprintf(f, "<text x=\"%d\" y=\"%.1f\">graph %" PRId64 ": exact, %s</text>\n", LEFT,
            (double)p->top + TOP - 10, p->point->item, text ? text : "?");
    fprintf(f, "<path fill=\"none\" stroke=\"#08519c\" d=\"M%d %.1fH%d\"/>\n", LEFT, middle,
            WIDTH - RIGHT);
    free(text);
}

static void put_panel(const panel *p, FILE *f)
{
    char *text = pm_xreal_text(p->point[p->count - 1].estimate, 6);
    fprintf(f,
            "<text x=\"%d\" y=\"%.1f\">graph %" PRId64 ": estimates over the last one, %s</text>\n",
            LEFT, (double)p->top + TOP - 10, p->point->item, text ? text : "?");
    free(text);
    put_band(p, f);
    put_axes(p, f);
}

void pm_trace_put_svg(const pm_trace *t, FILE *f)
{
    int64_t panels = t->count ? t->point[t->count - 1].item - t->point->item + 1 : 0;
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%" PRId64
            "\" font-family=\"sans-serif\" font-size=\"12\">\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT * panels);
    for (int64_t first = 0, end; first < t->count; first = end) {
        for (end = first; end < t->count && t->point[end].item == t->point[first].item;)
            ++end;
        const panel p = make_panel(t, first, end);
        if (p.point->samples == 0)
            put_exact(&p, f);
        else
            put_panel(&p, f);
    }
    fputs("</svg>\n", f);
}
