/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ranks of a job without MPI: threads that pass messages through memory.  The division of tasks, their
 * totals, and failures. */
#include "config.h"

#include <assert.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mpi/division.h"
#include "mpi/rank_client.h"
#include "mpi/rank_server.h"
#include "pm/alloc.h"
#include "support/testing.h"

enum { RANKS = 4 };

static uint64_t rng;

/* ---- messages through memory ---- */

typedef struct letter {
    int from;
    int64_t size;
    char *data;
    struct letter *next;
} letter;

static struct {
    pthread_mutex_t lock;
    letter *first[RANKS];
} post = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local int own_rank;
static _Thread_local letter *opened;

static void post_send(int to, const void *data, int64_t size)
{
    letter *l = pm_alloc_array(1, sizeof *l);
    *l = (letter){own_rank, size, pm_alloc_array(size, 1), NULL};
    memcpy(l->data, data, (size_t)size);
    pthread_mutex_lock(&post.lock);
    letter **end = &post.first[to];
    while (*end)
        end = &(*end)->next;
    *end = l;
    pthread_mutex_unlock(&post.lock);
}

/* The server's thread has rank 0, as every thread that says nothing else. */
static bool post_poll(int *from, int64_t *size)
{
    pthread_mutex_lock(&post.lock);
    letter *l = post.first[own_rank];
    if (l)
        post.first[own_rank] = l->next;
    pthread_mutex_unlock(&post.lock);
    if (!l)
        return false;
    *from = l->from;
    *size = l->size;
    opened = l;
    return true;
}

static void post_receive(int from, void *data, int64_t size)
{
    assert(from == opened->from && size == opened->size);
    memcpy(data, opened->data, (size_t)size);
    free(opened->data);
    free(opened);
    opened = NULL;
}

static const pm_mpi_calls calls = {.poll = post_poll, .receive = post_receive, .send = post_send};

/* ---- a job ---- */

enum { LISTED = 5 };

/* Rank r computes sums of i^2 for two tasks, with sums of i / 3 for the first one and the largest keys for the
 * second one, has pauses of its own, and may fail. */
typedef struct {
    int rank;
    bool leaves_early, has_other_plan, disagrees;
    pm_status fails_with; /* in the first task */
    uint64_t count, grain;
    pm_rank_server *server; /* of rank 0 */
    pm_status status[2];
    pm_error err;
    uint64_t word[2][2];
    double sum[2];
    uint64_t listed;   /* the sum of the largest keys */
    uint64_t decision; /* that all ranks have; it says who made it */
    pm_status agreed;
    double deadline; /* of the ledger */
    pm_status goes_on;
    uint64_t indices; /* that this rank did */
} member;

enum { PER_TAKE = 30 };

/* A permutation of the indices, which makes the largest keys those of any ranks. */
static pm_wide_key key_of(uint64_t i)
{
    return (pm_wide_key){.high = i * UINT64_C(0x9e3779b97f4a7c15) >> 32, .low = i};
}

static pm_status work(member *m, pm_ledger_task *t, uint64_t most)
{
    pm_range range;
    pm_status status = PM_OK;
    while (!status && pm_ledger_task_take(t, most, &range)) {
        uint64_t word[2] = {0, 0};
        pm_exact_sum real[1] = {{.special = 0}};
        pm_wide_key key[PER_TAKE];
        int64_t keys = 0;
        unsigned __int128 squares = 0;
        for (uint64_t i = range.first; i < range.end; ++i) {
            squares += (unsigned __int128)i * i;
            pm_exact_sum_add(real, (double)i / 3);
            key[keys++] = key_of(i);
        }
        word[0] = (uint64_t)squares;
        word[1] = (uint64_t)(squares >> 64);
        m->indices += range.end - range.first;
        nanosleep(&(struct timespec){0, 20000 * (m->rank + 1)}, NULL);
        const pm_ledger_sum sum = {word, real, key, t->record->shape.largest ? keys : 0};
        status = pm_ledger_task_put_ranges(t, &range, 1, &sum, &m->err);
    }
    return status;
}

