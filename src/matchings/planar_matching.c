/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "matchings/planar_matching.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/union_find.h"
#include "cuda/sample_sequence.h"
#include "elimination/determinant_batches.h"
#include "elimination/root_inverse.h"
#include "matchings/planar_region.h"
#include "pm/alloc.h"
#include "pm/reduce.h"

/* A pivot is zero modulo a prime of 24 bits by chance only: once in some hundred inverses of the largest graphs. */
enum { ATTEMPTS = 32 };

struct pm_planar_matching {
    pm_signed_graph g;
    uint64_t seed;
    uint32_t block;
    double *most;    /* of each entry: 2^most is at least its weight as an integer */
    mpz_t total;     /* the weighted count, as integers */
    uint8_t outside; /* of the whole graph as a region */
};

/* ---- weights and columns ---- */

static pm_status fill_columns(pm_signed_graph *g, pm_error *err)
{
    const pm_matrix *a = g->a;
    g->colptr = pm_calloc_array(a->ncols + 2, sizeof *g->colptr);
    g->rowind = pm_alloc_array(pm_matrix_nnz(a), sizeof *g->rowind);
    g->entry = pm_alloc_array(pm_matrix_nnz(a), sizeof *g->entry);
    if (!g->colptr || !g->rowind || !g->entry)
        return pm_fail_memory(err, "matchings");
    for (int64_t k = 0; k < pm_matrix_nnz(a); ++k)
        ++g->colptr[a->colind[k] + 2];
    for (int64_t j = 0; j < a->ncols; ++j)
        g->colptr[j + 2] += g->colptr[j + 1];
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int64_t at = g->colptr[a->colind[k] + 1]++;
            g->rowind[at] = (int32_t)i;
            g->entry[at] = k;
        }
    return PM_OK;
}

static pm_status make_integers(const pm_matrix *a, bool is_general, pm_integer_entries *z,
                               pm_error *err)
{
    pm_block b = {
        .a = *a, .n = a->nrows, .general = is_general}; /* not freed: it owns only the capacities */
    b.row_cap = b.col_cap = pm_alloc_array(a->nrows, sizeof *b.row_cap);
    if (!b.row_cap)
        return pm_fail_memory(err, "matchings");
    for (int64_t i = 0; i < a->nrows; ++i)
        b.row_cap[i] = 1;
    pm_status status = pm_integer_entries_make(&b, z, err);
    free(b.row_cap);
    return status;
}

static void set_weight(const pm_integer_entries *z, int64_t k, mpz_t out)
{
    const pm_limbs x = pm_integer_entries_get(z, 0, k);
    mpz_set_ui(out, 0);
    for (int64_t i = 0; i < x.n; ++i) {
        mpz_mul_2exp(out, out, PM_LIMB_BITS);
        mpz_add_ui(out, out, (unsigned long)x.limb[i]);
    }
}

static pm_status measure_weights(pm_planar_matching *m, pm_error *err)
{
    const int64_t nnz = pm_matrix_nnz(m->g.a);
    mpz_t weight;
    m->most = pm_calloc_array(nnz, sizeof *m->most);
    if (!m->most)
        return pm_fail_memory(err, "matchings");
    mpz_init(weight);
    for (int64_t k = 0; k < nnz && m->g.z.start[0]; ++k) {
        set_weight(&m->g.z, k, weight);
        m->most[k] = mpz_cmp_ui(weight, 1) ? (double)mpz_sizeinbase(weight, 2) : 0;
    }
    mpz_clear(weight);
    return PM_OK;
}

/* Without METIS every order fails. */
static pm_status check_dissection(pm_error *err)
{
    int32_t rowptr[2] = {0, 1}, colind = 0, order;
    const pm_paired_matrix one = {.n = 1, .classes = 1, .rowptr = rowptr, .colind = &colind};
    return pm_elimination_order(&one, 0, &order, err);
}

void pm_planar_matching_free(pm_planar_matching *m)
{
    if (!m)
        return;
    free(m->g.sign);
    free(m->g.colptr);
    free(m->g.rowind);
    free(m->g.entry);
    pm_integer_entries_free(&m->g.z);
    free(m->most);
    mpz_clear(m->total);
    free(m);
}

