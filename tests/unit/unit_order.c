/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of columns and rows against what defines them, on random patterns of any size. */
#include "config.h"

#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "order/column_order.h"
#include "order/heap.h"
#include "order/register_partition.h"
#include "order/state_count.h"
#include "order/vertex_order.h"
#include "pm/alloc.h"
#include "support/matrices.h"

enum { MOST = 150 };

static uint64_t rng;

typedef struct {
    pm_matrix a;
    pm_pattern_copy p;
    int32_t cols[MOST], rows[MOST];
    bool has[MOST][MOST];
} sample;

static void sample_of(pm_matrix *a, sample *s)
{
    memset(s, 0, sizeof *s);
    s->a = *a;
    assert_int_equal(pm_pattern_make(&s->a, &s->p, NULL), PM_OK);
    for (int64_t i = 0; i < a->nrows; ++i)
        for (int64_t k = a->rowptr[i]; k < a->rowptr[i + 1]; ++k)
            s->has[i][a->colind[k]] = true;
}

static void draw(sample *s)
{
    pm_matrix a;
    int n = (int)pm_rng_below(&rng, pm_rng_below(&rng, 4) ? 20 : MOST + 1);
    random_matrix(&rng, PM_PATTERN, n, n, pm_rng_unit(&rng) * (n > 40 ? 0.1 : 0.6), &a);
    sample_of(&a, s);
}

static void drop(sample *s)
{
    pm_pattern_free(&s->p);
    pm_matrix_free(&s->a);
}

static void assert_permutation(const int32_t *p, int32_t n)
{
    bool seen[MOST] = {false};
    for (int32_t k = 0; k < n; ++k) {
        assert_true(p[k] >= 0 && p[k] < n && !seen[p[k]]);
        seen[p[k]] = true;
    }
}

/* Rows of column j that are not in the set. */
static int32_t rows_outside(const sample *s, int32_t j, const bool *set)
{
    int32_t count = 0;
    for (int32_t i = 0; i < s->p.of.n; ++i)
        count += s->has[i][j] && !set[i];
    return count;
}

static void by_columns_and_rows(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        sample s;
        draw(&s);
        const pm_pattern *p = &s.p.of;
        assert_int_equal(p->n, s.a.nrows);
        for (int side = 0; side < 2; ++side) {
            const int32_t *ptr = side ? p->colptr : p->rowptr;
            const int32_t *ind = side ? p->rowind : p->colind;
            assert_int_equal(ptr[0], 0);
            assert_int_equal(ptr[p->n], pm_matrix_nnz(&s.a));
            for (int32_t i = 0; i < p->n; ++i)
                for (int32_t k = ptr[i]; k < ptr[i + 1]; ++k) {
                    assert_true(side ? s.has[ind[k]][i] : s.has[i][ind[k]]);
                    assert_true(k == ptr[i] || ind[k - 1] < ind[k]);
                }
        }
        drop(&s);
    }
}

static void queue_by_keys(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        int64_t key[MOST] = {0};
        bool taken[MOST] = {false};
        pm_heap h;
        int32_t n = 1 + (int32_t)pm_rng_below(&rng, MOST);
        assert_int_equal(pm_heap_make(n, &h, NULL), PM_OK);
        for (int32_t left = n; left > 0;) {
            int32_t i = (int32_t)pm_rng_below(&rng, (uint32_t)n);
            int64_t by = (int64_t)pm_rng_below(&rng, 9) - 4;
            pm_heap_add_to_key(&h, i, by);
            key[i] += by;
            if (pm_rng_below(&rng, 3))
                continue;
            int32_t least = -1;
            for (int32_t j = 0; j < n; ++j)
                if (!taken[j] && (least < 0 || key[j] < key[least]))
                    least = j;
            assert_int_equal(pm_heap_pop(&h), least);
            taken[least] = true;
            --left;
        }
        pm_heap_free(&h);
    }
}

