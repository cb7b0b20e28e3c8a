/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What graphs that are answered side by side are made of: the pool of threads, stored nodes, stored
 * texts, and lists of answers. */
#include "config.h"

#include "support/testing.h"

#include <string.h>

#include "batch/node_buffer.h"
#include "batch/thread_pool.h"
#include "cli/answers.h"
#include "cli/text_store.h"
#include "pm/alloc.h"

/* ---- the pool of threads ---- */

enum { TASKS = 500 };

typedef struct {
    atomic_int calls;
    atomic_bool is_done;
    uint64_t steps, sum;
} job;

static void do_job(void *arg)
{
    job *j = arg;
    for (uint64_t i = 0; i < j->steps; ++i)
        j->sum += i;
    atomic_fetch_add(&j->calls, 1);
}

static void check_done(const job *j)
{
    assert_true(atomic_load(&j->is_done));
    assert_int_equal(atomic_load(&j->calls), 1);
    assert_true(j->sum == (j->steps ? j->steps * (j->steps - 1) / 2 : 0));
}

/* Tasks whose lengths differ by a factor of 10^4; the main thread waits for some of them. */
static void run_pool(int threads, uint64_t *rng)
{
    static job jobs[TASKS];
    pm_thread_pool *pool;
    pm_error err;
    assert_int_equal(pm_thread_pool_start(threads, &pool, &err), PM_OK);
    int collected = 0;
    for (int k = 0; k < TASKS; ++k) {
        job *j = &jobs[k];
        *j = (job){.steps = pm_rng_below(rng, 20) ? pm_rng_below(rng, 10) : 100000};
        assert_int_equal(pm_thread_pool_add(pool, do_job, j, &j->is_done, &err), PM_OK);
        while (collected <= k && (atomic_load(&jobs[collected].is_done) || k - collected > 30)) {
            pm_thread_pool_wait_for(pool, &jobs[collected].is_done);
            check_done(&jobs[collected++]);
        }
        if (pm_rng_below(rng, 100) == 0) {
            pm_thread_pool_wait(pool);
            for (int i = 0; i <= k; ++i)
                check_done(&jobs[i]);
        }
    }
    pm_thread_pool_free(pool); /* waits */
    for (int k = 0; k < TASKS; ++k)
        check_done(&jobs[k]);
}

static void test_pool(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    for (int round = 0; round < test_rounds(20); ++round)
        for (int threads = 1; threads <= 5; ++threads)
            run_pool(threads, &rng);
    pm_thread_pool_free(NULL);
}

/* ---- texts ---- */

enum { TEXTS = 300, LONGEST = 200000 };

static void fill(char *text, size_t length, int k)
{
    memset(text, 'a' + k % 26, length);
    text[length] = '\0';
}

/* The texts keep their places and their bytes while the stores grow and are moved. */
static void test_texts(void **state)
{
    (void)state;
    uint64_t rng = test_seed();
    static char wanted[LONGEST + 1];
    for (int round = 0; round < test_rounds(20); ++round) {
        pm_text_store s = {0}, from = {0};
        const char *kept[TEXTS];
        size_t length[TEXTS];
        for (int k = 0; k < TEXTS; ++k) {
            pm_text_store *to = pm_rng_below(&rng, 2) ? &s : &from;
            length[k] = pm_rng_below(&rng, pm_rng_below(&rng, 20) ? 100 : LONGEST);
            fill(wanted, length[k], k);
            if (pm_rng_below(&rng, 10)) {
                kept[k] = pm_text_store_put(to, wanted, length[k]);
            } else {
                char *own = pm_copy_text(wanted);
                assert_int_equal(pm_text_store_take(to, own), 0);
                kept[k] = own;
            }
            assert_non_null(kept[k]);
            if (pm_rng_below(&rng, 20) == 0) {
                pm_text_store_move(&s, &from);
                assert_null(from.block);
            }
        }
        pm_text_store_move(&s, &from);
        for (int k = 0; k < TEXTS; ++k) {
            fill(wanted, length[k], k);
            assert_string_equal(kept[k], wanted);
        }
        pm_text_store_free(&s);
        pm_text_store_free(&s);
        pm_text_store_free(&from);
    }
}

