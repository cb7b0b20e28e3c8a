/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks of ledgers: however the indices are divided, the total is the same. */
#include "config.h"

#include "support/testing.h"

#include <math.h>
#include <string.h>

#include "ledger/ledger.h"
#include "pm/alloc.h"

enum { WORDS = 3, REALS = 2 };

static uint64_t rng;

/* ---- a sum whose terms are known ---- */

static uint64_t mixed(uint64_t i, int k)
{
    uint64_t x =
        (i + 1) * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)k * UINT64_C(0xD1B54A32D192ED03);
    x ^= x >> 29;
    x *= UINT64_C(0xBF58476D1CE4E5B9);
    return x ^ x >> 32;
}

typedef struct {
    uint64_t word[WORDS];
    pm_exact_sum real[REALS];
} total;

/* Adds the terms first .. end - 1. */
static void add_terms(const pm_ledger_shape *s, uint64_t first, uint64_t end, total *t)
{
    for (uint64_t i = first; i < end; ++i) {
        unsigned __int128 carry = 0;
        for (int k = 0; k < s->words; ++k) {
            carry += (unsigned __int128)t->word[k] + mixed(i, k);
            t->word[k] = (uint64_t)carry;
            carry = s->carries ? carry >> 64 : 0;
        }
        for (int k = 0; k < s->reals; ++k)
            pm_exact_sum_add(&t->real[k],
                             ldexp((double)(int64_t)mixed(i, k + 7), (int)(mixed(i, 9) % 300)));
    }
}

static void assert_same(const pm_ledger_shape *s, total *a, total *b)
{
    assert_memory_equal(a->word, b->word, (size_t)s->words * sizeof *a->word);
    for (int k = 0; k < s->reals; ++k) {
        pm_exact_sum_carry(&a->real[k]);
        pm_exact_sum_carry(&b->real[k]);
        assert_memory_equal(a->real[k].digit, b->real[k].digit, sizeof a->real[k].digit);
    }
}

static pm_ledger_shape random_shape(void)
{
    pm_ledger_shape s = {.what = "terms",
                         .count = pm_rng_below(&rng, 200),
                         .grain = 1 + pm_rng_below(&rng, pm_rng_below(&rng, 2) ? 2 : 30),
                         .words = pm_rng_below(&rng, WORDS + 1),
                         .carries = pm_rng_below(&rng, 2),
                         .reals = (int)pm_rng_below(&rng, REALS + 1)};
    return s;
}

/* ---- work ---- */

static pm_ledger *new_ledger(void)
{
    pm_ledger *l = NULL;
    assert_int_equal(pm_ledger_make(&l, NULL), PM_OK);
    return l;
}

static pm_ledger_scope scope_in(pm_ledger *l)
{
    return (pm_ledger_scope){l, pm_ledger_key_of(NULL, "block", 5)};
}

/* Ranges that are taken begin and end as the shape says. */
static void assert_range(const pm_ledger_task *t, const pm_ledger_shape *s, uint64_t most,
                         const pm_range *r)
{
    assert_true(r->first < r->end && r->first >= t->share.first && r->end <= t->share.end);
    assert_true(r->first % s->grain == 0);
    assert_true(r->end % s->grain == 0 || r->end == s->count);
    assert_true(r->end - r->first <= (most > s->grain ? most : s->grain));
}

/* Takes some ranges at a time, and puts them in another sequence; leaves about the share `left` of them
 * undone. */
static void work(pm_ledger_task *t, const pm_ledger_shape *s, double left, uint64_t most)
{
    enum { OPEN = 4 };
    pm_range open[OPEN];
    int count = 0;
    bool goes_on = true;
    while (goes_on || count) {
        if (goes_on && count < OPEN && pm_rng_below(&rng, 3)) {
            goes_on = pm_rng_unit(&rng) >= left && pm_ledger_task_take(t, most, &open[count]);
            if (goes_on)
                assert_range(t, s, most, &open[count++]);
        } else if (count) {
            int i = (int)pm_rng_below(&rng, (uint32_t)count);
            total part = {{0}, {{{0}, 0, 0}}};
            add_terms(s, open[i].first, open[i].end, &part);
            if (pm_rng_unit(&rng) >= left)
                assert_int_equal(
                    pm_ledger_task_put(t, open[i].first, open[i].end, part.word, part.real, NULL),
                    PM_OK);
            open[i] = open[--count];
        }
    }
}

