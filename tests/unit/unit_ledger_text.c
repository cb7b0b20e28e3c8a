/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ledgers as text: what is written is read again, and nothing else is. */
#include "config.h"

#include "support/testing.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "core/text_stream.h"
#include "ledger/ledger_text.h"
#include "pm/alloc.h"
#include "support/rationals.h"

static uint64_t rng;

static pm_ledger *new_ledger(void)
{
    pm_ledger *l = NULL;
    assert_int_equal(pm_ledger_make(&l, NULL), PM_OK);
    return l;
}

/* ---- texts ---- */

/* NULL when memory ends. */
static char *text_of(pm_ledger *l, const char *first_line)
{
    pm_text_stream *s = pm_text_stream_open();
    if (!s)
        return NULL;
    pm_ledger_writer w = pm_ledger_writer_begin(pm_text_stream_file(s), "");
    pm_ledger_writer_line(&w, "%s", first_line);
    pm_status status = pm_ledger_writer_ledger(&w, l, NULL);
    pm_ledger_writer_end(&w);
    char *text = pm_text_stream_close(s);
    if (text && status) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Lines with the checksum that they should have. */
static char *signed_text(const char *lines)
{
    pm_text_stream *s = pm_text_stream_open();
    char *copy = pm_copy_text(lines);
    assert_non_null(s);
    assert_non_null(copy);
    pm_ledger_writer w = pm_ledger_writer_begin(pm_text_stream_file(s), "");
    pm_ledger_writer_line(&w, "first");
    for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n"))
        pm_ledger_writer_text(&w, line, "");
    pm_ledger_writer_end(&w);
    free(copy);
    return pm_text_stream_close(s);
}

static FILE *file_of(const char *text, size_t size)
{
    FILE *f = tmpfile();
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, size, f), size);
    rewind(f);
    return f;
}

/* The first line is the caller's. */
static pm_status read_lines(pm_source *s, pm_ledger *l, pm_error *err)
{
    char *line;
    int64_t length;
    bool is_first = true;
    pm_ledger_reader r = pm_ledger_reader_begin(l);
    pm_status status;
    while (!(status = pm_source_line(s, &line, &length, err)) && line) {
        if (is_first)
            pm_ledger_reader_pass(&r, line, length);
        else
            status = pm_ledger_reader_line(&r, s, line, length, err);
        is_first = false;
        if (status)
            break;
    }
    pm_status ended = pm_ledger_reader_end(&r, s, status ? NULL : err);
    return status ? status : ended;
}

static pm_status read_bytes(const char *text, size_t size, pm_ledger *l, pm_error *err)
{
    pm_source *s = NULL;
    FILE *f = file_of(text, size);
    pm_status status = pm_source_open_fd(fileno(f), "ck", &s, err);
    if (!status)
        status = read_lines(s, l, err);
    pm_source_close(&s);
    fclose(f);
    return status;
}

static pm_status read_text(const char *text, pm_ledger *l, pm_error *err)
{
    return read_bytes(text, strlen(text), l, err);
}

/* ---- random ledgers ---- */

static pm_ledger_key random_key(void)
{
    uint64_t x = pm_rng_next(&rng);
    return pm_ledger_key_of(NULL, &x, sizeof x);
}

static void random_integer(mpz_t z)
{
    static const int bits[] = {1, 60, 200, 20000};
    mpz_set_ui(z, 0);
    for (int k = bits[pm_rng_below(&rng, 4)]; k > 0; k -= 32) {
        mpz_mul_2exp(z, z, 32);
        mpz_add_ui(z, z, pm_rng_below(&rng, UINT32_MAX));
    }
    if (pm_rng_below(&rng, 2))
        mpz_neg(z, z);
    if (pm_rng_below(&rng, 10) == 0)
        mpz_set_ui(z, 0);
}

static pm_xreal random_number(void)
{
    if (pm_rng_below(&rng, 10) == 0)
        return (pm_xreal){0, 0, 0};
    if (pm_rng_below(&rng, 20) == 0)
        return (pm_xreal){NAN, 0, 0}; /* out of range */
    return random_xreal(&rng, pm_rng_below(&rng, 2) ? 100 : 4000000000);
}

