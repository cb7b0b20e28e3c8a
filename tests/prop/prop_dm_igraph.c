/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The Dulmage-Mendelsohn decomposition beside igraph's maximum matching and strong components: on
 * random matrices of all shapes, and on the matrices in $PM_DATA. */
#include "config.h"

#include <dirent.h>
#include <igraph.h>
#include <string.h>

#include "pm/dm.h"
#include "pm/io.h"
#include "support/matrices.h"

/* Vertices: rows, columns, and two more: one that leads to every unmatched row, and one that every
 * unmatched column leads to.  Edges lead from rows to columns, and back where matched. */
typedef struct {
    igraph_t graph;
    igraph_integer_t rank;
    igraph_vector_int_t over, under;        /* vertices, with the one of the two */
    igraph_vector_int_t component, members; /* of each vertex; of each component */
} theirs;

static void undirected(const pm_matrix *a, igraph_t *g)
{
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, 0);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            igraph_vector_int_push_back(&edges, i);
            igraph_vector_int_push_back(&edges, a->nrows + a->colind[k]);
        }
    assert_int_equal(igraph_create(g, &edges, a->nrows + a->ncols, IGRAPH_UNDIRECTED), 0);
    igraph_vector_int_destroy(&edges);
}

static void match(const pm_matrix *a, igraph_integer_t *rank, igraph_vector_int_t *mate)
{
    igraph_t g;
    igraph_vector_bool_t is_column;
    undirected(a, &g);
    igraph_vector_bool_init(&is_column, a->nrows + a->ncols);
    for (int64_t j = 0; j < a->ncols; ++j)
        VECTOR(is_column)[a->nrows + j] = true;
    assert_int_equal(igraph_maximum_bipartite_matching(&g, &is_column, rank, NULL, mate, NULL, 0),
                     0);
    igraph_vector_bool_destroy(&is_column);
    igraph_destroy(&g);
}

static void decompose(const pm_matrix *a, theirs *t)
{
    igraph_vector_int_t mate, edges;
    int64_t n = a->nrows + a->ncols, source = n, sink = n + 1;
    igraph_vector_int_init(&mate, 0);
    igraph_vector_int_init(&edges, 0);
    match(a, &t->rank, &mate);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k) {
            igraph_vector_int_push_back(&edges, i);
            igraph_vector_int_push_back(&edges, a->nrows + a->colind[k]);
        }
    for (int64_t v = 0; v < n; ++v) {
        bool is_row = v < a->nrows, is_matched = VECTOR(mate)[v] >= 0;
        if (is_matched && is_row)
            continue;
        igraph_vector_int_push_back(&edges, is_matched || !is_row ? v : source);
        igraph_vector_int_push_back(&edges, is_matched ? VECTOR(mate)[v] : is_row ? v : sink);
    }
    assert_int_equal(igraph_create(&t->graph, &edges, n + 2, IGRAPH_DIRECTED), 0);
    igraph_vector_int_init(&t->over, 0);
    igraph_vector_int_init(&t->under, 0);
    igraph_vector_int_init(&t->component, 0);
    igraph_vector_int_init(&t->members, 0);
    assert_int_equal(igraph_subcomponent(&t->graph, &t->over, source, IGRAPH_OUT), 0);
    assert_int_equal(igraph_subcomponent(&t->graph, &t->under, sink, IGRAPH_IN), 0);
    assert_int_equal(
        igraph_connected_components(&t->graph, &t->component, &t->members, NULL, IGRAPH_STRONG), 0);
    igraph_vector_int_destroy(&edges);
    igraph_vector_int_destroy(&mate);
}

static void theirs_free(theirs *t)
{
    igraph_vector_int_destroy(&t->over);
    igraph_vector_int_destroy(&t->under);
    igraph_vector_int_destroy(&t->component);
    igraph_vector_int_destroy(&t->members);
    igraph_destroy(&t->graph);
}

