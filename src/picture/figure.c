/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "picture/figure.h"

#include <math.h>
#include <stdlib.h>

#include "pm/alloc.h"

/* True when entry (i, j) is not the same edge as another one before, nor on the diagonal of one set. */
static bool is_edge(const pm_figure *g, int64_t i, int64_t j)
{
    return !g->one_set || i < j;
}

#define SMALL                                                                                      \
    0.02 /* directions and lengths that differ by less are equal: places have four digits after the point */

static pm_place plus(pm_place a, double times, pm_place b)
{
    return (pm_place){a.x + times * b.x, a.y + times * b.y};
}

static double dot(pm_place a, pm_place b)
{
    return a.x * b.x + a.y * b.y;
}

static double length_of(pm_place a)
{
    return hypot(a.x, a.y);
}

static pm_place step(const pm_figure *g, int64_t i, int64_t j)
{
    return plus(pm_figure_column_place(g, j), -1, g->place[i]);
}

static bool is_unit(const pm_figure *g, pm_place v)
{
    return fabs(length_of(v) - g->unit) < SMALL * g->unit;
}

/* ---- directions ---- */

/* With one set: to the right, or straight upwards. */
static pm_place with_sense(const pm_figure *g, pm_place v)
{
    const double small = SMALL * length_of(v);
    const bool turns = g->one_set && (v.x < -small || (v.x < small && v.y < 0));
    return turns ? (pm_place){-v.x, -v.y} : v;
}

static pm_place of_length_1(pm_place v)
{
    const double length = length_of(v);
    return (pm_place){v.x / length, v.y / length};
}

static int find_direction(const pm_figure *g, pm_place v)
{
    const pm_place u = of_length_1(with_sense(g, v));
    for (int d = 0; d < g->directions; ++d)
        if (length_of(plus(u, -1, g->direction[d])) < SMALL)
            return d;
    return -1;
}

static void add_direction(pm_figure *g, pm_place v)
{
    if (g->sectors || find_direction(g, v) >= 0)
        return;
    g->sectors = g->directions == PM_FIGURE_DIRECTIONS;
    if (!g->sectors)
        g->direction[g->directions++] = of_length_1(with_sense(g, v));
}

/* From -90 degrees on. */
static double angle_of(pm_place v)
{
    const double quarter = acos(0), angle = atan2(v.y, v.x);
    return angle < -quarter - SMALL / 2 ? angle + 4 * quarter : angle;
}

static int compare_angles(const void *x, const void *y)
{
    const double a = angle_of(*(const pm_place *)x), b = angle_of(*(const pm_place *)y);
    return (a > b) - (a < b);
}

/* are_units: of the edges of that length alone. */
static void list_directions(pm_figure *g, bool are_units)
{
    g->directions = 0;
    g->sectors = false;
    for (int64_t i = 0; i < g->a->nrows; ++i)
        for (int64_t k = g->a->rowptr[i]; k < g->a->rowptr[i + 1]; ++k) {
            const int64_t j = g->a->colind[k];
            if (is_edge(g, i, j) && (!are_units || is_unit(g, step(g, i, j))))
                add_direction(g, step(g, i, j));
        }
    qsort(g->direction, (size_t)g->directions, sizeof *g->direction, compare_angles);
}

static int colour_of(const pm_figure *g, pm_place v)
{
    if (!g->sectors) {
        const int d = find_direction(g, v);
        return d < 0 ? 0 : d;
    }
    const double turn = (g->one_set ? 2 : 4) * acos(0), first = -acos(0) - SMALL;
    const double part = (angle_of(with_sense(g, v)) - first) / turn;
    return (int)(part * PM_FIGURE_DIRECTIONS) % PM_FIGURE_DIRECTIONS;
}

/* ---- edges that go around ---- */

/* In a flat drawing of a torus the edge from i to j, whose step is w, leaves i with a unit step d to a copy of j,
 * which is a period P = d - w away from j.  Few periods occur, each many times; d is not known.  So all possible d
 * are tried for all such edges, and the period that fits most of them is taken; among equals the one whose d leads
 * away from j most of all. */
enum { MOST_CANDIDATES = 512 };