static void sort_order(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        sample s;
        bool touched[MOST] = {false};
        int32_t at = 0;
        draw(&s);
        const pm_pattern *p = &s.p.of;
        assert_int_equal(pm_column_order_sort(p, s.cols, s.rows, NULL), PM_OK);
        assert_permutation(s.cols, p->n);
        assert_permutation(s.rows, p->n);
        for (int32_t k = 0; k < p->n; ++k) {
            int32_t before = k ? pm_pattern_degree(p, s.cols[k - 1]) : 0;
            int32_t here = pm_pattern_degree(p, s.cols[k]);
            assert_true(before < here || (before == here && (!k || s.cols[k - 1] < s.cols[k])));
            for (int32_t e = p->colptr[s.cols[k]]; e < p->colptr[s.cols[k] + 1]; ++e)
                if (!touched[p->rowind[e]]) {
                    assert_int_equal(s.rows[at++], p->rowind[e]);
                    touched[p->rowind[e]] = true;
                }
        }
        drop(&s);
    }
}

/* Every column has the fewest rows that no earlier one has, the first of these. */
static void permanent_order(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        sample s;
        bool seen[MOST] = {false}, taken[MOST] = {false};
        draw(&s);
        const pm_pattern *p = &s.p.of;
        assert_int_equal(pm_column_order_permanent(p, s.cols, s.rows, NULL), PM_OK);
        assert_permutation(s.rows, p->n);
        for (int32_t k = 0; k < p->n; ++k) {
            int32_t best = -1;
            for (int32_t j = 0; j < p->n; ++j)
                if (!taken[j]
                    && (best < 0 || rows_outside(&s, j, seen) < rows_outside(&s, best, seen)))
                    best = j;
            assert_int_equal(s.cols[k], best);
            taken[best] = true;
            for (int32_t i = 0; i < p->n; ++i)
                seen[i] = seen[i] || s.has[i][best];
        }
        drop(&s);
    }
}

/* From the last column down: every row lacks the fewest columns when it is completed. */
static void skip_order(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        sample s;
        bool taken[MOST] = {false}, done[MOST] = {false};
        draw(&s);
        const pm_pattern *p = &s.p.of;
        int32_t last = p->n;
        assert_int_equal(pm_column_order_skip(p, s.cols, s.rows, NULL), PM_OK);
        assert_permutation(s.cols, p->n);
        assert_permutation(s.rows, p->n);
        for (int32_t k = 0; k < p->n; ++k) {
            int32_t lacks[MOST] = {0};
            for (int32_t i = 0; i < p->n; ++i)
                for (int32_t j = 0; j < p->n; ++j)
                    lacks[i] += s.has[i][j] && !taken[j];
            for (int32_t i = 0; i < p->n; ++i)
                assert_true(done[i] || lacks[i] >= lacks[s.rows[k]]);
            done[s.rows[k]] = true;
            for (int32_t c = lacks[s.rows[k]]; c > 0; --c) {
                int32_t j = s.cols[--last];
                assert_true(s.has[s.rows[k]][j] && !taken[j]);
                assert_true(c == 1
                            || rows_outside(&s, j, done)
                                   >= rows_outside(&s, s.cols[last - 1], done));
                taken[j] = true;
            }
        }
        drop(&s);
    }
}

/* ---- Cuthill and McKee ---- */

