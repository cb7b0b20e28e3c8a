/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of matrices as text and of tables of edges. */
#include "config.h"

#include "support/readings.h"

#include <string.h>

#include "pm/io.h"
#include "text/scalar.h"

/* ---- complex numbers ---- */

static void test_scalars(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        pm_field field;
        double re, im;
    } good[] = {
        {"7", PM_INTEGER, 7, 0},
        {"(7)", PM_INTEGER, 7, 0},
        {"-2.5", PM_REAL, -2.5, 0},
        {"1+2j", PM_COMPLEX, 1, 2},
        {"1-2i", PM_COMPLEX, 1, -2},
        {"(1+2J)", PM_COMPLEX, 1, 2},
        {"(1,2)", PM_COMPLEX, 1, 2},
        {"( 1 , -2 )", PM_COMPLEX, 1, -2},
        {"j", PM_COMPLEX, 0, 1},
        {"-I", PM_COMPLEX, 0, -1},
        {"3j", PM_COMPLEX, 0, 3},
        {"-3.5e+1j", PM_COMPLEX, 0, -35},
        {"1e+5-1e-2j", PM_COMPLEX, 1e5, -1e-2},
        {"1+-2j", PM_COMPLEX, 1, -2},
        {"-1-j", PM_COMPLEX, -1, -1},
        {"2+3*I", PM_COMPLEX, 2, 3},
        {"0x1p+3+0x1p-2j", PM_COMPLEX, 8, 0.25},
        {"0x1e+2j", PM_COMPLEX, 30, 2},
        {"1+0j", PM_COMPLEX, 1, 0},
        {"2+I", PM_COMPLEX, 2, 1},
        {"1e+2j", PM_COMPLEX, 0, 100},
        {"1e+2+1j", PM_COMPLEX, 100, 1},
        {"0x1p+1-0x1p-1i", PM_COMPLEX, 2, -0.5},
        {"123456789012345678901+1i", PM_COMPLEX, 123456789012345678901.0, 1},
    };
    for (size_t k = 0; k < sizeof good / sizeof *good; ++k) {
        pm_scalar x = {.field = PM_PATTERN};
        pm_number_kind kind = pm_scalar_parse(good[k].text, (int64_t)strlen(good[k].text), &x);
        assert_true(kind == PM_NUMBER_INTEGER || kind == PM_NUMBER_REAL);
        assert_int_equal(x.field, good[k].field);
        assert_true(pm_dyadic_get_d(&x.re) == good[k].re);
        assert_true(pm_dyadic_get_d(&x.im) == good[k].im);
        pm_scalar_clear(&x);
    }
    static const char *const bad[] = {
        "",        "()",   "(1",     "1)",     "+",      "1+2",   "1+2k",  "1++2j", "(,)",
        "(1,2,3)", "nan",  "nan+1j", "1+nanj", "infj",   "1 +2j", "*I",    "i+1",   "1+2j+3j",
        "1,2",     "(1,2", "(,2)",   "(1,)",   "(1,2)i", "((1))", "1+2ji", "--i",   "(1,2j)"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        pm_scalar x = {.field = PM_PATTERN};
        assert_int_equal(pm_scalar_parse(bad[k], (int64_t)strlen(bad[k]), &x), PM_NUMBER_BAD);
        assert_int_equal(x.field, PM_PATTERN);
    }
    pm_scalar x = {.field = PM_PATTERN};
    assert_int_equal(pm_scalar_parse("1+1e400j", 8, &x), PM_NUMBER_RANGE);
    assert_int_equal(pm_scalar_parse("1e400+1i", 8, &x), PM_NUMBER_RANGE);
}

/* ---- text ---- */

#define LONG "123456789012345678901234567890"

