/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inputs that can be read in two ways: when the reader warns, and what lines mean that no plain
 * edge list has. */
#include "config.h"

#include "support/testing.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "pm/alloc.h"
#include "pm/io.h"

static char path[] = "/tmp/unit_readings.XXXXXX";

/* *e: the only matrix of the text.  warning: what the reader warns of. */
static pm_status read_text(const char *text, const pm_read_options *opt, pm_node *e,
                           char warning[512], pm_error *err)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
    pm_reader *r = NULL;
    pm_status status = pm_reader_open(path, opt, &r, err);
    if (!status)
        status = pm_reader_next(r, e, err);
    snprintf(warning, 512, "%s", r ? pm_reader_warning(r) : "");
    pm_reader_close(&r);
    return status;
}

/* flags: p pattern, g graph, b bipartite, e read as an edge list */
static pm_read_options options_of(const char *flags)
{
    return (pm_read_options){.from = strchr(flags, 'e') ? "edges" : NULL,
                             .pattern = strchr(flags, 'p'),
                             .graph = strchr(flags, 'g'),
                             .bipartite = strchr(flags, 'b')};
}

/* ---- warnings ---- */

typedef struct {
    const char *flags; /* of options_of */
    const char *text;
    const char *want; /* is in the warning; NULL: there is none */
} doubt;

#define COORDINATE "%%MatrixMarket matrix coordinate "
#define ARRAY      "%%MatrixMarket matrix array "
#define SIDES      "read as two sides"
#define SYMMETRIC  "its pattern is symmetric without a diagonal"
#define ZERO       "whose permanent is 0"
#define IS_TABLE   "; lines cut at tabs only, with blanks in names, are a table"
#define AT_TABS    "; the fields are separated by tabs, because labels before have blanks"
#define BLOCK      "looks like a matrix of"
#define BANNER                                                                                     \
    "expected '%%MatrixMarket' in the first line and at its beginning, with two percent signs "    \
    "and no blank"
#define BOTH   "read as 'left right weight', cut at blanks and tabs; cut at tabs only"
#define COMMAS "names that end with a comma"

