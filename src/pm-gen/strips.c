/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-gen/strips.h"

#include <stdlib.h>
#include <string.h>

#include "cli/whole.h"
#include "pm/alloc.h"

enum { CELLS_MAX = 1024 };

/* Cells (y, z) with 0 <= y < side[0], 0 <= z < side[1]. */
typedef struct {
    int64_t side[2];
    bool is_wrapped; /* the first side */
    bool is_brick;   /* cells are joined inside a layer where the first one is a row: hexagons */
} section;

typedef struct {
    const char *name, *arguments;
    int sides;
    bool is_wrapped, is_brick;
} lattice;

static const lattice lattices[] = {
    {"grid", "W", 1, false, false},
    {"cube", "A B", 2, false, false},
    {"cylinder", "W", 1, true, false},
    {"honeycomb", "W", 1, false, true},
};
enum { LATTICES = sizeof lattices / sizeof *lattices };

bool pm_strips_are(const char *word)
{
    return strcmp(word, "strip") == 0 || strcmp(word, "ring") == 0;
}

/* ---- the request ---- */

static const lattice *find_lattice(const char *name)
{
    for (int i = 0; i < LATTICES; ++i)
        if (strcmp(lattices[i].name, name) == 0)
            return &lattices[i];
    return NULL;
}

static pm_status read_section(const pm_strip_request *r, section *s, pm_error *err)
{
    const lattice *l = r->count > 1 ? find_lattice(r->word[1]) : NULL;
    if (!l)
        return pm_fail(err, PM_EUSAGE,
                       "expected pm-gen %s LATTICE W --length=L, LATTICE one of " PM_STRIP_LATTICES,
                       r->word[0]);
    if (r->count != 2 + l->sides)
        return pm_fail(err, PM_EUSAGE,
                       "wrong number of arguments: expected 'pm-gen %s %s %s --length=L'",
                       r->word[0], l->name, l->arguments);
    *s = (section){{1, 1}, l->is_wrapped, l->is_brick};
    for (int k = 0; k < l->sides; ++k) {
        uint64_t side;
        pm_status status = pm_whole_between(r->word[2 + k], 1, CELLS_MAX, &side, err);
        if (status)
            return status;
        s->side[k] = (int64_t)side;
    }
    if (s->side[0] * s->side[1] > CELLS_MAX)
        return pm_fail(err, PM_EUSAGE, "%s: at most %d cells in a layer", l->name, CELLS_MAX);
    if (l->is_wrapped && (s->side[0] % 2 || s->side[0] == 2))
        return pm_fail(err, PM_EUSAGE, "%s: expected an even number from 4, not %s", l->name,
                       r->word[2]);
    return PM_OK;
}

/* The side that the symmetry turns round, or -1: two layers are a part. */
static int mirrored_side(const section *s)
{
    return s->is_brick ? -1 : s->side[0] % 2 == 0 ? 0 : s->side[1] % 2 == 0 ? 1 : -1;
}

static pm_status check_length(const pm_strip_request *r, pm_error *err)
{
    const bool is_ring = strcmp(r->word[0], "ring") == 0;
    if (r->length < 1)
        return pm_fail(err, PM_EUSAGE, "%s: expected --length=L, the number of layers", r->word[0]);
    if (is_ring && (r->length % 2 || r->length == 2))
        return pm_fail(
            err, PM_EUSAGE,
            "ring: expected an even length from 4: an odd ring is not bipartite, and one "
            "of 2 has repeated edges");
    return PM_OK;
}

/* ---- one part ---- */

typedef struct {
    const section *s;
    int mirrored;                 /* as mirrored_side */
    int layers;                   /* of a part */
    int32_t number[2][CELLS_MAX]; /* the row or column that the cell of a layer is */
    pm_triples own, next, before;
} part;

static int64_t cells_of(const section *s)
{
    return s->side[0] * s->side[1];
}

/* The place of a cell in the next layer. */
static int64_t place_after(const part *x, int64_t cell)
{
    int64_t y = cell / x->s->side[1], z = cell % x->s->side[1];
    if (x->mirrored == 0)
        y = x->s->side[0] - 1 - y;
    else if (x->mirrored == 1)
        z = x->s->side[1] - 1 - z;
    return y * x->s->side[1] + z;
}

static bool is_row(const section *s, int64_t layer, int64_t cell)
{
    return (cell / s->side[1] + cell % s->side[1] + layer) % 2 == 0;
}