static const reading texts[] = {
    {"dense", "", "1 2\n3 4\n", "integer 2x2 1:1=1 1:2=2 2:1=3 2:2=4"},
    {"dense", "", "1 2 0\r\n# c\n\n % c\n3\t0 -" LONG, "integer 2x3 1:1=1 1:2=2 2:1=3 2:3=-" LONG},
    {"dense", "", " 1 , 2.5\n0x1p-1,1\n", "real 2x2 1:1=1 1:2=2.5 2:1=0.5 2:2=1"},
    {"dense", "", "1;0\n0;1\n", "integer 2x2 1:1=1 2:2=1"},
    {"dense", "", "1.0\n", "real 1x1 1:1=1"},
    {"dense", "", "0\n0\n", "integer 2x1"},
    {"dense", "", "0 0j\n", "complex 1x2"},
    {"dense", "", "1 (2, 3)\n4 5\n", "complex 2x2 1:1=1,0 1:2=2,3 2:1=4,0 2:2=5,0"},
    {"dense", "", "(1+2j),i\n", "complex 1x2 1:1=1,2 1:2=0,1"},
    {"dense", "p", "1 0\n0 2.5\n", "pattern 2x2 1:1 2:2"},
    {"dense", "g", "0 3 0\n3 0 4\n0 4 0\n", "integer 2x1 1:2=3 3:2=4"},
    {"dense", "g", "0 j\nj 0\n", "complex 1x1 1:2=0,1"},
    {"dense", "gp", "0 3\n4 0\n", "pattern 1x1 1:2"},
    {"dense", "", "# c\n", ":1: expected a row of numbers, found none"},
    {"dense", "", "1 2\n1\n", ":2: expected 2 numbers as in the first row, not 1"},
    {"dense", "", "1 2\n\n1 2 3\n",
     ":3: expected 2 numbers as in the first row, not 3; a line with the sizes has to be left out"},
    {"dense", "", "1 x\n", ":1: expected a finite number, not 'x'"},
    {"dense", "", "1 2\n1 nan\n", ":2: expected a finite number, not 'nan'"},
    {"dense", "", "1,,2\n", ":1: expected a finite number, not ''"},
    {"dense", "", "1 1e400\n",
     ":1: expected a number in the range of a double (0, or in size 4.9e-324 to 1.8e308), not "
     "'1e400'"},
    {"dense", "", "1 2; 3 4\n",
     ":1: expected ' ' between two numbers as before them, not ';': use one kind of separator"},
    {"dense", "", "1,2\n1 2\n",
     ":2: expected ',' between two numbers as before them, not ' ': use one kind of separator"},
    {"dense", "", "1,2,\n", ":1: expected a number after the ',' at the end of the line"},
    {"dense", "", "(1)2\n", ":1: expected a blank, ',' or ';' after ')'"},
    {"dense", "g", "0 1\n",
     ": expected a square matrix for a graph on one set of vertices, not 1 x 2"},
    {"dense", "g", "0 1\n2 0\n",
     ": expected a symmetric matrix for a graph on one set of vertices, but row 1, column 2 "
     "differs "
     "from row 2, column 1"},
    {"dense", "g", "0 2 3\n0 0 0\n0 0 0\n", "integer 1x2 1:2=2 1:3=3"},
    {"dense", "g", "0 0 0\n2 0 0\n0 3 0\n", "integer 2x1 1:2=2 3:2=3"},
    {"dense", "g", "1 2\n0 0\n",
     ": expected a symmetric matrix for a graph on one set of vertices, but row 1, column 2 "
     "differs "
     "from row 2, column 1"},
    {"dense", "gp", "0 1 0\n1 0 0\n1 0 0\n",
     ": expected a symmetric matrix for a graph on one set of vertices, but row 1, column 3 "
     "differs "
     "from row 3, column 1"},
    {"dense", "g", "1\n",
     ": expected a bipartite graph, found an odd cycle of 1 vertex: 1 joined to itself; only "
     "bipartite graphs are taken here"},
};

static void test_text(void **state)
{
    (void)state;
    CHECK_READINGS(texts);
}

/* ---- tables ---- */

