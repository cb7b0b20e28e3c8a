/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples in a ledger: parts, stops and other numbers of threads give the bits of one run. */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger_text.h"
#include "sampler/moments.h"
#include "sampler/weight.h"
#include "support/moments.h"
#include "support/testing.h"

static volatile sig_atomic_t stop;
static int64_t stop_at = -1;

/* Weights of many magnitudes; one of five is a dead end. */
static pm_weight draw_number(const pm_sampler *s, void *scratch, uint64_t sample)
{
    (void)scratch;
    uint64_t state = s->seed + 1000003 * sample;
    uint64_t bits = pm_rng_next(&state);
    if ((int64_t)sample == stop_at)
        stop = 1;
    return bits % 5 ? pm_weight_make((double)(bits >> 20), (int64_t)(bits % 90) * 10)
                    : (pm_weight){0};
}

static const pm_sampler_method numbers = {.name = "numbers", .draw = draw_number};

static pm_ledger *make_ledger(void)
{
    pm_ledger *l;
    assert_int_equal(pm_ledger_make(&l, NULL), PM_OK);
    pm_ledger_set_least(l, 0);
    return l;
}

static pm_sampler sampler_in(pm_ledger *l, int batch)
{
    pm_sampler s = {
        .method = &numbers, .seed = 3, .block = 1, .batch = batch, .seconds = 1e-3, .branches = 1};
    s.scope = (pm_ledger_scope){.ledger = l, .key = pm_ledger_key_of(NULL, "a scope", 7)};
    return s;
}

/* Adds the lines of one ledger to another. */
static void add_ledger(pm_ledger *to, pm_ledger *from)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    assert_non_null(f);
    pm_ledger_writer w = pm_ledger_writer_begin(f, "");
    assert_int_equal(pm_ledger_writer_ledger(&w, from, NULL), PM_OK);
    pm_ledger_writer_end(&w);
    fclose(f);
    pm_error err;
    pm_ledger_reader r = pm_ledger_reader_begin(to);
    for (char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        *end = '\0';
        assert_int_equal(pm_ledger_reader_line(&r, NULL, line, end - line, &err), PM_OK);
    }
    assert_int_equal(pm_ledger_reader_end(&r, NULL, &err), PM_OK);
    free(text);
}

static int ascending(const void *a, const void *b)
{
    return pm_weight_compare(*(const pm_weight *)a, *(const pm_weight *)b);
}

static void assert_same_moments(pm_moments *a, pm_moments *b)
{
    assert_int_equal(a->count, b->count);
    assert_int_equal(a->dead, b->dead);
    assert_memory_equal(&a->sums, &b->sums, sizeof a->sums);
    assert_int_equal(a->ntail, b->ntail);
    qsort(a->tail, (size_t)a->ntail, sizeof *a->tail, ascending);
    qsort(b->tail, (size_t)b->ntail, sizeof *b->tail, ascending);
    assert_memory_equal(a->tail, b->tail, (size_t)a->ntail * sizeof *a->tail);
}

/* Few and many chunks, chunks of several batches, and batches that are cut at both ends. */
static const struct {
    int batch;
    uint64_t from;
    int64_t count;
} cases[] = {{1, 0, 100}, {8, 5, 50}, {64, 100, 2000}, {1, 0, 2500}, {4, 3, 4500}, {1, 7, 10}};
enum { CASES = sizeof cases / sizeof *cases };

/* With fewer rounds, those that take little time. */
static bool is_tried(int i)
{
    return cases[i].count <= test_size(5000, 2000);
}

static pm_moments *one_run(int i)
{
    pm_moments *m = moments();
    const pm_sampler s = sampler_in(NULL, cases[i].batch);
    assert_int_equal(pm_moments_draw(&s, cases[i].from, cases[i].count, NULL, m, NULL), PM_OK);
    return m;
}

static void test_parts(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; ++i)
        for (int parts = 2 + i % 2; parts < 8 && is_tried(i); parts += 4) {
            pm_moments *m = moments(), *whole = one_run(i);
            pm_ledger *all = make_ledger();
            for (int part = parts; part > 0; --part) {
                const pm_run run = {.threads = 1 + part % 3};
                pm_ledger *l = make_ledger();
                pm_sampler s = sampler_in(l, cases[i].batch);
                pm_ledger_set_part(l, part, parts);
                assert_int_equal(pm_moments_draw(&s, cases[i].from, cases[i].count, &run, m, NULL),
                                 PM_PARTIAL);
                assert_int_equal(m->count, 0);
                add_ledger(all, l);
                pm_ledger_free(l);
            }
            pm_ledger_seal(all);
            pm_sampler s = sampler_in(all, cases[i].batch);
            stop_at = (int64_t)cases[i].from; /* nothing is drawn again */
            stop = 0;
            assert_int_equal(pm_moments_draw(&s, cases[i].from, cases[i].count, NULL, m, NULL),
                             PM_OK);
            assert_int_equal(stop, 0);
            stop_at = -1;
            assert_same_moments(whole, m);
            /* other samples than those of the parts */
            assert_int_equal(pm_moments_draw(&s, cases[i].from + 1, cases[i].count, NULL, m, NULL),
                             PM_EDATA);
            pm_ledger_free(all);
            free(m);
            free(whole);
        }
}

