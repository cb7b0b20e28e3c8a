/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "places/graph_places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "text/quote.h"

/* Vertex v of the list; where there is one set, all are rows. */
typedef struct {
    const pm_matrix *a;
    bool one_set;
    const pm_place_file *file;
} graph;

static bool is_row(const graph *g, int64_t v)
{
    return v < g->a->nrows;
}

static const char *label_of(const graph *g, int64_t v, char number[24])
{
    return is_row(g, v) ? pm_label(&g->a->row_labels, v, number)
                        : pm_label(&g->a->col_labels, v - g->a->nrows, number);
}

static const char *kind_of(const graph *g, int64_t v)
{
    return g->one_set ? "vertex" : is_row(g, v) ? "row" : "column";
}

static bool find(const graph *g, int64_t v, pm_place *out)
{
    char number[24];
    const char *label = label_of(g, v, number);
    if (!g->file)
        return pm_place_parse(label, (int64_t)strlen(label), out);
    const pm_placed_side side = g->one_set     ? PM_PLACED_ANY
                                : is_row(g, v) ? PM_PLACED_ROW
                                               : PM_PLACED_COLUMN;
    return pm_place_file_find(g->file, side, label, out);
}

static pm_status fail_missing(const graph *g, int64_t v, pm_error *err)
{
    char number[24], quote[PM_QUOTE];
    const char *label = label_of(g, v, number);
    pm_quote(label, (int64_t)strlen(label), quote);
    return pm_fail(err, PM_EDATA, g->file ? "no place for %s %s" : "the label of %s %s is no place",
                   kind_of(g, v), quote);
}

typedef struct {
    pm_place place;
    int64_t vertex;
} placed;

static int compare(const void *x, const void *y)
{
    const placed *a = x, *b = y;
    if (a->place.x != b->place.x)
        return a->place.x < b->place.x ? -1 : 1;
    if (a->place.y != b->place.y)
        return a->place.y < b->place.y ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static pm_status check_distinct(const graph *g, const pm_place *place, int64_t n, pm_error *err)
{
    placed *list = pm_alloc_array(n, sizeof *list);
    pm_status status = PM_OK;
    if (!list)
        return pm_fail_memory(err, "places");
    for (int64_t v = 0; v < n; ++v)
        list[v] = (placed){place[v], v};
    qsort(list, (size_t)n, sizeof *list, compare);
    for (int64_t k = 1; k < n && !status; ++k) {
        const placed *p = &list[k - 1], *q = &list[k];
        char number[2][24], quote[2][PM_QUOTE];
        if (p->place.x != q->place.x || p->place.y != q->place.y)
            continue;
        const char *label[2] = {label_of(g, p->vertex, number[0]),
                                label_of(g, q->vertex, number[1])};
        status =
            pm_fail(err, PM_EDATA, "%s %s and %s %s have the same place", kind_of(g, p->vertex),
                    pm_quote(label[0], (int64_t)strlen(label[0]), quote[0]), kind_of(g, q->vertex),
                    pm_quote(label[1], (int64_t)strlen(label[1]), quote[1]));
    }
    free(list);
    return status;
}

bool pm_graph_has_places(const pm_matrix *a)
{
    const graph g = {.a = a};
    pm_place place;
    for (int64_t v = 0; v < a->nrows + a->ncols; ++v)
        if (find(&g, v, &place))
            return true;
    return false;
}

pm_status pm_graph_places(const pm_matrix *a, bool one_set, const pm_place_file *file,
                          pm_place **out, pm_error *err)
{
    const graph g = {a, one_set, file};
    const int64_t n = a->nrows + (one_set ? 0 : a->ncols);
    pm_place *place = pm_alloc_array(n, sizeof *place);
    pm_status status = place ? PM_OK : pm_fail_memory(err, "places");
    for (int64_t v = 0; v < n && !status; ++v)
        if (!find(&g, v, &place[v]))
            status = fail_missing(&g, v, err);
    if (!status)
        status = check_distinct(&g, place, n, err);
    if (status)
        free(place);
    else
        *out = place;
    return status;
}
