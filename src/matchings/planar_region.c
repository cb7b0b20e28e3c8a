/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matchings/planar_region.h"

#include <stdlib.h>

#include "core/union_find.h"
#include "elimination/permutation.h"
#include "general/blossom.h"
#include "planar/kasteleyn.h"
#include "pm/alloc.h"
#include "pm/dm.h"

enum { SMALL = 24 }; /* regions of so few rows are drawn in one step */

/* Of the four determinants of a torus some are 0: in square and hexagonal lattices two rows may depend on the
 * others. */
enum { TORUS_BORDER = 2 };

void pm_region_free(pm_region *r)
{
    free(r->row);
    free(r->col);
    *r = (pm_region){0};
}

void pm_region_plan_free(pm_region_plan *p)
{
    pm_paired_matrix_free(&p->pairs);
    free(p->pair_of_col);
    free(p->negated);
    free(p->order);
    free(p->root_of);
    free(p->draw);
    *p = (pm_region_plan){0};
}

typedef struct {
    const pm_signed_graph *g;
    const pm_region *r;
    const int32_t *local;
    pm_region_plan *p;
} planning;

static void set_local(const planning *x, int32_t *local)
{
    for (int32_t i = 0; i < x->r->n; ++i) {
        local[x->r->row[i]] = i;
        local[x->g->a->nrows + x->r->col[i]] = i;
    }
}

static void reset_local(const planning *x, int32_t *local)
{
    for (int32_t i = 0; i < x->r->n; ++i)
        local[x->r->row[i]] = local[x->g->a->nrows + x->r->col[i]] = -1;
}

/* ---- entries ---- */

static int64_t count_entries(const planning *x)
{
    const pm_matrix *a = x->g->a;
    int64_t nnz = 0;
    for (int32_t i = 0; i < x->r->n; ++i)
        for (int64_t k = a->rowptr[x->r->row[i]]; k < a->rowptr[x->r->row[i] + 1]; ++k)
            nnz += x->local[a->nrows + a->colind[k]] >= 0;
    return nnz;
}

/* The entries of the region, with columns of the region; of a general graph those above the diagonal if is_half.
 * source: of each, its number in the graph.  The caller frees both, also on failure. */
static pm_status take_entries(const planning *x, bool is_half, pm_matrix *sub, int32_t **source,
                              pm_error *err)
{
    const pm_matrix *a = x->g->a;
    const int32_t n = x->r->n;
    const int64_t nnz = count_entries(x) / (is_half ? 2 : 1);
    int64_t at = 0;
    *sub = (pm_matrix){.nrows = n, .ncols = n, .field = PM_PATTERN};
    sub->rowptr = pm_alloc_array((int64_t)n + 1, sizeof *sub->rowptr);
    sub->colind = pm_alloc_array(nnz, sizeof *sub->colind);
    *source = pm_alloc_array(nnz, sizeof **source);
    if (!sub->rowptr || !sub->colind || !*source)
        return pm_fail_memory(err, "a part of a matching");
    for (int32_t i = 0; i < n; ++i) {
        sub->rowptr[i] = at;
        for (int64_t k = a->rowptr[x->r->row[i]]; k < a->rowptr[x->r->row[i] + 1]; ++k) {
            const int32_t j = x->local[a->nrows + a->colind[k]];
            if (j < 0 || (is_half && j < i))
                continue;
            (*source)[at] = (int32_t)k;
            sub->colind[at++] = j;
        }
    }
    sub->rowptr[n] = at;
    return PM_OK;
}

/* row_of[j]: the row that is matched to column j.  sub: all entries. */
static pm_status match(const planning *x, const pm_matrix *sub, const pm_run *run, int32_t *row_of,
                       pm_error *err)
{
    int64_t rank = 0;
    pm_status status;
    if (x->g->is_general) {
        status = pm_blossom_matching(sub, run, row_of, &rank, err);
        rank *= 2;
    } else {
        int32_t *col_of = pm_alloc_array(sub->nrows, sizeof *col_of);
        status = col_of ? pm_matching_maximum(sub, run, col_of, row_of, &rank, err)
                        : pm_fail_memory(err, "a part of a matching");
        free(col_of);
    }
    if (!status && rank < sub->nrows)
        status = pm_fail(err, PM_EINTERNAL, "a part of a graph lost its perfect matchings");
    return status;
}