/* ---- nodes ---- */

/* A sequence of items: item k is a number, or a product of k % 4 matrices, each with k entries. */
typedef struct {
    int item, items, inside; /* inside: nodes of the item so far; -1: it has not begun */
    int fails_at;            /* the item in which it fails, or -1 */
} script;

static pm_status next_of_script(void *context, pm_node *out, pm_error *err)
{
    script *s = context;
    pm_status status = PM_OK;
    pm_node_reset(out);
    if (s->item == s->items)
        return PM_OK;
    int k = s->item, matrices = k % 4;
    if (s->fails_at == k && s->inside == (matrices ? 1 : -1))
        return pm_fail(err, PM_EDATA, "bad");
    out->line = k;
    if (matrices == 0) {
        out->kind = PM_NODE_NUMBER;
        pm_fraction_set_si(&out->factor, k);
        ++s->item;
        return PM_OK;
    }
    ++s->inside;
    if (s->inside == 0) {
        out->kind = PM_NODE_PRODUCT;
        out->name = pm_copy_text("a product");
        status = out->name ? PM_OK : pm_fail_memory(err, "a name");
    } else if (s->inside > matrices) {
        out->kind = PM_NODE_CLOSE;
        s->inside = -1;
        ++s->item;
    } else {
        pm_triples t = {.nrows = k, .ncols = k};
        for (int32_t i = 0; i < k; ++i)
            status =
                status ? status : pm_triples_add(&t, i, (i + s->inside) % k, 0, NULL, NULL, err);
        if (!status)
            status = pm_matrix_from_triples(&t, PM_DUPLICATES_SUM, "script", &out->matrix, err);
        pm_triples_free(&t);
        out->kind = PM_NODE_MATRIX;
    }
    return status;
}

static int nodes_of(int item)
{
    return item % 4 ? item % 4 + 2 : 1;
}

/* The next node is node `inside` of item k. */
static void check_node(const pm_node_source *source, int k, int inside)
{
    pm_node node;
    pm_error err;
    pm_node_init(&node);
    assert_int_equal(source->next(source->context, &node, &err), PM_OK);
    pm_node_kind wanted = k % 4 == 0                 ? PM_NODE_NUMBER
                          : inside == 0              ? PM_NODE_PRODUCT
                          : inside < nodes_of(k) - 1 ? PM_NODE_MATRIX
                                                     : PM_NODE_CLOSE;
    assert_int_equal(node.kind, wanted);
    assert_int_equal(node.line, k);
    if (wanted == PM_NODE_NUMBER)
        assert_int_equal(mpq_cmp_si(node.factor.re, k, 1), 0);
    else
        assert_true(pm_fraction_is_one(&node.factor));
    if (wanted == PM_NODE_MATRIX)
        assert_int_equal(node.matrix.colind[0], inside % k);
    assert_true((node.name != NULL) == (wanted == PM_NODE_PRODUCT));
    pm_node_clear(&node);
}

static void check_end(const pm_node_source *source)
{
    pm_node node;
    pm_error err;
    pm_node_init(&node);
    assert_int_equal(source->next(source->context, &node, &err), PM_OK);
    assert_int_equal(node.kind, PM_NODE_END);
    pm_node_clear(&node);
}

enum { ITEMS = 40, ENOUGH = 1 << 20 };

static pm_node_source source_of(script *s)
{
    return (pm_node_source){next_of_script, s, "script"};
}