/* Every vertex of the part of ours is one of theirs, and there are as many. */
static void same_part(const pm_matrix *a, const pm_dm *d, int first_row, int end_row, int first_col,
                      int end_col, const igraph_vector_int_t *part)
{
    char *is_there = calloc((size_t)(a->nrows + a->ncols + 2), 1);
    for (igraph_integer_t k = 0; k < igraph_vector_int_size(part); ++k)
        is_there[VECTOR(*part)[k]] = 1;
    for (int64_t k = d->rr[first_row]; k < d->rr[end_row]; ++k)
        assert_true(is_there[d->p[k]]);
    for (int64_t k = d->cc[first_col]; k < d->cc[end_col]; ++k)
        assert_true(is_there[a->nrows + d->q[k]]);
    assert_int_equal(d->rr[end_row] - d->rr[first_row] + d->cc[end_col] - d->cc[first_col] + 1,
                     igraph_vector_int_size(part));
    free(is_there);
}

static void same_blocks(const pm_matrix *a, const pm_dm *d, const theirs *t)
{
    for (int64_t b = d->square_first; b < d->square_last; ++b) {
        igraph_integer_t c = VECTOR(t->component)[d->p[d->r[b]]];
        assert_int_equal(VECTOR(t->members)[c], 2 * (d->r[b + 1] - d->r[b]));
        for (int64_t k = d->r[b]; k < d->r[b + 1]; ++k)
            assert_int_equal(VECTOR(t->component)[d->p[k]], c);
        for (int64_t k = d->s[b]; k < d->s[b + 1]; ++k)
            assert_int_equal(VECTOR(t->component)[a->nrows + d->q[k]], c);
    }
}

static void compare(const pm_matrix *a)
{
    pm_dm d = {0};
    theirs t;
    assert_int_equal(pm_dm_decompose(a, NULL, &d, NULL), PM_OK);
    decompose(a, &t);
    assert_int_equal(d.rank, t.rank);
    same_part(a, &d, 0, 1, 0, 2, &t.under);
    same_part(a, &d, 2, 4, 3, 4, &t.over);
    same_blocks(a, &d, &t);
    theirs_free(&t);
    pm_dm_free(&d);
}

static void test_random(void **state)
{
    uint64_t rng = test_seed();
    (void)state;
    for (int round = test_rounds(400); round > 0; --round) {
        pm_matrix a = {0};
        int nrows = (int)pm_rng_below(&rng, 60), ncols = (int)pm_rng_below(&rng, 60);
        if (pm_rng_below(&rng, 2))
            ncols = nrows;
        double degree = 0.5 + 4 * pm_rng_unit(&rng);
        random_matrix(&rng, PM_PATTERN, nrows, ncols, degree / (ncols + 1), &a);
        compare(&a);
        pm_matrix_free(&a);
    }
}

/* ---- files ---- */

static int compare_file(const char *path)
{
    const pm_read_options how = {.pattern = true};
    pm_reader *r = NULL;
    pm_node e;
    pm_error err;
    int compared = 0;
    pm_node_init(&e);
    assert_int_equal(pm_reader_open(path, &how, &r, &err), PM_OK);
    do {
        if (pm_reader_next(r, &e, &err) != PM_OK)
            fail_msg("%s", err.msg);
        if (e.kind == PM_NODE_MATRIX) {
            compare(&e.matrix);
            ++compared;
        }
    } while (e.kind != PM_NODE_END);
    pm_node_clear(&e);
    pm_reader_close(&r);
    return compared;
}

static int compare_folder(const char *data, const char *name)
{
    char folder[4096], path[8192];
    int compared = 0;
    snprintf(folder, sizeof folder, "%s/%s", data, name);
    DIR *d = opendir(folder);
    for (struct dirent *f = d ? readdir(d) : NULL; f; f = readdir(d)) {
        const char *dot = strrchr(f->d_name, '.');
        if (!dot || (strcmp(dot, ".mtx") != 0 && strcmp(dot, ".txt") != 0))
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, f->d_name);
        compared += compare_file(path);
    }
    if (d)
        closedir(d);
    return compared;
}

static void test_files(void **state)
{
    (void)state;
    const char *data = getenv("PM_DATA");
    if (!data)
        skip();
    int compared = compare_folder(data, "suitesparse") + compare_folder(data, "synthetic")
                   + compare_folder(data, "card");
    printf("# %d matrices\n", compared);
    assert_true(compared > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