/* XOR of the signs of the matched entries; of a general graph, those above the diagonal. */
static uint8_t matched_signs(const planning *x, const pm_matrix *sub, const int32_t *source,
                             const int32_t *row_of)
{
    uint8_t parity = 0;
    for (int32_t i = 0; i < sub->nrows; ++i)
        for (int64_t k = sub->rowptr[i]; k < sub->rowptr[i + 1]; ++k)
            if (row_of[sub->colind[k]] == i && (!x->g->is_general || i < sub->colind[k]))
                parity ^= x->g->sign[source[k]];
    return parity;
}

/* ---- pairs ---- */

/* The class whose bit is not that of the three others. */
static int odd_class(uint8_t bits)
{
    int ones = 0, c = 0;
    for (int k = 0; k < PM_ROOT_CLASSES_MAX; ++k)
        ones += bits >> k & 1;
    while (c + 1 < PM_ROOT_CLASSES_MAX && (bits >> c & 1) != (ones == 1))
        ++c;
    return c;
}

/* Number the columns by the rows that they are matched to; in a row whose matched entry is negative negate all. */
static void pair_up(const planning *x, const pm_matrix *sub, const int32_t *source,
                    const int32_t *row_of)
{
    pm_region_plan *p = x->p;
    for (int32_t i = 0; i < x->r->n; ++i) {
        p->negated[i] = 0;
        for (int64_t k = sub->rowptr[i]; k < sub->rowptr[i + 1]; ++k)
            if (row_of[sub->colind[k]] == i)
                p->negated[i] = x->g->sign[source[k]];
        for (int64_t k = sub->rowptr[i]; k < sub->rowptr[i + 1]; ++k) {
            p->pairs.colind[k] = row_of[sub->colind[k]];
            p->pairs.sign[k] = (uint8_t)(x->g->sign[source[k]] ^ p->negated[i]);
            p->pairs.source[k] = source[k];
        }
        p->pairs.rowptr[i + 1] = (int32_t)sub->rowptr[i + 1];
        p->pair_of_col[i] = row_of[i];
    }
}

/* Pair i is vertex i; the entries above the diagonal stand for all. */
static pm_status pair_vertices(const planning *x, const pm_matrix *sub, const int32_t *source,
                               const int32_t *partner, pm_error *err)
{
    pm_region_plan *p = x->p;
    const int32_t n = x->r->n;
    int32_t at = 0, count = 0;
    int32_t *sequence = pm_alloc_array(2 * (int64_t)n, sizeof *sequence);
    if (!sequence)
        return pm_fail_memory(err, "a part of a matching");
    p->pairs.is_skew = true;
    for (int32_t i = 0; i < n; ++i) {
        p->negated[i] = 0;
        p->pair_of_col[i] = i;
        for (int64_t k = sub->rowptr[i]; k < sub->rowptr[i + 1]; ++k) {
            if (sub->colind[k] < i)
                continue;
            p->pairs.colind[at] = sub->colind[k];
            p->pairs.sign[at] = x->g->sign[source[k]];
            p->pairs.source[at++] = source[k];
        }
        p->pairs.rowptr[i + 1] = at;
        if (partner[i] > i) {
            sequence[count++] = i;
            sequence[count++] = partner[i];
        }
    }
    p->signs.negated = p->parity;
    if (pm_permutation_is_odd(sequence, n, sequence + n))
        p->signs.negated ^= PM_ALL_SIGNS;
    free(sequence);
    return PM_OK;
}

static pm_status reserve_pairs(const planning *x, int64_t nnz, pm_error *err)
{
    pm_region_plan *p = x->p;
    const int32_t n = x->r->n;
    p->pairs = (pm_paired_matrix){.n = n, .classes = x->r->classes};
    p->pairs.rowptr = pm_calloc_array((int64_t)n + 1, sizeof *p->pairs.rowptr);
    p->pairs.colind = pm_alloc_array(nnz, sizeof *p->pairs.colind);
    p->pairs.source = pm_alloc_array(nnz, sizeof *p->pairs.source);
    p->pairs.sign = pm_alloc_array(nnz, 1);
    p->pair_of_col = pm_alloc_array(n, sizeof *p->pair_of_col);
    p->negated = pm_alloc_array(n, 1);
    if (!p->pairs.rowptr || !p->pairs.colind || !p->pairs.source || !p->pairs.sign
        || !p->pair_of_col || !p->negated)
        return pm_fail_memory(err, "a part of a matching");
    return PM_OK;
}