static void random_value(pm_value *v)
{
    pm_field field = (pm_field)pm_rng_below(&rng, 4);
    if (field <= PM_INTEGER) {
        mpz_t z;
        mpz_init(z);
        random_integer(z);
        pm_value_set_mpz(v, z);
        random_integer(z);
        if (mpz_sgn(z) > 0 && pm_rng_below(&rng, 2)) {
            mpz_set(mpq_denref(v->exact), z);
            mpq_canonicalize(v->exact);
        }
        mpz_clear(z);
        v->field = field;
    } else {
        pm_xreal im = field == PM_COMPLEX ? random_number() : (pm_xreal){0, 0, 0};
        pm_value_set_real(v, field, random_number(), im, pm_xreal_abs(random_number()));
        v->is_estimated = pm_rng_below(&rng, 2);
    }
}

static pm_ledger_shape random_shape(void)
{
    pm_ledger_shape s = {.what = pm_rng_below(&rng, 2) ? "terms" : "sum of terms",
                         .count = pm_rng_below(&rng, 2) ? pm_rng_below(&rng, 1000)
                                                        : pm_rng_next(&rng) >> 1,
                         .grain = 1 + pm_rng_below(&rng, 9),
                         .words = pm_rng_below(&rng, 70),
                         .carries = pm_rng_below(&rng, 2),
                         .reals = (int)pm_rng_below(&rng, 5)};
    return s;
}

/* Does some of the task.  Its sum is any sum. */
static void do_some(const pm_ledger_scope *scope, const pm_ledger_shape *shape, uint64_t choice)
{
    pm_range r;
    pm_ledger_task t;
    assert_int_equal(pm_ledger_task_begin(scope, shape, &choice, sizeof choice, &t, NULL), PM_OK);
    uint64_t most = 1 + shape->count / 50;
    while (pm_rng_below(&rng, 20) && pm_ledger_task_take(&t, most, &r)) {
        uint64_t word[70];
        pm_exact_sum real[5] = {{{0}, 0, 0}};
        for (int k = 0; k < 70; ++k)
            word[k] = pm_rng_below(&rng, 3) ? 0 : pm_rng_next(&rng);
        for (int k = 0; k < 5; ++k)
            pm_exact_sum_add(&real[k], ldexp((double)(int64_t)pm_rng_next(&rng),
                                             (int)pm_rng_below(&rng, 1900) - 1000));
        if (pm_rng_below(&rng, 40) == 0)
            pm_exact_sum_add(&real[0], pm_rng_below(&rng, 2) ? INFINITY : NAN);
        if (pm_rng_below(&rng, 4))
            assert_int_equal(pm_ledger_task_put(&t, r.first, r.end, word, real, NULL), PM_OK);
    }
    assert_int_equal(pm_ledger_task_end(&t, PM_ESTOPPED, NULL, NULL, NULL), PM_ESTOPPED);
}

/* Adds a computation that is done, has begun, or has tasks. */
static void add_computation(pm_ledger *l, uint32_t kind)
{
    pm_value v;
    const pm_ledger_scope scope = {l, random_key()};
    pm_value_init(&v);
    assert_int_equal(pm_ledger_put_method(&scope, "ryser", NULL), PM_OK);
    if (kind == 0) {
        random_value(&v);
        assert_int_equal(pm_ledger_put_value(&scope, "product-tree", &v, NULL), PM_OK);
    }
    for (uint64_t k = 1; k < kind; ++k) {
        const pm_ledger_shape shape = random_shape();
        do_some(&scope, &shape, k);
    }
    pm_value_clear(&v);
}

static pm_ledger *random_ledger(void)
{
    pm_ledger *l = new_ledger();
    for (uint32_t i = pm_rng_below(&rng, 4); i > 0; --i) {
        const pm_ledger_key key = random_key();
        assert_int_equal(pm_ledger_add_item(l, &key, NULL), PM_OK);
    }
    for (uint32_t i = pm_rng_below(&rng, 5); i > 0; --i)
        add_computation(l, pm_rng_below(&rng, 4));
    return l;
}

/* ---- what is written is read ---- */

static void goes_round(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_error err = {.msg = ""};
        pm_ledger *l = random_ledger(), *again = new_ledger();
        char *text = text_of(l, "first");
        pm_status status = read_text(text, again, &err);
        if (status)
            print_error("%s\n", err.msg);
        assert_int_equal(status, PM_OK);
        char *second = text_of(again, "first");
        assert_string_equal(second, text);
        free(text);
        free(second);
        pm_ledger_free(l);
        pm_ledger_free(again);
    }
}

static bool same_number(pm_xreal a, pm_xreal b)
{
    return a.hi == b.hi && a.lo == b.lo && a.exp == b.exp;
}

