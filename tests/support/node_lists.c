/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/node_lists.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pm/alloc.h"
#include "support/testing.h"

char node_path[] = "node_lists_XXXXXX";

/* For free(). */
static void *must_alloc(size_t bytes)
{
    void *p = pm_alloc_array((int64_t)bytes, 1);
    assert_non_null(p);
    return p;
}

/* ---- files ---- */

FILE *open_file(void)
{
    FILE *f = fopen(node_path, "w");
    assert_non_null(f);
    return f;
}

void put_text(const char *text)
{
    FILE *f = open_file();
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

char *get_text(void)
{
    FILE *f = fopen(node_path, "r");
    assert_non_null(f);
    assert_int_equal(fseek(f, 0, SEEK_END), 0);
    long size = ftell(f);
    rewind(f);
    char *text = must_alloc((size_t)size + 1);
    assert_int_equal(fread(text, 1, (size_t)size, f), size);
    text[size] = '\0';
    fclose(f);
    return text;
}

void assert_head_lines_fit(void)
{
    char *text = get_text();
    bool in_head = false;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        in_head = *line == '%' && (in_head || strncmp(line, "%%", 2) == 0);
        assert_true(!in_head || strlen(line) <= 1000);
    }
    free(text);
}

int node_file_begin(void **state)
{
    (void)state;
    int fd = mkstemp(node_path);
    return fd < 0 ? -1 : close(fd);
}

int node_file_end(void **state)
{
    (void)state;
    return unlink(node_path);
}

/* ---- lists of nodes ---- */

pm_node *list_add(node_list *l)
{
    assert_int_equal(PM_GROW(l->e, l->cap, l->count + 1), 0);
    pm_node_init(&l->e[l->count]);
    return &l->e[l->count++];
}

void list_free(node_list *l)
{
    for (int64_t k = 0; k < l->count; ++k)
        pm_node_clear(&l->e[k]);
    free(l->e);
    *l = (node_list){0};
}

pm_status list_read(node_list *l, pm_error *err)
{
    const pm_read_options opt = {0};
    return list_read_as(l, &opt, err);
}

pm_status list_read_as(node_list *l, const pm_read_options *opt, pm_error *err)
{
    pm_reader *r = NULL;
    pm_status st = pm_reader_open(node_path, opt, &r, err);
    while (!st) {
        pm_node *e = list_add(l);
        st = pm_reader_next(r, e, err);
        if (!st && e->kind == PM_NODE_END)
            break;
    }
    if (l->count)
        pm_node_clear(&l->e[--l->count]);
    pm_reader_close(&r);
    return st;
}

pm_status list_write(const node_list *l, FILE *f, pm_error *err)
{
    pm_writer *w;
    pm_status st = pm_writer_open(f, "unit_stream, \\ and\nmore", &w, err);
    if (st)
        return st;
    for (int64_t k = 0; k < l->count && !st; ++k)
        st = pm_writer_put(w, &l->e[k], err);
    if (st)
        pm_writer_drop(&w);
    else
        st = pm_writer_close(&w, err);
    return st;
}

static void assert_same_labels(const pm_labels *a, const pm_labels *b)
{
    char number[2][24];
    assert_int_equal(a->count, b->count);
    for (int64_t i = 0; i < a->count; ++i)
        assert_string_equal(pm_label(a, i, number[0]), pm_label(b, i, number[1]));
}

static void assert_same_node(const pm_node *a, const pm_node *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->factor_field, b->factor_field);
    assert_true(mpq_equal(a->factor.re, b->factor.re));
    assert_true(mpq_equal(a->factor.im, b->factor.im));
    assert_int_equal(mpz_cmp(a->times, b->times), 0);
    assert_true(!a->name == !b->name);
    if (a->name)
        assert_string_equal(a->name, b->name);
    assert_int_equal(a->matchings, b->matchings);
    assert_int_equal(a->order_len, b->order_len);
    if (a->order_len)
        assert_memory_equal(a->order, b->order, (size_t)a->order_len * sizeof *a->order);
    if (a->kind == PM_NODE_MATRIX)
        assert_true(pm_matrix_equal(&a->matrix, &b->matrix));
    assert_same_labels(&a->matrix.row_labels, &b->matrix.row_labels);
    assert_same_labels(&a->matrix.col_labels, &b->matrix.col_labels);
}

void assert_same_list(const node_list *a, const node_list *b)
{
    assert_int_equal(a->count, b->count);
    for (int64_t k = 0; k < a->count; ++k)
        assert_same_node(&a->e[k], &b->e[k]);
}

/* ---- random nodes ---- */

uint32_t below(uint64_t *rng, uint32_t n)
{
    return pm_rng_below(rng, n);
}

static void random_mpz(uint64_t *rng, mpz_t z, uint32_t words)
{
    mpz_set_ui(z, 0);
    for (uint32_t k = 0; k < words; ++k) {
        mpz_mul_2exp(z, z, 64);
        mpz_add_ui(z, z, pm_rng_next(rng) >> below(rng, 64));
    }
}