typedef struct {
    int count;
    pm_place period[MOST_CANDIDATES];
    int64_t edges[MOST_CANDIDATES]; /* that fit */
} candidates;

/* P and -P are one period. */
static int find_period(const pm_figure *g, const pm_place *list, int count, pm_place p)
{
    int at = 0;
    while (at < count && length_of(plus(p, -1, list[at])) > SMALL * g->unit
           && length_of(plus(p, 1, list[at])) > SMALL * g->unit)
        ++at;
    return at;
}

/* Unit steps, n = 0, 1, ...; with one set in both senses.  False after the last one. */
static bool unit_step(const pm_figure *g, int n, pm_place *out)
{
    if (n >= g->directions * (g->one_set ? 2 : 1))
        return false;
    const double times = n < g->directions ? g->unit : -g->unit;
    *out = plus((pm_place){0, 0}, times, g->direction[n % g->directions]);
    return true;
}

static bool is_other(const pm_figure *g, int64_t i, int64_t j)
{
    return is_edge(g, i, j) && !is_unit(g, step(g, i, j));
}

/* False when there are too many. */
static bool list_candidates(const pm_figure *g, candidates *c)
{
    c->count = 0;
    for (int64_t i = 0; i < g->a->nrows; ++i)
        for (int64_t k = g->a->rowptr[i]; k < g->a->rowptr[i + 1]; ++k) {
            pm_place d;
            const int64_t j = g->a->colind[k];
            for (int n = 0; is_other(g, i, j) && unit_step(g, n, &d); ++n) {
                const pm_place p = plus(d, -1, step(g, i, j));
                const int at = find_period(g, c->period, c->count, p);
                if (at == MOST_CANDIDATES)
                    return false;
                if (at == c->count) {
                    c->period[c->count] = p;
                    c->edges[c->count++] = 0;
                }
                ++c->edges[at];
            }
        }
    return true;
}

static pm_place best_period(const pm_figure *g, const candidates *c, pm_place w)
{
    pm_place d, best = {0, 0};
    int64_t most = 0;
    double least = 0;
    for (int n = 0; unit_step(g, n, &d); ++n) {
        const pm_place p = plus(d, -1, w);
        const int64_t edges = c->edges[find_period(g, c->period, c->count, p)];
        if (edges > most || (edges == most && dot(d, w) < least)) {
            most = edges;
            least = dot(d, w);
            best = p;
        }
    }
    return best;
}

/* Sets the periods.  False when there are more than such a drawing has. */
static bool choose_periods(pm_figure *g, const candidates *c)
{
    for (int64_t i = 0; i < g->a->nrows; ++i)
        for (int64_t k = g->a->rowptr[i]; k < g->a->rowptr[i + 1]; ++k) {
            const int64_t j = g->a->colind[k];
            if (!is_other(g, i, j))
                continue;
            const pm_place p = best_period(g, c, step(g, i, j));
            const int at = find_period(g, g->period, g->periods, p);
            if (at == PM_FIGURE_PERIODS)
                return false;
            g->period[at] = p;
            g->periods += at == g->periods;
        }
    return true;
}

/* The unit step with which an edge that goes around leaves row i. */
static pm_place step_outside(const pm_figure *g, int64_t i, int64_t j)
{
    const pm_place w = step(g, i, j);
    pm_place best = w;
    double least = INFINITY;
    for (int n = 0; n < 2 * g->periods; ++n) {
        const pm_place d = plus(w, n % 2 ? -1 : 1, g->period[n / 2]);
        if (is_unit(g, d) && find_direction(g, d) >= 0 && dot(d, w) < least) {
            least = dot(d, w);
            best = d;
        }
    }
    return best;
}

/* others: how many edges have not the length of a unit; shortest: of these. */
static pm_status find_periods(pm_figure *g, int64_t edges, int64_t others, double shortest,
                              pm_error *err)
{
    candidates *c = NULL;
    g->periods = 0;
    if (others == 0 || 2 * others >= edges || shortest < 1.5 * g->unit || g->sectors)
        return PM_OK;
    if (!(c = pm_alloc_array(1, sizeof *c)))
        return pm_fail_memory(err, "a drawing");
    g->goes_around =
        list_candidates(g, c) && choose_periods(g, c) && others >= 2 * (int64_t)g->periods;
    free(c);
    return PM_OK;
}

