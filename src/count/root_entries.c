/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "count/root_entries.h"

#include <stdlib.h>
#include <string.h>

#include "integers/root_primes.h"
#include "number/dyadic_roots.h"
#include "number/prime.h"
#include "pm/alloc.h"

/* ---- the terms ---- */

static int32_t order_of(const pm_matrix *a, int64_t k)
{
    const pm_dyadic *part[2] = {&a->re[k], &a->im[k]};
    int32_t order = pm_dyadic_is_zero(part[1]) ? 1 : 4;
    for (int i = 0; i < 2; ++i)
        if (part[i]->kind == PM_DYADIC_ROOTS)
            order *= part[i]->m.roots->order / (int32_t)pm_root_gcd(part[i]->m.roots->order, order);
    return order;
}

static pm_status find_order(const pm_matrix *a, pm_root_entries *e, pm_error *err)
{
    int64_t order = 1;
    for (int64_t k = 0; k < e->nnz; ++k) {
        const int32_t own = order_of(a, k);
        order *= own / pm_root_gcd(own, order);
        if (order > PM_ROOT_ORDER_MAX)
            return pm_fail(
                err, PM_UNABLE,
                "refused: all roots of unity of the entries are powers of one root(n), and n "
                "is more than %d",
                PM_ROOT_ORDER_MAX);
    }
    e->order = (int32_t)order;
    e->degree = pm_root_phi(e->order);
    return PM_OK;
}

/* Row k + 1 is row k times x modulo the polynomial. */
static pm_status make_table(pm_root_entries *e, pm_error *err)
{
    const int32_t degree = e->degree;
    int64_t *poly = pm_calloc_array(degree + 1, sizeof *poly);
    e->table = pm_calloc_array((int64_t)e->order * degree, sizeof *e->table);
    if (!poly || !e->table) {
        free(poly);
        return pm_fail_memory(err, "roots of unity");
    }
    pm_root_polynomial(e->order, poly);
    e->table[0] = e->height = 1;
    for (int32_t k = 1; k < e->order; ++k) {
        const int64_t *last = e->table + (int64_t)(k - 1) * degree;
        int64_t *row = e->table + (int64_t)k * degree;
        for (int32_t j = 0; j < degree; ++j) {
            row[j] = (j ? last[j - 1] : 0) - last[degree - 1] * poly[j];
            if (llabs(row[j]) > e->height)
                e->height = llabs(row[j]);
        }
    }
    free(poly);
    return PM_OK;
}

/* c[0 .. degree - 1] += times root(order)^power */
static void add_power(const pm_root_entries *e, const pm_dyadic *times, int64_t power, pm_dyadic *c)
{
    const int64_t *row = e->table + power % e->order * e->degree;
    pm_dyadic x = {0};
    for (int32_t j = 0; j < e->degree; ++j) {
        if (!row[j])
            continue;
        pm_dyadic_set_si(&x, row[j]);
        pm_dyadic_mul(&x, &x, times);
        pm_dyadic_add(&c[j], &c[j], &x);
    }
    pm_dyadic_clear(&x);
}

/* c += x root(order)^power */
static void add_part(const pm_root_entries *e, const pm_dyadic *x, int64_t power, pm_dyadic *c)
{
    if (x->kind != PM_DYADIC_ROOTS) {
        add_power(e, x, power, c);
        return;
    }
    const pm_root_sum *r = x->m.roots;
    pm_dyadic times = {0};
    for (int32_t t = 0; t < r->count; ++t) {
        pm_dyadic_set_mpq_2exp(&times, r->c[t], 0);
        add_power(e, &times, power + (int64_t)r->power[t] * (e->order / r->order), c);
    }
    pm_dyadic_clear(&times);
}