/* The number that is read is the one that was recorded, not only its text. */
static void values_go_round(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(200); ++round) {
        pm_value v, w;
        pm_ledger *l = new_ledger(), *again = new_ledger();
        const pm_ledger_scope scope = {l, random_key()}, other = {again, scope.key};
        pm_value_init(&v);
        pm_value_init(&w);
        random_value(&v);
        assert_int_equal(pm_ledger_put_value(&scope, "ryser", &v, NULL), PM_OK);
        char *text = text_of(l, "first");
        assert_int_equal(read_text(text, again, NULL), PM_OK);
        assert_true(pm_ledger_get_value(&other, &w));
        assert_int_equal(w.field, v.field);
        assert_true(w.is_estimated == v.is_estimated);
        assert_true(pm_value_is_in_range(&w) == pm_value_is_in_range(&v));
        if (v.field <= PM_INTEGER) {
            assert_true(mpq_equal(v.exact, w.exact));
        } else if (pm_value_is_in_range(&v)) {
            assert_true(same_number(v.re, w.re));
            assert_true(same_number(v.im, w.im));
            assert_true(same_number(v.error, w.error));
        }
        free(text);
        pm_value_clear(&v);
        pm_value_clear(&w);
        pm_ledger_free(l);
        pm_ledger_free(again);
    }
}

/* ---- plans ---- */

static void plans_go_round(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(100); ++round) {
        pm_ledger_plan p = {.name = "product-tree"}, found;
        pm_ledger *l = new_ledger(), *again = new_ledger();
        const pm_ledger_scope scope = {l, random_key()}, other = {again, scope.key};
        p.count = (int)pm_rng_below(&rng, PM_LEDGER_PLAN + 1);
        for (int i = 0; i < p.count; ++i)
            p.number[i] = (int64_t)(pm_rng_next(&rng) >> (1 + pm_rng_below(&rng, 63)));
        assert_false(pm_ledger_get_plan(&scope, &found));
        assert_int_equal(pm_ledger_put_method(&scope, "product-tree:cuda", NULL), PM_OK);
        assert_int_equal(pm_ledger_put_plan(&scope, &p, NULL), PM_OK);
        char *text = text_of(l, "first");
        assert_int_equal(read_text(text, again, NULL), PM_OK);
        assert_true(pm_ledger_get_plan(&other, &found));
        assert_memory_equal(&found, &p, sizeof p);
        free(text);
        pm_ledger_free(l);
        pm_ledger_free(again);
    }
}

/* ---- parts ---- */

enum { PARTS = 5, COUNT = 37 };

/* The ledger of a part whose terms are the powers i^2 and i / 3, i = the index. */
static char *text_of_part(int part, const pm_ledger_shape *shape, const pm_ledger_key *key)
{
    pm_range r;
    pm_ledger_task t;
    pm_ledger *l = new_ledger();
    const pm_ledger_scope scope = {l, *key};
    pm_ledger_set_part(l, part, PARTS);
    assert_int_equal(pm_ledger_add_item(l, key, NULL), PM_OK);
    assert_int_equal(pm_ledger_put_method(&scope, "ryser", NULL), PM_OK);
    assert_int_equal(pm_ledger_task_begin(&scope, shape, "", 0, &t, NULL), PM_OK);
    while (pm_ledger_task_take(&t, 2, &r))
        for (uint64_t i = r.first; i < r.end; ++i) {
            const uint64_t word[2] = {i << 63, i * i};
            pm_exact_sum real = {{0}, 0, 0};
            pm_exact_sum_add(&real, (double)i / 3);
            assert_int_equal(pm_ledger_task_put(&t, i, i + 1, word, &real, NULL), PM_OK);
        }
    assert_int_equal(pm_ledger_task_end(&t, PM_OK, NULL, NULL, NULL), PM_PARTIAL);
    char *text = text_of(l, "first");
    pm_ledger_free(l);
    return text;
}

static void assert_total(pm_ledger *l, const pm_ledger_shape *shape, const pm_ledger_key *key)
{
    uint64_t word[2], low = 0, high = 0;
    pm_exact_sum real, want = {{0}, 0, 0};
    pm_ledger_task t;
    const pm_ledger_scope scope = {l, *key};
    for (uint64_t i = 0; i < COUNT; ++i) {
        high += i * i + (low >> 63 & i);
        low += i << 63;
        pm_exact_sum_add(&want, (double)i / 3);
    }
    assert_int_equal(pm_ledger_task_begin(&scope, shape, "", 0, &t, NULL), PM_OK);
    assert_int_equal(pm_ledger_task_end(&t, PM_OK, word, &real, NULL), PM_OK);
    assert_int_equal(word[0], low);
    assert_int_equal(word[1], high);
    pm_exact_sum_carry(&real);
    pm_exact_sum_carry(&want);
    assert_memory_equal(real.digit, want.digit, sizeof real.digit);
}

