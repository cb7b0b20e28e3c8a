/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the writers write reads back as the same nodes; what breaks the grammar is refused. */
#include "config.h"

#include "support/testing.h"

#include <string.h>
#include <unistd.h>

#include "pm/alloc.h"
#include "pm/io.h"

static uint64_t seed;
static char path[] = "unit_stream_XXXXXX";

/* For free(). */
static void *must_alloc(size_t bytes)
{
    void *p = pm_alloc_array((int64_t)bytes, 1);
    assert_non_null(p);
    return p;
}

/* ---- files ---- */

static FILE *open_file(void)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    return f;
}

static void put_text(const char *text)
{
    FILE *f = open_file();
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

/* All of the file, for free(). */
static char *get_text(void)
{
    FILE *f = fopen(path, "r");
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

/* ---- lists of nodes ---- */

typedef struct {
    pm_node *e;
    int64_t count, cap;
} node_list;

static pm_node *list_add(node_list *l)
{
    assert_int_equal(PM_GROW(l->e, l->cap, l->count + 1), 0);
    pm_node_init(&l->e[l->count]);
    return &l->e[l->count++];
}

static void list_free(node_list *l)
{
    for (int64_t k = 0; k < l->count; ++k)
        pm_node_clear(&l->e[k]);
    free(l->e);
    *l = (node_list){0};
}

static pm_status list_read(node_list *l, pm_error *err)
{
    pm_read_options opt = {0};
    pm_reader *r = NULL;
    pm_status st = pm_reader_open(path, &opt, &r, err);
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

static pm_status list_write(const node_list *l, FILE *f, pm_error *err)
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
    assert_int_equal(a->count, b->count);
    for (int64_t i = 0; i < a->count; ++i)
        assert_string_equal(a->pool + a->offset[i], b->pool + b->offset[i]);
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

static void assert_same_list(const node_list *a, const node_list *b)
{
    assert_int_equal(a->count, b->count);
    for (int64_t k = 0; k < a->count; ++k)
        assert_same_node(&a->e[k], &b->e[k]);
}

/* ---- random nodes ---- */

static uint32_t below(uint32_t n)
{
    return pm_rng_below(&seed, n);
}

static void random_mpz(mpz_t z, uint32_t words)
{
    mpz_set_ui(z, 0);
    for (uint32_t k = 0; k < words; ++k) {
        mpz_mul_2exp(z, z, 64);
        mpz_add_ui(z, z, pm_rng_next(&seed) >> below(64));
    }
}

static void random_value(pm_dyadic *v, pm_field field)
{
    mpz_t z;
    mpz_init(z);
    do {
        random_mpz(z, below(4) ? 1 : 4);
        if (below(2))
            mpz_neg(z, z);
        if (field == PM_INTEGER || below(4) == 0)
            pm_dyadic_set_mpz(v, z);
        else if (below(2))
            pm_dyadic_set_d(v, (double)(int64_t)pm_rng_next(&seed) * pm_rng_unit(&seed));
        else
            pm_dyadic_set_mpz_2exp(v, z, (int64_t)below(3000) - 1500);
    } while (pm_dyadic_is_zero(v));
    mpz_clear(z);
}

static char *random_text(void)
{
    static const char bytes[] = "ab 1\\#%\t\n\r\x7f\x01/\xc3\xa9";
    uint32_t length = below(20) ? below(8) : 900 + below(3000);
    char *text = must_alloc(length + 1);
    for (uint32_t k = 0; k < length; ++k)
        text[k] = bytes[below(sizeof bytes - 1)];
    text[length] = '\0';
    return text;
}

static void random_labels(pm_labels *l, int64_t count)
{
    int64_t pool = 0, offset = 0;
    for (int64_t i = 0; i < count; ++i) {
        char *text = random_text();
        assert_int_equal(pm_labels_append(l, text, (int64_t)strlen(text), &pool, &offset, NULL),
                         PM_OK);
        free(text);
    }
}

static void random_matrix(pm_matrix *a, pm_field field)
{
    int64_t nrows = below(6), ncols = below(6), nnz = 0;
    bool has[6][6] = {{false}};
    for (int64_t i = 0; i < nrows; ++i)
        for (int64_t j = 0; j < ncols; ++j)
            nnz += has[i][j] = below(2);
    assert_int_equal(pm_matrix_alloc(a, field, nrows, ncols, nnz, NULL), PM_OK);
    nnz = 0;
    for (int64_t i = 0; i < nrows; ++i) {
        for (int64_t j = 0; j < ncols; ++j)
            if (has[i][j]) {
                if (a->re)
                    random_value(&a->re[nnz], field);
                if (a->im && below(2))
                    random_value(&a->im[nnz], field);
                a->colind[nnz++] = (int32_t)j;
            }
        a->rowptr[i + 1] = nnz;
    }
}

static void random_order(pm_node *e)
{
    int32_t n = (int32_t)(e->matrix.nrows + e->matrix.ncols);
    e->order = pm_alloc_array(n, sizeof *e->order);
    e->order_len = n;
    for (int32_t k = 0; k < n; ++k) {
        uint32_t at = below((uint32_t)k + 1);
        e->order[k] = e->order[at];
        e->order[at] = k;
    }
}

static void random_fraction(mpq_t q, bool is_dyadic)
{
    random_mpz(mpq_numref(q), below(3));
    random_mpz(mpq_denref(q), 1 + below(2));
    if (is_dyadic || mpq_sgn(q) == 0 || mpz_sgn(mpq_denref(q)) == 0) {
        mpz_set_ui(mpq_denref(q), 1);
        mpz_mul_2exp(mpq_denref(q), mpq_denref(q), below(200));
    }
    if (below(2))
        mpz_neg(mpq_numref(q), mpq_numref(q));
    mpq_canonicalize(q);
}

static void random_prefix(pm_node *e)
{
    if (below(2)) {
        e->factor_field = (pm_field)(PM_INTEGER + below(3));
        random_fraction(e->factor.re, e->factor_field == PM_REAL && below(2));
        if (e->factor_field == PM_COMPLEX)
            random_fraction(e->factor.im, below(2));
    }
    if (below(4) == 0)
        random_mpz(e->times, below(3));
    if (below(4) == 0) {
        char *text = random_text();
        e->name = pm_alloc_array((int64_t)strlen(text) + 1, 1);
        strcpy(e->name, text);
        free(text);
    }
}

static void random_node(node_list *l, int depth)
{
    pm_node *e = list_add(l);
    random_prefix(e);
    switch (below(depth > 0 ? 4 : 2)) {
    case 0: e->kind = PM_NODE_NUMBER; break;
    case 1:
        e->kind = PM_NODE_MATRIX;
        random_matrix(&e->matrix, (pm_field)below(4));
        if (below(2))
            random_labels(&e->matrix.row_labels, e->matrix.nrows);
        if (below(2))
            random_labels(&e->matrix.col_labels, e->matrix.ncols);
        if (below(2))
            random_order(e);
        if (below(5) == 0)
            e->matchings = (pm_matching_kind)below(PM_MATCHING_MAXIMUM + 1);
        break;
    default:
        e->kind = below(2) ? PM_NODE_PRODUCT : PM_NODE_SUM;
        for (uint32_t k = below(4); k > 0; --k)
            random_node(l, depth - 1);
        list_add(l)->kind = PM_NODE_CLOSE;
    }
}

static void random_list(node_list *l)
{
    for (uint32_t k = below(5); k > 0; --k)
        random_node(l, 4);
}

/* ---- streams ---- */

static void assert_head_lines_fit(void)
{
    char *text = get_text();
    bool in_head = false;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        in_head = *line == '%' && (in_head || strncmp(line, "%%", 2) == 0);
        assert_true(!in_head || strlen(line) <= 1000);
    }
    free(text);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        node_list written = {0}, got = {0};
        pm_error err = {.msg = ""};
        random_list(&written);
        FILE *f = open_file();
        assert_int_equal(list_write(&written, f, &err), PM_OK);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(list_read(&got, &err), PM_OK);
        assert_same_list(&written, &got);
        assert_head_lines_fit();
        list_free(&written);
        list_free(&got);
    }
}

/* Cut out of its stream, a matrix is a Matrix Market file with the same labels, order and name. */
static void test_cut_out(void **state)
{
    (void)state;
    for (int round = test_rounds(100); round > 0; --round) {
        node_list written = {0}, got = {0};
        pm_error err = {.msg = ""};
        pm_node *e = list_add(&written);
        e->kind = PM_NODE_MATRIX;
        random_matrix(&e->matrix, (pm_field)below(4));
        random_labels(&e->matrix.row_labels, e->matrix.nrows);
        random_labels(&e->matrix.col_labels, e->matrix.ncols);
        random_order(e);
        e->name = pm_alloc_array(8, 1);
        strcpy(e->name, " a\\ b ");
        FILE *f = open_file();
        assert_int_equal(list_write(&written, f, &err), PM_OK);
        assert_int_equal(fclose(f), 0);
        char *text = get_text();
        *strstr(text, "%pm: eof") = '\0';
        put_text(strstr(text, "%%Matrix"));
        free(text);
        assert_int_equal(list_read(&got, &err), PM_OK);
        assert_same_list(&written, &got);
        list_free(&written);
        list_free(&got);
    }
}

static const char tree[] = "%pm: stream 1\n"
                           "%pm: made-by hand\n"
                           "\n"
                           "% a comment\n"
                           "%pm: factor -2/6\r\n"
                           "%pm: times 3\n"
                           "%pm: name two words \n"
                           "%pm:factor 0x1.8p1/3\n"
                           "%pm: name \\ssum\\x0a\n"
                           "%pm:\tbegin\tsum\n"
                           "%pm: factor +7 0x1p-1\n"
                           "%pm: end\n"
                           "%%MATRIXMARKET MATRIX coordinate pattern general\n"
                           "% skipped\n"
                           "%pm: rows a\\\n"
                           "%pm: rows \\x2fb \\e\n"
                           "%pm: order c1 r2\n"
                           "%pm: order r1\n"
                           "2 1 1\n"
                           "2 1\n"
                           "\n"
                           "%pm: eof\n"
                           "\n";

static void test_grammar(void **state)
{
    (void)state;
    node_list l = {0};
    pm_error err = {.msg = ""};
    put_text(tree);
    assert_int_equal(list_read(&l, &err), PM_OK);
    assert_int_equal(l.count, 5);

    assert_int_equal(l.e[0].kind, PM_NODE_NUMBER);
    assert_int_equal(l.e[0].factor_field, PM_INTEGER);
    assert_int_equal(mpq_cmp_si(l.e[0].factor.re, -1, 3), 0);
    assert_int_equal(mpz_cmp_ui(l.e[0].times, 3), 0);
    assert_string_equal(l.e[0].name, "two words");
    assert_int_equal(l.e[0].line, 5);

    assert_int_equal(l.e[1].kind, PM_NODE_SUM);
    assert_int_equal(l.e[1].factor_field, PM_REAL);
    assert_int_equal(mpq_cmp_si(l.e[1].factor.re, 1, 1), 0);
    assert_string_equal(l.e[1].name, " sum\n");
    assert_int_equal(l.e[1].line, 8);

    assert_int_equal(l.e[2].kind, PM_NODE_NUMBER);
    assert_int_equal(l.e[2].factor_field, PM_COMPLEX);
    assert_int_equal(mpq_cmp_si(l.e[2].factor.re, 7, 1), 0);
    assert_int_equal(mpq_cmp_si(l.e[2].factor.im, 1, 2), 0);

    assert_int_equal(l.e[3].kind, PM_NODE_CLOSE);

    const pm_node *m = &l.e[4];
    assert_int_equal(m->kind, PM_NODE_MATRIX);
    assert_int_equal(m->matrix.row_labels.count, 2);
    assert_string_equal(m->matrix.row_labels.pool, "a/b");
    assert_string_equal(m->matrix.row_labels.pool + m->matrix.row_labels.offset[1], "");
    assert_int_equal(m->matrix.col_labels.count, 0);
    assert_int_equal(m->order_len, 3);
    assert_int_equal(m->order[0], 2);
    assert_int_equal(m->order[1], 1);
    assert_int_equal(m->order[2], 0);
    list_free(&l);
}

/* ---- what is refused ---- */

#define HEAD   "%pm: stream 1\n"
#define HEAD2  "%pm: stream 2\n"
#define BANNER "%%MatrixMarket matrix coordinate pattern general\n"
#define ONE    BANNER "1 1 1\n1 1\n"
#define EOF_   "%pm: eof\n"

static const struct {
    const char *text, *message; /* message: after the name of the file */
} refused[] = {
    {"%pm: stream 3\n" EOF_, ":1: expected version 1 or 2 of the pm stream, not '3'"},
    {"%pm: stream 1 x\n" EOF_, ":1: expected the end of the line after the version, not 'x'"},
    {HEAD, ":1: the stream is cut short: expected '%pm: eof' at its end; the program that wrote it "
           "may have failed"},
    {HEAD ONE, ":4: the stream is cut short: expected '%pm: eof' at its end; the program that "
               "wrote it may have failed"},
    {HEAD "%pm: factor 2\n", ":2: the stream is cut short: expected '%pm: eof' at its end; the "
                             "program that wrote it may have failed"},
    {HEAD "%pm: begin sum\n" EOF_, ":3: expected %pm: end of the group that begins in line 2"},
    {HEAD "%pm: end\n" EOF_, ":2: expected '%pm: begin' before '%pm: end'"},
    {HEAD EOF_ ONE, ":3: expected the end of the input after %pm: eof, not '%%MatrixMarket'"},
    {HEAD "%pm: eof now\n", ":2: expected the end of the line after eof, not 'now'"},
    {HEAD "%pm: begin\n" EOF_, ":2: expected product or sum after begin, not ''"},
    {HEAD "%pm: begin sum up\n" EOF_,
     ":2: expected the end of the line after begin and the kind of group, not 'up'"},
    {HEAD "%pm: begin sum\n%pm: end sum\n" EOF_,
     ":3: expected the end of the line after end, not 'sum'"},
    {HEAD "%pm: begone\n" EOF_,
     ":2: expected a line '%pm: WORD' of pm-stream(5), not the word 'begone'"},
    {HEAD "%pm:\n" EOF_, ":2: expected a line '%pm: WORD' of pm-stream(5), not the word ''"},
    {HEAD ONE "1 1\n" EOF_, ":5: expected a '%pm:' line or a Matrix Market banner, not '1'"},
    {HEAD ONE "%pm: made-by me\n" EOF_,
     ":5: expected made-by right after the first line of the stream, or in the head of a matrix"},
    {HEAD "%pm: rows a\n" EOF_,
     ":2: expected rows, cols and order in the head of a matrix, after its banner"},
    /* numbers */
    {HEAD "%pm: factor\n" EOF_, ":2: expected a number after factor"},
    {HEAD "%pm: factor 0.5\n" EOF_,
     ":2: expected an integer, a quotient such as 2/3 or a hexadecimal float such as 0x1.8p-3, not "
     "'0.5'"},
    {HEAD "%pm: factor nan\n" EOF_,
     ":2: expected an integer, a quotient such as 2/3 or a hexadecimal float such as 0x1.8p-3, not "
     "'nan'"},
    {HEAD "%pm: factor 1/0\n" EOF_, ":2: expected a positive decimal integer after '/'"},
    {HEAD "%pm: factor 1/-2\n" EOF_, ":2: expected a positive decimal integer after '/'"},
    {HEAD "%pm: factor 1/\n" EOF_, ":2: expected a positive decimal integer after '/'"},
    {HEAD "%pm: factor 0x1p99999999\n" EOF_, ":2: expected an exponent from -67108864 to 67108864"},
    {HEAD "%pm: factor 0x1p-9999999999999999999\n" EOF_,
     ":2: expected an exponent from -67108864 to 67108864"},
    {HEAD "%pm: factor 1 2 3\n" EOF_,
     ":2: expected the end of the line after two numbers, not '3'"},
    {HEAD "%pm: times -1\n" ONE EOF_, ":2: expected an integer, 0 or more, after times, not '-1'"},
    {HEAD "%pm: times\n" ONE EOF_, ":2: expected an integer, 0 or more, after times, not ''"},
    {HEAD "%pm: times 1 2\n" ONE EOF_,
     ":2: expected the end of the line after times and its number, not '2'"},
    {HEAD "%pm: times 1\n%pm: times 2\n" ONE EOF_, ":3: expected times once, this is the second"},
    /* what belongs to what */
    {HEAD "%pm: times 2\n%pm: factor 2\n" ONE EOF_, ":3: expected factor before times and name"},
    {HEAD "%pm: times 2\n" EOF_, ":3: expected a matrix or group after times and name"},
    {HEAD "%pm: begin sum\n%pm: name a\n%pm: end\n" EOF_,
     ":4: expected a matrix or group after times and name"},
    {HEAD "%pm: name a\n%pm: name b\n" ONE EOF_, ":3: expected one name, this is the second"},
    {HEAD "%pm: name a\n" BANNER "%pm: name b\n1 1 1\n1 1\n" EOF_,
     ":2: expected one name, before the matrix or in its head"},
    {HEAD BANNER "%pm: name a\n%pm: name b\n1 1 1\n1 1\n" EOF_,
     ":4: expected one name, this is the second"},
    {HEAD BANNER "%pm: factor 2\n1 1 1\n1 1\n" EOF_,
     ":3: expected factor before the banner, not after it"},
    {HEAD BANNER "%pm: colour red\n1 1 1\n1 1\n" EOF_,
     ":3: expected rows, cols, order, name or made-by after '%pm:', not 'colour'"},
    /* labels */
    {HEAD BANNER "%pm: rows a b\n1 1 1\n1 1\n" EOF_,
     ":3: expected 1 labels, one for each row, not 2"},
    {HEAD BANNER "%pm: cols\n1 1 1\n1 1\n" EOF_,
     ":3: expected 1 labels, one for each column, not 0"},
    {HEAD BANNER "%pm: rows \\q\n1 1 1\n1 1\n" EOF_,
     ":3: expected \\\\, \\s, \\xHH or \\e after a backslash"},
    {HEAD BANNER "%pm: rows \\x00\n1 1 1\n1 1\n" EOF_,
     ":3: expected \\\\, \\s, \\xHH or \\e after a backslash"},
    {HEAD BANNER "%pm: rows \\x4\n1 1 1\n1 1\n" EOF_,
     ":3: expected \\\\, \\s, \\xHH or \\e after a backslash"},
    {HEAD BANNER "%pm: rows a\\ b\n1 1 1\n1 1\n" EOF_,
     ":3: expected \\\\, \\s, \\xHH or \\e after a backslash"},
    {HEAD "%pm: name a\\\n" ONE EOF_, ":2: expected \\\\, \\s, \\xHH or \\e after a backslash"},
    {HEAD BANNER "%pm: rows a\\\n%pm: cols b\n1 1 1\n1 1\n" EOF_,
     ":4: expected the rest of the last label of the line before"},
    {HEAD BANNER "%pm: rows a\\\n1 1 1\n1 1\n" EOF_, ":3: expected the rest of the last label"},
    /* orders */
    {HEAD BANNER "%pm: order x1\n1 1 1\n1 1\n" EOF_,
     ":3: expected a row such as r3 or a column such as c5, not 'x1'"},
    {HEAD BANNER "%pm: order r0 c1\n1 1 1\n1 1\n" EOF_,
     ":3: expected a row such as r3 or a column such as c5, not 'r0'"},
    {HEAD BANNER "%pm: order r\n1 1 1\n1 1\n" EOF_,
     ":3: expected a row such as r3 or a column such as c5, not 'r'"},
    {HEAD BANNER "%pm: order r1 c2\n1 1 1\n1 1\n" EOF_,
     ":3: the order names column 2, which the matrix does not have"},
    {HEAD BANNER "%pm: order r2147483647 c1\n1 1 1\n1 1\n" EOF_,
     ":3: the order names row 2147483647, which the matrix does not have"},
    {HEAD BANNER "%pm: order r1\n%pm: order r1\n1 1 1\n1 1\n" EOF_,
     ":4: the order names row 1, which it has named before"},
    {HEAD BANNER "%pm: order\n1 1 1\n1 1\n" EOF_,
     ":3: expected all 2 rows and columns in the order, not 0"},
    /* version 2 */
    {HEAD "%pm: stream 1\n" EOF_, ":2: expected %pm: stream 2, or no version line here"},
    {HEAD "%pm: times 2\n%pm: stream 2\n" EOF_,
     ":3: expected a matrix or group after times and name"},
    {HEAD BANNER "%pm: row-times 1\n1 1 1\n1 1\n" EOF_,
     ":3: expected %pm: stream 2 before a line %pm: row-times"},
    {HEAD2 BANNER "%pm: row-times 1 1\n1 1 1\n1 1\n" EOF_,
     ":3: expected 1 numbers, one for each row, not 2"},
    {HEAD2 BANNER "%pm: col-times\n1 1 1\n1 1\n" EOF_,
     ":3: expected 1 numbers, one for each column, not 0"},
    {HEAD2 BANNER "%pm: col-times x\n1 1 1\n1 1\n" EOF_,
     ":3: expected an integer from 0 to 2147483647, not 'x'"},
    {HEAD2 BANNER "%pm: row-places 1\n1 1 1\n1 1\n" EOF_,
     ":3: expected 2 numbers, two for each row, not 1"},
    {HEAD2 BANNER "%pm: row-places 1 y\n1 1 1\n1 1\n" EOF_,
     ":3: expected a finite number, not 'y'"},
    {HEAD2 BANNER "%pm: order r1 c1\n%pm: row-times 2\n1 1 1\n1 1\n" EOF_,
     ":3: expected no order of a matrix with row-times or col-times"},
    {HEAD2 BANNER "%pm: count saturate up\n1 1 1\n1 1\n" EOF_,
     ":3: expected 'count maximum' or 'count saturate [rows|cols]' after '%pm:'"},
    {HEAD2 BANNER "%pm: count maximum rows\n1 1 1\n1 1\n" EOF_,
     ":3: expected 'count maximum' or 'count saturate [rows|cols]' after '%pm:'"},
    {HEAD2 BANNER "%pm: count\n1 1 1\n1 1\n" EOF_,
     ":3: expected 'count maximum' or 'count saturate [rows|cols]' after '%pm:'"},
};

static void assert_refused(const char *text, pm_status want, const char *message)
{
    node_list l = {0};
    pm_error err = {.msg = ""};
    put_text(text);
    assert_int_equal(list_read(&l, &err), want);
    assert_int_equal(strncmp(err.msg, path, strlen(path)), 0);
    assert_string_equal(err.msg + strlen(path), message);
    list_free(&l);
}

static void test_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k)
        assert_refused(refused[k].text, PM_EDATA, refused[k].message);
}