static pm_status run(pm_ledger *l, const pm_ledger_shape *s, double left, total *out)
{
    pm_ledger_task t;
    const pm_ledger_scope scope = scope_in(l);
    pm_status status = pm_ledger_task_begin(&scope, s, "x", 1, &t, NULL);
    if (status)
        return status;
    work(&t, s, left, 1 + pm_rng_below(&rng, 60));
    return pm_ledger_task_end(&t, left > 0 ? PM_ESTOPPED : PM_OK, out->word, out->real, NULL);
}

/* ---- tests ---- */

static void division_does_not_matter(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(600); ++round) {
        pm_ledger_shape s = random_shape();
        pm_ledger *l = new_ledger();
        total want = {{0}, {{{0}, 0, 0}}}, got = want;
        add_terms(&s, 0, s.count, &want);
        for (int stops = (int)pm_rng_below(&rng, 4); stops > 0; --stops)
            assert_int_equal(run(l, &s, 0.2, &got), PM_ESTOPPED);
        assert_int_equal(run(l, &s, 0, &got), PM_OK);
        assert_same(&s, &got, &want);
        assert_int_equal(run(l, &s, 0, &got), PM_OK); /* nothing is left to do */
        assert_same(&s, &got, &want);
        pm_ledger_free(l);
    }
}

/* Every index belongs to the share of one part. */
static void parts_cover_all(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(600); ++round) {
        pm_ledger_shape s = random_shape();
        if (round % 5 == 0)
            s.count = pm_rng_next(&rng) >> 1;
        if (round % 10 == 0)
            s.grain = 1 + pm_rng_next(&rng) % (UINT64_C(1) << 40);
        int parts = 1 + (int)pm_rng_below(&rng, round % 3 ? 9 : 1000);
        uint64_t next = 0, most = s.count / s.grain / (uint64_t)parts + 1;
        for (int part = 1; part <= parts; ++part) {
            pm_ledger_task t;
            pm_ledger *l = new_ledger();
            const pm_ledger_scope scope = scope_in(l);
            pm_ledger_set_part(l, part, parts);
            assert_true(pm_ledger_is_part(l));
            assert_int_equal(pm_ledger_task_begin(&scope, &s, "x", 1, &t, NULL), PM_OK);
            assert_int_equal(t.share.first, next);
            assert_true(t.share.end >= next && t.share.end <= s.count);
            assert_true(t.share.end % s.grain == 0 || t.share.end == s.count);
            assert_true((t.share.end - next) / s.grain <= most);
            next = t.share.end;
            bool is_whole = t.share.first == 0 && t.share.end == s.count;
            pm_range all;
            if (t.share.first < t.share.end) {
                assert_true(pm_ledger_task_take(&t, UINT64_MAX, &all));
                total sum = {{0}, {{{0}, 0, 0}}};
                assert_int_equal(
                    pm_ledger_task_put(&t, all.first, all.end, sum.word, sum.real, NULL), PM_OK);
            }
            assert_int_equal(pm_ledger_task_end(&t, PM_OK, NULL, NULL, NULL),
                             is_whole ? PM_OK : PM_PARTIAL);
            pm_ledger_free(l);
        }
        assert_int_equal(next, s.count);
    }
}

