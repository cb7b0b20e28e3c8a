/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm streams: what is written reads back as the same nodes; what breaks the grammar is refused. */
#include "config.h"

#include "support/testing.h"

#include <string.h>

#include "pm/alloc.h"
#include "pm/io.h"
#include "support/matrices.h"
#include "support/node_lists.h"

static uint64_t rng;

static void test_round_trip(void **state)
{
    (void)state;
    for (int round = test_rounds(300); round > 0; --round) {
        node_list written = {0}, got = {0};
        pm_error err = {.msg = ""};
        random_list(&rng, &written);
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
        random_node_matrix(&rng, &e->matrix, (pm_field)below(&rng, 4));
        random_labels(&rng, &e->matrix.row_labels, e->matrix.nrows);
        random_labels(&rng, &e->matrix.col_labels, e->matrix.ncols);
        random_node_order(&rng, e);
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
    char number[24];
    assert_string_equal(pm_label(&m->matrix.row_labels, 0, number), "a/b");
    assert_string_equal(pm_label(&m->matrix.row_labels, 1, number), "");
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
    {"%pm: stream 4\n" EOF_, ":1: expected version 1, 2 or 3 of the pm stream, not '4'"},
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
    {HEAD "%pm: stream 1\n" EOF_,
     ":2: expected %pm: stream 2, %pm: stream 3, or no version line here"},
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

/* Lines about copies of vertices: with a graph, its loops with the word for them, no order. */
#define GRAPH  HEAD2 "%%MatrixMarket matrix coordinate integer symmetric\n"
#define EDGES_ "2 2 2\n1 1 3\n2 1 2\n" EOF_
static const struct {
    const char *text, *message;
} wrong_copies[] = {
    {GRAPH "%pm: vertex-times 1 2\n" EDGES_, ":3: expected a line %pm: graph with vertex-times"},
    {GRAPH "%pm: graph\n%pm: vertex-times 1\n" EDGES_,
     ":4: expected 2 numbers, one for each vertex, not 1"},
    {GRAPH "%pm: graph\n%pm: vertex-times 1 -1\n" EDGES_,
     ":4: expected an integer from 0 to 2147483647, not '-1'"},
    {GRAPH "%pm: graph\n%pm: row-times 1 2\n" EDGES_,
     ":3: expected no lines count, row-times and col-times with a line %pm: graph"},
    {GRAPH "%pm: graph loops\n%pm: vertex-loops 1 2\n" EDGES_,
     ":4: expected a line vertex-times with vertex-loops"},
    {GRAPH "%pm: graph\n%pm: vertex-times 1 2\n%pm: vertex-loops 1 2\n" EDGES_,
     ":5: expected a line %pm: graph loops with vertex-loops"},
    {GRAPH "%pm: graph loops\n%pm: vertex-times 1 2\n%pm: vertex-loops 1\n" EDGES_,
     ":5: expected 2 numbers, one for each vertex, not 1"},
    {GRAPH "%pm: graph loops\n%pm: vertex-times 1 2\n%pm: vertex-loops 1 x\n" EDGES_,
     ":5: expected a finite number, not 'x'"},
    {GRAPH "%pm: graph\n%pm: vertex-times 1 2\n%pm: order r2 r1\n" EDGES_,
     ":5: expected no order of a graph with vertex-times"},
};

static void assert_refused(const char *text, pm_status want, const char *message)
{
    node_list l = {0};
    pm_error err = {.msg = ""};
    put_text(text);
    assert_int_equal(list_read(&l, &err), want);
    assert_int_equal(strncmp(err.msg, node_path, strlen(node_path)), 0);
    assert_string_equal(err.msg + strlen(node_path), message);
    list_free(&l);
}

static void test_refused(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k)
        assert_refused(refused[k].text, PM_EDATA, refused[k].message);
    for (size_t k = 0; k < sizeof wrong_copies / sizeof *wrong_copies; ++k)
        assert_refused(wrong_copies[k].text, PM_EDATA, wrong_copies[k].message);
}

/* ---- copies of vertices ---- */

/* A general node with multiplicities, with loops or without. */
static void random_copies(pm_node *e, pm_field field)
{
    const int64_t n = 1 + (int64_t)below(&rng, 40);
    e->kind = PM_NODE_MATRIX;
    e->general = e->one_set = true;
    random_symmetric(&rng, field, (int)n, 0.3, 0.3, &e->matrix);
    e->row_times = pm_alloc_array(n, sizeof *e->row_times);
    for (int64_t v = 0; v < n; ++v)
        e->row_times[v] = (int64_t)below(&rng, 4);
    if (below(&rng, 3) == 0)
        return;
    pm_matrix one = {0};
    random_symmetric(&rng, field, (int)n, 0, 0.6, &one);
    assert_int_equal(pm_matrix_alloc(&e->loops, field, n, 1, n, NULL), PM_OK);
    int64_t at = 0;
    for (int64_t v = 0; v < n; ++v) {
        for (int64_t k = one.rowptr[v]; k < one.rowptr[v + 1]; ++k) {
            if (one.colind[k] != v)
                continue;
            e->loops.colind[at] = 0;
            if (one.re)
                pm_dyadic_set(&e->loops.re[at], &one.re[k]);
            if (one.im)
                pm_dyadic_set(&e->loops.im[at], &one.im[k]);
            ++at;
        }
        e->loops.rowptr[v + 1] = at;
    }
    pm_matrix_free(&one);
}

/* keeps: with multiplicities; else with the copies. */
static void read_general(bool keeps, pm_node *out)
{
    const pm_read_options opt = {.general = true, .general_always = true, .keep_repeats = keeps};
    pm_reader *r = NULL;
    pm_error err = {.msg = ""};
    assert_int_equal(pm_reader_open(node_path, &opt, &r, &err), PM_OK);
    assert_int_equal(pm_reader_next(r, out, &err), PM_OK);
    pm_reader_close(&r);
}

/* Multiplicities and loops come back, and written out they are those of pm_node_write_out. */
static void test_copies(void **state)
{
    (void)state;
    for (int round = test_rounds(200); round > 0; --round) {
        node_list l = {0};
        pm_node kept, written;
        pm_error err = {.msg = ""};
        pm_node *e = list_add(&l);
        random_copies(e, (pm_field)below(&rng, 4));
        FILE *f = open_file();
        assert_int_equal(list_write(&l, f, &err), PM_OK);
        assert_int_equal(fclose(f), 0);
        assert_head_lines_fit();
        pm_node_init(&kept);
        pm_node_init(&written);
        read_general(true, &kept);
        assert_true(kept.general && kept.one_set && pm_matrix_equal(&kept.matrix, &e->matrix));
        assert_memory_equal(kept.row_times, e->row_times,
                            (size_t)e->matrix.nrows * sizeof *e->row_times);
        assert_int_equal(kept.loops.rowptr != NULL, e->loops.rowptr != NULL);
        assert_true(!e->loops.rowptr || pm_matrix_equal(&kept.loops, &e->loops));
        read_general(false, &written);
        assert_int_equal(pm_node_write_out(e, &err), PM_OK);
        assert_true(written.general && !written.row_times);
        assert_true(pm_matrix_equal(&written.matrix, &e->matrix));
        pm_node_clear(&kept);
        pm_node_clear(&written);
        list_free(&l);
    }
}

/* ---- exact numbers ---- */

/* Divides the numbers by one odd number: a symmetric matrix stays so. */
static void divide(pm_dyadic *x, int64_t count)
{
    mpq_t q, by;
    int64_t e;
    mpq_inits(q, by, NULL);
    mpq_set_ui(by, 1 + 2 * below(&rng, 50), 1);
    for (int64_t k = 0; x && k < count; ++k) {
        pm_dyadic_get_mpq_2exp(q, &e, &x[k]);
        mpq_div(q, q, by);
        pm_dyadic_set_mpq_2exp(&x[k], q, e);
    }
    mpq_clears(q, by, NULL);
}

static void divide_matrix(pm_matrix *a)
{
    const int64_t count = a->rowptr ? pm_matrix_nnz(a) : 0;
    if (a->field > PM_INTEGER) {
        divide(a->re, count);
        divide(a->im, count);
    }
}

/* Fractions and doubles come back as they are, where numbers mean themselves; a stream that is no part is refused. */
static void test_exact(void **state)
{
    (void)state;
    for (int round = test_rounds(200); round > 0; --round) {
        node_list l = {0};
        pm_node got;
        pm_error err = {.msg = ""};
        pm_reader *r = NULL;
        pm_writer *w;
        pm_node *e = list_add(&l);
        pm_read_options opt = {.general = true,
                               .general_always = true,
                               .keep_repeats = true,
                               .exact = true,
                               .parts = true};
        random_copies(e, (pm_field)below(&rng, 4));
        divide_matrix(&e->matrix);
        divide_matrix(&e->loops);
        FILE *f = open_file();
        assert_int_equal(pm_writer_open(f, NULL, &w, &err), PM_OK);
        pm_writer_set_exact(w);
        assert_int_equal(pm_writer_put(w, e, &err), PM_OK);
        assert_int_equal(pm_writer_close(&w, &err), PM_OK);
        assert_int_equal(fclose(f), 0);
        for (int k = 0; k < 2; ++k, opt.parts = false) {
            pm_node_init(&got);
            assert_int_equal(pm_reader_open(node_path, &opt, &r, &err), PM_OK);
            assert_int_equal(pm_reader_next(r, &got, &err),
                             opt.parts || pm_node_field(e) <= PM_INTEGER ? PM_OK : PM_UNABLE);
            pm_reader_close(&r);
            if (opt.parts) {
                assert_true(pm_matrix_equal(&got.matrix, &e->matrix));
                assert_true(!e->loops.rowptr || pm_matrix_equal(&got.loops, &e->loops));
            }
            pm_node_clear(&got);
        }
        list_free(&l);
    }
}

/* A loop that no line can hold. */
static void test_long_loop(void **state)
{
    (void)state;
    node_list l = {0};
    pm_error err = {.msg = ""};
    pm_node *e = list_add(&l);
    random_copies(e, PM_INTEGER);
    pm_matrix_free(&e->loops);
    assert_int_equal(pm_matrix_alloc(&e->loops, PM_INTEGER, e->matrix.nrows, 1, 1, NULL), PM_OK);
    e->loops.colind[0] = 0;
    for (int64_t v = 0; v < e->matrix.nrows; ++v)
        e->loops.rowptr[v + 1] = 1;
    for (int digits = 982; digits <= 983; ++digits) {
        mpz_t z;
        mpz_init(z);
        mpz_ui_pow_ui(z, 10, (unsigned long)digits - 1);
        pm_dyadic_set_mpz(&e->loops.re[0], z);
        mpz_clear(z);
        FILE *f = open_file();
        const bool fits = digits == 982;
        assert_int_equal(list_write(&l, f, &err), fits ? PM_OK : PM_UNABLE);
        assert_int_equal(fclose(f), 0);
        if (fits)
            assert_head_lines_fit();
    }
    assert_string_equal(err.msg, "the loop of vertex 1 has too many digits for a pm stream");
    list_free(&l);
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
    assert_int_equal(pm_reader_open(node_path, &opt, &r, NULL), PM_OK);
    assert_int_equal(pm_reader_next(r, &e, NULL), PM_EUSAGE);
    pm_reader_close(&r);
    pm_node_clear(&e);
}

static pm_status read_all(void)
{
    pm_read_options opt = {0};
    pm_reader *r = NULL;
    pm_node e;
    pm_node_init(&e);
    pm_status st = pm_reader_open(node_path, &opt, &r, NULL);
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
        random_list(&rng, &l);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_cut_out),
        cmocka_unit_test(test_grammar),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_cut),        cmocka_unit_test(test_long_line),
        cmocka_unit_test(test_depth),      cmocka_unit_test(test_graph_option),
        cmocka_unit_test(test_copies),     cmocka_unit_test(test_long_loop),
        cmocka_unit_test(test_memory),     cmocka_unit_test(test_exact),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, node_file_begin, node_file_end);
}