/* Cut anywhere, even within a line, a stream is refused; the last line feed may be missing. */
static void test_cut(void **state)
{
    (void)state;
    size_t full = (size_t)(strstr(tree, "%pm: eof") - tree) + strlen("%pm: eof");
    for (size_t length = 0; length <= full; ++length) {
        char *text = strdup(tree);
        node_list l = {0};
        pm_error err = {.msg = ""};
        text[length] = '\0';
        put_text(text);
        free(text);
        pm_status st = list_read(&l, &err);
        /* a piece of "%pm: stream 1" may be an edge list, which is none either */
        assert_int_equal(st, length < full ? PM_EDATA : PM_OK);
        list_free(&l);
    }
}

static void test_long_line(void **state)
{
    (void)state;
    char text[2048];
    for (int length = 1000; length <= 1001; ++length) {
        int n = sprintf(text, "%s", HEAD BANNER "%pm: rows ");
        memset(text + n, 'a', 1000);
        n += length - (int)strlen("%pm: rows ");
        strcpy(text + n, "\n1 1 1\n1 1\n" EOF_);
        if (length > 1000) {
            assert_refused(text, PM_EDATA,
                           ":3: expected at most 1000 bytes in a '%pm:' line of a matrix");
        } else {
            node_list l = {0};
            put_text(text);
            assert_int_equal(list_read(&l, NULL), PM_OK);
            list_free(&l);
        }
    }
}