/* Row i over columns i - width .. i + width, rows and columns shuffled. */
static void shuffled_band(int32_t n, int32_t width, sample *s)
{
    int32_t p[MOST], q[MOST];
    pm_matrix a = {0};
    pm_triples t = {.field = PM_PATTERN, .nrows = n, .ncols = n};
    random_permutation(&rng, p, n);
    random_permutation(&rng, q, n);
    for (int32_t i = 0; i < n; ++i)
        for (int32_t j = 0; j < n; ++j)
            if (abs(i - j) <= width)
                assert_int_equal(pm_triples_add(&t, p[i], q[j], 0, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_matrix_from_triples(&t, PM_DUPLICATES_ERROR, "", &a, NULL), PM_OK);
    pm_triples_free(&t);
    sample_of(&a, s);
}

static int32_t width_of(const sample *s)
{
    int32_t width = 0;
    for (int32_t i = 0; i < s->p.of.n; ++i)
        for (int32_t j = 0; j < s->p.of.n; ++j)
            if (s->has[s->rows[i]][s->cols[j]] && abs(i - j) > width)
                width = abs(i - j);
    return width;
}

static void rcm_finds_bands(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(60); ++round) {
        sample s;
        int32_t n = 8 + (int32_t)pm_rng_below(&rng, MOST - 8);
        int32_t width = 1 + (int32_t)pm_rng_below(&rng, 3);
        shuffled_band(n, width, &s);
        assert_int_equal(pm_column_order_rcm(&s.p.of, s.cols, s.rows, NULL), PM_OK);
        assert_permutation(s.cols, n);
        assert_permutation(s.rows, n);
        assert_true(width_of(&s) <= 2 * width);
        drop(&s);
        draw(&s);
        assert_int_equal(pm_column_order_rcm(&s.p.of, s.cols, s.rows, NULL), PM_OK);
        assert_permutation(s.cols, s.p.of.n);
        assert_permutation(s.rows, s.p.of.n);
        drop(&s);
    }
}

/* ---- partition ---- */

/* Algorithm 4 read literally: the best score of what a thread has registers for, except that
 * columns that touch no new row are always taken in. */
static void partition_by_score(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        sample s;
        draw(&s);
        const pm_pattern *p = &s.p.of;
        pm_register_partition found = pm_register_partition_choose(p);
        double best = 0;
        int32_t k = 0, c = 0, nrows = 0;
        for (int32_t j = 0; j < p->n; ++j) {
            for (int32_t i = 0; i < p->n; ++i)
                if (s.has[i][j] && i + 1 > nrows)
                    nrows = i + 1;
            if (2 * nrows + PM_PARTITION_OTHER_REGISTERS > 255)
                break;
            double each = ceil((2 * nrows + PM_PARTITION_OTHER_REGISTERS) / 8.0) * 8;
            double threads = fmin(2048, floor(65536 / (128 * each)) * 128);
            double score =
                threads / (2 * nrows * (1 - pow(2, -j - 1)) + (p->n - nrows) * pow(2, -j - 1) * 16);
            if (score > best || nrows == k) {
                best = score;
                k = nrows;
                c = j + 1;
            }
        }
        assert_int_equal(found.k, k);
        assert_int_equal(found.c, c);
        for (int32_t j = 0; j < c; ++j)
            for (int32_t i = k; i < p->n; ++i)
                assert_false(s.has[i][j]);
        drop(&s);
    }
}

/* ---- updates, the natural order ---- */

static void updates_are_a_mean(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_matrix a;
        sample s;
        double sum = 0;
        int32_t n = 1 + (int32_t)pm_rng_below(&rng, 12), order[12];
        random_matrix(&rng, PM_PATTERN, n, n, 0.5, &a);
        sample_of(&a, &s);
        random_permutation(&rng, order, n);
        /* from each of 2^(n-1) terms to the next, the first again after the last */
        for (uint32_t g = 1; g < 1u << (n - 1); ++g)
            sum += pm_pattern_degree(&s.p.of, order[__builtin_ctz(g)]);
        double mean = ldexp(sum, 1 - n), found = pm_column_order_updates(&s.p.of, order);
        assert_true(fabs(found - mean) < 1e-9);
        drop(&s);
    }
}

static void natural_order(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_matrix a;
        int32_t at[2 * MOST], order[2 * MOST];
        int nrows = (int)pm_rng_below(&rng, 20), ncols = (int)pm_rng_below(&rng, 20);
        random_matrix(&rng, PM_PATTERN, nrows, ncols, 0.2, &a);
        assert_int_equal(pm_vertex_order_natural(&a, order, NULL), PM_OK);
        assert_permutation(order, nrows + ncols);
        for (int t = 0; t < nrows + ncols; ++t)
            at[order[t]] = t;
        for (int i = 1; i < nrows; ++i)
            assert_true(at[i - 1] < at[i]);
        for (int i = 0; i < nrows; ++i)
            for (int64_t k = a.rowptr[i]; k < a.rowptr[i + 1]; ++k)
                assert_true(at[i] < at[nrows + a.colind[k]]);
        pm_matrix_free(&a);
    }
}