/* ---- the whole ---- */

static int compare_lengths(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

typedef struct {
    int64_t edges, others; /* others: that have not the length of a unit */
    double shortest_other; /* infinite without others */
    double quarter;        /* a quarter of the edges are not longer */
} lengths;

/* Sets g->unit to the median. */
static pm_status measure(pm_figure *g, lengths *l, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(g->a);
    double *length = pm_alloc_array(nnz, sizeof *length);
    *l = (lengths){.shortest_other = INFINITY, .quarter = 1};
    if (!length)
        return pm_fail_memory(err, "a drawing");
    for (int64_t i = 0; i < g->a->nrows; ++i)
        for (int64_t k = g->a->rowptr[i]; k < g->a->rowptr[i + 1]; ++k)
            if (is_edge(g, i, g->a->colind[k]))
                length[l->edges++] = length_of(step(g, i, g->a->colind[k]));
    qsort(length, (size_t)l->edges, sizeof *length, compare_lengths);
    g->unit = 1;
    if (l->edges) {
        g->unit = length[l->edges / 2];
        l->quarter = length[l->edges / 4];
    }
    for (int64_t k = l->edges; k-- > 0;)
        if (fabs(length[k] - g->unit) >= SMALL * g->unit) {
            ++l->others;
            l->shortest_other = length[k];
        }
    free(length);
    return PM_OK;
}

static bool are_along_axes(const pm_figure *g)
{
    for (int d = 0; d < g->directions; ++d)
        if (fabs(g->direction[d].x * g->direction[d].y) > SMALL)
            return false;
    return true;
}

static bool are_three(const pm_figure *g)
{
    if (g->directions != 3)
        return false;
    for (int d = 0; d < 3; ++d)
        if (fabs(dot(g->direction[d], g->direction[(d + 1) % 3]) + 0.5) > SMALL)
            return false;
    return true;
}

static pm_figure_kind find_kind(const pm_figure *g, bool are_equal)
{
    if (!are_equal || g->sectors)
        return PM_FIGURE_BONDS;
    if (are_along_axes(g))
        return PM_FIGURE_DOMINOES;
    return !g->one_set && are_three(g) ? PM_FIGURE_LOZENGES : PM_FIGURE_BONDS;
}

/* How far the shapes of a vertex reach, in units. */
static double reach(const pm_figure *g)
{
    static const double within[] = {0.5, 1, 0.3}, outside[] = {1.5, 2, 0.7};
    return g->goes_around ? outside[g->kind] : within[g->kind];
}

static void find_box(pm_figure *g)
{
    const double margin = (reach(g) + 0.1) * g->unit;
    g->low = g->high = g->vertices ? g->place[0] : (pm_place){0, 0};
    for (int64_t v = 0; v < g->vertices; ++v) {
        g->low = (pm_place){fmin(g->low.x, g->place[v].x), fmin(g->low.y, g->place[v].y)};
        g->high = (pm_place){fmax(g->high.x, g->place[v].x), fmax(g->high.y, g->place[v].y)};
    }
    g->low = plus(g->low, -margin, (pm_place){1, 1});
    g->high = plus(g->high, margin, (pm_place){1, 1});
}

/* Coordinates in units stay whole numbers of tenths for SVG, and far from the ends of double. */
static pm_status check_size(const pm_figure *g, pm_error *err)
{
    const double size = fmax(g->high.x - g->low.x, g->high.y - g->low.y);
    if (fmax(size, 1) <= PM_FIGURE_MOST * g->unit)
        return PM_OK;
    return pm_fail(err, PM_UNABLE,
                   "the edges are too short to be drawn: about %.3g long in a drawing of %.3g",
                   g->unit, size);
}

pm_status pm_figure_make(const pm_matrix *a, bool one_set, const pm_place *place, pm_figure *out,
                         pm_error *err)
{
    pm_figure g = {.a = a,
                   .one_set = one_set,
                   .place = place,
                   .vertices = a->nrows + (one_set ? 0 : a->ncols)};
    lengths l;
    pm_status status = measure(&g, &l, err);
    if (status)
        return status;
    list_directions(&g, true);
    status = find_periods(&g, l.edges, l.others, l.shortest_other, err);
    if (status)
        return status;
    if (l.others > 0 && !g.goes_around) {
        list_directions(&g, false);
        g.unit = l.quarter; /* the long edges cross others */
    }
    g.kind = find_kind(&g, l.others == 0 || g.goes_around);
    if (g.sectors)
        g.directions = PM_FIGURE_DIRECTIONS;
    find_box(&g);
    status = check_size(&g, err);
    if (status)
        return status;
    *out = g;
    return PM_OK;
}

/* ---- shapes ---- */

/* Of the edge from `from`, the place of a row, along v, which is one unit long in dominoes and lozenges. */
static pm_shape make_shape(const pm_figure *g, pm_place from, pm_place v)
{
    pm_shape s = {.colour = colour_of(g, v), .corners = 4};
    const pm_place to = plus(from, 1, v), side = {-v.y, v.x};
    if (g->kind == PM_FIGURE_DOMINOES) {
        const double half = 0.45 - PM_FIGURE_ROUNDING;
        const pm_place start = plus(from, -half, v), end = plus(to, half, v);
        s.corner[0] = plus(start, -half, side);
        s.corner[1] = plus(end, -half, side);
        s.corner[2] = plus(end, half, side);
        s.corner[3] = plus(start, half, side);
    } else if (g->kind == PM_FIGURE_LOZENGES) {
        const pm_place middle = plus(from, 0.5, v);
        const double half = sqrt(0.75);
        s.corner[0] = plus(from, -1, v);
        s.corner[1] = plus(middle, -half, side);
        s.corner[2] = plus(to, 1, v);
        s.corner[3] = plus(middle, half, side);
    } else {
        s.corners = 2;
        s.corner[0] = from;
        s.corner[1] = to;
    }
    return s;
}

int pm_figure_shapes(const pm_figure *g, int64_t i, int64_t j, pm_shape out[2])
{
    const pm_place from = g->place[i], v = step(g, i, j);
    out[0] = make_shape(g, from, v);
    if (!g->goes_around || is_unit(g, v))
        return 1;
    const double part = g->kind == PM_FIGURE_BONDS ? 0.5 : 1;
    const pm_place outside = step_outside(g, i, j), end = pm_figure_column_place(g, j),
                   shown = {part * outside.x, part * outside.y};
    out[0] = make_shape(g, from, shown);
    out[1] = make_shape(g, plus(end, -1, shown), shown);
    out[0].is_cut = out[1].is_cut = true;
    return 2;
}

void pm_figure_each_edge(const pm_figure *g, void (*put)(void *context, const pm_shape *s),
                         void *context)
{
    for (int64_t i = 0; i < g->a->nrows; ++i)
        for (int64_t k = g->a->rowptr[i]; k < g->a->rowptr[i + 1]; ++k) {
            pm_shape s[2];
            const int64_t j = g->a->colind[k];
            const int count = is_edge(g, i, j) ? pm_figure_shapes(g, i, j, s) : 0;
            for (int n = 0; n < count; ++n)
                put(context, &s[n]);
        }
}

/* ---- matchings ---- */

static bool has_partner(const pm_figure *g, const int32_t *partner, int64_t i)
{
    return partner[i] >= 0 && !(g->one_set && partner[i] == i);
}

int pm_figure_shapes_of_row(const pm_figure *g, const int32_t *partner, const int32_t *but,
                            int64_t i, pm_shape out[2])
{
    if (!has_partner(g, partner, i) || (but && partner[i] == but[i]))
        return 0;
    return pm_figure_shapes(g, i, partner[i], out);
}

pm_status pm_figure_matched(const pm_figure *g, const int32_t *partner, bool **out, pm_error *err)
{
    bool *is = *out = pm_calloc_array(g->vertices, sizeof *is);
    if (!is)
        return pm_fail_memory(err, "a drawing");
    for (int64_t i = 0; i < g->a->nrows; ++i)
        if (has_partner(g, partner, i))
            is[i] = is[(g->one_set ? 0 : g->a->nrows) + partner[i]] = true;
    return PM_OK;
}