static void run_task(member *m, pm_ledger *l, int number)
{
    const pm_ledger_shape shape = {.what = "squares",
                                   .count = m->count,
                                   .grain = m->grain,
                                   .words = 2,
                                   .carries = true,
                                   .reals = number == 0,
                                   .largest = number == 1 ? LISTED : 0};
    pm_largest largest = {.most = LISTED};
    pm_ledger_scope scope = {.ledger = l};
    pm_ledger_task task;
    pm_exact_sum real;
    int choice = number + 100 * m->has_other_plan;
    assert_int_equal(pm_ledger_task_begin(&scope, &shape, &choice, sizeof choice, &task, &m->err),
                     PM_OK);
    assert_int_equal(task.share.end - task.share.first, m->count); /* what methods prepare for */
    assert_true(pm_ledger_task_run(&task, NULL).deadline == m->deadline);
    pm_status status = work(m, &task, 3 * m->grain);
    if (number == 0 && m->fails_with)
        status = pm_fail(&m->err, m->fails_with, "a failure of this rank");
    m->status[number] =
        number == 0 ? pm_ledger_task_end(&task, status, m->word[number], &real, &m->err)
                    : pm_ledger_task_end_listed(&task, status, m->word[number], &largest, &m->err);
    if (number == 0 && !m->status[number])
        pm_exact_sum_round(&real, m->sum);
    for (int64_t i = 0; i < largest.count; ++i)
        m->listed += largest.key[i].low;
    pm_largest_free(&largest);
}

static void leave(pm_rank_client *c)
{
    char *data;
    pm_error err;
    pm_rank_message answer, request = {.head = {.request = PM_RANK_LEAVE, .status = 66}};
    strcpy(request.head.text, "no such file");
    assert_int_equal(pm_rank_client_ask(c, &request, &data, &answer, &err), PM_OK);
    free(data);
}

static void *be_member(void *context)
{
    member *m = context;
    pm_ledger *l;
    pm_rank_client client = {.mpi = &calls};
    own_rank = m->rank;
    assert_int_equal(pm_ledger_make(&l, NULL), PM_OK);
    const pm_ledger_peers peers = m->server
                                      ? (pm_ledger_peers){m->server, true, pm_rank_server_begin,
                                                          pm_rank_server_take, pm_rank_server_end}
                                      : (pm_ledger_peers){&client, false, pm_rank_client_begin,
                                                          pm_rank_client_take, pm_rank_client_end};
    pm_ledger_set_peers(l, &peers);
    pm_ledger_set_deadline(l, m->deadline);
    for (int i = 0; i < 2 && !m->leaves_early && (i == 0 || !m->status[0]); ++i)
        run_task(m, l, i);
    m->decision = 100 + (uint64_t)m->rank;
    pm_status own = m->disagrees ? pm_fail(&m->err, PM_UNABLE, "refused here") : PM_OK;
    if (!m->leaves_early && !m->status[0])
        m->agreed = pm_ledger_agree(l, "decision", own, &m->decision, 1, &m->err);
    if (!m->leaves_early && !m->status[0] && !m->agreed)
        m->goes_on = pm_ledger_agree_to_go_on(l, &m->err);
    if (!m->server)
        leave(&client);
    pm_ledger_free(l);
    return NULL;
}

static int told;

static void tell(void *context, const char *line)
{
    (void)context;
    told += strstr(line, ": no such file") != NULL;
}

/* Rank 0 is the calling thread. */
static void run_job(member *m, int ranks)
{
    pm_error err;
    pthread_t thread[RANKS];
    told = 0;
    assert_int_equal(pm_rank_server_start(&calls, ranks, &m[0].server, &err), PM_OK);
    for (int i = 1; i < ranks; ++i)
        assert_int_equal(pthread_create(&thread[i], NULL, be_member, &m[i]), 0);
    be_member(&m[0]);
    assert_true(pm_rank_server_stop(m[0].server, 0, tell, NULL));
    for (int i = 1; i < ranks; ++i)
        pthread_join(thread[i], NULL);
    pm_rank_server_free(m[0].server);
}