/* Appends the terms of an entry, whose coefficients become 0. */
static pm_status append(pm_root_entries *e, int64_t *cap, int64_t *cap_power, int64_t *count,
                        pm_dyadic *c, pm_error *err)
{
    for (int32_t j = 0; j < e->degree; ++j) {
        if (pm_dyadic_is_zero(&c[j]))
            continue;
        if (PM_GROW(e->c, *cap, *count + 1) || PM_GROW(e->power, *cap_power, *count + 1))
            return pm_fail_memory(err, "roots of unity");
        e->power[*count] = j;
        e->c[(*count)++] = c[j];
        c[j] = (pm_dyadic){0};
    }
    return PM_OK;
}

pm_status pm_root_entries_make(const pm_matrix *a, pm_root_entries *e, pm_error *err)
{
    *e = (pm_root_entries){.nnz = pm_matrix_nnz(a)};
    pm_status status = find_order(a, e, err);
    if (!status)
        status = make_table(e, err);
    if (status)
        return status;
    int64_t cap = 0, cap_power = 0, count = 0;
    pm_dyadic *c = pm_calloc_array(e->degree, sizeof *c);
    e->first = pm_calloc_array(e->nnz + 1, sizeof *e->first);
    if (!c || !e->first)
        status = pm_fail_memory(err, "roots of unity");
    for (int64_t k = 0; k < e->nnz && !status; ++k) {
        add_part(e, &a->re[k], 0, c);
        if (!pm_dyadic_is_zero(&a->im[k]))
            add_part(e, &a->im[k], e->order / 4, c);
        status = append(e, &cap, &cap_power, &count, c, err);
        e->first[k + 1] = count;
    }
    for (int32_t j = 0; c && j < e->degree; ++j)
        pm_dyadic_clear(&c[j]);
    free(c);
    return status;
}

void pm_root_entries_free(pm_root_entries *e)
{
    for (int64_t t = 0; e->first && t < e->first[e->nnz]; ++t)
        pm_dyadic_clear(&e->c[t]);
    free(e->first);
    free(e->power);
    free(e->c);
    free(e->table);
    *e = (pm_root_entries){.nnz = 0};
}

/* ---- norms ---- */

/* Whether entry k is x times row `power` of the table; sets x. */
static bool is_multiple(const pm_root_entries *e, int64_t k, int64_t power, pm_dyadic *x)
{
    const int64_t *row = e->table + power * e->degree;
    int64_t t = e->first[k];
    pm_dyadic y = {0};
    bool is = true;
    for (int32_t j = 0; j < e->degree && is; ++j) {
        const bool has_term = t < e->first[k + 1] && e->power[t] == j;
        is = has_term == (row[j] != 0);
        if (!is || !has_term)
            continue;
        if (t == e->first[k]
            && llabs(row[j])
                   != 1) { /* some coefficient of a power is 1 or -1; another root is tried */
            is = false;
            break;
        }
        if (t == e->first[k]) {
            pm_dyadic_set_si(&y, row[j]);
            pm_dyadic_mul(x, &e->c[t], &y);
        }
        pm_dyadic_set_si(&y, row[j]);
        pm_dyadic_mul(&y, &y, x);
        is = pm_dyadic_equal(&y, &e->c[t++]);
    }
    pm_dyadic_clear(&y);
    return is && t == e->first[k + 1];
}

static void set_norm(const pm_root_entries *e, int64_t k, pm_dyadic *norm)
{
    pm_dyadic size = {0};
    bool is_found = false;
    for (int64_t power = 0; power < e->order && !is_found; ++power)
        is_found = is_multiple(e, k, power, norm);
    if (is_found) {
        pm_dyadic_abs(norm);
        return;
    }
    pm_dyadic_set_si(norm, 0);
    for (int64_t t = e->first[k]; t < e->first[k + 1]; ++t) {
        pm_dyadic_set(&size, &e->c[t]);
        pm_dyadic_abs(&size);
        pm_dyadic_add(norm, norm, &size);
    }
    pm_dyadic_clear(&size);
}