static const reading tables[] = {
    {"csv", "", "b,x\na,y\nb,y\n", "pattern 2x2 b:x b:y a:y"},
    {"csv", "", "\xef\xbb\xbfu;v;1\r\n\r\nw;v;-2.5\r\n", "real 2x1 u:v=1 w:v=-2.5"},
    {"csv", "", "from,to\n1,2\n2,1\n", "pattern 2x2 1:2 2:1"},
    {"csv", "", "from,to,w\na,x," LONG "\n", "integer 1x1 a:x=" LONG},
    {"csv", "", "from\tto\tw\n1\t2\t3\n", "integer 1x1 1:2=3"},
    {"csv", "", "\"a \"\"b\"\"\", \"c,d\" \n\"line\nbreak\", e f\n",
     "pattern 2x2 a \"b\":c,d line\nbreak:e f"},
    {"csv", "", "a,\" b \"\nc,d\n", "pattern 2x2 a: b  c:d"},
    {"csv", "", "a;b;1\nc;b;\"2\"", "integer 2x1 a:b=1 c:b=2"},
    {"csv", "g", "5,7,3\n7,9,4\n", "integer 2x1 5:7=3 9:7=4"},
    {"csv", "s", "a,b\na,b\n", "integer 1x1 a:b=2"},
    {"csv", "p", "a,b,2\nc,b,0\n", "pattern 2x1 a:b"},
    {"csv", "", "a,b,nan\n", ":1: expected a finite number, not 'nan'"},
    {"csv", "", "from,to\n",
     ":1: expected an edge after the header, found none; if this line is an edge, say so"},
    {"csv", "", "from,to,weight\n", ":1: expected an edge after the header, found none"},
    {"csv", "", "a,b,\n", ":1: expected a finite number, not ''"},
    {"csv", "", "1,2,w\n", ":1: expected a finite number, not 'w'"},
    {"csv", "", "a,b,w\nc,d,x\n", ":2: expected a finite number, not 'x'"},
    {"csv", "", "a,b,1+2j\n", "complex 1x1 a:b=1,2"},
    {"csv", "", "a;b;1,5\n", ":1: expected a finite number, not '1,5': write a decimal point"},
    {"csv", "", "a,b,NA\nc,b,1\n", ":1: expected a finite number, not 'NA'"},
    {"csv", "", "a,b,q\nc,b,1\n",
     ":1: expected a finite number, not 'q'; if this line is a header, say so, because other "
     "lines have the same labels"},
    /* delimiters */
    {"csv", "", "Smith, A;cook\nSmith, A;clean\n",
     ":1: expected a table with a comma, semicolon or tab between its columns, found two of them: "
     "both cut every line into 2 columns"},
    {"csv", "", "a;x;1\nb,c;y;2\n", "integer 2x2 a:x=1 b,c:y=2"},
    {"csv", "", "a;x,1;2\nb;y,2;3\n", "integer 2x2 a:x,1=2 b:y,2=3"},
    {"csv", "", "a,x;y\nb;y,z\n",
     ":1: expected a table with a comma, semicolon or tab between its columns, found two of them: "
     "both cut every line into 2 columns"},
    {"csv", "", "a,x\n\nb;c,y\n", "pattern 2x2 a:x b;c:y"},
    {"csv", "", "a,x\n \t \nb,y\n\t", "pattern 2x2 a:x b:y"},
    {"csv", "", "\"a\n;b\",x\nc,y\n", "pattern 2x2 a\n;b:x c:y"},
    {"csv", "", "\"a,x\nc,y\n", ":2: the input ends inside quotes, which begin at line 1"},
    {"csv", "", "\"a\"\n",
     ":1: expected a table with a comma, semicolon or tab between its columns"},
    /* blocks of numbers */
    {"csv", "", "1,1\n1,1\n",
     ":2: duplicate edge (first at line 1); a matrix of numbers is another format"},
    {"csv", "", "a,b,1\nc,d\n", ":2: expected 3 columns as in the first line, found 2"},
    {"csv", "", "a,b\n,d\n", ":2: expected the name of a vertex in column 1, found nothing"},
    {"csv", "", "a,b\nc,\"\"\n", ":2: expected the name of a vertex in column 2, found nothing"},
    {"csv", "", "a,b\nc,\"d\n\n", ":3: the input ends inside quotes, which begin at line 2"},
    {"csv", "", "a,\"b\"c\n",
     ":1: expected the delimiter after a closing quote (a quote inside quotes is doubled)"},
    {"csv", "", "a,b,c,d\n",
     ":1: expected 2 or 3 columns (left, right and perhaps weight), found 4"},
    {"csv", "", "\nab\n",
     ":2: expected a table with a comma, semicolon or tab between its columns"},
    {"csv", "", "a,b\n1,2\na,3\n",
     ":1: expected a number as the next line has, not 'a'; if this line is a header, say so, "
     "because "
     "other lines have the same labels"},
    {"csv", "", "a,b\n1,1\n2,2\n", "pattern 2x2 1:1 2:2"},
    {"csv", "", "1\xc2\xa0,1\n",
     ":1: expected a label, found the invisible character U+00A0 at an end of '1\xc2\xa0': remove "
     "it"},
    {"csv", "", "\"a\rb\",x\n\"a\rb\",y\n", "pattern 1x2 a\rb:x a\rb:y"},
    {"csv", "", "\"a\r\",x\n",
     ":1: expected a label, found the invisible character U+000D at an end of 'a?': remove it"},
    {"csv", "", "a,\"\x01x\"\n",
     ":1: expected a label, found the invisible character U+0001 at an end of '?x': remove it"},
    {"csv", "", "a,x\xc2\x85\n",
     ":1: expected a label, found the invisible character U+0085 at an end of 'x\xc2\x85': remove "
     "it"},
    {"csv", "", "a,x\r\r\n",
     ":1: expected lines that end with a line feed, or one carriage return and a "
     "line feed, found more carriage returns: remove them (tr -d '\\r')"},
    {"csv", "", "\"a\",\"x\"\r\r\n",
     ":1: expected lines that end with a line feed, or one carriage return "
     "and a line feed, found more carriage returns: remove them (tr -d '\\r')"},
    {"csv", "", "a,b,w\n", ":1: expected an edge after the header, found none"},
    {"csv", "i", "a,b,1\nc,b,2\na,b,2\n",
     ":3: duplicate edge with another value (first at line 1)"},
};