static void parts_add_up(void **state)
{
    (void)state;
    const pm_ledger_key key = random_key();
    const pm_ledger_shape shape = {
        .what = "terms", .count = COUNT, .grain = 1, .words = 2, .carries = true, .reals = 1};
    char *text[PARTS];
    int order[PARTS];
    for (int i = 0; i < PARTS; ++i) {
        text[i] = text_of_part(i + 1, &shape, &key);
        order[i] = i;
    }
    for (int round = 0; round < test_rounds(20); ++round) {
        pm_error err;
        pm_ledger *l = new_ledger();
        for (int i = PARTS - 1; i > 0; --i) {
            int j = (int)pm_rng_below(&rng, (uint32_t)i + 1), k = order[i];
            order[i] = order[j];
            order[j] = k;
        }
        for (int i = 0; i < PARTS; ++i)
            assert_int_equal(read_text(text[order[i]], l, NULL), PM_OK);
        pm_ledger_seal(l);
        assert_total(l, &shape, &key);
        assert_int_equal(read_text(text[round % PARTS], l, &err), PM_EDATA);
        assert_non_null(strstr(err.msg, "are done twice"));
        pm_ledger_free(l);
    }
    for (int i = 0; i < PARTS; ++i)
        free(text[i]);
}

/* ---- damage ---- */

/* Not accepted, unless it says the same. */
static void assert_refused(const char *text, size_t size, const char *was)
{
    pm_error err = {.msg = ""};
    pm_ledger *l = new_ledger();
    pm_status status = read_bytes(text, size, l, &err);
    if (!status) {
        char *again = text_of(l, "first");
        assert_string_equal(again, was);
        free(again);
    } else {
        assert_int_equal(status, PM_EDATA);
        assert_true(strncmp(err.msg, "ck:", 3) == 0 || strncmp(err.msg, "ck: ", 4) == 0);
        assert_null(strchr(err.msg, '\n'));
    }
    pm_ledger_free(l);
}

/* A ledger whose text is short, with all kinds of lines. */
static char *small_text(void)
{
    for (;;) {
        pm_ledger *l = random_ledger();
        char *text = text_of(l, "first");
        pm_ledger_free(l);
        if (strlen(text) < 6000 && strstr(text, "\nitem") && strstr(text, "\ndone")
            && strstr(text, "\nwords") && strstr(text, "\nreal") && strstr(text, "\nvalue"))
            return text;
        free(text);
    }
}

static void changed_bytes(void **state)
{
    (void)state;
    char *text = small_text();
    size_t size = strlen(text);
    size_t step = (size_t)test_step(3);
    for (size_t i = pm_rng_below(&rng, (uint32_t)step); i < size; i += step) {
        char was = text[i];
        text[i] = (char)(was ^ (1 << pm_rng_below(&rng, 8)));
        pm_ledger *l = new_ledger();
        pm_error err;
        assert_int_equal(read_bytes(text, size, l, &err), PM_EDATA);
        pm_ledger_free(l);
        text[i] = was;
    }
    free(text);
}

static void cut_texts(void **state)
{
    (void)state;
    char *text = small_text();
    size_t size = strlen(text), step = (size_t)test_step(3);
    for (size_t i = 0; i < size; i += step)
        assert_refused(text, i, text);
    assert_refused(text, size - 1, text); /* without the last line feed */
    free(text);
}

/* Two lines change places, one is there twice, or one is left out. */
static void other_lines(void **state)
{
    (void)state;
    for (int round = 0; round < test_rounds(300); ++round) {
        char *text = small_text(), *line[2000], *copy = pm_copy_text(text);
        int count = 0, i, j;
        for (char *l = strtok(copy, "\n"); l && count < 2000; l = strtok(NULL, "\n"))
            line[count++] = l;
        i = (int)pm_rng_below(&rng, (uint32_t)count);
        j = (int)pm_rng_below(&rng, (uint32_t)count);
        pm_text_stream *s = pm_text_stream_open();
        for (int k = 0; k < count; ++k) {
            int from = round % 3 == 0 ? (k == i ? j : k == j ? i : k) : k;
            if (round % 3 != 1 || k != i)
                fprintf(pm_text_stream_file(s), "%s\n", line[from]);
            if (round % 3 == 2 && k == i)
                fprintf(pm_text_stream_file(s), "%s\n", line[from]);
        }
        char *other = pm_text_stream_close(s);
        assert_refused(other, strlen(other), text);
        free(other);
        free(copy);
        free(text);
    }
}