pm_status pm_root_entries_norms(const pm_root_entries *e, const pm_matrix *a, pm_matrix *out,
                                pm_error *err)
{
    pm_status status = pm_matrix_alloc(out, PM_INTEGER, a->nrows, a->ncols, e->nnz, err);
    if (status)
        return status;
    memcpy(out->rowptr, a->rowptr, ((size_t)a->nrows + 1) * sizeof *a->rowptr);
    for (int64_t k = 0; k < e->nnz; ++k) {
        out->colind[k] = a->colind[k];
        set_norm(e, k, &out->re[k]);
    }
    return PM_OK;
}

/* ---- residues ---- */

/* z[k] = root^k modulo p, k < order; freed by the caller. */
static uint64_t *powers_of(int32_t order, uint64_t root, uint64_t p)
{
    uint64_t *z = pm_alloc_array(order, sizeof *z);
    for (int32_t k = 0; z && k < order; ++k)
        z[k] = k ? pm_mod_mul(z[k - 1], root, p) : 1;
    return z;
}

static uint64_t residue_of(const pm_root_entries *e, int64_t k, const uint64_t *z, uint64_t p)
{
    uint64_t sum = 0;
    for (int64_t t = e->first[k]; t < e->first[k + 1]; ++t)
        sum = (sum + pm_mod_mul(pm_dyadic_mod(&e->c[t], p), z[e->power[t]], p)) % p;
    return sum;
}

pm_status pm_root_entries_residues(const pm_root_entries *e, const pm_matrix *a, uint64_t p,
                                   uint64_t root, pm_matrix *out, pm_error *err)
{
    int64_t nnz = 0;
    uint64_t *z = powers_of(e->order, root, p);
    if (!z)
        return pm_fail_memory(err, "roots of unity");
    pm_status status = pm_matrix_alloc(out, PM_INTEGER, a->nrows, a->ncols, e->nnz, err);
    for (int64_t i = 0; i < a->nrows && !status; ++i) {
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const uint64_t r = residue_of(e, k, z, p);
            if (!r)
                continue;
            out->colind[nnz] = a->colind[k];
            pm_dyadic_set_si(&out->re[nnz++], (int64_t)r);
        }
        out->rowptr[i + 1] = nnz;
    }
    free(z);
    return status;
}

/* ---- symmetry ---- */

/* The entries of the rows, or of the columns, of a matrix: line i has entry[first[i]] .., in the lines other[...] of the
 * other side, ascending. */
typedef struct {
    int64_t n, *first, *entry;
    int32_t *other;
    const int32_t *cap;
} lines;

typedef struct {
    uint64_t hash;
    int64_t line;
} hashed;

static void lines_free(lines *l)
{
    free(l->first);
    free(l->entry);
    free(l->other);
}

static bool lines_make(const pm_block *b, const pm_matrix *a, bool columns, lines *l)
{
    const int64_t nnz = pm_matrix_nnz(a);
    *l = (lines){.n = columns ? a->ncols : a->nrows, .cap = columns ? b->col_cap : b->row_cap};
    l->first = pm_calloc_array(l->n + 2, sizeof *l->first);
    l->entry = pm_alloc_array(nnz, sizeof *l->entry);
    l->other = pm_alloc_array(nnz, sizeof *l->other);
    if (!l->first || !l->entry || !l->other)
        return false;
    for (int64_t i = 0; i < a->nrows; ++i) /* first[line + 2] counts the entries of a line */
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            ++l->first[(columns ? a->colind[k] : i) + 2];
    for (int64_t i = 1; i <= l->n; ++i)
        l->first[i + 1] += l->first[i];
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            const int64_t at = l->first[(columns ? a->colind[k] : i) + 1]++;
            l->entry[at] = k;
            l->other[at] = columns ? (int32_t)i : a->colind[k];
        }
    return true;
}