static void number_cells(part *x)
{
    int32_t next[2] = {0, 0};
    for (int64_t layer = 0; layer < x->layers; ++layer)
        for (int64_t cell = 0; cell < cells_of(x->s); ++cell)
            x->number[layer][cell] = next[is_row(x->s, layer, cell)]++;
    x->own.ncols = x->next.ncols = x->before.ncols = next[0];
    x->own.nrows = x->next.nrows = x->before.nrows = next[1];
}

/* Joins two cells of these layers of a part; the second one may be in the next part. */
static pm_status join(part *x, int64_t layer, int64_t cell, int64_t other_layer, int64_t other,
                      pm_error *err)
{
    const bool is_left = is_row(x->s, layer, cell), leaves = other_layer == x->layers;
    const int32_t u = x->number[layer][cell], v = x->number[leaves ? 0 : other_layer][other];
    pm_triples *to = !leaves ? &x->own : is_left ? &x->next : &x->before;
    return pm_triples_add(to, is_left ? u : v, is_left ? v : u, 0, NULL, NULL, err);
}

static pm_status join_layer(part *x, int64_t layer, pm_error *err)
{
    const section *s = x->s;
    pm_status status = PM_OK;
    for (int64_t cell = 0; cell < cells_of(s) && !status; ++cell) {
        const int64_t y = cell / s->side[1], z = cell % s->side[1];
        const bool goes_on = y + 1 < s->side[0] || s->is_wrapped;
        if (goes_on && (!s->is_brick || is_row(s, layer, cell)))
            status = join(x, layer, cell, layer, (y + 1) % s->side[0] * s->side[1] + z, err);
        if (!status && z + 1 < s->side[1])
            status = join(x, layer, cell, layer, cell + 1, err);
        if (!status)
            status = join(x, layer, cell, layer + 1, place_after(x, cell), err);
    }
    return status;
}

static pm_status make_matrices(part *x, pm_matrix *own, pm_period *period, pm_error *err)
{
    pm_status status = pm_matrix_from_triples(&x->own, PM_DUPLICATES_ERROR, "a part", own, err);
    if (!status)
        status =
            pm_matrix_from_triples(&x->next, PM_DUPLICATES_ERROR, "a part", &period->next, err);
    if (!status)
        status =
            pm_matrix_from_triples(&x->before, PM_DUPLICATES_ERROR, "a part", &period->before, err);
    return status;
}

/* The rows and columns of the first layer. */
static void count_first_layer(const part *x, int64_t half[2])
{
    for (int64_t cell = 0; cell < cells_of(x->s); ++cell)
        ++half[is_row(x->s, 0, cell) ? 0 : 1];
}

pm_status pm_strips_make(const pm_strip_request *r, pm_matrix *own, pm_period *period,
                         int64_t half[2], pm_error *err)
{
    section s;
    pm_status status = read_section(r, &s, err);
    if (!status)
        status = check_length(r, err);
    if (status)
        return status;
    part *x = pm_calloc_array(1, sizeof *x);
    if (!x)
        return pm_fail_memory(err, "a part");
    x->s = &s;
    x->mirrored = mirrored_side(&s);
    x->layers = x->mirrored < 0 ? 2 : 1;
    number_cells(x);
    for (int64_t layer = 0; layer < x->layers && !status; ++layer)
        status = join_layer(x, layer, err);
    period->length = r->length / x->layers + r->length % x->layers;
    half[0] = half[1] = 0;
    if (r->length % x->layers)
        count_first_layer(x, half);
    period->is_ring = strcmp(r->word[0], "ring") == 0;
    if (!status)
        status = make_matrices(x, own, period, err);
    pm_triples_free(&x->own);
    pm_triples_free(&x->next);
    pm_triples_free(&x->before);
    free(x);
    return status;
}

/* 0, 1, ..., count - 1; NULL when out of memory. */
static int32_t *first_numbers(int64_t count)
{
    int32_t *number = pm_alloc_array(count, sizeof *number);
    for (int64_t k = 0; number && k < count; ++k)
        number[k] = (int32_t)k;
    return number;
}

pm_status pm_strips_cut(const pm_matrix *own, const pm_period *period, const int64_t half[2],
                        pm_matrix *out, pm_error *err)
{
    pm_matrix whole = {0};
    pm_status status = pm_period_write_out(own, period, &whole, err);
    if (status)
        return status;
    const int64_t nrows = whole.nrows - own->nrows + half[0],
                  ncols = whole.ncols - own->ncols + half[1];
    int32_t *rows = first_numbers(nrows), *cols = first_numbers(ncols);
    status = rows && cols ? pm_matrix_select(&whole, rows, nrows, cols, ncols, out, err)
                          : pm_fail_memory(err, "a strip");
    free(rows);
    free(cols);
    pm_matrix_free(&whole);
    return status;
}