/* ---- drawing ---- */

/* Regions that are the components of one graph, whose weighted count is known.  The count of each is found when it is
 * drawn; so that of the last one is known before, and no bound is needed for it. */
typedef struct {
    mpz_t rest;      /* the product of the counts that are not known yet */
    int32_t unknown; /* how many these are */
} family;

typedef struct {
    const pm_planar_matching *m;
    const pm_run *run;
    pm_sample_sequence sequence;
    int32_t *col_of;
    pm_signed_graph
        g; /* m->g; on a torus with signs of its own, of which parts that became planar are changed */
    uint8_t *sign;  /* these; NULL in the plane */
    uint8_t parity; /* of the last region: of the negative entries that were drawn, in each class */
    uint8_t *mark;  /* of each vertex, see matchings/planar_region.h */
    int32_t *local; /* scratch of the same size, -1 */
    int32_t *up;    /* scratch of the same size */
    pm_region *stack;
    int64_t depth, cap;
    family *families; /* of the regions on the stack, the last one of the last region */
    int64_t nfamilies, cap_families;
    mpz_t count; /* of the last region, before anything of it was drawn */
    mpz_t total; /* of what is left of it */
    mpz_t cofactor, weight, point;
} drawing;

/* Uniform in 0 .. total - 1. */
static void draw_point(drawing *x)
{
    const size_t bits = mpz_sizeinbase(x->total, 2), words = (bits + 63) / 64;
    do {
        mpz_set_ui(x->point, 0);
        for (size_t w = 0; w < words; ++w) {
            mpz_mul_2exp(x->point, x->point, 64);
            mpz_add_ui(x->point, x->point, pm_sample_sequence_bits(&x->sequence));
        }
        mpz_tdiv_q_2exp(x->point, x->point, 64 * words - bits);
    } while (mpz_cmp(x->point, x->total) >= 0);
}

/* An edge of the region: row and column as local numbers, its entry. */
typedef struct {
    int32_t row, col;
    int64_t entry;
} edge;

static bool is_drawn(const drawing *x, int64_t vertex)
{
    return x->mark[vertex] & PM_VERTEX_DRAWN;
}

/* Passes by edge e: *taken if the point lies in its part. */
static pm_status pass(drawing *x, const pm_region_plan *p, const pm_root_inverse *inverse, edge e,
                      bool *taken, pm_error *err)
{
    const uint8_t negative = x->g.sign[e.entry] ^ p->negated[e.row];
    const double bits = (double)mpz_sizeinbase(x->total, 2);
    pm_status status =
        pm_root_inverse_cofactor(inverse, p->root_of[e.row], p->root_of[p->pair_of_col[e.col]],
                                 negative, bits, x->cofactor, err);
    if (status)
        return status;
    set_weight(&x->g.z, e.entry, x->weight);
    mpz_mul(x->weight, x->weight, x->cofactor);
    if (mpz_sgn(x->cofactor) < 0 || mpz_cmp(x->weight, x->total) > 0)
        return pm_fail(err, PM_EINTERNAL, "a part of a graph has a wrong count");
    *taken = mpz_cmp(x->point, x->weight) < 0;
    if (!*taken)
        mpz_sub(x->point, x->point, x->weight);
    return PM_OK;
}

/* Draws the match of a vertex of the region. */
static pm_status draw_match(drawing *x, const pm_region *r, const pm_region_plan *p,
                            const pm_root_inverse *inverse, int32_t vertex, edge *e, pm_error *err)
{
    const pm_signed_graph *g = &x->g;
    const int64_t n = g->a->nrows;
    const bool is_row = vertex < r->n;
    const int32_t line = is_row ? r->row[vertex] : r->col[vertex - r->n];
    const int64_t *ptr = is_row ? g->a->rowptr : g->colptr;
    bool taken = false;
    pm_status status = PM_OK;
    draw_point(x);
    for (int64_t k = ptr[line]; k < ptr[line + 1] && !status && !taken; ++k) {
        const int64_t other = is_row ? n + g->a->colind[k] : g->rowind[k];
        if (x->local[other] < 0 || is_drawn(x, other))
            continue;
        *e = is_row ? (edge){vertex, x->local[other], k}
                    : (edge){x->local[other], vertex - r->n, g->entry[k]};
        status = pass(x, p, inverse, *e, &taken, err);
    }
    if (!status && !taken)
        status = pm_fail(err, PM_EINTERNAL, "the counts of a graph do not add up");
    return status;
}