static void test_depth(void **state)
{
    (void)state;
    for (int depth = 1000; depth <= 1001; ++depth) {
        node_list l = {0}, got = {0};
        pm_error err = {.msg = ""};
        for (int k = 0; k < depth; ++k)
            list_add(&l)->kind = PM_NODE_SUM;
        for (int k = 0; k < depth; ++k)
            list_add(&l)->kind = PM_NODE_CLOSE;
        FILE *f = open_file();
        assert_int_equal(list_write(&l, f, &err), depth > 1000 ? PM_UNABLE : PM_OK);
        if (depth > 1000)
            fputs("%pm: begin sum\n", f);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(list_read(&got, &err), depth > 1000 ? PM_EDATA : PM_OK);
        if (depth > 1000)
            assert_non_null(strstr(err.msg, ":1003: expected groups at most 1000 deep"));
        else
            assert_same_list(&l, &got);
        list_free(&l);
        list_free(&got);
    }
}

static void test_graph_option(void **state)
{
    (void)state;
    pm_read_options opt = {.graph = true};
    pm_reader *r = NULL;
    pm_node e;
    put_text(tree);
    pm_node_init(&e);
    assert_int_equal(pm_reader_open(path, &opt, &r, NULL), PM_OK);
    assert_int_equal(pm_reader_next(r, &e, NULL), PM_EUSAGE);
    pm_reader_close(&r);
    pm_node_clear(&e);
}