/* Huge tasks: ranges do not leave 64 bits. */
static void largest_count(void **state)
{
    (void)state;
    pm_ledger_shape s = {.what = "terms", .count = UINT64_C(1) << 63, .grain = UINT64_C(1) << 61};
    pm_range r;
    pm_ledger_task t;
    assert_int_equal(pm_ledger_task_begin_range(&s, 0, s.count, &t, NULL), PM_OK);
    for (int i = 0; i < 4; ++i) {
        assert_true(pm_ledger_task_take(&t, 5, &r));
        assert_true(r.first == (uint64_t)i << 61 && r.end == (uint64_t)(i + 1) << 61);
        assert_int_equal(pm_ledger_task_put(&t, r.first, r.end, NULL, NULL, NULL), PM_OK);
    }
    assert_false(pm_ledger_task_take(&t, 5, &r));
    assert_true(pm_ledger_task_done(&t) == s.count);
    assert_int_equal(pm_ledger_task_end(&t, PM_OK, NULL, NULL, NULL), PM_OK);
    assert_int_equal(pm_ledger_task_begin_range(&s, 0, s.count, &t, NULL), PM_OK);
    assert_true(pm_ledger_task_take(&t, UINT64_MAX, &r));
    assert_true(r.first == 0 && r.end == s.count);
    assert_int_equal(pm_ledger_task_end(&t, PM_ESTOPPED, NULL, NULL, NULL), PM_ESTOPPED);
}

/* A sealed ledger has the whole task, or the count is refused. */
static void sealed(void **state)
{
    (void)state;
    pm_ledger_shape s = {.what = "terms", .count = 10, .grain = 1, .words = 1};
    total got;
    pm_error err;
    pm_ledger_task t;
    pm_ledger *l = new_ledger();
    const pm_ledger_scope scope = scope_in(l);
    pm_ledger_set_part(l, 1, 2);
    assert_int_equal(run(l, &s, 0, &got), PM_PARTIAL);
    pm_ledger_set_part(l, 0, 0);
    pm_ledger_seal(l);
    assert_int_equal(pm_ledger_task_begin(&scope, &s, "x", 1, &t, &err), PM_EDATA);
    assert_non_null(strstr(err.msg, "terms"));
    assert_int_equal(pm_ledger_task_begin(&scope, &s, "y", 1, &t, &err), PM_EDATA);
    assert_int_equal(pm_ledger_task_end(&t, PM_EDATA, NULL, NULL, NULL), PM_EDATA);
    s.count = 0; /* an empty sum is complete */
    assert_int_equal(pm_ledger_task_begin(&scope, &s, "z", 1, &t, &err), PM_OK);
    assert_int_equal(pm_ledger_task_end(&t, PM_OK, NULL, NULL, NULL), PM_OK);
    pm_ledger_free(l);
}

/* The value of a scope takes the place of its tasks. */
static void values(void **state)
{
    (void)state;
    pm_ledger_shape s = {.what = "some terms", .count = 10, .grain = 1, .words = 1};
    total got;
    pm_value v, w;
    char method[PM_LEDGER_METHOD];
    pm_ledger *l = new_ledger();
    const pm_ledger_scope scope = scope_in(l), none = {.ledger = NULL};
    pm_value_init(&v);
    pm_value_init(&w);
    assert_false(pm_ledger_get_value(&none, &w));
    assert_false(pm_ledger_get_value(&scope, &w));
    assert_false(pm_ledger_get_method(&scope, method));
    assert_int_equal(pm_ledger_put_method(&scope, "ryser", NULL), PM_OK);
    assert_int_equal(run(l, &s, 0.5, &got), PM_ESTOPPED);
    assert_false(pm_ledger_get_value(&scope, &w));
    assert_true(pm_ledger_get_method(&scope, method));
    assert_string_equal(method, "ryser");
    pm_value_set_si(&v, -17);
    assert_int_equal(pm_ledger_put_value(&scope, "frontier", &v, NULL), PM_OK);
    assert_true(pm_ledger_get_value(&scope, &w));
    assert_true(mpq_equal(v.exact, w.exact));
    assert_true(pm_ledger_get_method(&scope, method));
    assert_string_equal(method, "frontier");
    assert_int_equal(run(l, &s, 0, &got), PM_OK); /* from the beginning */
    total want = {{0}, {{{0}, 0, 0}}};
    add_terms(&s, 0, s.count, &want);
    assert_same(&s, &got, &want);
    pm_value_clear(&v);
    pm_value_clear(&w);
    pm_ledger_free(l);
}

