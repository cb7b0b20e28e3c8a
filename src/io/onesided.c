/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the colour classes of a one-sided graph by breadth-first search; a graph that has none becomes its adjacency matrix.
 *
 * The edges first become the upper triangle U of the adjacency matrix; this treats duplicates,
 * joins the two directions of an edge and drops edges of weight 0.  U and its transpose L are the
 * adjacency lists.  Edge {a, b}, a < b, is once in each of them, so the row of a left vertex v is row v of L followed by row v of U, in
 * ascending order, and the values are moved without a copy. */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/directions.h"
#include "io/formats.h"
#include "matrix/symmetric.h"
#include "pm/alloc.h"
#include "pm/settings.h"
#include "text/scalar.h"

enum { LEFT = 0, RIGHT = 1, UNSEEN = 2 };

typedef struct {
    int64_t n;
    pm_matrix u, l;
    signed char *side;
    int32_t *parent, *queue; /* of the search */
    int32_t *index;          /* of a vertex within its side */
    pm_triples read;         /* where the edges were read, for messages */
    const pm_labels *labels;
    const char *name;
    bool may_be_general, is_general; /* see pm_node.general */
    pm_scalar loop;                  /* of every vertex; 0: those of the diagonal */
} split;

void pm_onesided_free(pm_onesided *g)
{
    pm_triples_free(&g->edges);
    pm_labels_free(&g->labels);
    free(g->type);
    *g = (pm_onesided){0};
}

static void split_free(split *x)
{
    pm_scalar_clear(&x->loop);
    pm_matrix_free(&x->u);
    pm_matrix_free(&x->l);
    free(x->side);
    free(x->parent);
    free(x->queue);
    free(x->index);
    pm_triples_free(&x->read);
}

/* ---- adjacency ---- */

static void turn_upwards(pm_triples *edges)
{
    for (int64_t k = 0; k < edges->count; ++k) {
        pm_coordinates *at = &edges->at[k];
        if (at->row > at->col) {
            int32_t row = at->row;
            at->row = at->col;
            at->col = row;
        }
    }
}

/* The upper triangle of edges that may be given in both directions. */
static pm_status join_directions(split *x, pm_onesided *g, pm_duplicates how, pm_error *err)
{
    pm_matrix directed = {0};
    pm_status status = pm_matrix_from_triples(&g->edges, how, x->name, &directed, err);
    if (!status)
        status = pm_directions_join(&directed, g->directions == PM_DIRECTIONS_ANY, &x->read,
                                    &g->labels, x->name, &x->u, err);
    pm_matrix_free(&directed);
    return status;
}

static pm_status triangles_of_edges(split *x, pm_onesided *g, pm_duplicates how, pm_error *err)
{
    pm_triples *edges = &g->edges;
    pm_status status;
    edges->nrows = edges->ncols = x->n;
    edges->names = &g->labels;
    status = pm_triples_copy_places(edges, &x->read, err);
    if (status)
        return status;
    if (g->directions != PM_DIRECTIONS_ONE
        && (how == PM_DUPLICATES_ERROR
            || (how == PM_DUPLICATES_IGNORE && g->directions == PM_DIRECTIONS_ANY))) {
        status = join_directions(x, g, how, err);
    } else {
        turn_upwards(edges);
        status = pm_matrix_from_triples(edges, how, x->name, &x->u, err);
    }
    return status ? status : pm_matrix_transpose(&x->u, &x->l, err);
}

static pm_status adjacency(split *x, pm_onesided *g, pm_duplicates how, pm_error *err)
{
    if (g->symmetric)
        return pm_matrix_triangles(g->symmetric, &x->u, &x->l, err);
    pm_status status = pm_triples_check_exponents(&g->edges, x->name, err);
    return status ? status : triangles_of_edges(x, g, how, err);
}

/* The text line of the edge, as "name:line", or "name" when it is not known. */
static const char *line_of(const split *x, int32_t a, int32_t b, char text[512])
{
    int64_t line = pm_triples_line(&x->read, a, b);
    if (!line)
        line = pm_triples_line(&x->read, b, a);
    if (line)
        snprintf(text, 512, "%s:%" PRId64, x->name, line);
    else
        snprintf(text, 512, "%s", x->name);
    return text;
}

/* ---- messages ---- */

static void say_vertex(const split *x, int32_t v, const char *before, char *text, size_t room)
{
    char number[24], quote[PM_QUOTE];
    const char *label = pm_label(x->labels, v, number);
    size_t at = strlen(text);
    if (pm_labels_exist(x->labels))
        label = pm_quote(label, (int64_t)strlen(label), quote);
    snprintf(text + at, room - at, "%s%s", before, label);
}