static const doubt doubts[] = {
    /* words on both sides */
    {"", "a b\nb c\nc d\n",
     SIDES ", as after a line '# pm-edges ROWS COLS': row 'b' and column 'b' are"},
    {"", "a x\nb x\nb y\n", NULL},
    {"b", "a b\nb c\nc d\n", NULL},
    {"g", "a b\nb c\nc d\n", NULL},
    {"e", "a b\nb c\nc d\n", SIDES},
    {"", "# pm-edges 3 3\na b\nb c\nc d\n", NULL},
    {"", "# pm-graph 4\na b\nb c\nc d\n", NULL},
    {"", "a b\nb c\nc c\n", NULL},              /* c joined to itself */
    {"", "a b 2\nb a 3\nb c 1\nd e 1\n", NULL}, /* two weights of one edge */
    {"p", "a b 2\nb a 3\nb c 1\nd e 1\n", SIDES},
    {"", "a b 2\nb a 2\nb c 1\nd e 1\n", SIDES},
    {"", "a b 2\nb c 1\nd e 1\nc c 0\n", SIDES}, /* a weight 0 is no edge */
    /* integers that are 1..n, or 0..n-1, on both sides */
    {"", "1 2\n2 3\n3 4\n4 1\n", SIDES},
    {"", "0 1\n1 2\n2 0\n", SIDES},
    {"", "1 2\n2 1\n2 3\n3 1\n", NULL},
    {"", "1 1\n1 2\n2 2\n", NULL},
    {"", "1 2\n2 1\n1 3\n3 1\n", SIDES},
    {"", "1 2 5\n2 1 5\n1 3 7\n3 1 7\n", SIDES},
    {"", "1 2 5\n2 1 6\n1 3 7\n3 1 7\n", NULL},
    /* other integers */
    {"", "0 1\n1 2\n2 3\n", SIDES},
    {"", "1 2\n2 1\n2 5\n", SIDES},
    {"", "1 11\n2 12\n3 11\n", NULL},
    /* Matrix Market */
    {"", COORDINATE "pattern symmetric\n3 3 2\n2 1\n3 2\n", SYMMETRIC},
    {"", COORDINATE "pattern symmetric\n3 3 3\n2 1\n3 2\n3 3\n", NULL},
    {"b", COORDINATE "pattern symmetric\n3 3 2\n2 1\n3 2\n", NULL},
    {"g", COORDINATE "pattern symmetric\n3 3 2\n2 1\n3 2\n", NULL},
    {"", COORDINATE "integer symmetric\n3 3 2\n2 1 1\n3 2 1\n", SYMMETRIC},
    {"", COORDINATE "integer symmetric\n3 3 2\n2 1 1\n3 2 2\n", NULL},
    {"p", COORDINATE "integer symmetric\n3 3 2\n2 1 1\n3 2 2\n", SYMMETRIC},
    {"", COORDINATE "pattern general\n2 2 2\n2 1\n1 2\n", SYMMETRIC},
    {"", COORDINATE "pattern general\n3 3 3\n2 1\n1 2\n1 3\n", NULL},
    {"", COORDINATE "pattern general\n2 2 1\n2 1\n", ZERO ", because all entries are below"},
    {"", COORDINATE "real general\n3 3 2\n1 2 5\n2 3 6\n", ZERO ", because all entries are above"},
    {"", COORDINATE "pattern general\n2 3 1\n1 2\n", NULL},
    {"", COORDINATE "pattern general\n2 2 0\n", NULL},
    {"", COORDINATE "pattern symmetric\n2 2 0\n", NULL},
    {"", COORDINATE "real skew-symmetric\n2 2 1\n2 1 5\n", NULL},
    {"", ARRAY "integer general\n2 2\n0\n1\n1\n0\n", SYMMETRIC},
    {"", "%pm: stream 1\n" COORDINATE "pattern symmetric\n2 2 1\n2 1\n%pm: eof\n", NULL},
    /* blocks of numbers, commas */
    {"", "1 2 3\n4 5 6\n7 8 9\n",
     "read as 3 edges 'left right weight', but " BLOCK " 3 x 3 numbers"},
    {"", "0 1 1\n1 0 1\n# c\n\n1 1 0\n", BLOCK},
    {"", "1 2\n.5 4\n", "read as 2 edges 'left right', but " BLOCK " 2 x 2 numbers"},
    {"e", "1 2 3\n4 5 6\n7 8 9\n", NULL},
    {"b", "1 2 3\n4 5 6\n7 8 9\n", NULL},
    {"", "# pm-edges 9 9\n1 2 3\n4 5 6\n7 8 9\n", NULL},
    {"", "1 2 3\n4 5 6\n7 8 9\n10 11 12\n", NULL},
    {"", "5 3 2\n1 4 6\n", "read as 2 edges 'left right weight', but " BLOCK " 2 x 3 numbers"},
    {"", "1 2 3\n4 x 6\n7 8 9\n", NULL},
    {"", "1 2 {}\n3 4 {}\n", NULL},
    {"", "a, 1\nb, 2\nc, 3\n", COMMAS},
    {"", "a; 1\nb; 2\nc 3\n", NULL},
    {"", "0,0 1,1\n2,0 3,1\n", NULL},
    {"", "0, 1\n1, 1\n", COMMAS " or semicolon, but looks like fields between them: a matrix or"},
    /* complex numbers */
    {"", "1+2j 2 3\n4 5 6\n7 8 9\n", BLOCK},
    {"", "(1,2) 3\n4 5\n", BLOCK},
    {"", "1 2j\n2j 3\n", BLOCK},
    {"", " (1e0+0e0j) (0e0+2e0j)\n (0e0+2e0j) (3e0+0e0j)\n (1e0+0e0j) (3e0+0e0j)\n", BLOCK},
    {"", "(0,1) (5,1)\n(0,2) (5,2)\n(0,3) (5,3)\n", NULL}, /* places of a grid */
    /* blanks and TABs */
    {"", "A1 B1\t2\nA2 B2\t3\n", BOTH},
    {"g", "A1 B1\t2\n", BOTH},
    {"e", "A1 B1\t2\n", NULL},
    {"", "A1 B1\t2\nA2 B2\t.5\n", NULL}, /* hardly a label */
    {"", "A1 B1\t2\nA2 B2 3\n", NULL},
    {"", "Ann Lee\t2\nBob\t3\n", NULL},
    {"", "Ann Lee\t2\nBob Ray\tcook\n", "because a line ends with no number"},
    {"", "Ann Lee\tcook\nBob Ray\t2\n", NULL},
    {"", "1 11\t3\n2 12\t1\n3 13\t1\n4 14\t1\n", NULL},
    /* one number in two spellings */
    {"", "1 11\n2 11\n01 12\n2 13\n",
     "read with '1' in line 1 and '01' in line 3 as the names of two rows"},
    {"e", "01 11\n2 11\n1 12\n2 13\n",
     "read with '1' in line 3 and '01' in line 1 as the names of two rows"},
    {"b", "a 1000\nb 1e3\n",
     "read with '1000' in line 1 and '1e3' in line 2 as the names of two columns"},
    {"g", "1 2\n1.0 3\n",
     "read with '1' in line 1 and '1.0' in line 2 as the names of two vertices"},
    {"", "# pm-edges 3 3\n0 1\n-0 2\nx 3\n", "read with '0' in line 2 and '-0' in line 3"},
    {"", "01 a\n1 b\n02 a\n", "read with '1' in line 2 and '01' in line 1"},
    {"", "01 11\n02 12\n10 13\n20 14\n", NULL},
    {"b", "1 11\n1.5 12\n1.25 13\nx 14\n", NULL},
    {"", "1 01\n2 02\n3 03\n4 04\n", NULL}, /* on two sides */
};

