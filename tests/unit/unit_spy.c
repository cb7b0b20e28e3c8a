/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures: the PNG is taken apart by zlib, SVG and Braille are compared as text. */
#include "config.h"

#include "support/png_image.h"
#include "support/testing.h"

#include <string.h>

#include "picture/spy.h"
#include "pm/alloc.h"

static void build(pm_matrix *a, int nrows, int ncols, const char *cells)
{
    pm_triples t = {.field = PM_PATTERN, .nrows = nrows, .ncols = ncols};
    for (int k = 0; k < nrows * ncols; ++k)
        if (cells[k] == '1')
            assert_int_equal(pm_triples_add(&t, k / ncols, k % ncols, 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), PM_OK);
}

/* Upper triangular already: row 0 over columns 0 1; rows 1 2; row 3. */
static void build_example(pm_matrix *a)
{
    build(a, 4, 5,
          "11010"
          "00110"
          "00111"
          "00001");
}

typedef pm_status (*drawer)(const pm_matrix *a, const pm_dm *d, FILE *f, pm_error *err);

static char *draw(drawer how, const pm_matrix *a, size_t *length)
{
    char *bytes;
    pm_dm d = {0};
    FILE *f = open_memstream(&bytes, length);
    assert_non_null(f);
    assert_int_equal(pm_dm_decompose(a, NULL, &d, NULL), PM_OK);
    assert_int_equal(how(a, &d, f, NULL), PM_OK);
    assert_int_equal(fclose(f), 0);
    pm_dm_free(&d);
    return bytes;
}

/* ---- PNG ---- */

static void check_pixel(const png_image *x, int64_t col, int64_t row, int colour)
{
    const unsigned char *line = x->rows + (size_t)row * (x->width + 1);
    assert_int_equal(line[0], 0);
    assert_int_equal(line[1 + col], colour);
    assert_memory_equal(x->palette[colour], pm_spy_palette[colour], 3);
}

static void test_png(void **state)
{
    enum { SCALE = 16, MIDDLE = 8, DARKEST = PM_SPY_SHADES - 1 };
    pm_matrix a = {0};
    size_t length;
    (void)state;
    build_example(&a);
    char *bytes = draw(pm_spy_png, &a, &length);
    png_image x = png_image_decode(bytes, length);
    assert_int_equal(x.width, 5 * SCALE + 1);
    assert_int_equal(x.height, 4 * SCALE + 1);
    /* entries inside a block and outside */
    const char *cells = "##.o."
                        "..##."
                        "..##o"
                        "....#";
    for (int k = 0; k < 20; ++k) {
        int64_t col = k % 5 * SCALE + MIDDLE, row = k / 5 * SCALE + MIDDLE;
        if (cells[k] == '#')
            check_pixel(&x, col, row, PM_SPY_INSIDE + DARKEST);
        else if (cells[k] == 'o')
            check_pixel(&x, col, row, PM_SPY_OUTSIDE + DARKEST);
        else
            check_pixel(&x, col, row, PM_SPY_WHITE);
    }
    /* the corners of the block of rows 1 and 2 */
    for (int corner = 0; corner < 4; ++corner)
        check_pixel(&x, (2 + corner % 2 * 2) * SCALE, (1 + corner / 2 * 2) * SCALE, PM_SPY_OUTLINE);
    free(x.rows);
    free(bytes);
    pm_matrix_free(&a);
}

/* A band of n rows. */
static void build_band(pm_matrix *a, int32_t n)
{
    int64_t k = 0;
    assert_int_equal(pm_matrix_alloc(a, PM_PATTERN, n, n, 2 * (int64_t)n, NULL), PM_OK);
    for (int32_t i = 0; i < n; ++i) {
        a->colind[k++] = i < n - 1 ? i : 0;
        a->colind[k++] = i < n - 1 ? i + 1 : i;
        a->rowptr[i + 1] = k;
    }
}