/* ---- Matrix Market and edge lists ---- */

static void test_write_mtx(void **state)
{
    (void)state;
    char many[3000];
    memset(many, 'x', sizeof many - 1);
    many[sizeof many - 1] = '\0';
    const char *const comments[] = {"a comment", "", "two\nlines", many, NULL};
    for (int round = test_rounds(100); round > 0; --round) {
        node_list l = {0};
        pm_node *e = list_add(&l);
        node_list got = {0};
        pm_error err = {.msg = ""};
        e->kind = PM_NODE_MATRIX;
        random_matrix(&e->matrix, (pm_field)below(4));
        if (below(2))
            random_labels(&e->matrix.row_labels, e->matrix.nrows);
        FILE *f = open_file();
        assert_int_equal(pm_write_mtx(f, &e->matrix, comments, &err), PM_OK);
        assert_int_equal(fclose(f), 0);
        assert_head_lines_fit();
        assert_int_equal(list_read(&got, &err), PM_OK);
        assert_same_list(&l, &got);
        list_free(&l);
        list_free(&got);
    }
}

static void give_labels(pm_labels *l, const char *const *text, int64_t count)
{
    int64_t pool = 0, offset = 0;
    for (int64_t i = 0; i < count; ++i)
        assert_int_equal(
            pm_labels_append(l, text[i], (int64_t)strlen(text[i]), &pool, &offset, NULL), PM_OK);
}

