/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions of the plane whose numbers of tilings have a closed formula. */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "pm-gen/family.h"
#include "pm/alloc.h"

/* The hexagon with sides a, b, c, a, b, c in the triangular lattice, corners
 * (0,0) (a,0) (a,b) (a-c,b+c) (-c,b+c) (-c,c) in the coordinates x e1 + y e2, e1 and e2 at 60
 * degrees.  Upward triangles (x,y)(x+1,y)(x,y+1) are the left vertices, downward triangles
 * (x+1,y)(x,y+1)(x+1,y+1) the right ones, neighbours where they share a side: the dual graph is
 * the honeycomb with a, b, c hexagons along its sides.  Its perfect matchings are the lozenge
 * tilings, which MacMahon's box formula counts. */
typedef struct {
    int64_t a, b, c;
} hexagon;

static bool inside(const hexagon *h, int64_t x, int64_t y)
{
    return x >= -h->c && x <= h->a && y >= 0 && y <= h->b + h->c && x + y >= 0
           && x + y <= h->a + h->b;
}

static bool has_up(const hexagon *h, int64_t x, int64_t y)
{
    return inside(h, x, y) && inside(h, x + 1, y) && inside(h, x, y + 1);
}

static bool has_down(const hexagon *h, int64_t x, int64_t y)
{
    return inside(h, x + 1, y) && inside(h, x, y + 1) && inside(h, x + 1, y + 1);
}

/* Numbers the downward triangles from row 0 on, left to right.  first[y]: the number of the
 * leftmost triangle of row y; left[y]: its x.  A row may have none. */
static void number_down(const hexagon *h, int64_t *first, int64_t *left)
{
    int64_t next = 0;
    for (int64_t y = 0; y < h->b + h->c; ++y) {
        int64_t x = -h->c - 1;
        while (x < h->a && !has_down(h, x, y))
            ++x;
        first[y] = next;
        left[y] = x;
        for (; has_down(h, x, y); ++x)
            ++next;
    }
}

static pm_status join_up(const pm_family_args *a, const hexagon *h, const int64_t *first,
                         const int64_t *left, int64_t up, int64_t x, int64_t y, pm_triples *edges,
                         pm_error *err)
{
    static const int64_t step[3][2] = {{0, 0}, {-1, 0}, {0, -1}};
    for (int k = 0; k < 3; ++k) {
        int64_t dx = x + step[k][0], dy = y + step[k][1];
        if (!has_down(h, dx, dy))
            continue;
        pm_status status = pm_family_edge(a, edges, up, first[dy] + dx - left[dy], err);
        if (status)
            return status;
    }
    return PM_OK;
}

static pm_status read_hexagon(const pm_family_args *a, hexagon *h, pm_error *err)
{
    int64_t side[3];
    if (a->count == 2)
        return pm_fail(err, PM_EUSAGE, "hexagon: expected one side or three, not two");
    for (int d = 0; d < 3; ++d) {
        pm_status status =
            pm_family_int(a, d < a->count ? d : 0, 0, PM_SIDE_MAX / 2, &side[d], err);
        if (status)
            return status;
    }
    *h = (hexagon){side[0], side[1], side[2]};
    return PM_OK;
}

static pm_status make_hexagon(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    hexagon h;
    pm_status status = read_hexagon(a, &h, err);
    if (status)
        return status;
    double A = (double)h.a, B = (double)h.b, C = (double)h.c, cells = A * B + B * C + C * A;
    status = pm_family_begin(a, cells, cells, 3 * cells, edges, err);
    if (status || cells == 0)
        return status;
    int64_t *first = pm_alloc_array(h.b + h.c, sizeof *first);
    int64_t *left = pm_alloc_array(h.b + h.c, sizeof *left);
    if (!first || !left) {
        status = pm_fail_memory(err, "rows of the hexagon");
        goto done;
    }
    number_down(&h, first, left);
    int64_t up = 0;
    for (int64_t y = 0; y < h.b + h.c; ++y)
        for (int64_t x = -h.c; !status && x < h.a; ++x)
            if (has_up(&h, x, y))
                status = join_up(a, &h, first, left, up++, x, y, edges, err);
done:
    free(first);
    free(left);
    return status;
}

/* The centres of the triangles, so large that edges have the length 1. */
static pm_status place_hexagon(const pm_family_args *a, pm_labels labels[2], pm_error *err)
{
    hexagon h;
    pm_status status = read_hexagon(a, &h, err);
    for (int64_t y = 0; !status && y < h.b + h.c; ++y)
        for (int64_t x = -h.c - 1; !status && x < h.a; ++x) {
            const double left = sqrt(3) * ((double)x + (double)y / 2), low = 1.5 * (double)y;
            if (has_up(&h, x, y))
                status = pm_family_place(&labels[0], left + sqrt(0.75), low + 0.5, err);
            if (!status && has_down(&h, x, y))
                status = pm_family_place(&labels[1], left + sqrt(3), low + 1, err);
        }
    return status;
}

const pm_family pm_family_hexagon = {
    .name = "hexagon",
    .arguments = "A [B C]",
    .summary = "honeycomb region of A x B x C hexagons; B and C default to A",
    .run = make_hexagon,
    .place = place_hexagon,
};

/* Unit squares (x,y)..(x+1,y+1) inside |x| + |y| <= k + 1.  Row y of the upper half has
 * 2 (k - y) squares, and the lower half mirrors it; so each row has as many squares with x + y
 * even as odd, and a square's number within its side is half its number in the row. */
static int64_t half_width(int64_t k, int64_t y)
{
    return y >= 0 ? k - y : k + 1 + y;
}

static pm_status make_aztec(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    int64_t k;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX / 2, &k, err);
    if (status)
        return status;
    double side = (double)k * (double)(k + 1);
    status = pm_family_begin(a, side, side, 4.0 * (double)k * (double)k, edges, err);
    int64_t before = 0; /* squares of one side in the rows below */
    for (int64_t y = -k; !status && y < k; ++y) {
        int64_t w = half_width(k, y), above = y + 1 < k ? half_width(k, y + 1) : 0;
        for (int64_t x = -w; !status && x < w; ++x) {
            bool is_left = ((x + y) & 1) == 0;
            int64_t here = before + (x + w) / 2;
            int64_t right = before + (x + 1 + w) / 2, up = before + w + (x + above) / 2;
            if (x + 1 < w)
                status =
                    pm_family_edge(a, edges, is_left ? here : right, is_left ? right : here, err);
            if (!status && x >= -above && x < above)
                status = pm_family_edge(a, edges, is_left ? here : up, is_left ? up : here, err);
        }
        before += w;
    }
    return status;
}

static pm_status place_aztec(const pm_family_args *a, pm_labels labels[2], pm_error *err)
{
    int64_t k;
    pm_status status = pm_family_int(a, 0, 0, PM_SIDE_MAX / 2, &k, err);
    for (int64_t y = -k; !status && y < k; ++y)
        for (int64_t x = -half_width(k, y); !status && x < half_width(k, y); ++x)
            status = pm_family_place(&labels[(x + y) & 1], (double)x, (double)y, err);
    return status;
}

const pm_family pm_family_aztec = {
    .name = "aztec",
    .arguments = "K",
    .summary = "Aztec diamond of order K: 2^(K(K+1)/2) matchings",
    .run = make_aztec,
    .place = place_aztec,
};