/* The k-th allocation fails: no sum is given then, and a later run finds the right one. */
static void failing_memory(void **state)
{
    (void)state;
    pm_ledger_shape s = {.what = "terms", .count = 50, .grain = 3, .words = 2, .reals = 1};
    total want = {{0}, {{{0}, 0, 0}}};
    add_terms(&s, 0, s.count, &want);
    for (int with = 0; with < 2; ++with) {
        bool has_failed = true;
        for (int64_t k = 1; has_failed; ++k) {
            pm_ledger *l = NULL;
            pm_ledger_task t = {0};
            total got = {{0}, {{{0}, 0, 0}}};
            pm_range r;
            pm_alloc_fail_at(k);
            pm_status status = pm_ledger_make(&l, NULL);
            const pm_ledger_scope scope = l ? scope_in(l) : (pm_ledger_scope){.ledger = NULL};
            if (!status)
                status = pm_ledger_task_begin(with ? &scope : NULL, &s, "x", 1, &t, NULL);
            /* every second range first, so that the sets grow */
            pm_range kept[20];
            int count = 0;
            while (!status && count < 20 && pm_ledger_task_take(&t, 3, &r))
                kept[count++] = r;
            for (int i = 0; i < count && !status; ++i) {
                total part = {{0}, {{{0}, 0, 0}}};
                r = kept[i < (count + 1) / 2 ? 2 * i : 2 * (i - (count + 1) / 2) + 1];
                add_terms(&s, r.first, r.end, &part);
                status = pm_ledger_task_put(&t, r.first, r.end, part.word, part.real, NULL);
            }
            if (t.record)
                status = pm_ledger_task_end(&t, status, got.word, got.real, NULL);
            pm_alloc_fail_at(0);
            has_failed = status != PM_OK;
            assert_true(status == PM_OK || status == PM_ENOMEM);
            if (status && l && with)
                assert_int_equal(run(l, &s, 0, &got), PM_OK);
            if (!status || (l && with))
                assert_same(&s, &got, &want);
            pm_ledger_free(l);
            assert_true(k < 100);
        }
    }
}

/* A run that is interrupted and goes on in the same ledger when memory ends at its begin. */
static void failing_resumption(void **state)
{
    (void)state;
    pm_ledger_shape s = {.what = "terms", .count = 50, .grain = 1, .words = 2, .reals = 1};
    total want = {{0}, {{{0}, 0, 0}}}, got = want;
    add_terms(&s, 0, s.count, &want);
    for (int round = 0; round < test_rounds(50); ++round) {
        pm_ledger *l = new_ledger();
        assert_int_equal(run(l, &s, 0.1, &got), PM_ESTOPPED);
        const pm_ledger_scope scope = scope_in(l);
        pm_ledger_task t;
        pm_alloc_fail_at(1);
        pm_status status = pm_ledger_task_begin(&scope, &s, "x", 1, &t, NULL);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        assert_int_equal(pm_ledger_task_end(&t, PM_ESTOPPED, NULL, NULL, NULL), PM_ESTOPPED);
        assert_int_equal(run(l, &s, 0, &got), PM_OK);
        assert_same(&s, &got, &want);
        pm_ledger_free(l);
    }
}

static void items(void **state)
{
    (void)state;
    pm_error err;
    pm_ledger *l = new_ledger();
    for (int i = 0; i < 5; ++i) {
        const pm_ledger_key key = pm_ledger_key_of(NULL, &i, sizeof i);
        assert_int_equal(pm_ledger_add_item(l, &key, &err), PM_OK);
    }
    assert_int_equal(pm_ledger_items(l), 5);
    pm_ledger_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(division_does_not_matter),
        cmocka_unit_test(parts_cover_all),
        cmocka_unit_test(largest_count),
        cmocka_unit_test(sealed),
        cmocka_unit_test(values),
        cmocka_unit_test(failing_memory),
        cmocka_unit_test(failing_resumption),
        cmocka_unit_test(items),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