static void test_doubts(void **state)
{
    (void)state;
    pm_node e;
    pm_node_init(&e);
    for (size_t k = 0; k < sizeof doubts / sizeof *doubts; ++k) {
        char warning[512];
        pm_error err = {.msg = ""};
        const doubt *d = &doubts[k];
        pm_read_options opt = options_of(d->flags);
        pm_status status = read_text(d->text, &opt, &e, warning, &err);
        if (status)
            fail_msg("%s: %s", d->text, err.msg);
        if (d->want ? !strstr(warning, d->want) : *warning != '\0')
            fail_msg("the warning of %s is: %s", d->text, warning);
    }
    pm_node_clear(&e);
}

static void test_options_exclude_each_other(void **state)
{
    (void)state;
    pm_read_options opt = {.graph = true, .bipartite = true};
    pm_reader *r = NULL;
    assert_int_equal(pm_reader_open(path, &opt, &r, NULL), PM_EUSAGE);
    assert_null(r);
}

/* ---- what lines mean ---- */

typedef struct {
    const char *flags; /* of options_of */
    const char *text;
    const char *want; /* "field row:col=re,im ..."; the message after the path when it is ':' */
} meaning;

static const meaning meanings[] = {
    /* one set of vertices */
    {"", "# pm-graph 4\n1 2\n2 3\n3 4\n4 1\n", "pattern 2x2 1:2 1:4 3:2 3:4"},
    {"", "# pm-graph 4\n2 1\n", "pattern 3x1 1:2"},
    {"", "# pm-graph 3\na b\n", "pattern 2x1 a:b"},
    {"", "# pm-graph 2\n1 2\n2 1\n", "pattern 1x1 1:2"},
    {"g", "# pm-graph 2\n1 2\n", "pattern 1x1 1:2"},
    {"", "# pm-graph 0\n", "pattern 0x0"},
    {"b", "# pm-graph 2\n1 2\n",
     ":1: expected edges between two sides, found the size line of a graph on one set of vertices"},
    {"", "# pm-graph 2\n1 3\n", ":2: expected a vertex from 1 to 2 as the size line says, not '3'"},
    {"", "# pm-edges 2 2\n1 2\n2 1234567890123456789\n",
     ":3: expected a column from 1 to 2 as the size line says, not '1234567890123456789'"},
    {"", "# pm-graph 2\n-1234567890123456789 2\n",
     ":2: expected a vertex from 1 to 2 as the size line says, not '-1234567890123456789'"},
    {"", "# pm-graph 2\na b\nb c\n",
     ":3: expected labels up to number 2 as the size line says, not 'c'"},
    {"", "# pm-graph 2 2\n", ":1: expected '# pm-graph VERTICES' and nothing more"},
    {"", "# pm-graph x\n", ":1: expected a size from 0 to 2147483647 after 'pm-graph', not 'x'"},
    {"", "1 2\n# pm-graph 2\n",
     ":2: expected one size line, before the first edge: an edge list holds one graph"},
    {"", "# pm-graph 2\n# pm-edges 2 2\n",
     ":2: expected one size line, before the first edge: an edge list holds one graph"},
    {"", "# pm-edges 2 2\n# pm-graph 2\n",
     ":2: expected one size line, before the first edge: an edge list holds one graph"},
    /* banners */
    {"", "%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n",
     ":1: expected '%%MatrixMarket', found one percent sign"},
    {"", "%matrixmarket\n", ":1: expected '%%MatrixMarket', found one percent sign"},
    {"", "\n%%MatrixMarket matrix coordinate real general\n1 1 1\n", ":2: " BANNER},
    {"", "%%%MatrixMarket\n", ":1: " BANNER},
    {"", "%% MatrixMarket\n", ":1: " BANNER},
    {"", "% MatrixMarket matrix coordinate\n", ":1: " BANNER},
    {"", " %%MatrixMarket matrix\n1 1 1\n", ":1: " BANNER},
    {"", "% MatrixMarket and others\n1 1\n", "pattern 1x1 1:1"},
    {"e", "%%%MatrixMarket\n1 1\n", "pattern 1x1 1:1"},
    {"", "1 1\n% %MatrixMarket\n", "pattern 1x1 1:1"},
    {"", "# MatrixMarket\n1 1\n",
     ":1: expected '%%MatrixMarket matrix coordinate real general' or similar, found a line that "
     "resembles it"},
    {"", "1 1\n%MatrixMarket\n", "pattern 1x1 1:1"},
    /* attributes */
    {"", "0 1 {}\n0 2 {}\n", "pattern 1x2 0:1 0:2"},
    {"", "0 1 { }\n0 2\n", "pattern 1x2 0:1 0:2"},
    {"", "0 1 {'weight': 2}\n0 2 {\"weight\":2.5}\n", "real 1x2 0:1=2 0:2=2.5"},
    {"", "0 1 {'weight': 2}\n0 2 3\n", "integer 1x2 0:1=2 0:2=3"},
    {"", "0 1 {'a': 'weight', 'weight': -3 , \"b\": [1, {'c': \"}'\"}]}\n", "integer 1x1 0:1=-3"},
    {"", "0 1 {'weight': (1+2j)}\n", "complex 1x1 0:1=1,2"},
    {"", "0 1 {'w\\'t': 2}\n", "pattern 1x1 0:1"},
    {"", "0\t1\t{'weight': 2}\n", "integer 1x1 0:1=2"},
    {"", "a b\tx\t{'weight': 2}\nc d\ty\t{'weight': 3}\n", "integer 2x2 a b:x=2 c d:y=3"},
    {"", "0 1 {'weight': 2}\n0 2 {}\n",
     ":2: expected a weight at every edge or at none: the first edge has one"},
    {"", "0 1 {}\n0 2 {'weight': 2}\n",
     ":2: expected a weight at every edge or at none: the first edge has none"},
    {"", "0 1 {'weight': '2'}\n", ":1: expected a finite number, not ''2''"},
    {"", "0 1 {'weight' 2}\n", ":1: expected attributes as {'weight': 2}, not '{'weight' 2}'"},
    {"", "0 1 {'weight': 2\n", ":1: expected attributes as {'weight': 2}, not '{'weight': 2'"},
    {"", "0 1 {'weight': 2} 3\n",
     ":1: expected attributes as {'weight': 2}, not '{'weight': 2} 3'"},
    {"", "0 1 {'weight': 2, 'weight': 3}\n",
     ":1: expected attributes as {'weight': 2}, not '{'weight': 2, 'weight': 3}'"},
    {"", "0 1 {weight: 2}\n", ":1: expected attributes as {'weight': 2}, not '{weight: 2}'"},
    {"", "0 1 {'weight': }\n", ":1: expected attributes as {'weight': 2}, not '{'weight': }'"},
    {"", "0 1 {'a\n", ":1: expected attributes as {'weight': 2}, not '{'a'"},
    /* names with blanks */
    {"", "Alice Smith\tJob 1\t3\nBob\tJob 2\t4\n", "integer 2x2 Alice Smith:Job 1=3 Bob:Job 2=4"},
    {"", "Bob\tJob\nAlice Smith\tJob 1\n", "pattern 2x2 Bob:Job Alice Smith:Job 1"},
    {"", "Alice Smith\tJob\n", "pattern 1x1 Alice Smith:Job"},
    {"", "Alice Smith\t3\n", "integer 1x1 Alice:Smith=3"},
    {"", "Alice Smith\t3\nBob\t4\n", "pattern 2x2 Alice Smith:3 Bob:4"},
    {"", "Alice Smith\t3\n# a comment\n\nBob Jones\tJob 4\n",
     "pattern 2x2 Alice Smith:3 Bob Jones:Job 4"},
    {"", "Bob\t4\nAlice Smith\t3\n", "pattern 2x2 Bob:4 Alice Smith:3"},
    {"", "A1 B1\t0.5\nA2 B2\t0.25\n", "real 2x2 A1:B1=0.5 A2:B2=0.25"},
    {"", "a\tx 5\n", "pattern 1x1 a:x 5"},
    {"", "1 a\t0.5\n", "real 1x1 1:a=0.5"},
    {"", "A1 B1\t{}\n", "pattern 1x1 A1:B1"},
    {"", "A1 B1\t{'weight': 2}\nA2\tB2\t3\n", "integer 2x2 A1:B1=2 A2:B2=3"},
    {"", "1 2\t5\n", "integer 1x1 1:2=5"},
    {"g", "A1 A2\t2\n", "integer 1x1 A1:A2=2"},
    {"", "A1 B1\t2\nA2 B2 3\nA3 B3\t4\n", "integer 3x3 A1:B1=2 A2:B2=3 A3:B3=4"},
    {"", "A1 B1\t2\nA2 B2\tnan\n", ":2: expected a finite number, not 'nan'" IS_TABLE},
    {"", "A1 B1\t2\n\nA1 B1\t3\n", ":3: duplicate edge (first at line 1)" IS_TABLE},
    {"", "A1 B1\t2\nA2 B2\t3\n# pm-edges 2 2\n",
     ":3: expected one size line, before the first edge: an edge list holds one graph" IS_TABLE},
    {"", "Ann Smith\t1\nBob 2\n",
     ":2: expected 'left right weight' as in the first edge, found 2 fields" IS_TABLE},
    {"", "a b \t c d\t(1, 2)\n", "complex 1x1 a b:c d=1,2"},
    {"", "Bob Job\nAlice Smith\tJob 1\n",
     ":2: expected 'left right' as in the first edge, found more than 3 fields"},
    {"", "Alice Smith\tJob 1\nBob Job\n",
     ":2: expected 'left right' as in the first edge, found 1 field" AT_TABS},
    {"", "Alice Smith\tJob 1\nBob\t\n",
     ":2: expected 'left right' as in the first edge, found 0 fields" AT_TABS},
    {"", "1\t1\n2\t2 5\n", ":2: expected 'left right' as in the first edge, found 3 fields"},
    {"", "1 1\tnan\n", ":1: expected a finite number, not 'nan'"},
    {"", "1\t1\tnan\n", ":1: expected a finite number, not 'nan'"},
    {"", "a\t\tb\nc d\te\n", ":2: expected 'left right' as in the first edge, found 3 fields"},
    /* complex weights */
    {"", "a x 1+2i\nb x (3,-4)\nc x 5\nd x .5\n", "complex 4x1 a:x=1,2 b:x=3,-4 c:x=5,0 d:x=0.5,0"},
    {"", "a x 5\nb x 123456789012345678901j\n", "complex 2x1 a:x=5,0 b:x=0,0x6b14e9f812f366c35p+0"},
    {"", "a x 1+2k\n", ":1: expected a finite number, not '1+2k'"},
    /* messages that name other formats */
    {"", "1,2,3\n",
     ":1: expected 'left right [weight]', found 1 field; fields between commas or "
     "semicolons are a matrix or a table of edges"},
    {"", "a x\nb;y\n",
     ":2: expected 'left right' as in the first edge, found 1 field; fields between commas or "
     "semicolons are a table of edges"},
    {"", "1 2 3 4\n",
     ":1: expected 'left right [weight]', found more than 3 fields; a matrix of "
     "numbers is another format"},
    {"", "1 2 3 x\n", ":1: expected 'left right [weight]', found more than 3 fields"},
    {"", "1 1\n1 1\n",
     ":2: duplicate edge (first at line 1); a matrix of numbers is another format"},
    {"", "1 1 1\n1 2 1\n1 1 2\n",
     ":3: duplicate edge (first at line 1); a matrix of numbers is another format"},
    {"", "1 1\n2 2\n1 1\n", ":3: duplicate edge (first at line 1)"},
};

