/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fullerenes.  The dual graph of one is a triangulation of the sphere by faces of degree 5 and 6, wound up from a spiral of faces:
 * each face is joined to the one before it and to the oldest face that is still open, and again to the oldest
 * and to the newest one while these become full (Manolopoulos, May and Down 1991; Fowler and Manolopoulos, "An Atlas of Fullerenes", 1995,
 * chapter 2). */
#include "config.h"

#include <stdlib.h>

#include "pm-gen/family.h"
#include "pm/alloc.h"

enum { PENTAGONS = 12, MOST_FACES = 1 << 20 };

typedef struct {
    int64_t count;
    int32_t *left;      /* of each face: neighbours to come */
    int32_t (*near)[6]; /* of each face: its neighbours so far, in no order */
    int32_t *near_count;
} spiral;

static bool touch(spiral *s, int64_t f, int64_t g)
{
    if (f == g || s->left[f] == 0 || s->left[g] == 0)
        return false;
    for (int32_t k = 0; k < s->near_count[f]; ++k)
        if (s->near[f][k] == g)
            return false;
    s->near[f][s->near_count[f]++] = (int32_t)g;
    s->near[g][s->near_count[g]++] = (int32_t)f;
    --s->left[f];
    --s->left[g];
    return true;
}

/* Joins the faces in the sequence of the spiral.  False when they do not close to a sphere. */
static bool wind(spiral *s)
{
    int64_t oldest = 0; /* the first face that is still open */
    if (!touch(s, 0, 1))
        return false;
    for (int64_t f = 2; f < s->count; ++f) {
        if (!touch(s, f - 1, f) || !touch(s, oldest, f))
            return false;
        while (s->left[oldest] == 0) { /* it is closed: the next open one is a neighbour, too */
            do
                ++oldest;
            while (oldest < f && s->left[oldest] == 0);
            if (oldest >= f)
                break;
            if (!touch(s, oldest, f))
                return false;
        }
        for (int64_t last = f - 1; s->left[last] == 0 && f + 1 < s->count;) {
            do
                --last;
            while (last > oldest && s->left[last] == 0);
            if (last <= oldest || !touch(s, last, f))
                break;
        }
    }
    for (int64_t f = 0; f < s->count; ++f)
        if (s->left[f])
            return false;
    return true;
}

static void spiral_free(spiral *s)
{
    free(s->left);
    free(s->near);
    free(s->near_count);
}

static bool are_near(const spiral *s, int32_t f, int32_t g)
{
    for (int32_t k = 0; k < s->near_count[f]; ++k)
        if (s->near[f][k] == g)
            return true;
    return false;
}

/* The common neighbours of two faces.  Returns their number. */
static int common(const spiral *s, int32_t f, int32_t g, int32_t out[6])
{
    int count = 0;
    for (int32_t k = 0; k < s->near_count[f]; ++k)
        if (are_near(s, s->near[f][k], g))
            out[count++] = s->near[f][k];
    return count;
}

/* An atom is a triangle of faces; it belongs to its lowest face.  Its number: first[f] of that face and its place among the
 * triangles of the face, in the sequence of the others. */
static int64_t atom_of(const spiral *s, const int64_t *first, int32_t f, int32_t g, int32_t h)
{
    int32_t face[3] = {f, g, h}, others[6];
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 2 - i; ++k)
            if (face[k] > face[k + 1]) {
                const int32_t swap = face[k];
                face[k] = face[k + 1];
                face[k + 1] = swap;
            }
    int64_t at = first[face[0]];
    for (int32_t k = 0; k < s->near_count[face[0]]; ++k) {
        const int32_t x = s->near[face[0]][k];
        const int count = x > face[0] ? common(s, face[0], x, others) : 0;
        for (int i = 0; i < count; ++i) {
            if (x == face[1] && others[i] == face[2])
                return at;
            at += others[i] > x;
        }
    }
    return -1;
}