/* All entries of a region, as in take_entries, and a perfect matching of it, as in match. */
typedef struct {
    pm_matrix sub;
    int32_t *source, *row_of;
    uint8_t parity; /* matched_signs */
} matched;

static void matched_free(matched *m)
{
    pm_matrix_free(&m->sub);
    free(m->source);
    free(m->row_of);
}

/* The caller frees *m, also on failure. */
static pm_status match_region(const planning *x, const pm_run *run, matched *m, pm_error *err)
{
    *m = (matched){.row_of = pm_alloc_array(x->r->n, sizeof *m->row_of)};
    pm_status status = take_entries(x, false, &m->sub, &m->source, err);
    if (!status && !m->row_of)
        status = pm_fail_memory(err, "a part of a matching");
    if (!status)
        status = match(x, &m->sub, run, m->row_of, err);
    if (!status)
        m->parity = matched_signs(x, &m->sub, m->source, m->row_of);
    return status;
}

static pm_status make_pairs(const planning *x, const pm_run *run, pm_error *err)
{
    pm_region_plan *p = x->p;
    matched m;
    pm_status status = match_region(x, run, &m, err);
    if (!status)
        status = reserve_pairs(x, pm_matrix_nnz(&m.sub), err);
    if (!status) {
        p->parity = m.parity;
        p->signs = (pm_root_signs){.classes = x->r->classes};
        if (x->r->classes > 1) {
            p->signs.least = odd_class(p->parity ^ x->r->outside);
            p->signs.border = TORUS_BORDER;
        }
        if (x->g->is_general)
            status = pair_vertices(x, &m.sub, m.source, m.row_of, err);
        else
            pair_up(x, &m.sub, m.source, m.row_of);
    }
    matched_free(&m);
    return status;
}

/* ---- signs ---- */

/* Gives entry k, and of a general graph the one on the other side of the diagonal, these signs. */
static void set_sign(const pm_signed_graph *g, int64_t k, uint8_t sign)
{
    g->sign[k] = sign;
    if (g->is_general) /* rows and columns have the same lists */
        g->sign[g->entry[k]] = sign ^ PM_ALL_SIGNS;
}

/* Draws the region, in the plane only if is_planar. */
static pm_status draw_entries(const planning *x, bool is_planar, int *classes, pm_error *err)
{
    pm_matrix sub;
    int32_t *source;
    uint8_t *sign = NULL;
    pm_status status = take_entries(x, x->g->is_general, &sub, &source, err);
    if (!status) {
        sign = pm_alloc_array(pm_matrix_nnz(&sub), 1);
        const pm_drawn_graph d = {&sub, x->g->is_general ? 0 : sub.nrows};
        status = sign ? pm_kasteleyn_draw(&d, sign, classes, err)
                      : pm_fail_memory(err, "a part of a matching");
    }
    if (!status && is_planar && *classes > 1)
        status = pm_fail(err, PM_UNABLE, "not planar: it lies on a torus");
    for (int64_t k = 0; !status && k < pm_matrix_nnz(&sub); ++k)
        set_sign(x->g, source[k], *classes > 1 ? sign[k] : sign[k] ? PM_ALL_SIGNS : 0);
    free(sign);
    free(source);
    pm_matrix_free(&sub);
    return status;
}

pm_status pm_region_draw(const pm_signed_graph *g, pm_region *r, int32_t *local, pm_error *err)
{
    const planning x = {g, r, local, NULL};
    set_local(&x, local);
    pm_status status = draw_entries(&x, false, &r->classes, err);
    reset_local(&x, local);
    return status;
}

pm_status pm_region_settle(const pm_signed_graph *g, pm_region *r, int32_t *local,
                           const pm_run *run, uint8_t *parity, pm_error *err)
{
    const planning x = {g, r, local, NULL};
    int classes = 1;
    set_local(&x, local);
    matched m;
    pm_status status = match_region(&x, run, &m, err);
    *parity = m.parity;
    matched_free(&m);
    if (!status) {
        status = draw_entries(&x, true, &classes, err);
        if (!status)
            r->classes = 1;
        if (status == PM_UNABLE)
            status = PM_OK;
    }
    reset_local(&x, local);
    return status;
}

/* ---- separators ---- */

/* The first time after which the vertices of the order before it have no component of more than two thirds of all.
 * up, size: scratch, n entries each. */