/* ---- lines that break the grammar, with a good checksum ---- */

#define K "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define C "computation " K " ryser\n"
#define T "task " K " " K " terms 10 2 2 1 1 0\n"
#define L "task " K " " K " terms 10 2 2 1 0 3\n"

static void grammar(void **state)
{
    (void)state;
    static const char *const good[] = {
        "",
        C,
        T,
        "item " K,
        C "value 1 1 0\ndigits -1f\nnumerator\ndigits 2\ndenominator",
        C "plan ryser",
        C "plan product-tree 1 9223372036854775807 0",
        C "value 2 0 1\nre 0x1p-1 0x0p+0 5\nim 0x0p+0 0x0p+0 0\nerror 0x1p-1 0x0p+0 -90",
        T "done 0 2 4 10\nwords 0 1 ffffffffffffffff\nreal 0 -1fp-32",
        T "words 1 5",
        L "done 0 2\nlargest 1 2 ffffffffffffffff 0\nlargest 1 2"};
    static const char *const bad[] = {
        "plan ryser 1",
        C "plan",
        C "plan ",
        C "plan ryser -1",
        C "plan ryser 1 x",
        C "plan ryser 9223372036854775808",
        C "plan 0123456789012345678901234567890123456789012345678901234567890123456789",
        "item",
        "item ",
        "item 0",
        "item " K " ",
        "item " K "0",
        "item " K " x",
        " item " K,
        "computation " K,
        "computation " K " ",
        "computation " K " a b",
        "computation " K " 0123456789012345678901234567890123456789012345678901234567890123456789",
        "value 1 1 0",
        C "value 4 1 0",
        C "value 1 0 0",
        C "value 2 1 0",
        C "value 1 1 2",
        C "value 1 1",
        C "value 1 1 0 0",
        C "value -1 1 0",
        C "digits 1\nnumerator",
        C "value 1 1 0\nnumerator",
        C "value 1 1 0\ndigits\nnumerator",
        C "value 1 1 0\ndigits 1g\nnumerator",
        C "value 1 1 0\ndigits 1\nnumerator x",
        C "value 1 1 0\ndigits 0\ndenominator",
        C "value 1 1 0\ndigits -1\ndenominator",
        C "re 0x1p-1 0x0p+0 5",
        C "value 1 1 0\nre 0x1p-1 0x0p+0 5",
        C "value 2 0 0\nre 0x1p-1 0x0p+0",
        C "value 2 0 0\nre inf 0x0p+0 0",
        C "value 2 0 0\nre 0x1p-1 x 0",
        C "value 2 0 0\nre 0x1p-1 0x0p+0 99999999999999999999",
        C "value 2 0 0\nre 0x1p-1 0x0p+0 5 5",
        "task",
        "task " K " terms 10 2 2 1 1 0",
        "task " K " " K " terms 10 2 2 1 0",
        "task " K " " K " terms 10 0 2 1 1 0",
        "task " K " " K " terms 9223372036854775809 1 2 1 1 0",
        "task " K " " K " terms 10 1 99999999999 1 1 0",
        "task " K " " K " terms 10 1 2 2 1 0",
        "task " K " " K " terms 10 1 2 1 65 0",
        "task " K " " K " terms 10 1 2 1 1 1 0",
        "task " K " " K " terms -10 1 2 1 1 0",
        "task " K " " K " terms 10 2 2 1 1",
        "task " K " " K " terms 10 2 2 1 1 -1",
        "task " K " " K " terms 10 2 2 1 1 1048577",
        T "task " K " " K " terms 10 2 2 1 0 0",
        T "task " K " " K " other 10 2 2 1 1 0",
        "done 0 2",
        T "done",
        T "done 0",
        T "done 0 2 4",
        T "done 0 12",
        T "done 0 1",
        T "done 1 2",
        T "done 4 4",
        T "done 4 2",
        T "done 0 4\ndone 2 6",
        T "done 0 4 0 4",
        T "done 0 18446744073709551616",
        T "done 0 2 ",
        T "done  0 2",
        "words 0 1",
        T "words 0",
        T "words 2 1",
        T "words 1 1 1",
        T "words 0 10000000000000000",
        T "words 0 1 1 1",
        T "words 0 -1",
        T "words 0 G",
        T "words 0 0x1",
        "real 0 1p0",
        T "real 1 1p0",
        T "real 0 1",
        T "real 0 1p0 1",
        T "real 0",
        T "real 0 1p9223372036854775807",
        "largest 1 2",
        T "largest 1 2",
        L "largest",
        L "largest 1",
        L "largest 1 2 3",
        L "largest 1 g",
        L "largest 10000000000000000 2",
        "nothing",
        "first",
        "end",
        "end " K,
        "end 0",
        "end " K "\nitem " K};
    for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
        pm_error err = {.msg = ""};
        pm_ledger *l = new_ledger();
        char *text = signed_text(good[i]);
        pm_status status = read_text(text, l, &err);
        if (status)
            print_error("%s: %s\n", good[i], err.msg);
        assert_int_equal(status, PM_OK);
        free(text);
        pm_ledger_free(l);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        pm_error err = {.msg = ""};
        pm_ledger *l = new_ledger();
        char *text = signed_text(bad[i]);
        pm_status status = read_text(text, l, &err);
        if (status != PM_EDATA)
            print_error("read: %s\n", bad[i]);
        assert_int_equal(status, PM_EDATA);
        assert_true(strncmp(err.msg, "ck:", 3) == 0);
        free(text);
        pm_ledger_free(l);
    }
}