/* ---- search ---- */

/* The same effort is the same order.  Annealing from a better start may end worse, so that ten
 * times the effort pays is a statement about many graphs: here fixed ones, the same on each run.  With fewer
 * rounds the first of them. */
static void effort(void **state)
{
    (void)state;
    uint64_t fixed = 1;
    double less = 0, more = 0;
    const int graphs = test_size(6, 1);
    for (int round = 0; round < graphs; ++round) {
        pm_matrix a;
        int32_t ones[60], n = 30;
        pm_block b = {.n = n, .row_cap = ones, .col_cap = ones};
        pm_block_graph g;
        pm_vertex_order o[3];
        pm_run run = {.threads = 2};
        for (int i = 0; i < n; ++i)
            ones[i] = 1;
        random_matrix(&fixed, PM_PATTERN, n, n, 0.15, &a);
        b.a = a;
        assert_int_equal(pm_block_graph_make(&b, &g, NULL), PM_OK);
        for (int i = 0; i < 3; ++i)
            assert_int_equal(
                pm_vertex_order_search_for(&g, 5, i == 2 ? 0.2 : 0.02, &run, &o[i], NULL), PM_OK);
        assert_int_equal(o[0].len, o[1].len);
        assert_memory_equal(o[0].seq, o[1].seq, (size_t)o[0].len * sizeof *o[0].seq);
        less += log2(o[0].cost);
        more += log2(o[2].cost);
        for (int i = 0; i < 3; ++i)
            pm_vertex_order_free(&o[i]);
        pm_block_graph_free(&g);
        pm_matrix_free(&a);
    }
    printf("# log2 of the cost of %d orders: %.3f, with ten times the effort %.3f\n", graphs, less,
           more);
    assert_true(more <= less);
}

/* ---- memory ---- */

typedef pm_status order(const pm_pattern *a, int32_t *cols, int32_t *rows, pm_error *err);

static pm_status all_orders(const pm_matrix *a, pm_error *err)
{
    static order *const orders[] = {pm_column_order_sort, pm_column_order_skip,
                                    pm_column_order_permanent, pm_column_order_rcm};
    pm_pattern_copy p = {0};
    int32_t cols[2 * MOST], rows[MOST];
    pm_status s = pm_pattern_make(a, &p, err);
    for (int i = 0; i < 4 && s == PM_OK; ++i)
        s = orders[i](&p.of, cols, rows, err);
    if (s == PM_OK)
        s = pm_vertex_order_natural(a, cols, err);
    pm_pattern_free(&p);
    return s;
}

/* Digits from 0 to a few limits, some of them 0 or 1: all vectors are counted one by one. */
static void digits_with_a_sum(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        enum { DIGITS = 5, SUMS = 5 * 8 };
        int64_t most[DIGITS], vectors = 1, ways[SUMS + 1] = {0};
        int count = (int)pm_rng_below(&rng, DIGITS + 1), singles = (int)pm_rng_below(&rng, 5);
        pm_digit_ways w = {0};
        assert_int_equal(pm_digit_ways_begin(&w, NULL), PM_OK);
        for (int i = 0; i < count; ++i) {
            most[i] = pm_rng_below(&rng, 8);
            vectors *= most[i] + 1;
            assert_int_equal(pm_digit_ways_add(&w, most[i], NULL), PM_OK);
        }
        for (int64_t v = 0; v < vectors << singles; ++v) {
            int64_t rest = v >> singles;
            int sum = __builtin_popcountll((uint64_t)v & ((1u << singles) - 1));
            for (int i = 0; i < count; ++i) {
                sum += (int)(rest % (most[i] + 1));
                rest /= most[i] + 1;
            }
            ++ways[sum];
        }
        for (int s = 0; s <= SUMS; ++s)
            assert_true(pm_state_count(singles, &w, s) == (double)ways[s]);
        pm_digit_ways_free(&w);
    }
}

