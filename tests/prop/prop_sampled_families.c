/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random perfect matchings of small boards of every family of pm-gen: each comes as often as its weight says (chi-
 * square), as pm-approx --sample draws it, and by determinants where the board is planar.  A family that has no board
 * here must be one that --sample refuses. False alarm: 2e-7 a run: at most 160 p values that are below
 * FREQUENCIES_CHANCE once in 10^9 each. */
#include "config.h"

#include <string.h>

#include "matchings/matchings.h"
#include "matchings/planar_matching.h"
#include "pm-gen/family.h"
#include "pm-gen/weights.h"
#include "support/graphs.h"
#include "support/matching_frequencies.h"
#include "support/testing.h"

enum { DRAWS = 3000, SLOWER = 4, MOST_WORDS = 14 };

/* At most FREQUENCIES_MAX_N rows and FREQUENCIES_MATCHINGS perfect matchings. */
static const char *const boards[][MOST_WORDS] = {
    {"grid", "4", "5"},
    {"grid", "3", "6"},
    {"planar", "4", "6", "0.8"},
    {"torus", "4", "4"},
    {"cylinder", "4", "4"},
    {"cylinder", "3", "6"},
    {"honeycomb", "2", "2"},
    {"honeycomb", "3", "2"},
    {"honeycomb-torus", "3", "3"},
    {"honeycomb-torus", "2", "4"},
    {"square-octagon", "2", "3"},
    {"cube", "2", "2", "3"},
    {"cube", "2", "3", "3"},
    {"hypercube", "3"},
    {"hypercube", "4"},
    {"hexagon", "2"},
    {"hexagon", "1", "2", "3"},
    {"aztec", "2"},
    {"aztec", "3"},
    {"erdos-renyi", "6", "0.6"},
    {"regular", "7", "3"},
    {"mycielskian", "4"},
    {"ones", "5"},
    {"derangement", "6"},
    {"band", "8", "2"},
    {"hessenberg", "8"},
    {"circulant", "9", "0", "1", "3"},
    {"triangular", "3", "4"},
    {"kagome", "2", "2"},
    {"torus-graph", "3", "4"},
    {"triangular-torus", "3", "4"},
    {"kagome-torus", "2", "2"},
    {"circulant-graph", "8", "1", "2"},
    {"complete", "4"},
    {"kneser", "4", "1"},
    {"fullerene", "20", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"},
    {"random-graph", "8", "0.4"},
    {"regular-graph", "8", "3"},
    {"planar-graph", "10", "0.9"},
};
enum { BOARDS = sizeof boards / sizeof *boards };

static bool has_board(const char *family)
{
    for (int b = 0; b < BOARDS; ++b)
        if (strcmp(boards[b][0], family) == 0)
            return true;
    return false;
}

static void every_family_has_a_board(void **state)
{
    const pm_family *f;
    (void)state;
    for (int i = 0; (f = pm_family_at(i)); ++i) {
        const bool is_taken = !f->has_weights;
        if (is_taken != has_board(f->name))
            print_message("# %s\n", f->name);
        assert_true(is_taken == has_board(f->name));
    }
}

/* The matrix of a graph of which each edge is given once. */
static void make_symmetric(pm_matrix *a)
{
    pm_triples t = {.field = a->field, .nrows = a->nrows, .ncols = a->ncols};
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            for (int side = 0; side < 2; ++side)
                graphs_must(pm_triples_add(&t, side ? a->colind[k] : i, side ? i : a->colind[k], 0,
                                           a->re ? &a->re[k] : NULL, NULL, NULL),
                            NULL);
    pm_matrix_free(a);
    graphs_must(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "test", a, NULL), NULL);
}

/* Returns whether it is a graph on one set of vertices. */
static bool make_board(const char *const *board, bool has_weights, uint64_t *rng, pm_matrix *a)
{
    pm_random random = {.seed = pm_rng_next(rng)};
    const pm_run run = {.threads = 1};
    pm_weights weights = {0};
    pm_error err = {.msg = ""};
    char copy[MOST_WORDS][32], *word[MOST_WORDS];
    int count = 0, draws;
    for (; count < MOST_WORDS && board[count]; ++count) {
        snprintf(copy[count], sizeof *copy, "%s", board[count]);
        word[count] = copy[count];
    }
    const pm_family_args args = {pm_family_find(board[0]), word + 1, count - 1, &random, &run};
    graphs_must(pm_family_generate(&args, !args.family->one_set, a, &draws, &err), &err);
    graphs_must(pm_weights_set_integer(&weights, "1:5", &err), &err);
    if (has_weights)
        graphs_must(pm_weights_apply(&weights, &random, a, &err), &err);
    if (args.family->one_set)
        make_symmetric(a);
    return args.family->one_set;
}

/* Returns whether --sample takes the board: some with odd cycles are not planar. */
static bool see_samples(const pm_matrix *a, bool is_general, uint64_t seed, matching_list *l)
{
    pm_matchings *m;
    pm_error err = {.msg = ""};
    const pm_run run = {.threads = 1};
    const pm_status status = pm_matchings_make(a, is_general, seed, &run, &m, &err);
    if (status == PM_UNABLE && is_general)
        return false;
    graphs_must(status, &err);
    for (uint64_t s = 0; s < DRAWS; ++s) {
        int32_t col_of[FREQUENCIES_MAX_N];
        graphs_must(pm_matchings_draw(m, s, &run, col_of, &err), &err);
        matching_list_see(l, col_of);
    }
    pm_matchings_free(m);
    return true;
}

/* Returns whether the board is planar or a torus, and the library can tell. */
static bool see_determinants(const pm_matrix *a, bool is_general, uint64_t seed, matching_list *l)
{
    pm_planar_matching *m;
    pm_error err = {.msg = ""};
    const pm_run run = {.threads = 1};
    const pm_status status = pm_planar_matching_make(a, is_general, seed, 0, &run, &m, &err);
    if (status == PM_UNABLE)
        return false;
    graphs_must(status, &err);
    for (uint64_t s = 0; s < DRAWS / SLOWER; ++s) {
        int32_t col_of[FREQUENCIES_MAX_N];
        graphs_must(pm_planar_matching_draw(m, s, &run, col_of, &err), &err);
        matching_list_see(l, col_of);
    }
    pm_planar_matching_free(m);
    return true;
}

static void check(bool by_determinants)
{
    uint64_t rng = test_seed();
    frequencies f = {0};
    const int step = test_step(7);
    for (int has_weights = 0; has_weights < 2; ++has_weights)
        for (int b = test_first(&rng, step); b < BOARDS; b += step) {
            pm_matrix a;
            matching_list l;
            const bool is_general = make_board(boards[b], has_weights, &rng, &a);
            matching_list_make(&a, is_general, &l);
            const bool has_seen = l.count > 0
                                  && (by_determinants ? see_determinants : see_samples)(
                                      &a, is_general, pm_rng_next(&rng), &l);
            if (has_seen)
                frequencies_add(&f, &l);
            matching_list_free(&l);
            pm_matrix_free(&a);
        }
    frequencies_end(&f);
}

static void as_often_as_it_weighs(void **state)
{
    (void)state;
    check(false);
}

static void by_determinants(void **state)
{
    (void)state;
    check(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_has_a_board),
        cmocka_unit_test(as_often_as_it_weighs),
        cmocka_unit_test(by_determinants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