/* The edges as sorted lines of text. */
typedef struct {
    char *line[36];
    int64_t count;
} edge_lines;

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list_edges(const pm_matrix *a, edge_lines *out)
{
    out->count = 0;
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            char r[24], c[24];
            char *value = a->re ? pm_dyadic_text(&a->re[k], false) : strdup("");
            assert_true(asprintf(&out->line[out->count++], "%s %s %s",
                                 pm_label(&a->row_labels, i, r),
                                 pm_label(&a->col_labels, a->colind[k], c), value)
                        > 0);
            free(value);
        }
    qsort(out->line, (size_t)out->count, sizeof *out->line, compare);
}

static void assert_same_edges(const pm_matrix *a, const pm_matrix *b)
{
    edge_lines x, y;
    list_edges(a, &x);
    list_edges(b, &y);
    assert_int_equal(a->nrows, b->nrows);
    assert_int_equal(a->ncols, b->ncols);
    assert_int_equal(x.count, y.count);
    for (int64_t k = 0; k < x.count; ++k) {
        assert_string_equal(x.line[k], y.line[k]);
        free(x.line[k]);
        free(y.line[k]);
    }
}

/* Every list that is written reads back as the same graph, vertex names and field included. */
static void test_write_edges(void **state)
{
    int rounds = test_rounds(400);
    (void)state;
    static const char *const sets[][6] = {{"x", "y", "7", "\xc3\xa9", "-", "a#"},
                                          {"10", "3", "7", "1", "2", "99"},
                                          {"1", "2", "3", "4", "5", "6"},
                                          {"3", "01", "+2", "1.5", "0x1", "2"}};
    static const char *const comments[] = {"a comment", NULL};
    int done = 0;
    for (int round = rounds; round > 0; --round) {
        pm_matrix a = {0};
        pm_error err = {.msg = ""};
        random_matrix(&a, (pm_field)below(3));
        if (below(2))
            give_labels(&a.row_labels, sets[below(4)], a.nrows);
        if (below(2))
            give_labels(&a.col_labels, sets[below(4)], a.ncols);
        FILE *f = open_file();
        pm_status st = pm_write_edges(f, &a, below(2) ? comments : NULL, &err);
        fclose(f);
        if (st) {
            assert_int_equal(st, PM_UNABLE);
            assert_non_null(strstr(err.msg, "without edges"));
        } else {
            node_list got = {0};
            assert_int_equal(list_read(&got, &err), PM_OK);
            assert_int_equal(got.count, 1);
            assert_same_edges(&a, &got.e[0].matrix);
            if (pm_matrix_nnz(&a))
                assert_int_equal(a.field, got.e[0].matrix.field);
            if (!a.row_labels.count && !a.col_labels.count && pm_matrix_nnz(&a))
                assert_true(pm_matrix_equal(&a, &got.e[0].matrix));
            list_free(&got);
            ++done;
        }
        pm_matrix_free(&a);
    }
    assert_true(done > rounds / 8); /* some 55 in 100: by chance below 1e-8 for 40 rounds */
}