/* ---- memory ---- */

static void failing_memory(void **state)
{
    (void)state;
    char *text = small_text();
    pm_status status = PM_ENOMEM;
    for (int64_t k = 1; status; ++k) {
        pm_error err;
        pm_ledger *l = new_ledger();
        pm_alloc_fail_at(k);
        status = read_text(text, l, &err);
        pm_alloc_fail_at(0);
        assert_true(status == PM_OK || status == PM_ENOMEM);
        if (!status) {
            char *again = text_of(l, "first");
            assert_string_equal(again, text);
            free(again);
        }
        pm_ledger_free(l);
        assert_true(k < 1000);
    }
    pm_ledger *l = new_ledger();
    assert_int_equal(read_text(text, l, NULL), PM_OK);
    char *again = NULL;
    for (int64_t k = 1; !again; ++k) {
        pm_alloc_fail_at(k);
        again = text_of(l, "first");
        pm_alloc_fail_at(0);
        assert_true(k < 1000);
    }
    assert_string_equal(again, text);
    free(again);
    free(text);
    pm_ledger_free(l);
}

/* The inputs of the earlier run come in the same sequence. */
static void items(void **state)
{
    (void)state;
    pm_error err;
    pm_ledger *l = new_ledger(), *again = new_ledger(), *other = new_ledger();
    pm_ledger_key key[3];
    for (int i = 0; i < 3; ++i)
        key[i] = random_key();
    assert_int_equal(pm_ledger_add_item(l, &key[0], NULL), PM_OK);
    assert_int_equal(pm_ledger_add_item(l, &key[1], NULL), PM_OK);
    char *text = text_of(l, "first");
    assert_int_equal(read_text(text, again, NULL), PM_OK);
    assert_int_equal(pm_ledger_items(again), 2);
    assert_int_equal(pm_ledger_add_item(again, &key[0], NULL), PM_OK);
    assert_int_equal(pm_ledger_add_item(again, &key[2], &err), PM_EDATA);
    assert_non_null(strstr(err.msg, "graph 2 "));
    assert_int_equal(pm_ledger_add_item(other, &key[1], NULL), PM_OK);
    assert_int_equal(read_text(text, other, &err), PM_EDATA);
    assert_non_null(strstr(err.msg, "ck:2: this is a part of another count: graph 1 differs"));
    free(text);
    pm_ledger_free(l);
    pm_ledger_free(again);
    pm_ledger_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(goes_round),     cmocka_unit_test(values_go_round),
        cmocka_unit_test(plans_go_round), cmocka_unit_test(parts_add_up),
        cmocka_unit_test(changed_bytes),  cmocka_unit_test(cut_texts),
        cmocka_unit_test(other_lines),    cmocka_unit_test(grammar),
        cmocka_unit_test(failing_memory), cmocka_unit_test(items),
    };
    rng = test_seed();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