/* Items that share a buffer, which is used several times. */
static void test_nodes(void **state)
{
    (void)state;
    pm_node_buffer b = {0};
    pm_error err;
    for (int round = 0; round < 3; ++round) {
        script s = {.items = ITEMS, .inside = -1, .fails_at = -1};
        const pm_node_source source = source_of(&s);
        int64_t end[ITEMS + 1] = {0}, bytes;
        bool is_whole;
        for (int k = 0; k < ITEMS; ++k) {
            assert_int_equal(pm_node_buffer_read(&b, &source, ENOUGH, &bytes, &is_whole, &err),
                             PM_OK);
            assert_true(is_whole && bytes > 0);
            end[k + 1] = b.count;
            assert_int_equal(end[k + 1] - end[k], nodes_of(k));
        }
        assert_int_equal(pm_node_buffer_read(&b, &source, ENOUGH, &bytes, &is_whole, &err), PM_OK);
        assert_int_equal(b.count, end[ITEMS]);
        for (int pass = 0; pass < 3; ++pass) /* copied twice, then moved */
            for (int k = 0; k < ITEMS; ++k) {
                pm_node_replay replay = {&b, end[k], end[k + 1], pass < 2, NULL};
                const pm_node_source played = pm_node_replay_source(&replay);
                assert_string_equal(played.name, "script");
                for (int i = 0; i < nodes_of(k); ++i)
                    check_node(&played, k, i);
                check_end(&played);
            }
        pm_node_buffer_cut(&b, 0);
        assert_int_equal(b.count, 0);
    }
    pm_node_buffer_free(&b);
}

/* An item that is too long: its beginning is taken out of the buffer, the rest is in the source. */
static void test_split(void **state)
{
    (void)state;
    script s = {.items = 4, .inside = -1, .fails_at = -1};
    const pm_node_source source = source_of(&s);
    pm_node_buffer b = {0}, large;
    pm_error err;
    int64_t bytes, before = 0;
    bool is_whole = true;
    for (int k = 0; k <= 2; ++k) {
        assert_int_equal(pm_node_buffer_read(&b, &source, ENOUGH, &bytes, &is_whole, &err), PM_OK);
        before = b.count;
    }
    assert_int_equal(pm_node_buffer_read(&b, &source, 0, &bytes, &is_whole, &err), PM_OK);
    assert_false(is_whole);
    assert_int_equal(pm_node_buffer_split(&b, before, &large, &err), PM_OK);
    assert_int_equal(b.count, before);
    assert_int_equal(large.count, 1);
    pm_node_replay replay = {.buffer = &large, .end = large.count, .rest = &source};
    const pm_node_source played = pm_node_replay_source(&replay);
    for (int i = 0; i < nodes_of(3); ++i)
        check_node(&played, 3, i);
    check_end(&played);
    pm_node_buffer_free(&large);
    pm_node_buffer_free(&b);
}

/* After a failure in the middle of an item the items before it are as they were. */
static void test_failure(void **state)
{
    (void)state;
    script s = {.items = 4, .inside = -1, .fails_at = 3};
    const pm_node_source source = source_of(&s);
    pm_node_buffer b = {0};
    pm_error err;
    int64_t bytes, before = 0;
    bool is_whole;
    pm_status status;
    for (int k = 0; k <= 3; ++k) {
        before = b.count;
        status = pm_node_buffer_read(&b, &source, ENOUGH, &bytes, &is_whole, &err);
        assert_int_equal(status, k < 3 ? PM_OK : PM_EDATA);
    }
    assert_int_equal(b.count, before);
    pm_node_replay replay = {.buffer = &b, .end = b.count};
    const pm_node_source played = pm_node_replay_source(&replay);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < nodes_of(k); ++i)
            check_node(&played, k, i);
    pm_node_buffer_free(&b);
}

/* ---- answers ---- */