static void test_unwritable_edges(void **state)
{
    (void)state;
    static const struct {
        const char *label[2], *message;
    } cases[] = {
        {{"a b", "c"},
         "an edge list written here cannot hold the label 'a b' of row 1, which has a blank or a "
         "control character"},
        {{"a", ""}, "an edge list written here cannot hold the label '' of row 2, which is empty"},
        {{"a", "#b"},
         "an edge list written here cannot hold the label '#b' of row 2, which begins like a "
         "comment"},
        {{"a", "a"}, "an edge list cannot hold two rows of the same label 'a'"},
        {{"a", "b"}, "an edge list with labels cannot have a row without edges"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        pm_matrix a = {0};
        pm_error err = {.msg = ""};
        assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, 2, 1, 1, NULL), PM_OK);
        a.rowptr[1] = a.rowptr[2] = 1;
        a.colind[0] = 0;
        give_labels(&a.row_labels, cases[k].label, 2);
        FILE *f = open_file();
        assert_int_equal(pm_write_edges(f, &a, NULL, &err), PM_UNABLE);
        assert_string_equal(err.msg, cases[k].message);
        assert_int_equal(ftell(f), 0);
        fclose(f);
        pm_matrix_free(&a);
    }
    pm_matrix a = {0};
    assert_int_equal(pm_matrix_alloc(&a, PM_COMPLEX, 1, 1, 0, NULL), PM_OK);
    assert_int_equal(pm_write_edges(stderr, &a, NULL, NULL), PM_UNABLE);
    pm_matrix_free(&a);
}