static void random_value(uint64_t *rng, pm_dyadic *v, pm_field field)
{
    mpz_t z;
    mpz_init(z);
    do {
        random_mpz(rng, z, below(rng, 4) ? 1 : 4);
        if (below(rng, 2))
            mpz_neg(z, z);
        if (field == PM_INTEGER || below(rng, 4) == 0)
            pm_dyadic_set_mpz(v, z);
        else if (below(rng, 2))
            pm_dyadic_set_d(v, (double)(int64_t)pm_rng_next(rng) * pm_rng_unit(rng));
        else
            pm_dyadic_set_mpz_2exp(v, z, (int64_t)below(rng, 3000) - 1500);
    } while (pm_dyadic_is_zero(v));
    mpz_clear(z);
}

static char *random_text(uint64_t *rng)
{
    static const char bytes[] = "ab 1\\#%\t\n\r\x7f\x01/\xc3\xa9";
    uint32_t length = below(rng, 20) ? below(rng, 8) : 900 + below(rng, 3000);
    char *text = must_alloc(length + 1);
    for (uint32_t k = 0; k < length; ++k)
        text[k] = bytes[below(rng, sizeof bytes - 1)];
    text[length] = '\0';
    return text;
}

void random_labels(uint64_t *rng, pm_labels *l, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        char *text = random_text(rng);
        assert_int_equal(pm_labels_append(l, text, (int64_t)strlen(text), NULL), PM_OK);
        free(text);
    }
}

void random_node_matrix(uint64_t *rng, pm_matrix *a, pm_field field)
{
    int64_t nrows = below(rng, 6), ncols = below(rng, 6), nnz = 0;
    bool has[6][6] = {{false}};
    for (int64_t i = 0; i < nrows; ++i)
        for (int64_t j = 0; j < ncols; ++j)
            nnz += has[i][j] = below(rng, 2);
    assert_int_equal(pm_matrix_alloc(a, field, nrows, ncols, nnz, NULL), PM_OK);
    nnz = 0;
    for (int64_t i = 0; i < nrows; ++i) {
        for (int64_t j = 0; j < ncols; ++j)
            if (has[i][j]) {
                if (a->re)
                    random_value(rng, &a->re[nnz], field);
                if (a->im && below(rng, 2))
                    random_value(rng, &a->im[nnz], field);
                a->colind[nnz++] = (int32_t)j;
            }
        a->rowptr[i + 1] = nnz;
    }
}

void random_node_order(uint64_t *rng, pm_node *e)
{
    int32_t n = (int32_t)(e->matrix.nrows + e->matrix.ncols);
    e->order = pm_alloc_array(n, sizeof *e->order);
    e->order_len = n;
    for (int32_t k = 0; k < n; ++k) {
        uint32_t at = below(rng, (uint32_t)k + 1);
        e->order[k] = e->order[at];
        e->order[at] = k;
    }
}

static void random_fraction(uint64_t *rng, mpq_t q, bool is_dyadic)
{
    random_mpz(rng, mpq_numref(q), below(rng, 3));
    random_mpz(rng, mpq_denref(q), 1 + below(rng, 2));
    if (is_dyadic || mpq_sgn(q) == 0 || mpz_sgn(mpq_denref(q)) == 0) {
        mpz_set_ui(mpq_denref(q), 1);
        mpz_mul_2exp(mpq_denref(q), mpq_denref(q), below(rng, 200));
    }
    if (below(rng, 2))
        mpz_neg(mpq_numref(q), mpq_numref(q));
    mpq_canonicalize(q);
}

static void random_prefix(uint64_t *rng, pm_node *e)
{
    if (below(rng, 2)) {
        e->factor_field = (pm_field)(PM_INTEGER + below(rng, 3));
        random_fraction(rng, e->factor.re, e->factor_field == PM_REAL && below(rng, 2));
        if (e->factor_field == PM_COMPLEX)
            random_fraction(rng, e->factor.im, below(rng, 2));
    }
    if (below(rng, 4) == 0)
        random_mpz(rng, e->times, below(rng, 3));
    if (below(rng, 4) == 0) {
        char *text = random_text(rng);
        e->name = pm_alloc_array((int64_t)strlen(text) + 1, 1);
        strcpy(e->name, text);
        free(text);
    }
}

static void random_node(uint64_t *rng, node_list *l, int depth)
{
    pm_node *e = list_add(l);
    random_prefix(rng, e);
    switch (below(rng, depth > 0 ? 4 : 2)) {
    case 0: e->kind = PM_NODE_NUMBER; break;
    case 1:
        e->kind = PM_NODE_MATRIX;
        random_node_matrix(rng, &e->matrix, (pm_field)below(rng, 4));
        if (below(rng, 2))
            random_labels(rng, &e->matrix.row_labels, e->matrix.nrows);
        if (below(rng, 2))
            random_labels(rng, &e->matrix.col_labels, e->matrix.ncols);
        if (below(rng, 2))
            random_node_order(rng, e);
        if (below(rng, 5) == 0)
            e->matchings = (pm_matching_kind)below(rng, PM_MATCHING_MAXIMUM + 1);
        break;
    default:
        e->kind = below(rng, 2) ? PM_NODE_PRODUCT : PM_NODE_SUM;
        for (uint32_t k = below(rng, 4); k > 0; --k)
            random_node(rng, l, depth - 1);
        list_add(l)->kind = PM_NODE_CLOSE;
    }
}

void random_list(uint64_t *rng, node_list *l)
{
    for (uint32_t k = below(rng, 5); k > 0; --k)
        random_node(rng, l, 4);
}
