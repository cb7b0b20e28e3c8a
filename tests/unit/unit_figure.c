/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawings of matchings: which shapes stand for edges, also of tori that are drawn flat; the loops of two matchings,
 * against a slow definition; the pixels of PNG; and memory that ends. */
#include "config.h"

#include "support/testing.h"

#include <math.h>
#include <string.h>

#include "picture/drawing.h"
#include "pm/alloc.h"
#include "support/png_image.h"

/* ---- graphs ---- */

/* An m x n grid of cells, in steps of (ax, ay) and (bx, by), whose rows are the cells with an even sum; a flat torus
 * where it is wrapped.  Both sides of a torus are even. */
typedef struct {
    int m, n;
    bool is_wrapped;
    double ax, ay, bx, by;
} grid;

static int cell_number(const grid *g, int x, int y)
{
    return (x * g->n + y) / 2;
}

static void build(const grid *g, pm_matrix *a, pm_place *place)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = g->m * g->n / 2, .ncols = g->m * g->n / 2};
    for (int x = 0; x < g->m; ++x)
        for (int y = 0; y < g->n; ++y) {
            const bool is_row = (x + y) % 2 == 0;
            const int here = cell_number(g, x, y);
            place[here + (is_row ? 0 : t.nrows)] =
                (pm_place){x * g->ax + y * g->bx, x * g->ay + y * g->by};
            for (int d = 0; d < 2; ++d) {
                const int ox = x + (d == 0), oy = y + (d == 1);
                if (!g->is_wrapped && (ox == g->m || oy == g->n))
                    continue;
                const int other = cell_number(g, ox % g->m, oy % g->n);
                assert_int_equal(pm_triples_add(&t, is_row ? here : other, is_row ? other : here, 0,
                                                NULL, NULL, NULL),
                                 PM_OK);
            }
        }
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
    pm_triples_free(&t);
}

static double distance(pm_place p, pm_place q)
{
    return hypot(p.x - q.x, p.y - q.y);
}

static pm_place middle_of(const pm_shape *s)
{
    pm_place p = {0, 0};
    for (int k = 0; k < s->corners; ++k) {
        p.x += s->corner[k].x / s->corners;
        p.y += s->corner[k].y / s->corners;
    }
    return p;
}

/* A shape for a short edge, in its middle; two for one that goes around, each half a step from its vertex, on the
 * outside. */
static void check_shapes(const pm_figure *f)
{
    for (int64_t i = 0; i < f->a->nrows; ++i)
        for (int64_t k = f->a->rowptr[i]; k < f->a->rowptr[i + 1]; ++k) {
            pm_shape s[2];
            const int64_t j = f->a->colind[k];
            const pm_place p = f->place[i], q = pm_figure_column_place(f, j);
            const bool is_long = distance(p, q) > 1.5 * f->unit;
            const double part = is_long && f->kind == PM_FIGURE_BONDS ? 0.25 : 0.5;
            assert_int_equal(pm_figure_shapes(f, i, j, s), is_long ? 2 : 1);
            assert_true(fabs(distance(middle_of(&s[0]), p) - part * f->unit) < 1e-6 * f->unit);
            const pm_shape *last = &s[is_long];
            assert_true(fabs(distance(middle_of(last), q) - part * f->unit) < 1e-6 * f->unit);
            assert_int_equal(s[0].is_cut, is_long);
            assert_int_equal(s[0].colour, last->colour);
            if (is_long) /* they point away from each other */
                assert_true(distance(middle_of(&s[0]), middle_of(&s[1])) > distance(p, q));
        }
}

static void test_grids(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = 0; round < test_rounds(30); ++round) {
        const bool is_oblique = round % 2;
        const double unit = 0.1 + 5 * pm_rng_unit(&rng), angle = is_oblique ? 0.3 : 0;
        const grid g = {.m = 4 + 2 * (int)pm_rng_below(&rng, 4),
                        .n = 4 + 2 * (int)pm_rng_below(&rng, 4),
                        .is_wrapped = pm_rng_below(&rng, 2),
                        .ax = unit * cos(angle),
                        .ay = unit * sin(angle),
                        .bx = -unit * sin(angle),
                        .by = unit * cos(angle)};
        pm_matrix a = {0};
        pm_place place[100];
        pm_figure f;
        build(&g, &a, place);
        assert_int_equal(pm_figure_make(&a, false, place, &f, NULL), PM_OK);
        assert_int_equal(f.kind, is_oblique ? PM_FIGURE_BONDS : PM_FIGURE_DOMINOES);
        assert_int_equal(f.goes_around, g.is_wrapped);
        assert_int_equal(f.directions, 4);
        check_shapes(&f);
        pm_matrix_free(&a);
    }
}