static uint64_t mixed(uint64_t h, uint64_t x)
{
    h = (h ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

static int compare(const void *a, const void *b)
{
    const hashed *x = a, *y = b;
    return (x->hash > y->hash) - (x->hash < y->hash);
}

/* One number for each line; equal lines have equal ones. */
static void hash_lines(const pm_root_entries *e, const lines *l, const uint64_t *z, uint64_t p,
                       hashed *out)
{
    for (int64_t i = 0; i < l->n; ++i) {
        uint64_t h = (uint64_t)l->cap[i];
        for (int64_t t = l->first[i]; t < l->first[i + 1]; ++t)
            h = mixed(mixed(h, (uint64_t)l->other[t]), residue_of(e, l->entry[t], z, p));
        out[i] = (hashed){h, i};
    }
    qsort(out, (size_t)l->n, sizeof *out, compare);
}

/* Entry k with root^u in place of the root is entry m.  c: room, zeros. */
static bool is_image(const pm_root_entries *e, int64_t k, int64_t m, int32_t u, pm_dyadic *c)
{
    bool is = true;
    int64_t at = e->first[m];
    for (int64_t t = e->first[k]; t < e->first[k + 1]; ++t)
        add_power(e, &e->c[t], (int64_t)e->power[t] * u, c);
    for (int32_t j = 0; j < e->degree; ++j) {
        const bool has_term = at < e->first[m + 1] && e->power[at] == j;
        is = is && (has_term ? pm_dyadic_equal(&c[j], &e->c[at]) : pm_dyadic_is_zero(&c[j]));
        at += has_term;
        pm_dyadic_clear(&c[j]);
    }
    return is;
}

/* Line i with root^u is line j. */
static bool are_images(const pm_root_entries *e, const lines *l, int64_t i, int64_t j, int32_t u,
                       pm_dyadic *c)
{
    const int64_t count = l->first[i + 1] - l->first[i];
    bool is = l->cap[i] == l->cap[j] && count == l->first[j + 1] - l->first[j];
    for (int64_t t = 0; t < count && is; ++t)
        is = l->other[l->first[i] + t] == l->other[l->first[j] + t]
             && is_image(e, l->entry[l->first[i] + t], l->entry[l->first[j] + t], u, c);
    return is;
}

/* Pairs lines by their hashes, and compares the pairs. */
static pm_status compare_lines(const pm_root_entries *e, const lines *l, uint64_t p, int32_t u,
                               bool *is_same, pm_error *err)
{
    const uint64_t root = pm_root_modulo(p, e->order);
    uint64_t *z = powers_of(e->order, root, p),
             *zu = powers_of(e->order, pm_mod_pow(root, (uint64_t)u, p), p);
    hashed *from = pm_alloc_array(l->n, sizeof *from), *to = pm_alloc_array(l->n, sizeof *to);
    pm_dyadic *c = pm_calloc_array(e->degree, sizeof *c);
    const bool has_memory = z && zu && from && to && c;
    if (has_memory) {
        hash_lines(e, l, zu, p, from);
        hash_lines(e, l, z, p, to);
        *is_same = true;
        for (int64_t i = 0; i < l->n && *is_same; ++i)
            *is_same = from[i].hash == to[i].hash;
        for (int64_t i = 0; i < l->n && *is_same; ++i)
            *is_same = are_images(e, l, from[i].line, to[i].line, u, c);
    }
    free(z);
    free(zu);
    free(from);
    free(to);
    free(c);
    return has_memory ? PM_OK : pm_fail_memory(err, "roots of unity");
}

pm_status pm_root_entries_symmetry(const pm_root_entries *e, const pm_block *b, const pm_matrix *a,
                                   int32_t u, bool *is_same, pm_error *err)
{
    const uint64_t p = pm_root_prime_below(PM_MODULUS_MAX, e->order);
    pm_status status = PM_OK;
    *is_same = false;
    for (int columns = 0; columns < 2 && !b->general && !*is_same && !status; ++columns) {
        lines l;
        status = lines_make(b, a, columns, &l) ? compare_lines(e, &l, p, u, is_same, err)
                                               : pm_fail_memory(err, "roots of unity");
        lines_free(&l);
    }
    return status;
}