/* What the options of a table say. */
static const struct {
    const char *columns;
    char delimiter;
    pm_header header;
    const char *text, *want;
} told[] = {
    {"3,1", 0, PM_HEADER_AUTO, "y,8,a\nx,9,b\n", "pattern 2x2 a:y b:x"},
    {"1,2,4", 0, PM_HEADER_YES, "?,?,?,?\na,x,-,5\n", "integer 1x1 a:x=5"},
    {"to,from,w", 0, PM_HEADER_AUTO, "w,from,to\n3,a,x\n", "integer 1x1 x:a=3"},
    {"to,1", 0, PM_HEADER_YES, "w,from,to\na,-,x\n", "pattern 1x1 x:a"},
    {NULL, '|', PM_HEADER_NO, "a,b|c\n", "pattern 1x1 a,b:c"},
    {NULL, ' ', PM_HEADER_AUTO, "a b 2\n", "integer 1x1 a:b=2"},
    {NULL, 0, PM_HEADER_NO, "from,to\n1,2\n", "pattern 2x2 from:to 1:2"},
    {NULL, 0, PM_HEADER_YES, "1,2\n3,4\n", "pattern 1x1 3:4"},
    {"1,x", 0, PM_HEADER_AUTO, "a,b\nc,d\n",
     ":1: expected a column named 'x' in the header, found none; lines that begin with # are "
     "comments"},
    {"1,a", 0, PM_HEADER_AUTO, "a,b\nc,d\n", ":1: expected different columns, found one twice"},
    {"1,a", 0, PM_HEADER_AUTO, "b,a,a\nc,d,e\n",
     ":1: expected one column named 'a' in the header, found two"},
    {"1,3", 0, PM_HEADER_AUTO, "a,b\n", ":1: expected a column 3, found 2 columns"},
    {"a,b", 0, PM_HEADER_NO, "a,b\n",
     "expected numbers of columns where there is no header, found names"},
    {"1,1", 0, PM_HEADER_NO, "a,b\n",
     "expected columns LEFT,RIGHT[,WEIGHT], not '1,1': different numbers from 1, or names of the "
     "header"},
};

/* The first line of a table without weights could be a header: a warning says so. */
static void check_warning(const char *text, bool wanted)
{
    pm_read_options opt = {.from = "csv"};
    pm_reader *r = NULL;
    pm_node e;
    pm_node_init(&e);
    reading_write(text, strlen(text));
    assert_int_equal(pm_reader_open(reading_path, &opt, &r, NULL), PM_OK);
    assert_int_equal(pm_reader_next(r, &e, NULL), PM_OK);
    assert_int_equal(*pm_reader_warning(r) != '\0', wanted);
    pm_reader_close(&r);
    pm_node_clear(&e);
}

static void test_tables(void **state)
{
    (void)state;
    CHECK_READINGS(tables);
    for (size_t k = 0; k < sizeof told / sizeof *told; ++k) {
        pm_read_options opt = {.from = "csv",
                               .columns = told[k].columns,
                               .delimiter = told[k].delimiter,
                               .header = told[k].header};
        reading_write(told[k].text, strlen(told[k].text));
        check_file(&opt, told[k].want);
    }
    check_warning("from,to\na,x\nb,y\n", true);
    check_warning("a,x\na,y\nb,y\n", false);
    check_warning("from,to\n1,2\n", false);
}

/* ---- when memory ends ---- */

static void test_memory(void **state)
{
    (void)state;
    static const reading inputs[] = {
        {"dense", "", "1 2.5\n0 1j\n", "complex 2x2 1:1=1,0 1:2=2.5,0 2:2=0,1"},
        {"dense", "g", "0 2\n2 0\n", "integer 1x1 1:2=2"},
        {"csv", "", "from,to,w\n\"a\nb\",y,2.5\n", "real 1x1 a\nb:y=2.5"},
        {"csv", "", "from,to\n1,2\n", "pattern 1x1 1:2"},
    };
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; ++k)
        check_reading_memory(&inputs[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("read_tables", tests, reading_begin, reading_end);
}
