/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers of matrices as text, of tables of edges, and of arrays of NumPy and SciPy. */
#include "config.h"

#include "support/readings.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <zlib.h>

#include "io/scalar.h"
#include "pm/io.h"

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
    static const char *const bad[] = {"",       "()",    "(1",    "1)",      "+",   "1+2",
                                      "1+2k",   "1++2j", "(,)",   "(1,2,3)", "nan", "nan+1j",
                                      "1+nanj", "infj",  "1 +2j", "*I",      "i+1", "1+2j+3j"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k) {
        pm_scalar x = {.field = PM_PATTERN};
        assert_int_equal(pm_scalar_parse(bad[k], (int64_t)strlen(bad[k]), &x), PM_NUMBER_BAD);
        assert_int_equal(x.field, PM_PATTERN);
    }
    pm_scalar x = {.field = PM_PATTERN};
    assert_int_equal(pm_scalar_parse("1+1e400j", 8, &x), PM_NUMBER_RANGE);
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
    {"dense", "", "1 2\n\n1 2 3\n", ":3: expected 2 numbers as in the first row, not 3"},
    {"dense", "", "1 x\n", ":1: expected a finite number, not 'x'"},
    {"dense", "", "1 2\n1 nan\n", ":2: expected a finite number, not 'nan'"},
    {"dense", "", "1,,2\n", ":1: expected a finite number, not ''"},
    {"dense", "", "1 1e400\n", ":1: expected a number in the range of a double, not '1e400'"},
    {"dense", "", "1 2; 3 4\n",
     ":1: expected ' ' between two numbers as before them, not ';': use one kind of separator"},
    {"dense", "", "1,2\n1 2\n",
     ":2: expected ',' between two numbers as before them, not ' ': use one kind of separator"},
    {"dense", "", "1,2,\n", ":1: expected a number after the ',' at the end of the line"},
    {"dense", "", "(1)2\n", ":1: expected a blank, ',' or ';' after ')'"},
    {"dense", "g", "0 1\n",
     ": expected a square matrix, which a graph of one vertex set has, not 1 x 2"},
    {"dense", "g", "0 1\n2 0\n",
     ": expected a symmetric matrix, which a graph of one vertex set has; row 1, column 2 differs "
     "from row 2, column 1"},
    {"dense", "gp", "0 1 0\n1 0 0\n1 0 0\n",
     ": expected a symmetric matrix, which a graph of one vertex set has; row 1, column 3 differs "
     "from row 3, column 1"},
    {"dense", "g", "1\n",
     ": expected a bipartite graph, found an odd cycle of 1 vertex: 1 joined to itself"},
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
    {"csv", "", "a,\" b \"\n", "pattern 1x1 a: b "},
    {"csv", "", "a;b;1\nc;b;\"2\"", "integer 2x1 a:b=1 c:b=2"},
    {"csv", "g", "5,7,3\n7,9,4\n", "integer 2x1 5:7=3 9:7=4"},
    {"csv", "s", "a,b\na,b\n", "integer 1x1 a:b=2"},
    {"csv", "p", "a,b,2\nc,b,0\n", "pattern 2x1 a:b"},
    {"csv", "", "a,b,nan\n", ":1: expected a finite number, not 'nan'"},
    {"csv", "", "a,b,\n", ":1: expected a finite number, not ''"},
    {"csv", "", "1,2,w\n", ":1: expected a finite number, not 'w'"},
    {"csv", "", "a,b,w\nc,d,x\n", ":2: expected a finite number, not 'x'"},
    {"csv", "", "a,b,1+2j\n", ":1: expected a finite number, not '1+2j'"},
    {"csv", "", "a;b;1,5\n", ":1: expected a finite number, not '1,5'"},
    {"csv", "", "a,b,NA\nc,b,1\n",
     ":1: expected a finite number, not 'NA'; if the line is a header, tell so: its labels are "
     "those of other lines"},
    {"csv", "", "a,b,1\nc,d\n", ":2: expected 3 fields as in the first line, not 2"},
    {"csv", "", "a,b\n,d\n", ":2: expected a label in column 1, it is empty"},
    {"csv", "", "a,b\nc,\"\"\n", ":2: expected a label in column 2, it is empty"},
    {"csv", "", "a,b\nc,\"d\n\n", ":3: the input ends inside quotes, which begin at line 2"},
    {"csv", "", "a,\"b\"c\n",
     ":1: expected the delimiter after a closing quote (a quote inside quotes is doubled)"},
    {"csv", "", "a,b,c,d\n",
     ":1: expected 2 or 3 columns, found 4 (or tell the columns LEFT,RIGHT[,WEIGHT])"},
    {"csv", "", "\nab\n",
     ":2: expected a table with a comma, semicolon or tab between its columns (or tell the "
     "delimiter)"},
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
    {NULL, '|', PM_HEADER_AUTO, "a,b|c\n", "pattern 1x1 a,b:c"},
    {NULL, ' ', PM_HEADER_AUTO, "a b 2\n", "integer 1x1 a:b=2"},
    {NULL, 0, PM_HEADER_NO, "from,to\n1,2\n", "pattern 2x2 from:to 1:2"},
    {NULL, 0, PM_HEADER_YES, "1,2\n3,4\n", "pattern 1x1 3:4"},
    {"1,x", 0, PM_HEADER_AUTO, "a,b\nc,d\n", ":1: expected a column 'x', found none of this name"},
    {"1,a", 0, PM_HEADER_AUTO, "a,b\nc,d\n", ":1: expected different columns: one is named twice"},
    {"1,a", 0, PM_HEADER_AUTO, "b,a,a\nc,d,e\n", ":1: expected one column 'a', found two"},
    {"1,3", 0, PM_HEADER_AUTO, "a,b\n", ":1: expected a column 3, found 2 columns"},
    {"a,b", 0, PM_HEADER_NO, "a,b\n", "columns are given by name, but there is no header"},
    {"1,1", 0, PM_HEADER_NO, "a,b\n",
     "'1,1' is not LEFT,RIGHT[,WEIGHT]: numbers of different columns, from 1, or names"},
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
    check_warning("a,x\n", false);
}