/* The ancestor of v that is `up` steps nearer to the root. */
static int32_t ancestor(const split *x, int32_t v, int64_t up)
{
    while (up-- > 0)
        v = x->parent[v];
    return v;
}

static const char what_is_taken[] = "; only bipartite graphs are taken here";

/* In a breadth-first search two neighbours of one colour are at the same distance from the root, so
 * the paths from a and b to the root meet after the same number of steps.  The edge a b closes the
 * cycle. */
static pm_status fail_odd_cycle(const split *x, int32_t a, int32_t b, pm_error *err)
{
    enum { SHOWN = 15 };
    char where[512], text[1024] = "";
    int64_t up = 0;
    for (int32_t p = a, q = b; p != q; ++up) {
        p = x->parent[p];
        q = x->parent[q];
    }
    int64_t length = 2 * up + 1;
    for (int64_t k = 0; k <= length && k <= SHOWN; ++k) {
        int32_t v = k <= up ? ancestor(x, a, k) : k < length ? ancestor(x, b, length - 1 - k) : a;
        say_vertex(x, v, k ? " - " : "", text, sizeof text);
    }
    return pm_fail(err, PM_UNABLE,
                   "%s: expected a bipartite graph, found an odd cycle of %" PRId64
                   " vertices: %s%s%s%s",
                   line_of(x, a, b, where), length, text, length > SHOWN ? " - ..." : "",
                   what_is_taken, pm_hint_text(PM_HINT_GENERAL));
}

static pm_status fail_loop(const split *x, int32_t v, pm_error *err)
{
    char where[512], text[96] = "";
    say_vertex(x, v, "", text, sizeof text);
    return pm_fail(err, PM_UNABLE,
                   "%s: expected a bipartite graph, found an odd cycle of 1 vertex: %s joined to "
                   "itself%s%s",
                   line_of(x, v, v, where), text, what_is_taken, pm_hint_text(PM_HINT_GENERAL));
}

static pm_status fail_type(const split *x, int32_t a, int32_t b, pm_error *err)
{
    char where[512], text[192] = "";
    say_vertex(x, a, "", text, sizeof text);
    say_vertex(x, b, " and ", text, sizeof text);
    return pm_fail(
        err, PM_EDATA,
        "%s: expected edges between vertices of different types, but %s are both of type %d",
        line_of(x, a, b, where), text, x->side[a]);
}

/* ---- colouring ---- */

static pm_status visit(split *x, const pm_matrix *half, int32_t v, int64_t *tail, pm_error *err)
{
    for (int64_t k = half->rowptr[v]; k < half->rowptr[v + 1]; ++k) {
        int32_t w = half->colind[k];
        if (w == v)
            return fail_loop(x, v, err);
        if (x->side[w] == x->side[v] && x->may_be_general) {
            x->is_general = true;
            return PM_OK;
        }
        if (x->side[w] == x->side[v])
            return fail_odd_cycle(x, v, w, err);
        if (x->side[w] == UNSEEN) {
            x->side[w] = (signed char)(1 - x->side[v]);
            x->parent[w] = v;
            x->queue[(*tail)++] = w;
        }
    }
    return PM_OK;
}

static pm_status colour(split *x, pm_error *err)
{
    x->parent = pm_alloc_array(x->n, sizeof *x->parent);
    x->queue = pm_alloc_array(x->n, sizeof *x->queue);
    if (!x->parent || !x->queue)
        return pm_fail_memory(err, "colour classes");
    memset(x->side, UNSEEN, (size_t)x->n);
    pm_status status = PM_OK;
    int64_t head = 0, tail = 0;
    for (int64_t root = 0; root < x->n && !status && !x->is_general; ++root) {
        if (x->side[root] != UNSEEN)
            continue;
        x->side[root] = LEFT;
        x->parent[root] = (int32_t)root;
        x->queue[tail++] = (int32_t)root;
        while (head < tail && !status && !x->is_general) {
            int32_t v = x->queue[head++];
            status = visit(x, &x->l, v, &tail, err);
            if (!status)
                status = visit(x, &x->u, v, &tail, err);
        }
    }
    return status;
}