static void set_matched(drawing *x, int32_t row, int32_t col)
{
    const int64_t n = x->g.a->nrows;
    x->col_of[row] = col;
    x->mark[row] |= PM_VERTEX_DRAWN;
    x->mark[n + col] |= PM_VERTEX_DRAWN;
    if (x->g.is_general) {
        x->col_of[col] = row;
        x->mark[col] |= PM_VERTEX_DRAWN;
        x->mark[n + row] |= PM_VERTEX_DRAWN;
    }
}

/* Draws all vertices of the plan.  *found: as in pm_root_inverse_leave_out. */
static pm_status draw_vertices(drawing *x, const pm_region *r, const pm_region_plan *p,
                               pm_root_inverse *inverse, bool *found, pm_error *err)
{
    const int64_t n = x->g.a->nrows;
    pm_status status = pm_root_inverse_determinant(inverse, r->bits, x->total, err);
    if (!status && mpz_sgn(x->total) <= 0)
        status = pm_fail(err, PM_EINTERNAL, "a part of a graph has a wrong count");
    mpz_set(x->count, x->total);
    for (int32_t i = 0; i < p->drawn && !status && *found; ++i) {
        const int32_t vertex = p->draw[i];
        edge e = {0};
        if (is_drawn(x, vertex < r->n ? r->row[vertex] : n + r->col[vertex - r->n]))
            continue;
        status = draw_match(x, r, p, inverse, vertex, &e, err);
        if (status)
            break;
        const uint8_t negative = x->g.sign[e.entry] ^ p->negated[e.row];
        x->parity ^= x->g.sign[e.entry];
        mpz_set(x->total, x->cofactor);
        set_matched(x, r->row[e.row], r->col[e.col]);
        status = pm_root_inverse_leave_out(inverse, p->root_of[e.row],
                                           p->root_of[p->pair_of_col[e.col]], negative,
                                           (double)mpz_sizeinbase(x->total, 2), x->run, found, err);
    }
    return status;
}

/* Undoes what draw_vertices did. */
static void undraw(drawing *x, const pm_region *r)
{
    const int64_t n = x->g.a->nrows;
    for (int32_t i = 0; i < r->n; ++i) {
        x->mark[r->row[i]] &= (uint8_t)~PM_VERTEX_DRAWN;
        x->mark[n + r->col[i]] &= (uint8_t)~PM_VERTEX_DRAWN;
    }
}

/* Other primes give the same matches, from the same random numbers. */
static pm_status draw_plan(drawing *x, const pm_region *r, const pm_region_plan *p,
                           const pm_elimination *e, pm_error *err)
{
    const pm_sample_sequence begin = x->sequence;
    for (int attempt = 0; attempt < ATTEMPTS; ++attempt) {
        pm_root_inverse inverse = {0};
        pm_root_signs signs = p->signs;
        bool found;
        signs.border += r->classes > 1 ? attempt / 2 * 2 : 0;
        x->parity = 0;
        pm_status status = pm_root_inverse_make(e, &x->g.z, signs, r->bits, attempt, x->run,
                                                &inverse, &found, err);
        if (!status && found)
            status = draw_vertices(x, r, p, &inverse, &found, err);
        pm_root_inverse_free(&inverse);
        if (status || found)
            return status;
        undraw(x, r);
        x->sequence = begin;
    }
    return pm_fail(err, PM_EINTERNAL, "no primes were found for a part of a graph");
}

/* ---- regions ---- */

/* The smaller one of a bound by the rows and of one by the columns: the product over the lines of their entries times
 * the largest. */