static void make_members(member m[RANKS], uint64_t count, uint64_t grain)
{
    memset(m, 0, RANKS * sizeof *m);
    for (int i = 0; i < RANKS; ++i) {
        m[i].rank = i;
        m[i].count = count;
        m[i].grain = grain;
    }
}

/* ---- totals ---- */

static uint64_t listed_of(uint64_t count)
{
    pm_largest l = {.most = LISTED};
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const pm_wide_key key = key_of(i);
        assert_true(pm_largest_add(&l, &key, 1));
    }
    for (int64_t i = 0; i < l.count; ++i)
        sum += l.key[i].low;
    pm_largest_free(&l);
    return sum;
}

static void totals(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(12); ++round) {
        member m[RANKS];
        uint64_t count = 1 + pm_rng_below(&rng, 3000), grain = 1 + pm_rng_below(&rng, 9);
        int ranks = 1 + (int)pm_rng_below(&rng, RANKS);
        unsigned __int128 squares = 0;
        uint64_t done = 0, listed = listed_of(count);
        make_members(m, count, grain);
        run_job(m, ranks);
        for (uint64_t i = 0; i < count; ++i)
            squares += (unsigned __int128)i * i;
        for (int i = 0; i < ranks; ++i) {
            done += m[i].indices;
            for (int task = 0; task < 2; ++task) {
                assert_int_equal(m[i].status[task], PM_OK);
                assert_true(m[i].word[task][0] == (uint64_t)squares);
                assert_true(m[i].word[task][1] == (uint64_t)(squares >> 64));
            }
            assert_true(m[i].sum[0] == m[0].sum[0]);
            assert_true(m[i].sum[1] == m[0].sum[1]);
            assert_int_equal(m[i].listed, listed);
            assert_int_equal(m[i].agreed, PM_OK);
            assert_int_equal(m[i].decision, m[0].decision);
            assert_in_range(m[i].decision, 100, 100 + RANKS - 1);
        }
        assert_int_equal(done, 2 * count);
        assert_int_equal(told, ranks - 1);
    }
}

/* ---- failures ---- */

static void failure_of_one(void **state)
{
    (void)state;
    for (int who = 0; who < 3; ++who) {
        member m[RANKS];
        make_members(m, 500, 2);
        m[who].fails_with = PM_ENODEV;
        run_job(m, 3);
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(m[i].status[0], PM_ENODEV);
            assert_non_null(strstr(m[i].err.msg, "a failure of this rank"));
        }
    }
}

/* After a stop all have the same sum so far. */
static void stop_of_one(void **state)
{
    (void)state;
    for (int who = 0; who < 3; ++who) {
        member m[RANKS];
        make_members(m, 500, 2);
        m[who].fails_with = PM_ESTOPPED;
        run_job(m, 3);
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(m[i].status[0], PM_ESTOPPED);
            assert_true(m[i].word[0][0] > 0);
            assert_true(m[i].word[0][0] == m[0].word[0][0]);
        }
    }
}

static void disagreement(void **state)
{
    (void)state;
    for (int who = 0; who < 3; ++who) {
        member m[RANKS];
        make_members(m, 100, 2);
        m[who].disagrees = true;
        run_job(m, 3);
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(m[i].agreed, PM_UNABLE);
            assert_non_null(strstr(m[i].err.msg, "refused here"));
        }
    }
}

/* A deadline that some ranks have passed: the tasks of this test do not look at it, and afterwards all go on or
 * none. */
static void deadline_of_some(void **state)
{
    (void)state;
    for (int late = 0; late <= 3; ++late) {
        member m[RANKS];
        make_members(m, 100, 2);
        for (int i = 0; i < 3; ++i)
            m[i].deadline = i < late ? 1e-9 : 1e9;
        run_job(m, 3);
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(m[i].status[1], PM_OK);
            assert_int_equal(m[i].goes_on, m[0].goes_on);
        }
        assert_true(late > 0 || m[0].goes_on == PM_OK);
        assert_true(late < 3 || m[0].goes_on == PM_ESTOPPED);
    }
}