/* Stopped somewhere: what is there then is a range of samples without gaps, and the next run, which has
 * the ledger as text, ends with the bits of one run. */
static void test_stops(void **state)
{
    (void)state;
    for (int i = 0; i < CASES; ++i)
        for (int threads = 1; threads <= 3 && is_tried(i); threads += 1 + i % 2) {
            pm_moments *whole = one_run(i), *m = moments(), *some = moments();
            pm_ledger *l = make_ledger();
            for (int k = 1; k <= 3; ++k) {
                const pm_run run = {.stop = &stop, .threads = threads};
                pm_sampler s = sampler_in(l, cases[i].batch);
                stop = 0;
                stop_at = (int64_t)cases[i].from + cases[i].count * k / 4;
                pm_moments_clear(m);
                pm_status status =
                    pm_moments_draw(&s, cases[i].from, cases[i].count, &run, m, NULL);
                assert_true(status == PM_ESTOPPED || m->count == cases[i].count);
                pm_moments_clear(some);
                stop_at = -1;
                s.scope.ledger = NULL;
                /* the same samples without a ledger, if they are not more chunks of several batches */
                if (m->count > 0 && cases[i].count / cases[i].batch < PM_CHUNKS_MOST - 2) {
                    assert_int_equal(pm_moments_draw(&s, cases[i].from, m->count, NULL, some, NULL),
                                     PM_OK);
                    assert_same_moments(some, m);
                }
                pm_ledger *next = make_ledger();
                add_ledger(next, l);
                pm_ledger_free(l);
                l = next;
            }
            pm_sampler s = sampler_in(l, cases[i].batch);
            stop = 0;
            pm_moments_clear(m);
            assert_int_equal(pm_moments_draw(&s, cases[i].from, cases[i].count, NULL, m, NULL),
                             PM_OK);
            assert_same_moments(whole, m);
            pm_ledger_free(l);
            free(some);
            free(m);
            free(whole);
        }
}

/* The largest numbers do not depend on how they were added. */
static void test_largest(void **state)
{
    (void)state;
    enum { COUNT = 1000, MOST = 70 };
    pm_wide_key key[COUNT];
    pm_largest one = {.most = MOST}, other = {.most = MOST};
    uint64_t random = 1;
    for (int i = 0; i < COUNT; ++i)
        key[i] = (pm_wide_key){pm_rng_next(&random) % 40, pm_rng_next(&random) % 3};
    assert_true(pm_largest_add(&one, key, COUNT));
    for (int i = COUNT, size; i > 0; i -= size) {
        size = (int)pm_rng_below(&random, 50);
        size = size < i ? size : i;
        assert_true(pm_largest_add(&other, key + i - size, size));
    }
    assert_int_equal(one.count, MOST);
    assert_int_equal(other.count, MOST);
    uint64_t sum = 0, other_sum = 0, least = UINT64_MAX;
    for (int i = 0; i < MOST; ++i) {
        sum += 3 * one.key[i].high + one.key[i].low;
        other_sum += 3 * other.key[i].high + other.key[i].low;
        uint64_t x = 3 * one.key[i].high + one.key[i].low;
        least = x < least ? x : least;
    }
    int above = 0;
    for (int i = 0; i < COUNT; ++i)
        above += 3 * key[i].high + key[i].low > least;
    assert_true(above <= MOST);
    assert_true(sum == other_sum);
    pm_largest_free(&one);
    pm_largest_free(&other);
}

/* What takes little time is drawn by every part. */
static void test_short(void **state)
{
    (void)state;
    pm_ledger *l = make_ledger();
    pm_sampler s = sampler_in(l, cases[0].batch);
    pm_moments *whole = one_run(0), *m = moments();
    pm_ledger_set_part(l, 2, 3);
    pm_ledger_set_least(l, 1);
    assert_int_equal(pm_moments_draw(&s, cases[0].from, cases[0].count, NULL, m, NULL), PM_OK);
    assert_same_moments(whole, m);
    pm_ledger_free(l);
    free(m);
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_stops),
        cmocka_unit_test(test_largest),
        cmocka_unit_test(test_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