/* ---- arrays ---- */

/* Bytes that a test puts together. */
typedef struct {
    unsigned char bytes[4096];
    size_t size;
} buffer;

static void put(buffer *b, const void *bytes, size_t size)
{
    assert_true(b->size + size <= sizeof b->bytes);
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

/* v in `size` bytes, the lowest one first. */
static void put_number(buffer *b, uint64_t v, int size)
{
    for (int k = 0; k < size; ++k, v >>= 8)
        put(b, &(unsigned char){(unsigned char)v}, 1);
}

static void put_head(buffer *b, int version, const char *text)
{
    put(b, "\x93NUMPY", 6);
    put_number(b, (uint64_t)version, 2);
    put_number(b, strlen(text), version == 1 ? 2 : 4);
    put(b, text, strlen(text));
}

static void put_array(buffer *b, const char *descr, const char *shape, const void *bytes,
                      size_t size)
{
    char text[200];
    snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", descr,
             shape);
    put_head(b, 1, text);
    put(b, bytes, size);
}

static void check_bytes(const buffer *b, const char *flags, const char *want)
{
    const reading x = {.flags = flags};
    pm_read_options opt = reading_options(&x);
    reading_write((const char *)b->bytes, b->size);
    check_file(&opt, want);
}

static void test_elements(void **state)
{
    (void)state;
    static const struct {
        const char *descr, *bytes;
        size_t size;
        const char *want;
    } elements[] = {
        {"|b1", "\0\1", 2, "pattern 1x2 1:2"},
        {"|i1", "\x80\x7f", 2, "integer 1x2 1:1=-128 1:2=127"},
        {"|u1", "\xff\0", 2, "integer 1x2 1:1=255"},
        {"<i2", "\1\0\0\x80", 4, "integer 1x2 1:1=1 1:2=-32768"},
        {">i2", "\1\0\0\x80", 4, "integer 1x2 1:1=256 1:2=128"},
        {"<u4", "\xff\xff\xff\xff\0\0\0\0", 8, "integer 1x2 1:1=4294967295"},
        {">i8", "\x80\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1", 16,
         "integer 1x2 1:1=-9223372036854775808 1:2=1"},
        {"<u8", "\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0\0\0\0\x80", 16,
         "integer 1x2 1:1=18446744073709551615 1:2=9223372036854775808"},
        {"<f2", "\0\x3c\1\0", 4, "real 1x2 1:1=1 1:2=5.9604644775390625e-08"},
        {">f2", "\xc0\0\x7b\xff", 4, "real 1x2 1:1=-2 1:2=65504"},
        {"<f4", "\0\0\xc0\x3f\0\0\0\x80", 8, "real 1x2 1:1=1.5"},
        {">f8", "\x3f\xf8\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16, "real 1x2 1:1=1.5"},
        {"<c8", "\0\0\xc0\x3f\0\0\0\xc0\0\0\0\0\0\0\0\0", 16, "complex 1x2 1:1=1.5,-2"},
        {">c8", "\0\0\0\0\x3f\xc0\0\0\0\0\0\0\0\0\0\0", 16, "complex 1x2 1:1=0,1.5"},
        {"|b1", "\0\2", 2, ": row 1, column 2: expected a bool, 0 or 1, not a byte above 1"},
        {"<f2", "\0\x7c\0\0", 4, ": row 1, column 1: expected a finite number, not inf"},
        {"<f4", "\0\0\0\0\0\0\xc0\x7f", 8, ": row 1, column 2: expected a finite number, not nan"},
        {"<c8", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80\xff", 16,
         ": row 1, column 2: expected a finite number, not inf"},
    };
    for (size_t k = 0; k < sizeof elements / sizeof *elements; ++k) {
        buffer b = {.size = 0};
        put_array(&b, elements[k].descr, "(1, 2)", elements[k].bytes, elements[k].size);
        check_bytes(&b, "", elements[k].want);
    }
}

/* Heads in front of the bytes 0, 1, 2, ..., 7. */
static void test_heads(void **state)
{
    (void)state;
#define DICT(descr, order, shape)                                                                  \
    "{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape "}"
    static const struct {
        int version;
        size_t count; /* bytes after the head */
        const char *text, *want;
    } heads[] = {
        {1, 4, DICT("'|u1'", "False", "(2, 2)"), "integer 2x2 1:2=1 2:1=2 2:2=3"},
        {2, 4, DICT("'|u1'", "True", "(2, 2)"), "integer 2x2 1:2=2 2:1=1 2:2=3"},
        {3, 4, "{\"shape\": (1L, 4L), 'descr':'u1','fortran_order':False , } \n",
         "integer 1x4 1:2=1 1:3=2 1:4=3"},
        {1, 8, DICT("'|u1'", "False", "(2, 2, 2)"),
         "integer 2x2 1:2=1 2:1=2 2:2=3; integer 2x2 1:1=4 1:2=5 2:1=6 2:2=7"},
        {1, 8, DICT("'|u1'", "True", "(2, 2, 2)"),
         "integer 2x2 1:2=4 2:1=2 2:2=6; integer 2x2 1:1=1 1:2=5 2:1=3 2:2=7"},
        {1, 0, DICT("'|u1'", "False", "(0, 0)"), "integer 0x0"},
        {1, 0, DICT("'<f8'", "False", "(2, 0)"), "real 2x0"},
        {1, 0, DICT("'<f8'", "False", "(0, 5, 5)"), ""},
        {1, 3, DICT("'|u1'", "False", "(2, 2)"),
         ": the input ends after 3 bytes of the elements of an array, expected 4"},
        {1, 5, DICT("'|u1'", "False", "(2, 2)"),
         ": expected the end of the input after the elements of the array, found more bytes"},
        {1, 1, DICT("'|u1'", "False", "(0, 2, 2)"),
         ": expected the end of the input after the elements of the array, found more bytes"},
        {1, 8, DICT("'|u1'", "False", "(8,)"),
         ": expected a matrix (2 dimensions) or a batch of matrices (3), not an array of 1 "
         "dimension"},
        {1, 8, DICT("'|u1'", "False", "()"),
         ": expected a matrix (2 dimensions) or a batch of matrices (3), not an array of 0 "
         "dimensions"},
        {1, 8, DICT("'|u1'", "False", "(1, 2, 2, 2)"),
         ": expected a matrix (2 dimensions) or a batch of matrices (3), not an array of more than "
         "3 dimensions"},
        {1, 8, DICT("'|O'", "False", "(1, 1)"),
         ": an array of Python objects, which are not read: save it with dtype=int, dtype=float or "
         "dtype=complex"},
        {1, 8, DICT("[('a', '<f8')]", "False", "(1, 1)"),
         ": a structured array: save one of its fields as an array of numbers"},
        {1, 8, DICT("'<M8[s]'", "False", "(1, 1)"),
         ": expected an array of bool, integers up to 64 bits, float16 to float64, complex64 or "
         "complex128, not of the type '<M8[s]'"},
        {1, 8, DICT("'<f16'", "False", "(1, 1)"),
         ": expected an array of bool, integers up to 64 bits, float16 to float64, complex64 or "
         "complex128, not of the type '<f16'"},
        {1, 8, DICT("'<U2'", "False", "(1, 1)"),
         ": expected an array of numbers, not of text: save it with dtype=int or dtype=float"},
        {1, 8, DICT("'<f8'", "False", "(4294967296, 4294967296)"),
         ": expected an array below 2^63 bytes, its shape says more"},
        {1, 8, DICT("'<f8'", "False", "(2147483648, 1)"),
         ": expected at most 2147483647 rows and columns, not 2147483648 x 1"},
        {1, 8, DICT("'<f8'", "False", "(99999999999999999999, 1)"),
         ": damaged head of an array: expected a length from 0 to 2^63 - 1, not "
         "'99999999999999999999, 1)}'"},
        {1, 8, DICT("'<f8'", "0", "(1, 1)"),
         ": damaged head of an array: expected True or False, not '0, 'shape': (1, 1)}'"},
        {1, 8, "{'descr': '<f8'}",
         ": damaged head of an array: expected 'descr', 'fortran_order' and 'shape', not ''"},
        {1, 8, "{'x': 1}",
         ": damaged head of an array: expected 'descr', 'fortran_order' or 'shape', not ': 1}'"},
        {4, 8, "{}", ": expected version 1.0, 2.0 or 3.0 of NPY, not 4.0"},
    };
    for (size_t k = 0; k < sizeof heads / sizeof *heads; ++k) {
        buffer b = {.size = 0};
        put_head(&b, heads[k].version, heads[k].text);
        put(&b, "\0\1\2\3\4\5\6\7", heads[k].count);
        check_bytes(&b, "", heads[k].want);
    }
}