static int32_t separator_begin(const pm_adjacency *g, const int32_t *order, int32_t *time,
                               int32_t *up, int32_t *size)
{
    for (int32_t t = 0; t < g->n; ++t)
        time[order[t]] = t;
    for (int32_t t = 0; t < g->n; ++t) {
        up[t] = t;
        size[t] = 1;
        for (int32_t k = g->ptr[order[t]]; k < g->ptr[order[t] + 1]; ++k) {
            if (time[g->adj[k]] > t)
                continue;
            const int32_t root = pm_union_root(up, time[g->adj[k]]);
            if (root == t)
                continue;
            up[root] = t;
            size[t] += size[root];
        }
        if (3 * (int64_t)size[t] > 2 * (int64_t)g->n)
            return t;
    }
    return g->n;
}

static void plan_pair(const planning *x, int32_t pair, const int32_t *col_of_pair, uint8_t *mark)
{
    mark[x->r->row[pair]] |= PM_VERTEX_PLANNED;
    mark[x->g->a->nrows + x->r->col[col_of_pair[pair]]] |= PM_VERTEX_PLANNED;
}

static bool has_planned(const planning *x, const uint8_t *mark)
{
    for (int32_t i = 0; i < x->r->n; ++i)
        if ((mark[x->r->row[i]] | mark[x->g->a->nrows + x->r->col[i]]) & PM_VERTEX_PLANNED)
            return true;
    return false;
}

/* Sets p->order. */
static pm_status find_order(const planning *x, pm_error *err)
{
    const int32_t n = x->r->n;
    pm_region_plan *p = x->p;
    p->order = pm_alloc_array(n, sizeof *p->order);
    if (!p->order)
        return pm_fail_memory(err, "a part of a matching");
    for (int32_t i = 0; i < n; ++i)
        p->order[i] = i;
    return n > SMALL ? pm_elimination_order(&p->pairs, 0, p->order, err) : PM_OK;
}

/* Marks the vertices of a separator. */
static pm_status mark_separator(const planning *x, uint8_t *mark, pm_error *err)
{
    const int32_t n = x->r->n;
    const pm_region_plan *p = x->p;
    pm_adjacency g = {0};
    int32_t *room = pm_alloc_array(3 * (int64_t)n, sizeof *room), *col_of_pair = room;
    pm_status status =
        room ? pm_adjacency_make(&p->pairs, &g, err) : pm_fail_memory(err, "a part of a matching");
    if (!status) {
        const int32_t begin =
            n > SMALL ? separator_begin(&g, p->order, room, room + n, room + 2 * (int64_t)n) : 0;
        for (int32_t j = 0; j < n; ++j)
            col_of_pair[p->pair_of_col[j]] = j;
        for (int32_t t = begin; t < n; ++t)
            plan_pair(x, p->order[t], col_of_pair, mark);
    }
    pm_adjacency_free(&g);
    free(room);
    return status;
}

/* ---- the root ---- */

/* Lists the pairs of the neighbours of a vertex, also its own; returns how many. */
static int32_t pairs_around(const planning *x, int32_t vertex, int32_t *pair)
{
    const pm_signed_graph *g = x->g;
    const pm_region_plan *p = x->p;
    const int32_t n = x->r->n;
    int32_t count = 0;
    if (g->is_general) {
        const int32_t v = x->r->row[vertex];
        pair[count++] = vertex;
        for (int64_t k = g->a->rowptr[v]; k < g->a->rowptr[v + 1]; ++k)
            if (x->local[g->a->colind[k]] >= 0)
                pair[count++] = x->local[g->a->colind[k]];
        return count;
    }
    if (vertex < n) {
        for (int32_t k = p->pairs.rowptr[vertex]; k < p->pairs.rowptr[vertex + 1]; ++k)
            pair[count++] = p->pairs.colind[k];
        return count;
    }
    const int32_t j = x->r->col[vertex - n];
    for (int64_t k = g->colptr[j]; k < g->colptr[j + 1]; ++k)
        if (x->local[g->rowind[k]] >= 0)
            pair[count++] = x->local[g->rowind[k]];
    return count;
}

/* Those of the pairs that are not kept yet. */
static int32_t count_new(const pm_region_plan *p, const int32_t *pair, int32_t count)
{
    int32_t found = 0;
    for (int32_t i = 0; i < count; ++i)
        found += p->root_of[pair[i]] < 0;
    return found;
}

static void choose(pm_region_plan *p, int32_t vertex, const int32_t *pair, int32_t count)
{
    for (int32_t i = 0; i < count; ++i)
        if (p->root_of[pair[i]] < 0)
            p->root_of[pair[i]] = p->kept++;
    p->draw[p->drawn++] = vertex;
}