static pm_status take_types(split *x, const signed char *type, pm_error *err)
{
    memcpy(x->side, type, (size_t)x->n);
    for (int64_t v = 0; v < x->n; ++v)
        for (int64_t k = x->u.rowptr[v]; k < x->u.rowptr[v + 1]; ++k)
            if (x->side[v] == x->side[x->u.colind[k]])
                return fail_type(x, (int32_t)v, x->u.colind[k], err);
    return PM_OK;
}

/* Before a loop of another weight is added. */
static void forget_values(split *x)
{
    pm_matrix_make_pattern(&x->u);
    pm_matrix_make_pattern(&x->l);
}

/* ---- loops ---- */

static int64_t count_loops(const pm_matrix *u)
{
    int64_t loops = 0;
    for (int64_t v = 0; v < u->nrows; ++v)
        loops += u->rowptr[v] < u->rowptr[v + 1] && u->colind[u->rowptr[v]] == v;
    return loops;
}

static void move_value(pm_matrix *a, int64_t from, int64_t to)
{
    a->colind[to] = a->colind[from];
    if (from == to)
        return;
    if (a->re) {
        pm_dyadic_clear(&a->re[to]);
        a->re[to] = a->re[from];
        a->re[from] = (pm_dyadic){0};
    }
    if (a->im) {
        pm_dyadic_clear(&a->im[to]);
        a->im[to] = a->im[from];
        a->im[from] = (pm_dyadic){0};
    }
}

static void clear_value(pm_matrix *a, int64_t k)
{
    if (a->re)
        pm_dyadic_clear(&a->re[k]);
    if (a->im)
        pm_dyadic_clear(&a->im[k]);
}

/* Leaves out the diagonal. */
static void drop_loops(pm_matrix *a)
{
    int64_t kept = 0, k = 0;
    for (int64_t v = 0; v < a->nrows; ++v) {
        for (const int64_t end = a->rowptr[v + 1]; k < end; ++k)
            if (a->colind[k] != v)
                move_value(a, k, kept++);
            else
                clear_value(a, k);
        a->rowptr[v + 1] = kept;
    }
}

/* Keeps the edges that join a vertex to itself, or leaves them out and says so. */
static pm_status treat_loops(split *x, const pm_read_options *opt, pm_reading *about, pm_error *err)
{
    const int64_t loops = count_loops(&x->u);
    const bool has_weight = opt->loops && *opt->loops;
    if (opt->copies || (opt->loops && !has_weight)) {
        x->is_general = opt->copies || loops > 0;
        return PM_OK;
    }
    if (has_weight
        && pm_scalar_parse_as(opt->loops, (int64_t)strlen(opt->loops), opt->exact, &x->loop)
               > PM_NUMBER_REAL)
        return pm_fail(err, PM_EUSAGE, "expected a number as the weight of loops, not '%.100s'",
                       opt->loops);
    x->is_general = !pm_scalar_is_zero(&x->loop);
    if (loops && !has_weight && !*about->warning)
        snprintf(about->warning, sizeof about->warning,
                 "%" PRId64 " edge%s a vertex to itself: left out%s", loops,
                 loops > 1 ? "s join" : " joins", pm_hint_text(PM_HINT_LOOPS));
    drop_loops(&x->u);
    drop_loops(&x->l);
    return PM_OK;
}

/* ---- the matrix ---- */

static void move_row(split *x, pm_matrix *half, int64_t v, pm_matrix *a, int64_t *nnz)
{
    for (int64_t k = half->rowptr[v]; k < half->rowptr[v + 1]; ++k, ++*nnz) {
        a->colind[*nnz] = x->index[half->colind[k]];
        if (a->re) {
            a->re[*nnz] = half->re[k];
            half->re[k] = (pm_dyadic){0};
        }
        if (a->im) {
            a->im[*nnz] = half->im[k];
            half->im[k] = (pm_dyadic){0};
        }
    }
}

/* The labels of one side; a vertex without a label gets its number. */
static pm_status side_labels(const split *x, int side, pm_labels *out, pm_error *err)
{
    for (int64_t v = 0; v < x->n; ++v) {
        char number[24];
        if (x->side[v] != side)
            continue;
        const char *text = pm_label(x->labels, v, number);
        pm_status status = pm_labels_append(out, text, (int64_t)strlen(text), err);
        if (status)
            return status;
    }
    return PM_OK;
}