/* ---- loops ---- */

static void shuffle(uint64_t *rng, int32_t *list, int n)
{
    for (int k = 0; k < n; ++k)
        list[k] = k;
    for (int k = n; k-- > 1;) {
        const int other = (int)pm_rng_below(rng, (uint32_t)k + 1);
        const int32_t swap = list[k];
        list[k] = list[other];
        list[other] = swap;
    }
}

/* The same matchings on one set of vertices, the columns after the rows. */
static void check_one_set(int n, const int32_t *first, const int32_t *second,
                          const pm_loops *wanted)
{
    enum { MOST = 80 };
    int32_t a[MOST], b[MOST];
    pm_loops l;
    for (int i = 0; i < n; ++i) {
        a[i] = n + first[i];
        b[i] = n + second[i];
        a[n + i] = b[n + i] = -1;
    }
    assert_int_equal(pm_loops_find(2 * n, true, a, b, &l, NULL), PM_OK);
    assert_int_equal(l.count, wanted->count);
    assert_int_equal(l.double_edges, wanted->double_edges);
    for (int i = 0; i < 2 * n; ++i)
        assert_int_equal(l.of[i], wanted->of[i]);
    pm_loops_free(&l);
}

/* Rows are joined when both have the same column, in one matching or the other, until nothing changes. */
static void test_loops(void **state)
{
    enum { MOST = 40 };
    uint64_t rng = test_seed();
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        const int n = (int)pm_rng_below(&rng, MOST);
        int32_t first[MOST], second[MOST];
        int lowest[MOST], loops = 0, doubles = 0;
        pm_loops l;
        shuffle(&rng, first, n);
        shuffle(&rng, second, n);
        for (int k = 0; k < n; ++k)
            lowest[k] = k;
        for (bool changes = true; changes;) {
            changes = false;
            for (int i = 0; i < n; ++i)
                for (int k = 0; k < n; ++k)
                    if (first[i] == second[k] && lowest[i] != lowest[k]) {
                        const int low = lowest[i] < lowest[k] ? lowest[i] : lowest[k];
                        lowest[i] = lowest[k] = low;
                        changes = true;
                    }
        }
        for (int i = 0; i < n; ++i) {
            doubles += first[i] == second[i];
            loops += lowest[i] == i && first[i] != second[i];
        }
        assert_int_equal(pm_loops_find(n, false, first, second, &l, NULL), PM_OK);
        assert_int_equal(l.count, loops);
        assert_int_equal(l.double_edges, doubles);
        for (int i = 0; i < n; ++i) {
            assert_int_equal(l.of[i] < 0, first[i] == second[i]);
            for (int k = 0; k < n; ++k)
                if (l.of[i] >= 0 && l.of[k] >= 0)
                    assert_int_equal(l.of[i] == l.of[k], lowest[i] == lowest[k]);
            assert_int_equal(l.of[n + first[i]], l.of[i]);
        }
        check_one_set(n, first, second, &l);
        pm_loops_free(&l);
    }
}

/* ---- PNG ---- */

static pm_status draw_png(const pm_figure *f, const int32_t *partner, FILE *to, pm_error *err)
{
    pm_drawing d = {.figure = f, .frames = 1, .edges = f->a->nrows, .f = to};
    pm_status status = pm_drawing_png_begin(&d, err);
    if (!status)
        status = pm_drawing_png_frame(&d, partner, err);
    if (!status)
        status = pm_drawing_png_end(&d, err);
    pm_drawing_png_drop(&d);
    return status;
}

static const grid square = {.m = 2, .n = 2, .ax = 0, .ay = 1, .bx = 1, .by = 0};