static double count_bits(const pm_planar_matching *m, const pm_region *r, const int32_t *local)
{
    const pm_signed_graph *g = &m->g;
    const int64_t n = g->a->nrows;
    double rows = 0, cols = 0;
    for (int32_t i = 0; i < r->n; ++i) {
        double row = 0, col = 0;
        int64_t in_row = 0, in_col = 0;
        for (int64_t k = g->a->rowptr[r->row[i]]; k < g->a->rowptr[r->row[i] + 1]; ++k)
            if (local[n + g->a->colind[k]] >= 0) {
                ++in_row;
                row = fmax(row, m->most[k]);
            }
        for (int64_t k = g->colptr[r->col[i]]; k < g->colptr[r->col[i] + 1]; ++k)
            if (local[g->rowind[k]] >= 0) {
                ++in_col;
                col = fmax(col, m->most[g->entry[k]]);
            }
        /* (d!)^(1/d), Bregman and Minc */
        rows += row + (in_row > 1 ? lgamma((double)in_row + 1) / (double)in_row / log(2) : 0);
        cols += col + (in_col > 1 ? lgamma((double)in_col + 1) / (double)in_col / log(2) : 0);
    }
    const double bits = fmin(rows, cols) * (1 + 1e-9) + 1;
    return g->is_general ? bits / 2 + 1 : bits; /* haf(A)^2 <= per(A), Alon and Friedland 2008 */
}

static pm_status push(drawing *x, pm_region *r, pm_error *err)
{
    if (PM_GROW(x->stack, x->cap, x->depth + 1)) {
        pm_region_free(r);
        return pm_fail_memory(err, "a part of a matching");
    }
    x->stack[x->depth++] = *r;
    return PM_OK;
}

/* For regions whose counts multiply to x->total. */
static pm_status open_family(drawing *x, int32_t regions, pm_error *err)
{
    if (PM_GROW(x->families, x->cap_families, x->nfamilies + 1))
        return pm_fail_memory(err, "a part of a matching");
    family *f = &x->families[x->nfamilies++];
    mpz_init_set(f->rest, x->total);
    f->unknown = regions;
    return PM_OK;
}

static void pop_family(drawing *x)
{
    mpz_clear(x->families[--x->nfamilies].rest);
}

/* The last region has the weighted count x->count. */
static pm_status tell_family(drawing *x, pm_error *err)
{
    family *f = &x->families[x->nfamilies - 1];
    if (!mpz_divisible_p(f->rest, x->count) || (f->unknown == 1 && mpz_cmp(f->rest, x->count)))
        return pm_fail(err, PM_EINTERNAL, "the counts of a graph do not multiply");
    mpz_divexact(f->rest, f->rest, x->count);
    if (--f->unknown == 0)
        pop_family(x);
    return PM_OK;
}

/* So that it is drawn last: then its count is known before. */
static void put_largest_first(pm_region *part, int32_t parts)
{
    int32_t largest = 0;
    for (int32_t c = 1; c < parts; ++c)
        if (part[c].n > part[largest].n)
            largest = c;
    const pm_region swap = part[0];
    part[0] = part[largest];
    part[largest] = swap;
}

static void join(int32_t *up, int64_t a, int64_t b)
{
    up[pm_union_root(up, (int32_t)a)] = pm_union_root(up, (int32_t)b);
}

/* Numbers the components of the undrawn vertices of r; returns how many.  x->up: of the root of each component;
 * x->local: the number of the component of each vertex. */
static int32_t number_parts(drawing *x, const pm_region *r, int32_t *size)
{
    const pm_matrix *a = x->g.a;
    const int64_t n = a->nrows;
    int32_t parts = 0;
    for (int32_t i = 0; i < r->n; ++i) {
        x->up[r->row[i]] = r->row[i];
        x->up[n + r->col[i]] = (int32_t)n + r->col[i];
        x->local[r->row[i]] = x->local[n + r->col[i]] = -1;
    }
    for (int32_t i = 0; i < r->n && x->g.is_general; ++i)
        if (!is_drawn(x, r->row[i]))
            join(x->up, r->row[i], n + r->row[i]);
    for (int32_t i = 0; i < r->n; ++i)
        for (int64_t k = a->rowptr[r->row[i]]; k < a->rowptr[r->row[i] + 1]; ++k)
            if (!is_drawn(x, r->row[i]) && !is_drawn(x, n + a->colind[k])
                && x->up[n + a->colind[k]] >= 0)
                join(x->up, r->row[i], n + a->colind[k]);
    for (int32_t i = 0; i < r->n; ++i) {
        if (is_drawn(x, r->row[i]))
            continue;
        const int32_t root = pm_union_root(x->up, r->row[i]);
        if (x->local[root] < 0) {
            x->local[root] = parts;
            size[parts++] = 0;
        }
        ++size[x->local[root]];
    }
    return parts;
}