/* ---- failures of the machine ---- */

static void test_full_disk(void **state)
{
    (void)state;
    pm_error err = {.msg = ""};
    pm_matrix a = {0};
    node_list l = {0};
    FILE *f = fopen("/dev/full", "w");
    if (!f)
        skip();
    assert_int_equal(pm_matrix_alloc(&a, PM_PATTERN, 1, 1, 0, NULL), PM_OK);
    assert_int_equal(pm_write_mtx(f, &a, NULL, &err), PM_EIO);
    assert_string_equal(err.msg, "cannot write: No space left on device");
    clearerr(f);
    assert_int_equal(pm_write_edges(f, &a, NULL, &err), PM_EIO);
    clearerr(f);
    assert_int_equal(list_write(&l, f, &err), PM_EIO);
    clearerr(f);
    setvbuf(f, NULL, _IONBF, 0);
    pm_writer *w;
    assert_int_equal(pm_writer_open(f, NULL, &w, &err), PM_EIO);
    fclose(f);
    pm_matrix_free(&a);
}

static pm_status read_all(void)
{
    pm_read_options opt = {0};
    pm_reader *r = NULL;
    pm_node e;
    pm_node_init(&e);
    pm_status st = pm_reader_open(path, &opt, &r, NULL);
    while (!st && !(st = pm_reader_next(r, &e, NULL)) && e.kind != PM_NODE_END)
        continue;
    if (r)
        pm_reader_close(&r);
    pm_node_clear(&e);
    return st;
}