static void show(const pm_matrix *a, char *text, size_t room)
{
    char row[24], col[24];
    FILE *f = fmemopen(text, room, "w");
    assert_non_null(f);
    fprintf(f, "%s %" PRId64 "x%" PRId64, pm_field_name(a->field), a->nrows, a->ncols);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            char *re = a->re ? pm_dyadic_text(&a->re[k], a->field == PM_INTEGER) : NULL;
            char *im = a->im ? pm_dyadic_text(&a->im[k], false) : NULL;
            fprintf(f, " %s:%s%s%s%s%s", pm_label(&a->row_labels, i, row),
                    pm_label(&a->col_labels, a->colind[k], col), re ? "=" : "", re ? re : "",
                    im ? "," : "", im ? im : "");
            free(re);
            free(im);
        }
    fclose(f);
}

static void test_meanings(void **state)
{
    (void)state;
    pm_node e;
    pm_node_init(&e);
    for (size_t k = 0; k < sizeof meanings / sizeof *meanings; ++k) {
        char text[1024] = "", warning[512];
        pm_error err = {.msg = ""};
        const meaning *m = &meanings[k];
        pm_read_options opt = options_of(m->flags);
        pm_status status = read_text(m->text, &opt, &e, warning, &err);
        if (*m->want == ':') {
            assert_string_equal(err.msg + strlen(path), m->want);
            assert_int_equal(status, PM_EDATA);
            continue;
        }
        if (!status)
            show(&e.matrix, text, sizeof text);
        assert_string_equal(status ? err.msg : text, m->want);
    }
    pm_node_clear(&e);
}