static pm_status put_answers(pm_answers *a, int count, pm_error *err)
{
    static char text[LONGEST + 1];
    pm_status status = PM_OK;
    for (int k = 0; k < count && !status; ++k) {
        fill(text, k % 7 ? (size_t)k : LONGEST - 7, k);
        pm_emitter *e = pm_answers_begin(a, err);
        if (!e)
            return PM_ENOMEM;
        fputs(text, e->f);
        if (k % 5 == 3) /* dropped: it was begun, and not ended */
            e = pm_answers_begin(a, err);
        if (!e)
            return PM_ENOMEM;
        if (k % 5 == 3)
            fputs(text, e->f);
        status = pm_answers_end(a, k % 2 ? "odd" : NULL, k % 3 == 0, err);
    }
    return status;
}

static void check_answers(const pm_answers *a, int64_t at, int first, int count)
{
    static char text[LONGEST + 1];
    for (int k = first; k < first + count; ++k) {
        const pm_answer *answer = &a->item[at + k - first];
        fill(text, k % 7 ? (size_t)k : LONGEST - 7, k);
        assert_string_equal(answer->text, text);
        assert_true((answer->name != NULL) == (k % 2 == 1));
        assert_true(answer->is_none == (k % 3 == 0));
    }
}

/* Answers of a list that is used again go to another list, in two parts. */
static void test_answers(void **state)
{
    (void)state;
    pm_answers all = {0}, part = {0};
    pm_error err;
    for (int round = 0; round < 3; ++round) {
        assert_int_equal(put_answers(&part, 30, &err), PM_OK);
        check_answers(&part, 0, 0, 30);
        assert_int_equal(pm_answers_move(&all, &part, 10, 20, &err), PM_OK);
        assert_int_equal(pm_answers_move(&all, &part, 0, 5, &err), PM_OK);
        pm_answers_empty(&part);
        assert_int_equal(part.count, 0);
    }
    for (int round = 0; round < 3; ++round) {
        check_answers(&all, 25 * round, 10, 20);
        check_answers(&all, 25 * round + 20, 0, 5);
    }
    assert_int_equal(all.count, 75);
    pm_answers_free(&part);
    pm_answers_free(&all);
}

/* ---- no memory ---- */

static pm_status use_all(pm_error *err)
{
    script s = {.items = 8, .inside = -1, .fails_at = -1};
    const pm_node_source source = source_of(&s);
    pm_node_buffer b = {0}, half = {0};
    pm_answers a = {0}, moved = {0};
    job j = {.steps = 3};
    pm_thread_pool *pool = NULL;
    int64_t bytes;
    bool is_whole;
    pm_status status = PM_OK;
    for (int k = 0; k < s.items && !status; ++k)
        status = pm_node_buffer_read(&b, &source, ENOUGH, &bytes, &is_whole, err);
    if (!status)
        status = pm_node_buffer_split(&b, 3, &half, err);
    if (!status)
        status = put_answers(&a, 9, err);
    if (!status)
        status = pm_answers_move(&moved, &a, 0, 9, err);
    if (!status)
        status = pm_thread_pool_start(1, &pool, err);
    if (!status)
        status = pm_thread_pool_add(pool, do_job, &j, &j.is_done, err);
    pm_thread_pool_free(pool);
    if (!status)
        check_done(&j);
    pm_node_buffer_free(&b);
    pm_node_buffer_free(&half);
    pm_answers_free(&a);
    pm_answers_free(&moved);
    return status;
}

static void test_no_memory(void **state)
{
    (void)state;
    pm_error err;
    int64_t k = 1;
    for (bool failed = true; failed; ++k) {
        pm_alloc_fail_at(k);
        pm_status status = use_all(&err);
        failed = pm_alloc_fail_at(0) >= k;
        assert_int_equal(status, failed ? PM_ENOMEM : PM_OK);
    }
    assert_true(k > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool),      cmocka_unit_test(test_texts),
        cmocka_unit_test(test_nodes),     cmocka_unit_test(test_split),
        cmocka_unit_test(test_failure),   cmocka_unit_test(test_answers),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