/* An announced size does not allocate memory, and no elements do not take hours. */
static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *shape, *words;
    } sizes[] = {
        {"(2147483647, 2147483647)", "the input ends after 0 bytes"},
        {"(2147483647, 0)", "refused"},
        {"(9223372036854775807, 0, 0)", "refused"},
    };
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        buffer b = {.size = 0};
        pm_error err = {""};
        pm_read_options opt = {0};
        put_array(&b, "|u1", sizes[k].shape, "", 0);
        reading_write((const char *)b.bytes, b.size);
        assert_int_equal(reading_text(&opt, NULL, 0, &err), k ? PM_UNABLE : PM_EDATA);
        assert_non_null(strstr(err.msg, sizes[k].words));
    }
}

static void test_adjacency(void **state)
{
    (void)state;
    buffer b = {.size = 0};
    put_array(&b, "|u1", "(3, 3)", "\0\5\0\5\0\6\0\6\0", 9);
    check_bytes(&b, "g", "integer 2x1 1:2=5 3:2=6");
    check_bytes(&b, "gp", "pattern 2x1 1:2 3:2");
    b.size = 0;
    put_array(&b, "|u1", "(2, 2)", "\0\5\6\0", 4);
    check_bytes(&b, "g",
                ": expected a symmetric matrix, which a graph of one vertex set has; row 1, column "
                "2 differs from row 2, column 1");
    check_bytes(&b, "gp", "pattern 1x1 1:2");
}