/* first[f]: the number of atoms of the faces before f.  False when an edge of the dual is not in two triangles. */
static bool number_atoms(const spiral *s, int64_t *first)
{
    first[0] = 0;
    for (int32_t f = 0; f < s->count; ++f) {
        first[f + 1] = first[f];
        for (int32_t k = 0; k < s->near_count[f]; ++k) {
            int32_t others[6];
            const int32_t g = s->near[f][k];
            const int count = common(s, f, g, others);
            if (count != 2)
                return false;
            for (int i = 0; i < count && g > f; ++i)
                first[f + 1] += others[i] > g;
        }
    }
    return true;
}

static pm_status join_atoms(const pm_family_args *a, const spiral *s, const int64_t *first,
                            pm_triples *edges, pm_error *err)
{
    pm_status status = PM_OK;
    for (int32_t f = 0; f < s->count; ++f)
        for (int32_t k = 0; k < s->near_count[f] && !status; ++k) {
            int32_t h[6];
            const int32_t g = s->near[f][k];
            if (g < f)
                continue;
            common(s, f, g, h);
            const int64_t u = atom_of(s, first, f, g, h[0]), v = atom_of(s, first, f, g, h[1]);
            status = pm_family_edge(a, edges, u < v ? u : v, u < v ? v : u, err);
        }
    return status;
}

static pm_status read_spiral(const pm_family_args *a, int64_t *atoms, spiral *s, pm_error *err)
{
    if (a->count != 1 + PENTAGONS)
        return pm_fail(err, PM_EUSAGE,
                       "%s: expected a number of atoms and the places of 12 pentagons",
                       a->family->name);
    pm_status status = pm_family_int(a, 0, 20, 2 * (MOST_FACES - 2), atoms, err);
    if (!status && *atoms % 2)
        status = pm_fail(err, PM_EUSAGE, "%s: expected an even number of atoms", a->family->name);
    if (status)
        return status;
    s->count = *atoms / 2 + 2;
    s->left = pm_alloc_array(s->count, sizeof *s->left);
    s->near = pm_alloc_array(s->count, sizeof *s->near);
    s->near_count = pm_calloc_array(s->count, sizeof *s->near_count);
    if (!s->left || !s->near || !s->near_count)
        return pm_fail_memory(err, "faces");
    for (int64_t f = 0; f < s->count; ++f)
        s->left[f] = 6;
    for (int k = 1; k <= PENTAGONS && !status; ++k) {
        int64_t place;
        status = pm_family_int(a, k, 1, s->count, &place, err);
        if (!status && s->left[place - 1] == 5)
            status = pm_fail(err, PM_EUSAGE, "%s: face %lld is given twice", a->family->name,
                             (long long)place);
        if (!status)
            s->left[place - 1] = 5;
    }
    return status;
}

static pm_status make_fullerene(const pm_family_args *a, pm_triples *edges, pm_error *err)
{
    spiral s = {0};
    int64_t atoms, *first = NULL;
    pm_status status = read_spiral(a, &atoms, &s, err);
    if (!status && !(first = pm_alloc_array(s.count + 1, sizeof *first)))
        status = pm_fail_memory(err, "atoms");
    if (!status && !(wind(&s) && number_atoms(&s, first) && first[s.count] == atoms))
        status = pm_fail(err, PM_EUSAGE, "%s: the faces of this spiral do not close to a sphere",
                         a->family->name);
    if (!status)
        status = pm_family_begin(a, (double)atoms, (double)atoms, 1.5 * (double)atoms, edges, err);
    if (!status)
        status = join_atoms(a, &s, first, edges, err);
    free(first);
    spiral_free(&s);
    return status;
}

const pm_family pm_family_fullerene = {
    .name = "fullerene",
    .arguments = "N P1 ... P12",
    .summary =
        "N atoms; the faces along a spiral are numbered from 1, those at P1 to P12 are pentagons",
    .one_set = true,
    .run = make_fullerene,
};
