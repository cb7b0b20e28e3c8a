/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/triangulations.h"

#include <string.h>

enum { VERTICES = 400, FACES = 2 * VERTICES };

/* Corners of the faces, anticlockwise, the outer face too. */
typedef struct {
    int32_t nfaces, corner[FACES][3];
} triangles;

static void add_face(triangles *t, int32_t a, int32_t b, int32_t c)
{
    t->corner[t->nfaces][0] = a;
    t->corner[t->nfaces][1] = b;
    t->corner[t->nfaces++][2] = c;
}

/* Vertex v into face f. */
static void split_face(triangles *t, int32_t f, int32_t v)
{
    int32_t a = t->corner[f][0], b = t->corner[f][1], c = t->corner[f][2];
    t->corner[f][2] = v;
    add_face(t, b, c, v);
    add_face(t, c, a, v);
}

/* The face to the left of the way from u to v, turned so that this is its first side; -1: none. */
static int32_t turned_face(triangles *t, int32_t u, int32_t v)
{
    for (int32_t f = 0; f < t->nfaces; ++f)
        for (int side = 0; side < 3; ++side) {
            int32_t a = t->corner[f][side], b = t->corner[f][(side + 1) % 3];
            if (a != u || b != v)
                continue;
            t->corner[f][2] = t->corner[f][(side + 2) % 3];
            t->corner[f][0] = a;
            t->corner[f][1] = b;
            return f;
        }
    return -1;
}

/* In the quadrangle around the first side of face f, the other diagonal takes its place. */
static void flip(triangles *t, int32_t f)
{
    int32_t u = t->corner[f][0], v = t->corner[f][1], w = t->corner[f][2];
    int32_t other = turned_face(t, v, u), x = t->corner[other][2];
    if (w == x || turned_face(t, w, x) >= 0)
        return;
    t->corner[f][1] = x;
    t->corner[other][1] = w;
}

void add_random_edge(pm_triples *t, uint64_t *rng, int32_t u, int32_t v)
{
    pm_dyadic re[2], im[2];
    memset(re, 0, sizeof re);
    memset(im, 0, sizeof im);
    if (t->field == PM_INTEGER)
        pm_dyadic_set_si(&re[0], random_entry(rng));
    if (t->field >= PM_REAL)
        random_real(rng, &re[0]);
    if (t->field == PM_COMPLEX)
        random_real(rng, &im[0]);
    pm_dyadic_set(&re[1], &re[0]);
    pm_dyadic_set(&im[1], &im[0]);
    for (int turn = 0; turn < 2; ++turn)
        assert_int_equal(pm_triples_add(t, turn ? v : u, turn ? u : v, 0,
                                        t->field == PM_PATTERN ? NULL : &re[turn],
                                        t->field == PM_COMPLEX ? &im[turn] : NULL, NULL),
                         PM_OK);
}

void random_triangulation(uint64_t *rng, pm_field field, int32_t vertices, double kept,
                          pm_matrix *out)
{
    static triangles t;
    int32_t name[VERTICES];
    t.nfaces = 0;
    add_face(&t, 0, 1, 2);
    add_face(&t, 0, 2, 1);
    for (int32_t v = 3; v < vertices; ++v)
        split_face(&t, (int32_t)pm_rng_below(rng, (uint32_t)t.nfaces), v);
    for (int32_t turn = 0; turn < 3 * vertices && vertices > 3; ++turn)
        flip(&t, (int32_t)pm_rng_below(rng, (uint32_t)t.nfaces));
    random_permutation(rng, name, vertices);
    pm_triples all = {.field = field, .nrows = vertices, .ncols = vertices};
    for (int32_t f = 0; f < t.nfaces; ++f)
        for (int side = 0; side < 3; ++side) {
            int32_t u = t.corner[f][side], v = t.corner[f][(side + 1) % 3];
            if (u < v && pm_rng_unit(rng) < kept)
                add_random_edge(&all, rng, name[u], name[v]);
        }
    assert_int_equal(pm_matrix_from_triples(&all, PM_DUPLICATES_ERROR, "triangles", out, NULL),
                     PM_OK);
    pm_triples_free(&all);
}