/* Sets the classes of all parts of r, and what is outside of the one that may not be planar. */
static pm_status settle_parts(drawing *x, const pm_region *r, pm_region *part, int32_t parts,
                              pm_error *err)
{
    uint8_t outside = r->outside ^ x->parity;
    int32_t whole = -1;
    pm_status status = PM_OK;
    for (int32_t c = 0; c < parts && !status; ++c) {
        uint8_t parity = 0;
        part[c].classes = r->classes;
        if (r->classes > 1)
            status = pm_region_settle(&x->g, &part[c], x->local, x->run, &parity, err);
        if (part[c].classes == 1) {
            outside ^= parity;
            continue;
        }
        if (!status && whole >= 0)
            status = pm_fail(err, PM_EINTERNAL, "two parts of a torus are not planar");
        whole = c;
    }
    if (whole >= 0)
        part[whole].outside = outside;
    return status;
}

/* Pushes the components of the undrawn vertices of r. */
static pm_status push_parts(drawing *x, const pm_region *r, pm_error *err)
{
    const int64_t n = x->g.a->nrows;
    pm_status status = PM_OK;
    int32_t *size = pm_alloc_array(r->n + 1, sizeof *size);
    if (!size)
        return pm_fail_memory(err, "a part of a matching");
    const int32_t parts = number_parts(x, r, size);
    pm_region *part = pm_calloc_array(parts + 1, sizeof *part);
    bool done = part;
    for (int32_t c = 0; c < parts && done; ++c) {
        part[c].row = pm_alloc_array(size[c], sizeof *part[c].row);
        part[c].col = pm_alloc_array(size[c], sizeof *part[c].col);
        done = part[c].row && part[c].col;
        size[c] = 0;
    }
    for (int32_t i = 0; i < r->n && done; ++i)
        if (!is_drawn(x, r->row[i])) {
            pm_region *c = &part[x->local[pm_union_root(x->up, r->row[i])]];
            c->row[c->n++] = r->row[i];
        }
    for (int32_t j = 0; j < r->n && done; ++j)
        if (!is_drawn(x, n + r->col[j])) {
            const int32_t c = x->local[pm_union_root(x->up, (int32_t)n + r->col[j])];
            part[c].col[size[c]++] = r->col[j];
        }
    for (int32_t i = 0; i < r->n; ++i) {
        x->up[r->row[i]] = x->up[n + r->col[i]] = -1;
        x->local[r->row[i]] = x->local[n + r->col[i]] = -1;
    }
    if (!done)
        status = pm_fail_memory(err, "a part of a matching");
    if (!status)
        status = settle_parts(x, r, part, parts, err);
    if (!status && parts)
        status = open_family(x, parts, err);
    if (part)
        put_largest_first(part, parts);
    for (int32_t c = 0; c < parts && part; ++c)
        if (status)
            pm_region_free(&part[c]);
        else
            status = push(x, &part[c], err);
    free(part);
    free(size);
    return status;
}

/* Sets r->bits, and x->local for its vertices. */
static void bound_count(drawing *x, pm_region *r)
{
    const family *f = &x->families[x->nfamilies - 1];
    const double known = (double)mpz_sizeinbase(f->rest, 2);
    for (int32_t i = 0; i < r->n; ++i)
        x->local[r->row[i]] = x->local[x->g.a->nrows + r->col[i]] = i;
    r->bits = f->unknown == 1 ? known : fmin(known, count_bits(x->m, r, x->local));
}

/* A region with one edge. */
static pm_status draw_single(drawing *x, const pm_region *r, pm_error *err)
{
    const pm_matrix *a = x->g.a;
    const int32_t col = r->col[r->n - 1];
    for (int64_t k = a->rowptr[r->row[0]]; k < a->rowptr[r->row[0] + 1]; ++k)
        if (a->colind[k] == col)
            set_weight(&x->g.z, k, x->count);
    set_matched(x, r->row[0], col);
    return tell_family(x, err);
}

