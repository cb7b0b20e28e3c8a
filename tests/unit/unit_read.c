/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers: what each format means, and the line and words of every complaint. */
#include "config.h"

#include "support/readings.h"

#include <string.h>
#include <unistd.h>

#include "pm/io.h"
#include "pm/settings.h"

#define RETURNS "expected lines that end with a line feed, found a carriage return alone"
#define MORE_RETURNS                                                                               \
    "expected lines that end with a line feed, or one carriage return and a line feed, found "     \
    "more "                                                                                        \
    "carriage returns: remove them (tr -d '\\r')"

/* ---- edge lists ---- */

#define INVISIBLE(code, label)                                                                     \
    "expected a label, found the invisible character U+" code " at an end of '" label "': remove " \
    "it"
#define RESEMBLES                                                                                  \
    "expected '# pm-edges ROWS COLS' or '# pm-graph VERTICES', found a comment that resembles "    \
    "it: write it in this form, or begin it with another word"
#define SPELLED                                                                                    \
    "; write it without a sign, a point, an exponent and leading zeros, or put a letter before "   \
    "all numbers that are names"

static const reading edges[] = {
    {NULL, "", "a x\r\nb y\r\n", "pattern 2x2 a:x b:y"},
    {NULL, "", "a x\r\nb y\r\r\n", ":2: " MORE_RETURNS},
    {NULL, "", "a\tx\r\r\nb\ty\r\r\n", ":1: " MORE_RETURNS},
    {NULL, "", "1 1 5\r\r", ":1: " MORE_RETURNS},
    {NULL, "", "\r\r\na x\n", ":1: " MORE_RETURNS},
    {NULL, "", "a x\rb y\r\n", ":1: " RETURNS},
    {NULL, "", "1 1\n2 2\n", "pattern 2x2 1:1 2:2"},
    {NULL, "", "\xef\xbb\xbf# c\n\n% c\r\n1\t1\r\n  2 2  \n", "pattern 2x2 1:1 2:2"},
    {NULL, "", "1 1", "pattern 1x1 1:1"},
    {NULL, "", "b x\na y\nb y\n", "pattern 2x2 b:x b:y a:y"},
    {NULL, "", "30 2\n4 11\n", "pattern 2x2 4:11 30:2"},
    {NULL, "", "-3 2\n-4 2\n", "pattern 2x1 -4:2 -3:2"},
    {NULL, "", "07 1\n7 1\n", "pattern 2x1 07:1 7:1"},
    {NULL, "", "9 1\n99999999999999999 2\n", "pattern 2x2 9:1 99999999999999999:2"},
    {NULL, "", "1 1 3\n1 2 -4\n", "integer 1x2 1:1=3 1:2=-4"},
    {NULL, "", "1 1 3\n1 2 2.5e0\n", "real 1x2 1:1=3 1:2=2.5"},
    {NULL, "", "1 1 3\n2 1 0\n", "integer 2x1 1:1=3"},
    {NULL, "", "1 1 123456789012345678901234567890\n",
     "integer 1x1 1:1=123456789012345678901234567890"},
    {NULL, "", "1 1 -0x1.8p1\n", "real 1x1 1:1=-3"},
    {NULL, "p", "1 1 3\n2 1 0\n2 2 .5\n", "pattern 2x2 1:1 2:2"},
    {NULL, "", "# pm-edges 3 2\n3 1\n", "pattern 3x2 3:1"},
    {NULL, "", "# pm-edges 0 0\n", "pattern 0x0"},
    {NULL, "", "# pm-edges 2 3\n", "pattern 2x3"},
    {NULL, "", "% pm-edges 2 2\nu 1\n", "pattern 2x2 u:1"},
    {NULL, "s", "1 1\n1 1\n", "integer 1x1 1:1=2"},
    {NULL, "sp", "1 1\n1 1\n", "pattern 1x1 1:1"},
    {NULL, "s", "1 1 2\n1 1 -2\n1 2 1\n", "integer 1x2 1:2=1"},
    {NULL, "i", "1 1 2\n1 1 2\n", "integer 1x1 1:1=2"},
    {"edges", "", "%%MatrixMarket\n1 1\n", "pattern 1x1 1:1"},
    {NULL, "", "", ":1: empty input: expected a graph (that without vertices is '# pm-edges 0 0')"},
    {NULL, "", "# c\n",
     ":1: expected an edge 'left right [weight]' or a line '# pm-edges ROWS COLS', found none"},
    {NULL, "", "1\n", ":1: expected 'left right [weight]', found 1 field"},
    {NULL, "", "1 1 1 1\n",
     ":1: expected 'left right [weight]', found more than 3 fields; a matrix of numbers is "
     "another format"},
    {NULL, "", "1 1\n2 2 3\n", ":2: expected 'left right' as in the first edge, found 3 fields"},
    {NULL, "", "1 1 1\n2 2\n",
     ":2: expected 'left right weight' as in the first edge, found 2 fields"},
    {NULL, "", "1 1 1\n2 2",
     ":2: expected 'left right weight' as in the first edge, found 2 fields; the last line has no "
     "line feed at its end: the input may be cut there"},
    {NULL, "", "1 1 1\n2 2 2 2 2\n",
     ":2: expected 'left right weight' as in the first edge, found more than 3 fields; a matrix of "
     "numbers is another format"},
    {NULL, "", "1 1 x\n", ":1: expected a finite number, not 'x'"},
    {NULL, "", "1 1 nan\n", ":1: expected a finite number, not 'nan'"},
    {NULL, "", "1 1 -inf\n", ":1: expected a finite number, not '-inf'"},
    {NULL, "", "1 1 1e400\n",
     ":1: expected a number in the range of a double (0, or in size 4.9e-324 to 1.8e308), not "
     "'1e400'"},
    {NULL, "", "# pm-edges 2\n", ":1: expected '# pm-edges ROWS COLS', found fewer words"},
    {NULL, "", "# pm-edges -2 2\n",
     ":1: expected a size from 0 to 2147483647 after 'pm-edges', not '-2'"},
    {NULL, "", "# pm-edges 2 2 2\n", ":1: expected '# pm-edges ROWS COLS' and nothing more"},
    {NULL, "", "1 1\n# pm-edges 2 2\n",
     ":2: expected one size line, before the first edge: an edge list holds one graph"},
    {NULL, "", "# pm-edges 2 2\n# pm-edges 2 2\n",
     ":2: expected one size line, before the first edge: an edge list holds one graph"},
    {NULL, "", "# pm-edges 2 2\n1 1\n0 1\n",
     ":3: expected a row from 1 to 2 as the size line says, not '0'"},
    {NULL, "", "# pm-edges 2 2\n1 1\n2 3\n",
     ":3: expected a column from 1 to 2 as the size line says, not '3'"},
    {NULL, "", "# pm-edges 2 2\na 1\nb 1\nc 1\n",
     ":4: expected row labels up to number 2 as the size line says, not 'c'"},
    /* characters that nobody sees */
    {NULL, "",
     "1 1\n\xef\xbb\xbf"
     "1 2\n",
     ":2: " INVISIBLE("FEFF", "\xef\xbb\xbf"
                              "1")},
    {NULL, "", "1 1\n1 2\xc2\xa0\n", ":2: " INVISIBLE("00A0", "2\xc2\xa0")},
    {NULL, "", "a\xe2\x80\x8b x\n", ":1: " INVISIBLE("200B", "a\xe2\x80\x8b")},
    {NULL, "", "a\xc2\xa0z x\n\xc3\xa9 \xe2\x86\x92\n",
     "pattern 2x2 a\xc2\xa0z:x \xc3\xa9:\xe2\x86\x92"},
    /* size lines, and comments that resemble them */
    {NULL, "", "#pm-edges 2 2\n1 1\n", "pattern 2x2 1:1"},
    {NULL, "", "#  pm-edges\t2  2 \n1 1\n", "pattern 2x2 1:1"},
    {NULL, "", "# pm-edges: 4 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "# PM-EDGES 4 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "# pm_edges 4 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "# pm-edge 4 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "## pm-edges 4 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "%% pm-edges 4 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "# pm edges 4 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "# pm-edges=4 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "# pm-graphs 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "# Pm-Graph: 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "#pmgraph 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "1 1\n# pm-edges: 4 4\n", ":2: " RESEMBLES},
    {"edges", "", "# pm-edges: 4 4\n1 1\n", ":1: " RESEMBLES},
    {NULL, "", "# pm-edges: of a graph\n# pm-gen grid 4 4\n# pm-graphic 3\n# edges 3 3\n1 1\n",
     "pattern 1x1 1:1"},
    /* names under a size line, and numbers that are no integers */
    {NULL, "", "# pm-edges 2 2\n01 1\n02 2\n", "pattern 2x2 01:1 02:2"},
    {NULL, "", "# pm-edges 2 2\n1.0 1\n2.0 2\n", "pattern 2x2 1.0:1 2.0:2"},
    {NULL, "", "# pm-edges 3 2\na 1\n7 2\n1e3 1\n", "pattern 3x2 a:1 7:2 1e3:1"},
    {NULL, "", "# pm-edges 2 2\n(1,2) 1\n(2,2) 2\n", "pattern 2x2 (1,2):1 (2,2):2"},
    {NULL, "", "# pm-edges 3 3\n1 1\n01 2\n2 2\n",
     ":3: expected a row in digits only, as '1' in line 2, from 1 to 3 as the size line says, not "
     "'01'" SPELLED},
    {NULL, "", "# pm-edges 3 3\n01 1\n2 2\n1 2\n",
     ":2: expected a row in digits only, as '2' in line 3, from 1 to 3 as the size line says, not "
     "'01'" SPELLED},
    {NULL, "", "# pm-edges 9 9\n1 1\n2 2\n3 3\n4 4\n5 5\n6 6\n7 7\n8 +8\n9 9\n",
     ":9: expected a column in digits only, as '1' in line 2, from 1 to 9 as the size line says, "
     "not '+8'" SPELLED},
    {NULL, "", "# pm-edges 2 2\n1 1 5\n2. 2 6\n",
     ":3: expected a row in digits only, as '1' in line 2, from 1 to 2 as the size line says, not "
     "'2.'" SPELLED},
    {NULL, "", "# pm-edges 2000 1\n2 1\n1e3 1\n",
     ":3: expected a row in digits only, as '2' in line 2, from 1 to 2000 as the size line says, "
     "not '1e3'" SPELLED},
    {NULL, "", "# pm-graph 3\n1 2\n3 0x2\n",
     ":3: expected a vertex in digits only, as '1' in line 2, from 1 to 3 as the size line says, "
     "not '0x2'" SPELLED},
    {NULL, "", "# pm-edges 2 2\nleft right\n1 1\n2 2\n",
     ":4: expected row labels up to number 2 as the size line says, not '2'; all its labels are "
     "names, not numbers, because 'left' in line 2 is no number"},
};

/* Those about duplicates are phrased by the matrix builder; only the line is the reader's. */
static void assert_fails_at(const char *flags, const char *text, int line)
{
    char answer[4096] = "", want[64];
    pm_error err = {.msg = ""};
    reading x = {.flags = flags};
    pm_read_options opt = reading_options(&x);
    reading_write(text, strlen(text));
    assert_int_equal(reading_text(&opt, answer, sizeof answer, &err), PM_EDATA);
    snprintf(want, sizeof want, "%s:%d: duplicate edge", reading_path, line);
    assert_memory_equal(err.msg, want, strlen(want));
}

static void test_edges(void **state)
{
    (void)state;
    CHECK_READINGS(edges);
    assert_fails_at("", "1 1\n1 2\n1 1\n", 3);
    assert_fails_at("i", "1 1 2\n1 1 3\n", 2);
}

/* Vertices that only the size line knows. */
static void test_unnamed(void **state)
{
    (void)state;
    pm_read_options opt = {0};
    pm_reader *r = NULL;
    pm_node e;
    char none[24];
    pm_node_init(&e);
    reading_write("# pm-edges 3 2\nv 2\nu 2\n", 23);
    assert_int_equal(pm_reader_open(reading_path, &opt, &r, NULL), PM_OK);
    assert_int_equal(pm_reader_next(r, &e, NULL), PM_OK);
    assert_int_equal(e.matrix.row_labels.count, 3);
    assert_string_equal(pm_label(&e.matrix.row_labels, 0, none), "v");
    assert_string_equal(pm_label(&e.matrix.row_labels, 1, none), "u");
    assert_string_equal(pm_label(&e.matrix.row_labels, 2, none), "");
    assert_false(pm_labels_exist(&e.matrix.col_labels));
    pm_reader_close(&r);
    pm_node_clear(&e);
}

#define NO_SIDES "; only bipartite graphs are taken here"

static const reading one_sided[] = {
    {NULL, "g", "1 2\n2 3\n4 3\n", "pattern 2x2 1:2 3:2 3:4"},
    {NULL, "g", "b a 7\nc b 8\n", "integer 1x2 b:a=7 b:c=8"},
    {NULL, "g", "1 2 1\n2 3 1\n3 1 0\n", "integer 2x1 1:2=1 3:2=1"},
    {NULL, "gs", "1 2\n2 1\n", "integer 1x1 1:2=2"},
    {NULL, "gs", "1 2 1\n2 3 1\n1 3 4\n3 1 -4\n", "integer 2x1 1:2=1 3:2=1"},
    {NULL, "gi", "1 2\n2 1\n", "pattern 1x1 1:2"},
    {NULL, "gpi", "1 2 5\n2 1 6\n1 2 5\n", "pattern 1x1 1:2"},
    {NULL, "g", "1 2\n2 1\n2 3\n3 2\n", "pattern 2x1 1:2 3:2"},
    {NULL, "g", "3 2\n1 2\n2 1\n", "pattern 2x1 1:2 3:2"},
    {NULL, "g", "1 2 5\n2 1 5\n2 3 7\n", "integer 2x1 1:2=5 3:2=7"},
    {NULL, "g", "1 2 123456789012345678901\n2 1 123456789012345678901\n",
     "integer 1x1 1:2=123456789012345678901"},
    {NULL, "g", "1 4 123456789012345678901\n1 2 5\n2 3 7\n2 1 6\n",
     ":4: expected one weight for an edge between vertices of one set, found another weight in "
     "line 2, where the edge has the other direction"},
    {NULL, "gp", "1 2 5\n2 3 7\n2 1 6\n", "pattern 2x1 1:2 3:2"},
    {NULL, "g", "1 2 5\n2 1 0\n", "integer 1x1 1:2=5"},
    {NULL, "g", "1 2\n3 3\n",
     ":2: expected a bipartite graph, found an odd cycle of 1 vertex: 3 joined to itself" NO_SIDES},
    {NULL, "g", "1 2\n2 3\n3 4\n4 5\n5 1\n",
     ":3: expected a bipartite graph, found an odd cycle of 5 vertices: 3 - 2 - 1 - 5 - 4 - "
     "3" NO_SIDES},
    {NULL, "g", "a b\nb c\nc a\n",
     ":2: expected a bipartite graph, found an odd cycle of 3 vertices: 'b' - 'a' - 'c' - "
     "'b'" NO_SIDES},
    {NULL, "g", "# pm-edges 2 2\n1 2\n",
     ":1: expected edges between vertices of one set, found the size line of a graph with two "
     "sides"},
};

static void test_one_sided(void **state)
{
    (void)state;
    CHECK_READINGS(one_sided);
    assert_fails_at("g", "1 2\n3 2\n1 2\n", 3);
    assert_fails_at("g", "2 1\n1 2\n2 1\n", 3);
    assert_fails_at("gi", "1 2 3\n2 1 4\n", 2);
}

/* ---- Matrix Market ---- */

#define COORDINATE "%%MatrixMarket matrix coordinate "
#define ARRAY      "%%MatrixMarket matrix array "

#define IS_CUT "; the last line has no line feed at its end: the input may be cut there"

static const reading mtx[] = {
    {NULL, "", COORDINATE "pattern general\r\n2 2 2\r\n1 1\r\n2 2\r\n", "pattern 2x2 1:1 2:2"},
    {NULL, "", COORDINATE "pattern general\n2 2 2\n1 1\n2\r2\n", ":4: " RETURNS},
    {NULL, "", COORDINATE "pattern general\r\n2 2 2\r\n1 1\r\r\n2 2\r\n", ":3: " MORE_RETURNS},
    {NULL, "", COORDINATE "integer general\n2 2 2\n1 1 1\n2 2\r1\n", ":4: " RETURNS},
    {NULL, "", COORDINATE "integer general\n2\r2 2\n1 1 1\n2 2 1\n", ":2: " RETURNS},
    {NULL, "", COORDINATE "integer general\n% c\r1 1 1\n1 1 1\n1 1 1\n", ":2: " RETURNS},
    {NULL, "", COORDINATE "integer general\n1 1 1\n1 1 1\n\r\r\n", ":4: " MORE_RETURNS},
    {NULL, "", COORDINATE "integer general\n2 2 2\n1 1 5\n",
     ":3: the input ends after 1 entries, expected 2"},
    {NULL, "", COORDINATE "integer general\n2 2 2\n1 1 5",
     ":3: the input ends after 1 entries, expected 2" IS_CUT},
    {NULL, "", COORDINATE "pattern general\n2 2 2\n1 1",
     ":3: the input ends after 1 entries, expected 2" IS_CUT},
    {NULL, "", COORDINATE "integer general\n2 2 2\n1 1 5\n2 2",
     ":4: expected 'row column value' in a line of a coordinate integer matrix (entry 2 of "
     "2)" IS_CUT},
    {NULL, "", COORDINATE "integer general\n2 2 2\n1 1 5 6",
     ":3: expected 'row column value' in a line of a coordinate integer matrix (entry 1 of 2)"},
    {NULL, "", COORDINATE "pattern general\n%c\n\n2 2 2\n1 1\n\n2 2\n\n", "pattern 2x2 1:1 2:2"},
    {NULL, "", "%%matrixmarket MATRIX Coordinate Real General\n1 1 1\n1 1 .5\n",
     "real 1x1 1:1=0.5"},
    {NULL, "", COORDINATE "integer general\n1 2 2\n1 1 0\n1 2 -5\n", "integer 1x2 1:2=-5"},
    {NULL, "", COORDINATE "integer general\n0 0 0\n", "integer 0x0"},
    {NULL, "p", COORDINATE "integer general\n1 2 2\n1 1 0\n1 2 -5\n", "pattern 1x2 1:2"},
    {NULL, "", COORDINATE "complex general\n1 1 1\n1 1 1 -2.5\n", "complex 1x1 1:1=1,-2.5"},
    {NULL, "", COORDINATE "integer symmetric\n2 2 2\n1 1 3\n1 2 4\n",
     "integer 2x2 1:1=3 1:2=4 2:1=4"},
    {NULL, "", COORDINATE "integer skew-symmetric\n2 2 1\n2 1 4\n", "integer 2x2 1:2=-4 2:1=4"},
    {NULL, "", COORDINATE "complex hermitian\n2 2 2\n1 1 3 0\n2 1 4 5\n",
     "complex 2x2 1:1=3,0 1:2=4,-5 2:1=4,5"},
    {NULL, "", COORDINATE "complex skew-symmetric\n2 2 1\n2 1 4 5\n",
     "complex 2x2 1:2=-4,-5 2:1=4,5"},
    {NULL, "", ARRAY "integer general\n2 2\n1\n2\n0\n4\n", "integer 2x2 1:1=1 2:1=2 2:2=4"},
    {NULL, "", ARRAY "integer symmetric\n2 2\n1\n2\n3\n", "integer 2x2 1:1=1 1:2=2 2:1=2 2:2=3"},
    {NULL, "", ARRAY "integer skew-symmetric\n2 2\n5\n", "integer 2x2 1:2=-5 2:1=5"},
    {NULL, "", ARRAY "complex hermitian\n1 1\n7 0\n", "complex 1x1 1:1=7,0"},
    {NULL, "s", COORDINATE "pattern symmetric\n2 2 2\n1 2\n2 1\n", "integer 2x2 1:2=2 2:1=2"},
    {NULL, "s", COORDINATE "pattern general\n1 1 3\n1 1\n1 1\n1 1\n", "integer 1x1 1:1=3"},
    {NULL, "", COORDINATE "pattern general\n%pm: rows a\n%pm: cols b\n1 1 1\n1 1\n",
     "pattern 1x1 a:b"},
    {NULL, "g", COORDINATE "pattern symmetric\n3 3 2\n2 1\n3 2\n", "pattern 2x1 1:2 3:2"},
    {NULL, "g", COORDINATE "integer general\n3 3 2\n1 2 5\n3 2 6\n", "integer 2x1 1:2=5 3:2=6"},
    {NULL, "g", ARRAY "integer symmetric\n2 2\n0\n5\n0\n", "integer 1x1 1:2=5"},
    {NULL, "g", ARRAY "integer general\n2 2\n0\n5\n5\n0\n", "integer 1x1 1:2=5"},
    {NULL, "g", ARRAY "integer general\n2 2\n0\n5\n6\n0\n",
     ":5: expected one weight for an edge between vertices of one set, found another weight in "
     "line 4, where the edge has the other direction"},
    {NULL, "g", COORDINATE "pattern general\n3 3 4\n1 2\n2 1\n3 2\n2 3\n", "pattern 2x1 1:2 3:2"},
    {NULL, "gp", COORDINATE "integer skew-symmetric\n2 2 1\n2 1 5\n", "pattern 1x1 1:2"},
    {NULL, "", "%%MatrixMarket\n",
     ":1: expected a first line '%%MatrixMarket matrix coordinate real general' or similar"},
    {NULL, "", "%%MatrixMarket matrix\n",
     ":1: expected 'coordinate' or 'array' as the third word of the banner"},
    {NULL, "", COORDINATE "unsigned general\n",
     ":1: expected 'pattern', 'integer', 'real' or 'complex' as the fourth word of the banner"},
    {NULL, "", COORDINATE "real\n",
     ":1: expected 'general', 'symmetric', 'skew-symmetric' or 'hermitian' as the last word of the "
     "banner"},
    {NULL, "", ARRAY "pattern general\n", ":1: expected values: there is no array pattern"},
    {NULL, "", COORDINATE "pattern skew-symmetric\n",
     ":1: expected values: there is no skew-symmetric pattern"},
    {NULL, "", COORDINATE "real hermitian\n", ":1: expected complex values in a hermitian matrix"},
    {NULL, "", COORDINATE "real general\n",
     ":1: the input ends, expected a line with the sizes of the matrix"},
    {NULL, "", COORDINATE "real general\n2 2\n",
     ":2: expected the sizes 'ROWS COLUMNS ENTRIES' and nothing more"},
    {NULL, "", COORDINATE "real general\n2 2 2 2\n",
     ":2: expected the sizes 'ROWS COLUMNS ENTRIES' and nothing more"},
    {NULL, "", ARRAY "real general\n2 2 4\n",
     ":2: expected the sizes 'ROWS COLUMNS' and nothing more"},
    {NULL, "", COORDINATE "real general\n-2 2 1\n",
     ":2: expected a size from 0 to 2147483647, not '-2'"},
    {NULL, "", COORDINATE "real general\n2 4294967296 1\n",
     ":2: expected a size from 0 to 2147483647, not '4294967296'"},
    {NULL, "", ARRAY "real general\n2147483648 2147483648\n",
     ":2: expected a size from 0 to 2147483647, not '2147483648'"},
    {NULL, "", COORDINATE "real general\n1 1 18446744073709551617\n",
     ":2: expected a size from 0 to 9223372036854775807, not '18446744073709551617'"},
    {NULL, "", COORDINATE "real general\n2 2 5\n",
     ":2: expected at most 4 entries in a 2 x 2 matrix, not 5"},
    {NULL, "", COORDINATE "real symmetric\n2 3 1\n", ":2: expected a square matrix, not 2 x 3"},
    {NULL, "g", COORDINATE "real general\n2 3 1\n", ":2: expected a square matrix, not 2 x 3"},
    {NULL, "g", COORDINATE "real skew-symmetric\n2 2 1\n",
     ":1: expected a symmetric or general matrix as a graph on one set of vertices: a "
     "skew-symmetric one gives "
     "an edge two weights"},
    {NULL, "", COORDINATE "pattern general\n2 2 2\n1 1\n",
     ":3: the input ends after 1 entries, expected 2"},
    {NULL, "", COORDINATE "pattern general\n2 2 1\n1 1\n2 2\n",
     ":4: expected the end of the input after the announced entries, not '2'"},
    {NULL, "", COORDINATE "pattern general\n2 2 1\n0 1\n",
     ":3: expected a row from 1 to 2, not '0'"},
    {NULL, "", COORDINATE "pattern general\n2 2 1\n1 3\n",
     ":3: expected a column from 1 to 2, not '3'"},
    {NULL, "", COORDINATE "pattern general\n2 2 1\n1 1 1\n",
     ":3: expected 'row column' in a line of a coordinate pattern matrix (entry 1 of 1)"},
    {NULL, "", COORDINATE "real general\n2 2 1\n1 1\n",
     ":3: expected 'row column value' in a line of a coordinate real matrix (entry 1 of 1)"},
    {NULL, "", ARRAY "real general\n1 1\n1 1\n",
     ":3: expected one number in a line of an array real matrix (entry 1 of 1)"},
    {NULL, "", COORDINATE "integer general\n2 2 1\n1 1 1.0\n",
     ":3: expected an integer, not '1.0'"},
    {NULL, "", COORDINATE "real general\n2 2 1\n1 1 NaN\n",
     ":3: expected a finite number, not 'NaN'"},
    {NULL, "", COORDINATE "real skew-symmetric\n2 2 1\n1 1 1\n",
     ":3: expected no entry on the diagonal of a skew-symmetric matrix"},
    {NULL, "", COORDINATE "complex hermitian\n2 2 1\n1 1 1 1\n",
     ":3: expected a real diagonal in a hermitian matrix"},
};

static void test_mtx(void **state)
{
    (void)state;
    CHECK_READINGS(mtx);
    assert_fails_at("", COORDINATE "pattern symmetric\n2 2 2\n1 2\n2 1\n", 4);
    assert_fails_at("", COORDINATE "real general\n2 2 2\n1 2 1\n1 2 0\n", 4);
    assert_fails_at("g", COORDINATE "pattern symmetric\n2 2 2\n1 2\n2 1\n", 4);
}

/* ---- graph6, sparse6, DIMACS ---- */

static const reading lines[] = {
    {NULL, "", "?\n", "pattern 0x0"},
    {NULL, "", "@\n", "pattern 1x0"},
    {NULL, "", "A_\n", "pattern 1x1 1:2"},
    {NULL, "", ">>graph6<<Cl\nCr\n", "pattern 2x2 1:2 1:4 3:2 3:4; pattern 2x2 1:2 1:3 4:2 4:3"},
    {NULL, "", ":Cc\n\nA_\n", "pattern 2x2 1:2 1:3; pattern 1x1 1:2"},
    {"graph6", "", "A_\r\n", "pattern 1x1 1:2"},
    {NULL, "", "A_\nBw\n",
     ":2: expected a bipartite graph, found an odd cycle of 3 vertices: 2 - 1 - 3 - 2" NO_SIDES},
    /* the example of formats.txt: edges 0-1 0-2 1-2 5-6 */
    {NULL, "", ">>sparse6<<:Fa@x^\n",
     ":1: expected a bipartite graph, found an odd cycle of 3 vertices: 2 - 1 - 3 - 2" NO_SIDES},
    {NULL, "", "A_\nC\n", ":2: expected 1 bytes after the 4 vertices of a graph6 line, not 0"},
    {NULL, "", "A_\nA`\n", ":2: expected zero bits at the end of a graph6 line"},
    {NULL, "", "A_\nA \n", ":2: expected bytes from '?' to '~' in a graph6 line"},
    {NULL, "", "A_\n&A_\n", ":2: expected graph6 or sparse6, not digraph6"},
    {NULL, "", "A_\n;A_\n", ":2: expected graph6 or sparse6, not incremental sparse6"},
    {NULL, "", "A_\n~?\n", ":2: expected the number of vertices, found the end of the line"},
    {NULL, "", "A_\n~~~?????\n", ":2: expected at most 2147483647 vertices, not 67645734912"},
    {NULL, "", "A_\n:Cc~??\n",
     ":2: expected edges between 4 vertices up to the end of the sparse6 line"},

    {NULL, "", "c x y\np edge 3 2\ne 1 2\n\nc\ne 3 2\n", "pattern 2x1 1:2 3:2"},
    {NULL, "", "p col 2 0\n", "pattern 2x0"},
    {"dimacs", "", "c\n",
     ":1: expected 'p edge N M' or 'p col N M' with N vertices, at most 2147483647, and M edges"},
    {NULL, "", "p edge 2 2\ne 1 2\n", ":2: the input ends after 1 edges, expected 2"},
    {NULL, "", "p edge 2 2\ne 1 2", ":2: the input ends after 1 edges, expected 2" IS_CUT},
    {NULL, "", "p edge 2 2\ne 1 2\ne 1", ":3: expected 'e U V' with vertices from 1 to 2" IS_CUT},
    {NULL, "", "p edge 4 2\ne 1 2\re 3 4\n", ":2: " RETURNS},
    {NULL, "", "c x\rc y\np edge 2 1\ne 1 2\n", ":1: " RETURNS},
    {NULL, "", "p edge 2 1\ne 1 2\ne 2 1\n", ":3: expected the end of the input after 1 edges"},
    {NULL, "", "p edge 2 1\ne 1 3\n", ":2: expected 'e U V' with vertices from 1 to 2"},
    {NULL, "", "p edge 2 1\ne 0 1\n", ":2: expected 'e U V' with vertices from 1 to 2"},
    {NULL, "", "p edge 2 1\ne 1 2 3\n", ":2: expected 'e U V' with vertices from 1 to 2"},
    {NULL, "", "p edge -2 1\n",
     ":1: expected 'p edge N M' or 'p col N M' with N vertices, at most 2147483647, and M edges"},
};

static void test_lines(void **state)
{
    (void)state;
    CHECK_READINGS(lines);
    assert_fails_at("", "p edge 2 2\ne 1 2\ne 1 2\n", 3);
    static const reading both = {NULL, "", "p edge 4 4\ne 1 2\ne 2 1\ne 3 4\ne 4 3\n",
                                 "pattern 2x2 1:2 3:4"};
    check_reading(&both);
}

/* A cycle of 200 vertices in graph6: its size takes four bytes. */
static void test_graph6_large(void **state)
{
    (void)state;
    enum { N = 200 };
    char text[4 + (N * (N - 1) / 2 + 5) / 6 + 2];
    memset(text, '?', sizeof text);
    memcpy(text, (char[]){'~', 63, 63 + N / 64, 63 + N % 64}, 4);
    for (int v = 1; v < N; ++v)
        for (int u = 0; u < v; ++u)
            if (v == u + 1 || (u == 0 && v == N - 1)) {
                int bit = v * (v - 1) / 2 + u;
                text[4 + bit / 6] = (char)(text[4 + bit / 6] + (1 << (5 - bit % 6)));
            }
    text[sizeof text - 2] = '\n';
    reading_write(text, sizeof text - 1);
    pm_read_options opt = {0};
    pm_reader *r = NULL;
    pm_node e;
    pm_node_init(&e);
    assert_int_equal(pm_reader_open(reading_path, &opt, &r, NULL), PM_OK);
    assert_int_equal(pm_reader_next(r, &e, NULL), PM_OK);
    assert_int_equal(e.matrix.nrows, N / 2);
    assert_int_equal(e.matrix.ncols, N / 2);
    assert_int_equal(pm_matrix_nnz(&e.matrix), N);
    assert_int_equal(pm_reader_next(r, &e, NULL), PM_OK);
    assert_int_equal(e.kind, PM_NODE_END);
    assert_string_equal(pm_reader_format(r), "graph6");
    pm_reader_close(&r);
    pm_node_clear(&e);
}

/* ---- igraph's formats ---- */

#define GRAPHML                                                                                    \
    "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"         \
    "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"                     \
    "<key id=\"t\" for=\"node\" attr.name=\"type\" attr.type=\"boolean\"/>\n"                      \
    "<graph edgedefault=\"undirected\">\n"                                                         \
    "<node id=\"a b\"><data key=\"t\">true</data></node>\n"                                        \
    "<node id=\"c\"><data key=\"t\">false</data></node>\n"

static const reading foreign[] = {
    {NULL, "",
     GRAPHML "<edge source=\"a b\" target=\"c\"><data key=\"w\">2.5</data></edge>\n"
             "</graph></graphml>\n",
     "real 1x1 c:a b=2.5"},
    {NULL, "p",
     GRAPHML "<edge source=\"a b\" target=\"c\"><data key=\"w\">2.5</data></edge>\n"
             "</graph></graphml>\n",
     "pattern 1x1 c:a b"},
    {NULL, "", GRAPHML "</graph></graphml>\n", "integer 1x1"},
    {NULL, "", "graph [\n node [ id 1 ]\n node [ id 2 ]\n edge [ source 1 target 2 ]\n]\n",
     "pattern 1x1 1:2"},
    {NULL, "",
     "Creator \"me\"\ngraph\n[\n node [ id 1 label \"x\" ]\n node [ id 2 label \"y\" ]\n"
     "edge [ source 1 target 2 weight 3 ]\n]\n",
     "integer 1x1 x:y=3"},
    {NULL, "", "*Vertices 3 1\n1 \"x\"\n2 \"y\"\n3 \"z\"\n*Edges\n1 2 4\n1 3 5\n",
     "integer 1x2 x:y=4 x:z=5"},
    {"ncol", "", "a b 2\nb c 3\n", "integer 2x1 a:b=2 c:b=3"},
    {"ncol", "", "a b\nb c\n", "pattern 2x1 a:b c:b"},
    {"lgl", "", "# a\nb\n# c\nb\n", "pattern 2x1 a:b c:b"},
    {"ncol", "", "a b 2\nb c\n", ": expected a weight other than 0 on edge 2"},
    {NULL, "", "graph [\n node [ id 1 ]\n node [ id 2 ]\n edge [ source 1 target ]\n]\n",
     ":4: Parse error in GML file, line 4 (syntax error, unexpected ], expecting string or number "
     "or [)"},
    {NULL, "", "*Vertices 3 2\n1 \"x\"\n2 \"y\"\n3 \"z\"\n*Edges\n1 2\n",
     ": expected edges between vertices of different types, but 'x' and 'y' are both of type 0"},
    {NULL, "",
     "graph [\n node [ id 1 ]\n node [ id 2 ]\n edge [ source 1 target 2 weight 9007199254740994 "
     "]\n]\n",
     ": expected an integer weight up to 2^53 on edge 1: this format gives no more digits"},
};

static bool has_helper(void)
{
    char program[4096];
    const char *folder = getenv("PM_LIBEXEC");
    snprintf(program, sizeof program, "%s/pm-igraph-read", folder ? folder : "");
    pm_settings_set(&(pm_settings){.libexec = folder});
    return access(program, X_OK) == 0;
}

static void test_foreign(void **state)
{
    (void)state;
    if (!has_helper())
        skip();
    CHECK_READINGS(foreign);
    unsigned char packed[4096];
    reading_write((char *)packed,
                  reading_gzipped(foreign[0].text, strlen(foreign[0].text), packed, sizeof packed));
    char text[256] = "";
    pm_read_options opt = {0};
    assert_int_equal(reading_text(&opt, text, sizeof text, NULL), PM_OK);
    assert_string_equal(text, foreign[0].want);
}

static void test_no_helper(void **state)
{
    (void)state;
    const pm_settings saved = *pm_settings_get();
    char text[256] = "";
    pm_read_options opt = {.from = "gml"};
    pm_error err = {.msg = ""};
    reading_write("graph []\n", 9);
    pm_settings_set(&(pm_settings){.libexec = "/nonexistent"});
    assert_int_equal(reading_text(&opt, text, sizeof text, &err), PM_UNABLE);
    assert_non_null(strstr(err.msg, "/nonexistent/pm-igraph-read"));
    pm_settings_set(&saved);
}

/* ---- pm streams under options ---- */

#define STREAM(body) "%pm: stream 1\n" body "%pm: eof\n"
#define BLOCK        COORDINATE "integer general\n1 1 1\n1 1 5\n"

static const reading streams[] = {
    {NULL, "", STREAM(BLOCK BLOCK), "integer 1x1 1:1=5; integer 1x1 1:1=5"},
    {NULL, "p", STREAM(BLOCK BLOCK), "pattern 1x1 1:1; pattern 1x1 1:1"},
    {NULL, "", STREAM("% c\r" BLOCK), ":2: " RETURNS},
    {NULL, "p", STREAM("%pm: begin product\n" BLOCK "%pm: end\n"),
     ":5: expected a whole graph to take its pattern, found a part of a decomposed one"},
    {NULL, "p", /* a graph on one set of vertices */
     "%pm: stream 2\n%pm: begin product\n" COORDINATE
     "integer symmetric\n%pm: graph\n2 2 1\n2 1 7\n%pm: end\n%pm: eof\n",
     ":6: expected a whole graph to take its pattern, found a part of a decomposed one"},
    {NULL, "p", STREAM("%pm: factor 3\n" BLOCK),
     ":5: expected a whole graph to take its pattern, found a part of a decomposed one"},
};

static void test_streams(void **state)
{
    (void)state;
    CHECK_READINGS(streams);
}

/* ---- when memory ends ---- */

static void test_memory(void **state)
{
    (void)state;
    static const reading inputs[] = {
        {NULL, "", "a x 1\nb y 2.5\n", "real 2x2 a:x=1 b:y=2.5"},
        {NULL, "", "# pm-edges 3 2\na 2\nb 1\n", "pattern 3x2 a:2 b:1"},
        {NULL, "g", "5 7 3\n7 9 4\n", "integer 2x1 5:7=3 9:7=4"},
        {NULL, "g", "5 7 3\n7 9 4\n7 5 3\n", "integer 2x1 5:7=3 9:7=4"},
        {NULL, "s", COORDINATE "pattern symmetric\n2 2 2\n1 2\n2 1\n", "integer 2x2 1:2=2 2:1=2"},
        {NULL, "", ARRAY "complex general\n1 1\n1 2\n", "complex 1x1 1:1=1,2"},
        {NULL, "", "A_\nCl\n", "pattern 1x1 1:2; pattern 2x2 1:2 1:4 3:2 3:4"},
        {NULL, "", "p edge 2 1\ne 1 2\n", "pattern 1x1 1:2"},
        {NULL, "", STREAM(BLOCK), "integer 1x1 1:1=5"},
    };
    for (size_t k = 0; k < sizeof inputs / sizeof *inputs; ++k)
        check_reading_memory(&inputs[k]);
    if (has_helper())
        check_reading_memory(&foreign[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges),     cmocka_unit_test(test_unnamed),
        cmocka_unit_test(test_one_sided), cmocka_unit_test(test_mtx),
        cmocka_unit_test(test_lines),     cmocka_unit_test(test_graph6_large),
        cmocka_unit_test(test_foreign),   cmocka_unit_test(test_no_helper),
        cmocka_unit_test(test_streams),   cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests_name("read", tests, reading_begin, reading_end);
}