static bool is_planned(const planning *x, const uint8_t *mark, int32_t vertex)
{
    const int32_t n = x->r->n;
    const int64_t at = vertex < n ? x->r->row[vertex] : x->g->a->nrows + x->r->col[vertex - n];
    return mark[at] & PM_VERTEX_PLANNED;
}

/* Chooses the planned vertices that fit into memory, the ends of a pair one after the other, in the order of
 * elimination.  If none fits, the one with the fewest neighbours.
 * col_of_pair, pair: scratch, n entries each. */
static void choose_planned(const planning *x, const uint8_t *mark, double memory,
                           int32_t *col_of_pair, int32_t *pair)
{
    const int32_t n = x->r->n;
    pm_region_plan *p = x->p;
    int32_t least = -1, fewest = n + 1;
    for (int32_t i = 0; i < n; ++i)
        col_of_pair[p->pair_of_col[i]] = i;
    for (int32_t t = 0; t < n; ++t)
        for (int end = 0; end < (x->g->is_general ? 1 : 2); ++end) {
            const int32_t i = p->order[t], vertex = end ? n + col_of_pair[i] : i;
            if (!is_planned(x, mark, vertex))
                continue;
            const int32_t count = pairs_around(x, vertex, pair);
            if (count < fewest) {
                fewest = count;
                least = vertex;
            }
            const int32_t pairs = p->kept + count_new(p, pair, count);
            if (pm_root_inverse_bytes(pairs, x->g->is_general, p->signs, x->r->bits) <= memory)
                choose(p, vertex, pair, count);
        }
    if (p->drawn == 0)
        choose(p, least, pair, pairs_around(x, least, pair));
}

static pm_status choose_vertices(const planning *x, const uint8_t *mark, double memory,
                                 pm_error *err)
{
    const int32_t n = x->r->n;
    pm_region_plan *p = x->p;
    int32_t *room = pm_alloc_array(2 * (int64_t)n, sizeof *room);
    p->root_of = pm_alloc_array(n, sizeof *p->root_of);
    p->draw = pm_alloc_array(2 * (int64_t)n, sizeof *p->draw);
    const bool done = room && p->root_of && p->draw;
    for (int32_t i = 0; i < n && done; ++i)
        p->root_of[i] = -1;
    if (done)
        choose_planned(x, mark, memory, room, room + n);
    free(room);
    return done ? PM_OK : pm_fail_memory(err, "a part of a matching");
}

/* Moves the kept pairs to the end of the order. */
static pm_status move_kept(pm_region_plan *p, pm_error *err)
{
    const int32_t n = p->pairs.n;
    int32_t *moved = pm_alloc_array(n, sizeof *moved), at = 0;
    if (!moved)
        return pm_fail_memory(err, "a part of a matching");
    for (int32_t t = 0; t < n; ++t)
        if (p->root_of[p->order[t]] < 0)
            moved[at++] = p->order[t];
    for (int32_t i = 0; i < n; ++i)
        if (p->root_of[i] >= 0)
            moved[n - p->kept + p->root_of[i]] = i;
    free(p->order);
    p->order = moved;
    return PM_OK;
}

static pm_status begin_plan(const planning *x, int32_t *local, const pm_run *run, pm_error *err)
{
    set_local(x, local);
    pm_status status = make_pairs(x, run, err);
    return status ? status : find_order(x, err);
}

pm_status pm_region_plan_begin(const pm_signed_graph *g, const pm_region *r, int32_t *local,
                               const pm_run *run, pm_region_plan *out, pm_error *err)
{
    pm_region_plan p = {0};
    const planning x = {g, r, local, &p};
    pm_status status = begin_plan(&x, local, run, err);
    if (status)
        pm_region_plan_free(&p);
    else
        *out = p;
    return status;
}

pm_status pm_region_plan_make(const pm_signed_graph *g, const pm_region *r, uint8_t *mark,
                              int32_t *local, double memory, const pm_run *run, pm_region_plan *out,
                              pm_error *err)
{
    pm_region_plan p = {0};
    const planning x = {g, r, local, &p};
    pm_status status = begin_plan(&x, local, run, err);
    if (!status && !has_planned(&x, mark))
        status = mark_separator(&x, mark, err);
    if (!status)
        status = choose_vertices(&x, mark, memory, err);
    if (!status)
        status = move_kept(&p, err);
    if (status)
        pm_region_plan_free(&p);
    else
        *out = p;
    return status;
}