/* ---- archives ---- */

typedef struct {
    buffer file, directory;
    int count;
} archive;

/* Appends a member, deflated or stored; its local header has no sizes, as in a pipe. */
static void put_member(archive *z, const char *name, const buffer *b, bool deflate_it)
{
    buffer packed = *b;
    if (deflate_it) {
        z_stream s = {0};
        assert_int_equal(deflateInit2(&s, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
        s.next_in = (unsigned char *)(uintptr_t)b->bytes;
        s.avail_in = (uInt)b->size;
        s.next_out = packed.bytes;
        s.avail_out = sizeof packed.bytes;
        assert_int_equal(deflate(&s, Z_FINISH), Z_STREAM_END);
        packed.size = s.total_out;
        deflateEnd(&s);
    }
    uint64_t header = z->file.size, method = deflate_it ? 8 : 0;
    put(&z->file, "PK\3\4", 4);
    put_number(&z->file, 20 | 8 << 16, 4);
    put_number(&z->file, method, 2);
    put_number(&z->file, 0, 8);
    put_number(&z->file, 0, 8);
    put_number(&z->file, strlen(name), 2);
    put_number(&z->file, 0, 2);
    put(&z->file, name, strlen(name));
    put(&z->file, packed.bytes, packed.size);
    buffer *d = &z->directory;
    put(d, "PK\1\2", 4);
    put_number(d, 20, 2);
    put_number(d, 20 | 8 << 16, 4);
    put_number(d, method, 2);
    put_number(d, 0, 4);
    put_number(d, crc32(crc32(0, NULL, 0), b->bytes, (uInt)b->size), 4);
    put_number(d, packed.size, 4);
    put_number(d, b->size, 4);
    put_number(d, strlen(name), 2);
    put_number(d, 0, 8);
    put_number(d, 0, 4);
    put_number(d, header, 4);
    put(d, name, strlen(name));
    ++z->count;
}

static void put_npy(archive *z, const char *name, const char *descr, const char *shape,
                    const void *bytes, size_t size)
{
    buffer b = {.size = 0};
    put_array(&b, descr, shape, bytes, size);
    put_member(z, name, &b, z->count % 2);
}

static void end_archive(archive *z)
{
    uint64_t at = z->file.size;
    put(&z->file, z->directory.bytes, z->directory.size);
    put(&z->file, "PK\5\6", 4);
    put_number(&z->file, 0, 4);
    put_number(&z->file, (uint64_t)z->count, 2);
    put_number(&z->file, (uint64_t)z->count, 2);
    put_number(&z->file, z->directory.size, 4);
    put_number(&z->file, at, 4);
    put_number(&z->file, 0, 2);
}

static archive two_arrays(void)
{
    archive z = {.count = 0};
    put_npy(&z, "a.npy", "|u1", "(1, 1)", "\7", 1);
    put_npy(&z, "b.npy", "|u1", "(2, 1, 1)", "\1\2", 2);
    end_archive(&z);
    return z;
}

static void test_archives(void **state)
{
    (void)state;
    archive z = two_arrays();
    check_bytes(&z.file, "", "integer 1x1 1:1=7; integer 1x1 1:1=1; integer 1x1 1:1=2");
    z.file.bytes[z.file.size - 12] = 3;
    check_bytes(&z.file, "",
                ": zip archive cut short or damaged: expected as many members as its end record "
                "says");
    z = two_arrays();
    ++z.file.bytes[40];
    check_bytes(&z.file, "",
                ": member 'a.npy': damaged: its checksum is not that of the directory");
    z = (archive){.count = 0};
    put_npy(&z, "a.txt", "|u1", "(1, 1)", "\7", 1);
    end_archive(&z);
    check_bytes(&z.file, "",
                ": expected arrays NAME.npy, as numpy.savez writes them, found the member 'a.txt'");
}

/* However an archive is cut, it is an error. */
static void test_cut_archives(void **state)
{
    (void)state;
    archive z = two_arrays();
    pm_read_options opt = {.from = "npz"};
    for (size_t n = 1; n < z.file.size; ++n) {
        pm_error err = {""};
        reading_write((const char *)z.file.bytes, n);
        assert_int_equal(reading_text(&opt, NULL, 0, &err), PM_EDATA);
        assert_non_null(strstr(err.msg, n < 4 ? "expected a zip archive" : "cut short"));
    }
}

/* Numbers in an archive as 64 bits, "%lld" of each. */
static void put_numbers(archive *z, const char *name, int count, const int64_t *v)
{
    buffer bytes = {.size = 0};
    char shape[32];
    for (int k = 0; k < count; ++k)
        put_number(&bytes, (uint64_t)v[k], 8);
    snprintf(shape, sizeof shape, "(%d,)", count);
    put_npy(z, name, "<i8", shape, bytes.bytes, bytes.size);
}

#define NUMBERS(z, name, ...)                                                                      \
    put_numbers(z, name, (int)(sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t)),                  \
                (int64_t[]){__VA_ARGS__})

static archive sparse_archive(const char *format)
{
    archive z = {.count = 0};
    put_npy(&z, "format.npy", "|S3", "()", format, 3);
    NUMBERS(&z, "shape.npy", 2, 4);
    return z;
}

static void test_sparse(void **state)
{
    (void)state;
    archive z = sparse_archive("csr");
    NUMBERS(&z, "data.npy", 5, 0, 7);
    NUMBERS(&z, "indices.npy", 3, 2, 0);
    NUMBERS(&z, "indptr.npy", 0, 2, 3);
    end_archive(&z);
    check_bytes(&z.file, "", "integer 2x4 1:4=5 2:1=7");
    z = sparse_archive("csc");
    NUMBERS(&z, "data.npy", 5, 7);
    NUMBERS(&z, "indices.npy", 1, 0);
    NUMBERS(&z, "indptr.npy", 0, 0, 1, 1, 2);
    end_archive(&z);
    check_bytes(&z.file, "", "integer 2x4 1:4=7 2:2=5");
    z = sparse_archive("coo");
    NUMBERS(&z, "data.npy", 5, 7, 8);
    NUMBERS(&z, "row.npy", 1, 0, 1);
    NUMBERS(&z, "col.npy", 3, 2, 3);
    end_archive(&z);
    check_bytes(&z.file, "", ": duplicate edge 2 4");
    check_bytes(&z.file, "s", "integer 2x4 1:3=7 2:4=13");
    z = sparse_archive("bsr");
    put_npy(&z, "data.npy", "|u1", "(1, 2, 2)", "\1\2\3\4", 4);
    NUMBERS(&z, "indices.npy", 1);
    NUMBERS(&z, "indptr.npy", 0, 1);
    end_archive(&z);
    check_bytes(&z.file, "", "integer 2x4 1:3=1 1:4=2 2:3=3 2:4=4");
    z = sparse_archive("dia");
    put_npy(&z, "data.npy", "|u1", "(2, 3)", "\1\2\3\4\5\6", 6);
    NUMBERS(&z, "offsets.npy", 1, -1);
    end_archive(&z);
    check_bytes(&z.file, "", "integer 2x4 1:2=2 2:1=4 2:3=3");
}

static void test_bad_sparse(void **state)
{
    (void)state;
#define SCIPY ": sparse matrix of SciPy: expected "
    archive z = sparse_archive("lil");
    NUMBERS(&z, "data.npy", 5);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "one of the formats csr, csc, coo, bsr and dia");
    z = sparse_archive("csr");
    NUMBERS(&z, "data.npy", 5, 7);
    NUMBERS(&z, "indptr.npy", 0, 2, 1);
    archive short_one = z;
    end_archive(&short_one);
    check_bytes(&short_one.file, "",
                ": expected a sparse matrix of scipy.sparse.save_npz, found no array 'indices'");
    NUMBERS(&z, "indices.npy", 0, 1);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "ascending numbers of elements in 'indptr'");
    z = sparse_archive("csr");
    NUMBERS(&z, "data.npy", 5, 7);
    NUMBERS(&z, "indptr.npy", 0, 1, 2);
    NUMBERS(&z, "indices.npy", 0, 4);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "elements of 'indices' inside the shape");
    z = sparse_archive("coo");
    NUMBERS(&z, "data.npy", 5);
    NUMBERS(&z, "row.npy", -1);
    NUMBERS(&z, "col.npy", 0);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "coordinates inside the shape");
    z = sparse_archive("dia");
    NUMBERS(&z, "data.npy", 5);
    end_archive(&z);
    check_bytes(&z.file, "", SCIPY "data of 2 dimensions");
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
    pm_read_options opt = {0};
    archive z = two_arrays();
    reading_write((const char *)z.file.bytes, z.file.size);
    check_file_memory(&opt, "integer 1x1 1:1=7; integer 1x1 1:1=1; integer 1x1 1:1=2");
    z = sparse_archive("csr");
    NUMBERS(&z, "data.npy", 5);
    NUMBERS(&z, "indices.npy", 3);
    NUMBERS(&z, "indptr.npy", 0, 1, 1);
    end_archive(&z);
    reading_write((const char *)z.file.bytes, z.file.size);
    check_file_memory(&opt, "integer 2x4 1:4=5");
    buffer b = {.size = 0};
    put_array(&b, "|b1", "(1, 1, 1)", "\1", 1);
    reading_write((const char *)b.bytes, b.size);
    check_file_memory(&opt, "pattern 1x1 1:1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),      cmocka_unit_test(test_text),
        cmocka_unit_test(test_tables),       cmocka_unit_test(test_elements),
        cmocka_unit_test(test_heads),        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_adjacency),    cmocka_unit_test(test_archives),
        cmocka_unit_test(test_cut_archives), cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_bad_sparse),   cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, reading_begin, reading_end);
}