static pm_status build(split *x, pm_matrix *out, pm_error *err)
{
    pm_matrix a = {0};
    int64_t size[2] = {0, 0}, nnz = 0, i = 0;
    x->index = pm_alloc_array(x->n, sizeof *x->index);
    if (!x->index)
        return pm_fail_memory(err, "colour classes");
    for (int64_t v = 0; v < x->n; ++v)
        x->index[v] = (int32_t)size[(int)x->side[v]]++;
    pm_status status =
        pm_matrix_alloc(&a, x->u.field, size[LEFT], size[RIGHT], pm_matrix_nnz(&x->u), err);
    if (!status)
        status = side_labels(x, LEFT, &a.row_labels, err);
    if (!status)
        status = side_labels(x, RIGHT, &a.col_labels, err);
    if (status) {
        pm_matrix_free(&a);
        return status;
    }
    for (int64_t v = 0; v < x->n; ++v)
        if (x->side[v] == LEFT) {
            move_row(x, &x->l, v, &a, &nnz);
            move_row(x, &x->u, v, &a, &nnz);
            a.rowptr[++i] = nnz;
        }
    *out = a;
    return PM_OK;
}

/* value == NULL: 1. */
static void put_entry(pm_matrix *a, int64_t *at, int32_t column, const pm_dyadic *re,
                      const pm_dyadic *im)
{
    a->colind[*at] = column;
    if (a->re && re)
        pm_dyadic_set(&a->re[*at], re);
    else if (a->re)
        pm_dyadic_set_si(&a->re[*at], 1);
    if (a->im && im)
        pm_dyadic_set(&a->im[*at], im);
    ++*at;
}

static void put_edges(const pm_matrix *half, int64_t v, bool with_diagonal, pm_matrix *a,
                      int64_t *at)
{
    for (int64_t k = half->rowptr[v]; k < half->rowptr[v + 1]; ++k)
        if (with_diagonal || half->colind[k] != v)
            put_entry(a, at, half->colind[k], half->re ? &half->re[k] : NULL,
                      half->im ? &half->im[k] : NULL);
}

/* The field of a matrix that has the loop, too. */
static pm_field field_with(pm_field field, const pm_scalar *loop)
{
    const pm_field own = pm_scalar_narrowest(loop);
    return own > field ? own : field;
}

/* Row v of the adjacency matrix is row v of L, the loop, and row v of U without the diagonal. */
static pm_status build_general(const split *x, pm_matrix *out, pm_error *err)
{
    pm_matrix a = {0};
    int64_t at = 0;
    const bool has_weight = !pm_scalar_is_zero(&x->loop);
    const int64_t loops = count_loops(&x->u), nnz = 2 * pm_matrix_nnz(&x->u) - loops;
    pm_status status = pm_matrix_alloc(&a, field_with(x->u.field, &x->loop), x->n, x->n,
                                       nnz + (has_weight ? x->n : 0), err);
    if (!status)
        status = pm_labels_select(x->labels, NULL, x->n, &a.row_labels, err);
    if (!status)
        status = pm_labels_select(x->labels, NULL, x->n, &a.col_labels, err);
    if (status) {
        pm_matrix_free(&a);
        return status;
    }
    for (int64_t v = 0; v < x->n; ++v) {
        put_edges(&x->l, v, true, &a, &at);
        if (has_weight)
            put_entry(&a, &at, (int32_t)v, &x->loop.re, &x->loop.im);
        put_edges(&x->u, v, false, &a, &at);
        a.rowptr[v + 1] = at;
    }
    *out = a;
    return PM_OK;
}

pm_status pm_onesided_matrix(pm_onesided *g, const pm_read_options *opt, const char *name,
                             pm_matrix *out, pm_reading *about, pm_error *err)
{
    split x = {.n = g->nvertices,
               .labels = &g->labels,
               .name = name,
               .may_be_general = opt->general && !g->type};
    pm_status status = adjacency(&x, g, opt->duplicates, err);
    if (!status && opt->pattern)
        forget_values(&x);
    if (!status && x.may_be_general)
        status = treat_loops(&x, opt, about, err);
    if (status)
        goto done;
    x.side = pm_alloc_array(x.n, sizeof *x.side);
    if (!x.side) {
        status = pm_fail_memory(err, "colour classes");
        goto done;
    }
    x.is_general |= x.may_be_general && opt->general_always;
    if (!x.is_general)
        status = g->type ? take_types(&x, g->type, err) : colour(&x, err);
    if (!status)
        status = x.is_general ? build_general(&x, out, err) : build(&x, out, err);
    about->general = !status && x.is_general;
    if (!status && !x.is_general && g->side)
        memcpy(g->side, x.side, (size_t)x.n);
done:
    split_free(&x);
    return status;
}