/* The k-th allocation fails, for every k. */
static void test_memory(void **state)
{
    (void)state;
    node_list l = {0};
    for (int k = 0; k < 3; ++k)
        random_list(&l);
    for (int64_t k = 1;; ++k) {
        FILE *f = open_file();
        pm_alloc_fail_at(k);
        pm_status st = list_write(&l, f, NULL);
        bool failed = pm_alloc_fail_at(0) >= k;
        fclose(f);
        assert_int_equal(st, failed ? PM_ENOMEM : PM_OK);
        if (!failed)
            break;
    }
    list_free(&l);
    for (int64_t k = 1;; ++k) {
        pm_alloc_fail_at(k);
        pm_status st = read_all();
        bool failed = pm_alloc_fail_at(0) >= k;
        assert_int_equal(st, failed ? PM_ENOMEM : PM_OK);
        if (!failed)
            break;
    }
}

static int setup(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_cut_out),
        cmocka_unit_test(test_grammar),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_graph_option),
        cmocka_unit_test(test_write_mtx),
        cmocka_unit_test(test_write_edges),
        cmocka_unit_test(test_unwritable_edges),
        cmocka_unit_test(test_full_disk),
        cmocka_unit_test(test_memory),
    };
    seed = test_seed();
    return cmocka_run_group_tests(tests, setup, teardown);
}