/* Draws a part of region r, and pushes what is left of it. */
static pm_status draw_region(drawing *x, pm_region *r, pm_error *err)
{
    pm_region_plan p = {0};
    pm_elimination e = {0};
    if (r->n == (x->g.is_general ? 2 : 1))
        return draw_single(x, r, err);
    bound_count(x, r);
    pm_status status = pm_region_plan_make(&x->g, r, x->mark, x->local,
                                           (double)pm_run_memory(x->run) / 2, x->run, &p, err);
    if (!status)
        status = pm_elimination_make_rooted(&p.pairs, p.order, p.kept, &e, err);
    if (!status)
        status = draw_plan(x, r, &p, &e, err);
    if (!status)
        status = tell_family(x, err);
    pm_elimination_free(&e);
    pm_region_plan_free(&p);
    return status ? status : push_parts(x, r, err);
}

/* Room for a drawing, and the whole graph as the only region. */
static pm_status start(drawing *x, const mpz_t total, pm_error *err)
{
    const int32_t n = (int32_t)x->m->g.a->nrows;
    pm_region all = {.n = n, .classes = x->m->g.classes, .outside = x->m->outside};
    x->g = x->m->g;
    mpz_inits(x->count, x->total, x->cofactor, x->weight, x->point, NULL);
    mpz_set(x->total, total);
    if (x->g.classes > 1)
        x->sign = x->g.sign = pm_alloc_array(pm_matrix_nnz(x->g.a), 1);
    x->mark = pm_calloc_array(2 * (int64_t)n, 1);
    x->local = pm_alloc_array(2 * (int64_t)n, sizeof *x->local);
    x->up = pm_alloc_array(2 * (int64_t)n, sizeof *x->up);
    all.row = pm_alloc_array(n, sizeof *all.row);
    all.col = pm_alloc_array(n, sizeof *all.col);
    if (!x->g.sign || !x->mark || !x->local || !x->up || !all.row || !all.col) {
        pm_region_free(&all);
        return pm_fail_memory(err, "a matching");
    }
    if (x->sign)
        memcpy(x->sign, x->m->g.sign, (size_t)pm_matrix_nnz(x->g.a));
    for (int32_t v = 0; v < 2 * n; ++v)
        x->local[v] = x->up[v] = -1;
    for (int32_t i = 0; i < n; ++i)
        all.row[i] = all.col[i] = i;
    pm_status status = open_family(x, 1, err);
    if (status) {
        pm_region_free(&all);
        return status;
    }
    return push(x, &all, err);
}

static void finish(drawing *x)
{
    while (x->depth > 0)
        pm_region_free(&x->stack[--x->depth]);
    while (x->nfamilies > 0)
        pop_family(x);
    mpz_clears(x->count, x->total, x->cofactor, x->weight, x->point, NULL);
    free(x->sign);
    free(x->mark);
    free(x->local);
    free(x->up);
    free(x->stack);
    free(x->families);
}

pm_status pm_planar_matching_draw(const pm_planar_matching *m, uint64_t sample, const pm_run *run,
                                  int32_t *col_of, pm_error *err)
{
    drawing x = {.m = m,
                 .run = run,
                 .sequence = pm_sample_sequence_of(m->seed, m->block, sample),
                 .col_of = col_of};
    pm_status status = start(&x, m->total, err);
    while (!status && x.depth > 0) {
        pm_region r = x.stack[--x.depth];
        status = draw_region(&x, &r, err);
        pm_region_free(&r);
    }
    finish(&x);
    return status;
}

/* ---- making ---- */