/* ---- where lines are cut ---- */

static const char *pick(uint64_t *rng, const char *const *from, uint32_t count)
{
    return from[pm_rng_below(rng, count)];
}

/* Edges with weights between any blanks and TABs, and edges with names of several words between TABs:
 * the labels are read as they were written. */
static void test_cuts(void **state)
{
    (void)state;
    static const char *const gaps[] = {" ", "\t", "  ", " \t", "\t "};
    static const char *const words[] = {"Ann Lee", "Bob", "Eve van Dyk"};
    uint64_t rng = test_seed();
    for (int round = 0; round < test_rounds(300); ++round) {
        enum { N = 6 };
        char text[1024] = "", want[2048] = "", warning[512], got[2048] = "";
        bool at_tabs = pm_rng_below(&rng, 2), has_weights = !at_tabs || pm_rng_below(&rng, 2);
        strcpy(want, has_weights ? "integer 6x6" : "pattern 6x6");
        for (int k = 0; k < N; ++k) {
            char left[32], right[32], line[96], weight[8];
            const char *word = pick(&rng, words, 3);
            uint32_t w = pm_rng_below(&rng, 9) + 1;
            snprintf(left, sizeof left, at_tabs ? "%s %d" : "%.1s%d", word, k);
            snprintf(right, sizeof right, at_tabs ? "job %d of six" : "j%d", k);
            snprintf(weight, sizeof weight, has_weights ? "%u" : "", w);
            /* the first line has no TAB, which decides; else all could be as "A0", TAB, "j0 5" */
            snprintf(line, sizeof line, "%s%s%s%s%s\n", left,
                     at_tabs ? "\t" : pick(&rng, gaps, k ? 5 : 1), right,
                     !has_weights ? ""
                     : at_tabs    ? "\t"
                                  : pick(&rng, gaps, k ? 5 : 1),
                     weight);
            strcat(text, line);
            snprintf(line, sizeof line, " %s:%s%s%s", left, right, has_weights ? "=" : "", weight);
            strcat(want, line);
        }
        pm_node e;
        pm_node_init(&e);
        pm_error err = {.msg = ""};
        const pm_read_options opt = {0};
        if (read_text(text, &opt, &e, warning, &err))
            fail_msg("%s: %s", text, err.msg);
        show(&e.matrix, got, sizeof got);
        assert_string_equal(got, want);
        pm_node_clear(&e);
    }
}