static void test_png_large(void **state)
{
    static const struct {
        int32_t n;
        uint32_t side;
    } cases[] = {{1, 17}, {100, 801}, {500, 501}, {2000, 2001}, {2001, 1002}, {50000, 2001}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        pm_matrix a = {0};
        size_t length;
        if (cases[k].n == 1)
            build(&a, 1, 1, "1");
        else
            build_band(&a, cases[k].n);
        char *bytes = draw(pm_spy_png, &a, &length);
        png_image x = png_image_decode(bytes, length);
        assert_int_equal(x.width, cases[k].side);
        assert_int_equal(x.height, cases[k].side);
        check_pixel(&x, 0, 0, PM_SPY_OUTLINE);
        check_pixel(&x, cases[k].side - 1, cases[k].side - 1, PM_SPY_OUTLINE);
        free(x.rows);
        free(bytes);
        pm_matrix_free(&a);
    }
}

/* ---- SVG ---- */

static void test_svg(void **state)
{
    pm_matrix a = {0};
    size_t length;
    (void)state;
    build_example(&a);
    char *text = draw(pm_spy_svg, &a, &length);
    assert_string_equal(
        text, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"80\" height=\"64\" "
              "viewBox=\"0 0 5 4\" overflow=\"visible\">\n"
              "<title>4 x 5, structural rank 4, 3 blocks</title>\n"
              "<rect width=\"5\" height=\"4\" fill=\"white\"/>\n"
              "<path fill=\"#eef2f8\" d=\"M0 0h2v1h-2z\nM2 1h2v2h-2z\nM4 3h1v1h-1z\n\"/>\n"
              "<path stroke=\"#0c4995\" d=\"M0 0.5h2\nM2 1.5h2\nM2 2.5h2\nM4 3.5h1\n\"/>\n"
              "<path stroke=\"#e67e22\" d=\"M3 0.5h1\nM4 2.5h1\n\"/>\n"
              "<path fill=\"none\" stroke=\"#5a5a5a\" stroke-width=\"0.0625\" "
              "d=\"M0 0h2v1h-2z\nM2 1h2v2h-2z\nM4 3h1v1h-1z\n\"/>\n"
              "</svg>\n");
    free(text);
    pm_matrix_free(&a);
}

/* ---- Braille ---- */

static pm_status wide(const pm_matrix *a, const pm_dm *d, FILE *f, pm_error *err)
{
    return pm_spy_braille(a, d, 80, f, err);
}

static pm_status narrow(const pm_matrix *a, const pm_dm *d, FILE *f, pm_error *err)
{
    return pm_spy_braille(a, d, 4, f, err);
}

static void test_braille(void **state)
{
    pm_matrix a = {0}, empty = {0};
    size_t length;
    (void)state;
    build(&a, 1, 1, "1");
    char *text = draw(wide, &a, &length);
    assert_string_equal(text, "\u283f\u2807\n"); /* 3 x 3 dots */
    free(text);
    pm_matrix_free(&a);
    build_band(&a, 8); /* 8 dots in 4 characters: outlined along the rim */
    text = draw(narrow, &a, &length);
    assert_string_equal(text, "\u285f\u28af\u2849\u28b9\n\u28c7\u28c0\u28d9\u28fe\n");
    free(text);
    assert_int_equal(pm_matrix_alloc(&empty, PM_PATTERN, 0, 0, 0, NULL), PM_OK);
    text = draw(wide, &empty, &length);
    assert_string_equal(text, "\n");
    free(text);
    pm_matrix_free(&a);
    pm_matrix_free(&empty);
}

/* ---- memory ---- */

static void test_no_memory(void **state)
{
    static const drawer drawers[] = {pm_spy_png, pm_spy_svg, wide};
    pm_matrix a = {0};
    pm_dm d = {0};
    (void)state;
    build_example(&a);
    assert_int_equal(pm_dm_decompose(&a, NULL, &d, NULL), PM_OK);
    for (int kind = 0; kind < 3; ++kind) {
        pm_status s = PM_ENOMEM;
        int failures = 0;
        for (int64_t k = 1; s != PM_OK; ++k) {
            pm_error err = {.msg = ""};
            FILE *f = fopen("/dev/null", "w");
            assert_non_null(f);
            pm_alloc_fail_at(k);
            s = drawers[kind](&a, &d, f, &err);
            pm_alloc_fail_at(0);
            assert_true(s == PM_OK || (s == PM_ENOMEM && strlen(err.msg) > 0));
            failures += s != PM_OK;
            fclose(f);
        }
        assert_true(failures >= 3);
    }
    pm_dm_free(&d);
    pm_matrix_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png),       cmocka_unit_test(test_png_large),
        cmocka_unit_test(test_svg),       cmocka_unit_test(test_braille),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
