/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long runs: whatever the method, a count that is divided into parts, or stopped and continued, has
 * the digits of one that is not.  All blocks are recorded here, however short they are. */
#include "config.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "ledger/ledger_text.h"
#include "pm/algorithms.h"
#include "pm/alloc.h"
#include "pm/count.h"
#include "support/answers.h"
#include "support/ledger_texts.h"
#include "support/matrices.h"
#include "support/planar_graphs.h"

static uint64_t rng;

/* ---- ledgers and their texts ---- */

static pm_ledger *new_ledger(void)
{
    pm_ledger *l = NULL;
    assert_int_equal(pm_ledger_make(&l, NULL), PM_OK);
    pm_ledger_set_least(l, 0);
    return l;
}

static void read_into(pm_ledger *l, const char *text)
{
    char *line;
    int64_t length;
    pm_source *s = NULL;
    pm_error err = {.msg = ""};
    FILE *f = tmpfile();
    assert_non_null(f);
    fputs(text, f);
    rewind(f);
    assert_int_equal(pm_source_open_fd(fileno(f), "ledger", &s, NULL), PM_OK);
    pm_ledger_reader r = pm_ledger_reader_begin(l);
    while (pm_source_line(s, &line, &length, NULL) == PM_OK && line)
        if (pm_ledger_reader_line(&r, s, line, length, &err))
            fail_msg("%s", err.msg);
    assert_int_equal(pm_ledger_reader_end(&r, s, NULL), PM_OK);
    pm_source_close(&s);
    fclose(f);
}

/* What a process that is started later knows. */
static pm_ledger *as_read_again(pm_ledger *l)
{
    char *text = ledger_text(l);
    pm_ledger *again = new_ledger();
    read_into(again, text);
    free(text);
    pm_ledger_free(l);
    return again;
}

/* ---- counting ---- */

typedef struct {
    const pm_matrix *a;
    pm_count_options opt;
} method;

static int random_threads(void)
{
    return 1 + (int)pm_rng_below(&rng, 3);
}

static pm_status count(const method *m, pm_ledger *l, const volatile sig_atomic_t *stop,
                       pm_value *v, pm_error *err)
{
    pm_count_options opt = m->opt;
    pm_run run = {.threads = random_threads(), .stop = stop};
    opt.ledger = l;
    return pm_count(m->a, &opt, &run, v, NULL, err);
}

static bool same_number(pm_xreal a, pm_xreal b)
{
    return a.hi == b.hi && a.lo == b.lo && a.exp == b.exp;
}

static void assert_same(const method *m, const pm_value *v, const pm_value *want)
{
    bool is_same = v->field == want->field && v->is_estimated == want->is_estimated;
    if (is_same && want->field <= PM_INTEGER)
        is_same = mpq_equal(v->exact, want->exact);
    else if (is_same)
        is_same = same_number(v->re, want->re) && same_number(v->im, want->im)
                  && same_number(v->error, want->error);
    if (!is_same)
        print_error("%s, field %d: %a %a\nnot %a %a\n",
                    m->opt.algorithm ? m->opt.algorithm : "auto", (int)m->a->field, v->re.hi,
                    v->re.lo, want->re.hi, want->re.lo);
    assert_true(is_same);
}

/* ---- divided ---- */

static void add_part(const method *m, int part, int parts, char **text)
{
    pm_error err = {.msg = ""};
    pm_value v;
    pm_ledger *l = new_ledger();
    pm_value_init(&v);
    pm_ledger_set_part(l, part, parts);
    pm_status status = count(m, l, NULL, &v, &err);
    if (status && status != PM_PARTIAL)
        print_error("%s\n", err.msg);
    assert_true(status == PM_OK || status == PM_PARTIAL);
    *text = ledger_text(l);
    pm_value_clear(&v);
    pm_ledger_free(l);
}

static void divided(const method *m, const pm_value *want)
{
    enum { MOST = 6 };
    char *text[MOST];
    pm_value v;
    pm_error err = {.msg = ""};
    int parts = 1 + (int)pm_rng_below(&rng, MOST);
    int32_t order[MOST];
    pm_ledger *l = new_ledger();
    pm_value_init(&v);
    random_permutation(&rng, order, parts);
    for (int i = 0; i < parts; ++i)
        add_part(m, i + 1, parts, &text[i]);
    for (int i = 0; i < parts; ++i)
        read_into(l, text[order[i]]);
    pm_ledger_seal(l);
    pm_status status = count(m, l, NULL, &v, &err);
    if (status)
        print_error("%s, %d parts: %s\n", m->opt.algorithm ? m->opt.algorithm : "auto", parts,
                    err.msg);
    assert_int_equal(status, PM_OK);
    assert_same(m, &v, want);
    for (int i = 0; i < parts; ++i)
        free(text[i]);
    pm_value_clear(&v);
    pm_ledger_free(l);
}

/* ---- stopped ---- */