/* ---- random graphs with one set ---- */

/* A random bipartite graph in one direction, random directions and both: the same matrix with
 * opt.graph; and never read as two sides without a warning when a label is on both sides. */
static void test_directions(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int round = 0; round < test_rounds(200); ++round) {
        enum { N = 8 };
        char once[2048] = "", turned[2048] = "", both[4096] = "", warning[512];
        bool left[2 * N] = {false}, right[2 * N] = {false}, is_shared = false;
        for (uint32_t u = 0; u < N; ++u)
            for (uint32_t v = N; v < 2 * N; ++v) {
                if (pm_rng_below(&rng, 3))
                    continue;
                char there[32], back[32];
                uint32_t w = pm_rng_below(&rng, 5) + 1;
                snprintf(there, sizeof there, "v%u v%u %u\n", u, v, w);
                snprintf(back, sizeof back, "v%u v%u %u\n", v, u, w);
                bool turn = pm_rng_below(&rng, 2);
                strcat(once, there);
                strcat(turned, turn ? back : there);
                strcat(strcat(both, there), back);
                left[turn ? v : u] = right[turn ? u : v] = true;
            }
        for (int v = 0; v < 2 * N; ++v)
            is_shared = is_shared || (left[v] && right[v]);
        if (!*once)
            continue;
        pm_node a, b;
        pm_node_init(&a);
        pm_node_init(&b);
        pm_read_options graph = {.graph = true}, none = {0};
        assert_int_equal(read_text(once, &graph, &a, warning, NULL), PM_OK);
        assert_int_equal(read_text(both, &graph, &b, warning, NULL), PM_OK);
        assert_true(pm_matrix_equal(&a.matrix, &b.matrix));
        assert_int_equal(read_text(turned, &none, &b, warning, NULL), PM_OK);
        assert_int_equal(*warning != '\0', is_shared);
        assert_int_equal(read_text(both, &none, &b, warning, NULL), PM_OK);
        assert_true(*warning);
        pm_node_clear(&a);
        pm_node_clear(&b);
    }
}