static void no_memory(void **state)
{
    (void)state;
    pm_matrix a;
    pm_status s = PM_ENOMEM;
    int failures = 0;
    random_matrix(&rng, PM_PATTERN, 12, 12, 0.4, &a);
    for (int64_t k = 1; s != PM_OK; ++k) {
        pm_error err = {.msg = ""};
        pm_alloc_fail_at(k);
        s = all_orders(&a, &err);
        pm_alloc_fail_at(0);
        assert_true(s == PM_OK || (s == PM_ENOMEM && strlen(err.msg) > 0));
        failures += s != PM_OK;
    }
    assert_true(failures > 15);
    pm_matrix_free(&a);
}

/* Labels that lines had before they changed places. */
static void labels_are_kept(void **state)
{
    (void)state;
    static const int32_t swapped[] = {1, 0, 2}, same[] = {0, 1, 2};
    pm_labels none = {0}, kept = {0}, again = {0};
    char number[24];
    assert_int_equal(pm_labels_select_or_number(&none, same, 3, &kept, NULL), PM_OK);
    assert_false(pm_labels_exist(&kept));
    assert_int_equal(pm_labels_select_or_number(&none, swapped, 3, &kept, NULL), PM_OK);
    assert_int_equal(kept.count, 3);
    assert_string_equal(pm_label(&kept, 0, number), "2");
    assert_string_equal(pm_label(&kept, 1, number), "1");
    assert_string_equal(pm_label(&kept, 2, number), "3");
    assert_int_equal(pm_labels_select_or_number(&kept, swapped, 3, &again, NULL), PM_OK);
    assert_string_equal(pm_label(&again, 0, number), "1");
    pm_labels_free(&again);
    pm_alloc_fail_at(1);
    assert_int_equal(pm_labels_select_or_number(&none, swapped, 3, &again, NULL), PM_ENOMEM);
    pm_alloc_fail_at(0);
    assert_false(pm_labels_exist(&again));
    pm_labels_free(&kept);
}

/* ---- binomial coefficients ---- */

enum { THREADS = 2 };

static void *count_subsets(void *context)
{
    atomic_int *ready = context;
    atomic_fetch_add(ready, 1);
    while (atomic_load(ready) < THREADS) /* both at once: filling takes microseconds */
        sched_yield();
    for (int n = 129; n >= 0; --n) { /* all subsets of n */
        double sum = 0;
        for (int k = 0; k <= n; ++k)
            sum += pm_binomial(n, k);
        if (fabs(sum - ldexp(1, n)) > 1e-12 * sum
            || fabs(pm_binomial_log2(n, n / 2) - log2(pm_binomial(n, n / 2))) > 1e-10)
            return context;
    }
    return NULL;
}

/* The first calls of the process, by several threads at once. */
static void first_binomials(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    atomic_int ready = 0;
    for (int i = 0; i < THREADS; ++i)
        assert_int_equal(pthread_create(&thread[i], NULL, count_subsets, &ready), 0);
    for (int i = 0; i < THREADS; ++i) {
        void *wrong;
        assert_int_equal(pthread_join(thread[i], &wrong), 0);
        assert_null(wrong);
    }
    assert_true(pm_binomial(52, 5) == 2598960 && pm_binomial(3, 4) == 0 && pm_binomial(3, -1) == 0);
    assert_true(pm_binomial(200, 3) == 1313400 && pm_binomial_log2(3, 4) == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_binomials), /* before all others */
        cmocka_unit_test(by_columns_and_rows),
        cmocka_unit_test(queue_by_keys),
        cmocka_unit_test(sort_order),
        cmocka_unit_test(permanent_order),
        cmocka_unit_test(skip_order),
        cmocka_unit_test(rcm_finds_bands),
        cmocka_unit_test(partition_by_score),
        cmocka_unit_test(updates_are_a_mean),
        cmocka_unit_test(natural_order),
        cmocka_unit_test(digits_with_a_sum),
        cmocka_unit_test(effort),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(labels_are_kept),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