static volatile sig_atomic_t stop;

typedef struct {
    long nanoseconds;
    atomic_bool is_over;
} timer;

static void *stop_later(void *context)
{
    timer *t = context;
    nanosleep(&(struct timespec){0, t->nanoseconds}, NULL);
    if (!atomic_load(&t->is_over))
        stop = 1;
    return NULL;
}

/* Stopped at random moments, by 100 microseconds at most, and each time continued from the text. */
static void stopped(const method *m, const pm_value *want, int *stops)
{
    pm_value v;
    pm_error err = {.msg = ""};
    pm_ledger *l = new_ledger();
    pm_status status = PM_ESTOPPED;
    pm_value_init(&v);
    for (int i = 0; status == PM_ESTOPPED; ++i) {
        timer t = {.nanoseconds = i < 4 ? pm_rng_below(&rng, 300000) : 0};
        pthread_t thread;
        stop = 0;
        atomic_init(&t.is_over, i >= 4);
        assert_int_equal(pthread_create(&thread, NULL, stop_later, &t), 0);
        status = count(m, l, &stop, &v, &err);
        atomic_store(&t.is_over, true);
        pthread_join(thread, NULL);
        assert_true(status == PM_OK || status == PM_ESTOPPED);
        *stops += status == PM_ESTOPPED;
        if (status)
            l = as_read_again(l);
    }
    assert_same(m, &v, want);
    /* and once more, from the value alone */
    l = as_read_again(l);
    assert_int_equal(count(m, l, NULL, &v, &err), PM_OK);
    assert_same(m, &v, want);
    pm_value_clear(&v);
    pm_ledger_free(l);
}

/* ---- all methods ---- */

static void random_options(method *m)
{
    m->opt.seed = pm_rng_next(&rng);
    m->opt.transpose = pm_rng_below(&rng, 4) == 0;
    m->opt.precision = (pm_precision)pm_rng_below(&rng, 4);
    if (m->a->field <= PM_INTEGER && pm_rng_below(&rng, 4) == 0)
        m->opt.modulus = 2 + pm_rng_next(&rng) % 1000000;
    if (pm_rng_below(&rng, 4) == 0)
        m->opt.independent = true;
    if (pm_rng_below(&rng, 4) == 0)
        m->opt.reduce = (pm_reduce_options){.blocks = true};
}

static const double seconds = 0.05; /* predicted, that a count may take */

/* The limit of the cost is for the choice of matrices only: what it refuses depends on the threads. */
static pm_status count_if_short(const method *m, pm_value *v)
{
    pm_error err;
    pm_run run = {.threads = 1, .max_cost = seconds};
    return pm_count(m->a, &m->opt, &run, v, NULL, &err);
}

/* Returns whether the method counts this matrix in little time. */
static bool try_method(const char *name, const pm_matrix *a, int *stops)
{
    pm_value want;
    pm_error err;
    method m = {.a = a, .opt = pm_count_defaults()};
    m.opt.algorithm = name;
    random_options(&m);
    pm_value_init(&want);
    pm_status status = count_if_short(&m, &want);
    assert_true(status == PM_OK || (status == PM_UNABLE && name));
    if (!status) {
        assert_int_equal(count(&m, NULL, NULL, &want, &err), PM_OK);
        divided(&m, &want);
        stopped(&m, &want, stops);
    }
    pm_value_clear(&want);
    return !status;
}

static void random_graph(pm_field field, pm_matrix *a)
{
    int n = 3 + (int)pm_rng_below(&rng, 14);
    switch (pm_rng_below(&rng, 4)) {
    case 0: random_planar(&rng, field, 10 + (int)pm_rng_below(&rng, 30), false, a); break;
    case 1:
        random_planar(&rng, field, 10 + (int)pm_rng_below(&rng, 30), false, a);
        add_chords(&rng, 1 + (int)pm_rng_below(&rng, 3), false, a);
        break;
    default:
        random_matrix(&rng, field, n, n, n > 8 ? 0.3 + 0.3 * pm_rng_unit(&rng) : pm_rng_unit(&rng),
                      a);
    }
}

static void every_method(void **state)
{
    (void)state;
    int stops = 0;
    for (int i = -1; i < 0 || pm_algorithm_name(i); ++i) {
        const char *name = i < 0 ? NULL : pm_algorithm_name(i);
        int counted = 0, rounds = test_rounds(4);
        if (i >= 0 && (pm_algorithm_backend(i) != PM_BACKEND_CPU || pm_algorithm_is_general(i)))
            continue;
        for (int round = 0; round < rounds || (!counted && round < 400); ++round) {
            pm_matrix a;
            random_graph((pm_field)(round % 4), &a);
            counted += try_method(name, &a, &stops);
            pm_matrix_free(&a);
        }
        print_message("# %s: %d\n", name ? name : "auto", counted);
    }
    print_message("# stops: %d\n", stops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_method)};
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