/* The upper domino lies with its row to the right, the lower one with its row to the left. */
static void test_png(void **state)
{
    enum { SCALE = 40, MARGIN = 24 }; /* pixels a unit, and from a vertex to the rim */
    const int32_t partner[] = {0, 1};
    pm_matrix a = {0};
    pm_place place[4];
    pm_figure f;
    char *bytes;
    size_t length;
    (void)state;
    build(&square, &a, place);
    assert_int_equal(pm_figure_make(&a, false, place, &f, NULL), PM_OK);
    FILE *to = open_memstream(&bytes, &length);
    assert_non_null(to);
    assert_int_equal(draw_png(&f, partner, to, NULL), PM_OK);
    assert_int_equal(fclose(to), 0);
    const png_image x = png_image_decode(bytes, length);
    assert_int_equal(x.width, SCALE + 2 * MARGIN);
    assert_int_equal(x.height, SCALE + 2 * MARGIN);
    assert_string_equal(x.text, "Title=A domino tiling of 2 dominoes\n"
                                "Description=Colours show the directions from rows to columns.\n");
    const pm_drawing d = {.figure = &f};
    for (int i = 0; i < 2; ++i) {
        pm_shape s[2];
        char rgb[8];
        const pm_place p = place[i];
        const int column = MARGIN + (int)(p.x * SCALE), row = MARGIN + (int)((1 - p.y) * SCALE);
        const int pixel = x.rows[row * (int)(x.width + 1) + 1 + column];
        assert_int_equal(pm_figure_shapes(&f, i, partner[i], s), 1);
        snprintf(rgb, sizeof rgb, "%02x%02x%02x", x.palette[pixel][0], x.palette[pixel][1],
                 x.palette[pixel][2]);
        assert_string_equal(rgb, pm_drawing_colour(&d, s[0].colour));
        assert_int_equal(x.opacity[pixel], 255);
    }
    assert_int_equal(x.opacity[x.rows[1]], 0); /* a corner */
    free(x.rows);
    free(bytes);
    pm_matrix_free(&a);
}

/* Edges that are too short for the drawing, or for numbers, are refused. */
static void test_short_edges(void **state)
{
    static const struct {
        double unit, far; /* two edges are so long; the other two end so far away in x and in y */
        bool is_drawn;
    } cases[] = {{1, 1, true},           {1e-9, 1e-9, true},    {2e9, 1e9, true},
                 {1e-9, 1e3, false},     {1e-11, 1e-11, false}, {1e-300, 1e9, false},
                 {5e-324, 5e-324, false}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        const double u = cases[k].unit, far = cases[k].far;
        const pm_place place[] = {{0, 0}, {far, far}, {0, u}, {u, 0}};
        pm_matrix a = {0};
        pm_place unused[4];
        pm_error err = {.msg = ""};
        pm_figure f;
        build(&square, &a, unused);
        const pm_status s = pm_figure_make(&a, false, place, &f, &err);
        assert_int_equal(s, cases[k].is_drawn ? PM_OK : PM_UNABLE);
        assert_true(s == PM_OK || strstr(err.msg, "too short"));
        pm_matrix_free(&a);
    }
}

static void test_no_memory(void **state)
{
    const int32_t partner[] = {0, 1};
    pm_matrix a = {0};
    pm_place place[4];
    pm_status s = PM_ENOMEM;
    int failures = 0;
    (void)state;
    build(&square, &a, place);
    for (int64_t k = 1; s != PM_OK; ++k) {
        pm_error err = {.msg = ""};
        pm_loops l = {0};
        pm_figure f;
        FILE *to = fopen("/dev/null", "w");
        assert_non_null(to);
        pm_alloc_fail_at(k);
        s = pm_figure_make(&a, false, place, &f, &err);
        if (!s)
            s = draw_png(&f, partner, to, &err);
        if (!s)
            s = pm_loops_find(2, false, partner, partner, &l, &err);
        pm_alloc_fail_at(0);
        pm_loops_free(&l);
        assert_true(s == PM_OK || (s == PM_ENOMEM && strlen(err.msg) > 0));
        failures += s != PM_OK;
        fclose(to);
    }
    assert_true(failures >= 6);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grids),     cmocka_unit_test(test_loops),
        cmocka_unit_test(test_png),       cmocka_unit_test(test_short_edges),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