static void agreement_without_ranks(void **state)
{
    (void)state;
    pm_ledger *l;
    uint64_t word = 7;
    assert_int_equal(pm_ledger_make(&l, NULL), PM_OK);
    assert_int_equal(pm_ledger_agree(l, "decision", PM_OK, &word, 1, NULL), PM_OK);
    assert_int_equal(pm_ledger_agree(NULL, "decision", PM_UNABLE, &word, 1, NULL), PM_UNABLE);
    assert_int_equal(word, 7);
    pm_ledger_set_deadline(l, 1e-9);
    assert_int_equal(pm_ledger_agree_to_go_on(l, NULL), PM_OK);
    assert_true(pm_ledger_is_empty(l));
    pm_ledger_free(l);
}

static void other_plan(void **state)
{
    (void)state;
    member m[RANKS];
    make_members(m, 500, 2);
    m[2].has_other_plan = true;
    run_job(m, 3);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(m[i].status[0], PM_EINTERNAL);
        assert_non_null(strstr(m[i].err.msg, "rank 2 follows another plan than rank 0"));
    }
}

static void rank_that_leaves(void **state)
{
    (void)state;
    member m[RANKS];
    make_members(m, 500, 2);
    m[1].leaves_early = true;
    run_job(m, 3);
    assert_int_equal(m[0].status[0], PM_EINTERNAL);
    assert_int_equal(m[2].status[0], PM_EINTERNAL);
    assert_non_null(strstr(m[0].err.msg, "rank 1 has ended before the count: no such file"));
}

static void rank_0_leaves(void **state)
{
    (void)state;
    member m[RANKS];
    make_members(m, 500, 2);
    m[0].leaves_early = true;
    run_job(m, 3);
    assert_int_equal(m[1].status[0], PM_EINTERNAL);
    assert_non_null(strstr(m[2].err.msg, "rank 0 has ended"));
}

/* ---- the division ---- */

/* Ranks of different speeds, in a time that is only counted, finish together. */
static void division(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(50); ++round) {
        pm_division d;
        double clock[RANKS], speed[RANKS], first, last, slowest = 1e300;
        uint64_t left = 1000000 + pm_rng_below(&rng, 1000000), size[RANKS] = {0};
        uint64_t unit = 1 + pm_rng_below(&rng, 50), ranges = 0;
        assert_int_equal(pm_division_make(RANKS, &d, NULL), PM_OK);
        pm_division_begin(&d);
        for (int i = 0; i < RANKS; ++i) {
            clock[i] = 1;
            speed[i] = 10000 * (1 + (double)pm_rng_below(&rng, 10));
            slowest = speed[i] < slowest ? speed[i] : slowest;
        }
        while (left > 0) {
            int i = 0;
            for (int k = 1; k < RANKS; ++k)
                i = clock[k] < clock[i] ? k : i;
            pm_division_note(&d, i, size[i], clock[i]);
            double rates = 0;
            for (int k = 0; k < RANKS; ++k)
                rates += d.rank[k].rate;
            assert_true(fabs(d.rate - rates) <= 1e-9 * rates);
            uint64_t wanted = pm_division_size(&d, i, left, unit);
            assert_int_equal(wanted % unit, 0);
            assert_true(wanted > 0);
            assert_true((double)wanted <= 0.51 * speed[i] + (double)unit);
            size[i] = wanted < left ? wanted : left;
            left -= size[i];
            clock[i] += (double)size[i] / speed[i];
            ++ranges;
        }
        first = last = clock[0];
        for (int i = 1; i < RANKS; ++i) {
            first = clock[i] < first ? clock[i] : first;
            last = clock[i] > last ? clock[i] : last;
        }
        assert_true(last - first <= 0.03 + (double)unit / slowest);
        assert_true(ranges < 3000);
        pm_division_free(&d);
    }
}

int main(void)
{
    rng = test_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals),           cmocka_unit_test(failure_of_one),
        cmocka_unit_test(other_plan),       cmocka_unit_test(rank_that_leaves),
        cmocka_unit_test(rank_0_leaves),    cmocka_unit_test(division),
        cmocka_unit_test(stop_of_one),      cmocka_unit_test(disagreement),
        cmocka_unit_test(deadline_of_some), cmocka_unit_test(agreement_without_ranks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