/* ---- when memory ends ---- */

static void test_memory(void **state)
{
    (void)state;
    static const char *const inputs[] = {
        "a b 3\nb c 1+i\nc d 2\n", "# pm-graph 3\na b\nb a\n", "1 2\n2 3\n3 1\n",
        "0 1 {'weight': 123456789012345678901}\n1 0 {'weight': 123456789012345678901}\n",
        "a b\t3\nc d\t2\n"};
    pm_node e;
    pm_node_init(&e);
    for (size_t i = 0; i < 2 * sizeof inputs / sizeof *inputs; ++i) {
        pm_read_options opt = {.graph = i % 2};
        for (int64_t k = 1;; ++k) {
            char warning[512];
            pm_error err = {.msg = ""};
            pm_alloc_fail_at(k);
            pm_status status = read_text(inputs[i / 2], &opt, &e, warning, &err);
            if (pm_alloc_fail_at(0) < k) {
                assert_int_equal(status, i == 5 ? PM_UNABLE : PM_OK); /* a triangle is odd */
                break;
            }
            assert_int_equal(status, PM_ENOMEM);
            assert_memory_equal(err.msg, "out of memory", 13);
        }
    }
    pm_node_clear(&e);
}

static int make_file(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 || close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubts),   cmocka_unit_test(test_options_exclude_each_other),
        cmocka_unit_test(test_meanings), cmocka_unit_test(test_directions),
        cmocka_unit_test(test_memory),   cmocka_unit_test(test_cuts),
    };
    return cmocka_run_group_tests_name("readings", tests, make_file, remove_file);
}