/* The determinant of each class. */
static pm_status find_determinants(const pm_planar_matching *m, const pm_region *r,
                                   const pm_region_plan *p, const pm_run *run, mpz_t *out,
                                   pm_error *err)
{
    pm_elimination e = {0};
    pm_determinant_primes primes = {0};
    uint64_t *residue = NULL;
    pm_status status = pm_elimination_make(&p->pairs, p->order, &e, err);
    if (!status)
        status = pm_determinant_primes_choose(r->bits + 2, false, false, &primes, err);
    if (!status) {
        residue = pm_calloc_array(r->classes * primes.count, sizeof *residue);
        if (!residue)
            status = pm_fail_memory(err, "residues");
    }
    const pm_determinants d = {.elimination = &e,
                               .terms = 1,
                               .integers = &m->g.z,
                               .classes = r->classes,
                               .prime = primes.prime,
                               .unit = primes.unit,
                               .count = primes.count,
                               .memory = pm_run_memory(run) / 2};
    if (!status)
        status = pm_determinants_add(&d, run, residue, err);
    for (int c = 0; c < r->classes && !status; ++c) {
        status = pm_determinant_primes_crt(&primes, residue + c * primes.count, 0, out[c], err);
        if (p->signs.negated >> c & 1)
            mpz_neg(out[c], out[c]);
    }
    free(residue);
    pm_determinant_primes_free(&primes);
    pm_elimination_free(&e);
    return status;
}

/* Half the sum of four determinants less the smallest one (planar/kasteleyn.h): with positive weights this is the one
 * that is smallest with weights 1, or as large as that and of the same use. */
static int combine(const mpz_t *class, mpz_t out)
{
    int least = 0;
    mpz_set_ui(out, 0);
    for (int c = 0; c < PM_ROOT_CLASSES_MAX; ++c) {
        mpz_add(out, out, class[c]);
        least = mpz_cmp(class[c], class[least]) < 0 ? c : least;
    }
    mpz_fdiv_q_2exp(out, out, 1);
    mpz_sub(out, out, class[least]);
    return least;
}

static pm_status count_region(pm_planar_matching *m, const pm_region *r, const pm_region_plan *p,
                              const pm_run *run, pm_error *err)
{
    mpz_t class[PM_ROOT_CLASSES_MAX];
    for (int c = 0; c < PM_ROOT_CLASSES_MAX; ++c)
        mpz_init(class[c]);
    pm_status status = find_determinants(m, r, p, run, class, err);
    if (r->classes == 1) {
        mpz_set(m->total, class[0]);
    } else {
        m->outside = (uint8_t)(1 << combine(class, m->total)) ^ p->parity;
    }
    for (int c = 0; c < PM_ROOT_CLASSES_MAX; ++c)
        mpz_clear(class[c]);
    return status;
}

static pm_status find_total(pm_planar_matching *m, const pm_run *run, pm_error *err)
{
    drawing x = {.m = m, .run = run};
    pm_region_plan p = {0};
    mpz_t bound;
    mpz_init(bound);
    pm_status status = start(&x, bound, err);
    if (!status) {
        pm_region *r = &x.stack[0];
        status = pm_region_draw(&m->g, r, x.local, err);
        m->g.classes = r->classes;
        if (!status)
            status = pm_region_plan_begin(&m->g, r, x.local, run, &p, err);
        if (!status)
            r->bits = count_bits(m, r, x.local);
        if (!status)
            status = count_region(m, r, &p, run, err);
    }
    pm_region_plan_free(&p);
    finish(&x);
    mpz_clear(bound);
    return status;
}

pm_status pm_planar_matching_make(const pm_matrix *a, bool is_general, uint64_t seed,
                                  uint32_t block, const pm_run *run, pm_planar_matching **out,
                                  pm_error *err)
{
    pm_status status = check_dissection(err);
    if (status)
        return status;
    if (a->nrows > INT32_MAX / 32)
        return pm_fail(err, PM_UNABLE, "too large for a planar graph");
    pm_planar_matching *m = pm_calloc_array(1, sizeof *m);
    if (!m)
        return pm_fail_memory(err, "matchings");
    *m = (pm_planar_matching){
        .g = {.a = a, .is_general = is_general, .classes = 1}, .seed = seed, .block = block};
    mpz_init(m->total);
    m->g.sign = pm_alloc_array(pm_matrix_nnz(a), 1);
    status = m->g.sign ? fill_columns(&m->g, err) : pm_fail_memory(err, "matchings");
    if (!status)
        status = make_integers(a, is_general, &m->g.z, err);
    if (!status)
        status = measure_weights(m, err);
    if (!status)
        status = find_total(m, run, err);
    if (status)
        pm_planar_matching_free(m);
    else
        *out = m;
    return status;
}
