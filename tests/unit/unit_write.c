/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix Market files and edge lists that are written read back as the same graph; a full disk. */
#include "config.h"

#include "support/testing.h"

#include <string.h>

#include "pm/io.h"
#include "support/node_lists.h"

static uint64_t rng;

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
        random_node_matrix(&rng, &e->matrix, (pm_field)below(&rng, 4));
        if (below(&rng, 2))
            random_labels(&rng, &e->matrix.row_labels, e->matrix.nrows);
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
    for (int64_t i = 0; i < count; ++i)
        assert_int_equal(pm_labels_append(l, text[i], (int64_t)strlen(text[i]), NULL), PM_OK);
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
    for (int round = 0; test_goes_on(round, 400, done > rounds / 8); ++round) {
        pm_matrix a = {0};
        pm_error err = {.msg = ""};
        random_node_matrix(&rng, &a, (pm_field)below(&rng, 3));
        if (below(&rng, 2))
            give_labels(&a.row_labels, sets[below(&rng, 4)], a.nrows);
        if (below(&rng, 2))
            give_labels(&a.col_labels, sets[below(&rng, 4)], a.ncols);
        FILE *f = open_file();
        pm_status st = pm_write_edges(f, &a, below(&rng, 2) ? comments : NULL, &err);
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
    assert_true(done > rounds / 8); /* some 55 in 100; few rounds go on until there are so many */
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
        {{"a", "b\xc2\xa0"},
         "an edge list written here cannot hold the label 'b\xc2\xa0' of row 2, which begins or "
         "ends "
         "with an invisible character"},
        {{"\xc2\x85"
          "a",
          "b"},
         "an edge list written here cannot hold the label '\xc2\x85"
         "a' of row 1, which begins or ends "
         "with an invisible character"},
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_mtx),
        cmocka_unit_test(test_write_edges),
        cmocka_unit_test(test_unwritable_edges),
        cmocka_unit_test(test_full_disk),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, node_file_begin, node_file_end);
}
