/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger_records.h"
#include "ledger/ledger_text.h"
#include "pm/alloc.h"

/* No sum of a task is longer; a text that says so is damaged. */
#define WORDS_MOST (INT64_C(1) << 26)
enum { REALS_MOST = 64, LARGEST_MOST = 1 << 20 };

pm_ledger_reader pm_ledger_reader_begin(pm_ledger *l)
{
    pm_ledger_reader r = {.ledger = l};
    pm_sha256_begin(&r.hash);
    return r;
}

void pm_ledger_reader_pass(pm_ledger_reader *r, const char *line, int64_t length)
{
    pm_sha256_add(&r->hash, line, (size_t)length);
    pm_sha256_add(&r->hash, "\n", 1);
}

/* ---- words of a line ---- */

static int digit_of(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_key(const char *text, unsigned char byte[PM_SHA256_BYTES])
{
    if (!text || strlen(text) != 2 * PM_SHA256_BYTES)
        return false;
    for (int i = 0; i < PM_SHA256_BYTES; ++i) {
        int high = digit_of(text[2 * i]), low = digit_of(text[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        byte[i] = (unsigned char)(16 * high + low);
    }
    return true;
}

/* The next word; NULL at the end of the line. */
static char *next_word(char **at)
{
    char *word = *at;
    if (!word || !*word)
        return NULL;
    char *blank = strchr(word, ' ');
    if (blank)
        *blank = '\0';
    *at = blank ? blank + 1 : NULL;
    return *word ? word : NULL;
}

static bool read_unsigned(char **at, int base, uint64_t *out)
{
    const char *word = next_word(at);
    uint64_t x = 0;
    for (const char *c = word; c && *c; ++c) {
        int digit = digit_of(*c);
        if (digit < 0 || digit >= base || x > (UINT64_MAX - (uint64_t)digit) / (uint64_t)base)
            return false;
        x = x * (uint64_t)base + (uint64_t)digit;
    }
    *out = x;
    return word;
}

static bool read_small(char **at, int64_t most, int64_t *out)
{
    uint64_t x;
    if (!read_unsigned(at, 10, &x) || x > (uint64_t)most)
        return false;
    *out = (int64_t)x;
    return true;
}

static pm_status refuse(const pm_source *s, const char *what, pm_error *err)
{
    return pm_source_fail(s, err, "expected %s: the file is damaged, or of another version", what);
}

/* ---- items, computations, values ---- */

static pm_status read_item(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    pm_ledger_key key;
    if (!read_key(next_word(&rest), key.byte) || rest)
        return refuse(s, "'item' and a key", err);
    int64_t i = r->items++;
    if (i < r->ledger->items)
        return pm_ledger_key_equal(&r->ledger->item[i], &key)
                   ? PM_OK
                   : pm_source_fail(s, err, "this is a part of another count: graph %lld differs",
                                    (long long)i + 1);
    return pm_ledger_append_item(r->ledger, &key) ? PM_OK : pm_fail_memory(err, "a ledger");
}

static pm_status read_computation(pm_ledger_reader *r, const pm_source *s, char *rest,
                                  pm_error *err)
{
    pm_ledger_key key;
    const char *method;
    if (!read_key(next_word(&rest), key.byte) || !(method = next_word(&rest)) || rest
        || strlen(method) >= PM_LEDGER_METHOD)
        return refuse(s, "'computation', a key and a method", err);
    r->computation = pm_ledger_add_computation(r->ledger, &key);
    if (!r->computation)
        return pm_fail_memory(err, "a ledger");
    strcpy(r->computation->method, method);
    return PM_OK;
}

/* Of several parts the first one says it: the tasks of another plan have other keys. */
static pm_status read_plan(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    pm_ledger_plan plan = {.count = 0};
    const char *name = next_word(&rest);
    bool is_good = r->computation && name && strlen(name) < sizeof plan.name;
    while (is_good && rest && plan.count < PM_LEDGER_PLAN)
        is_good = read_small(&rest, INT64_MAX, &plan.number[plan.count++]);
    if (!is_good || rest)
        return refuse(s, "'plan', a name and numbers after a computation", err);
    if (r->computation->plan)
        return PM_OK;
    strcpy(plan.name, name);
    r->computation->plan = pm_alloc_array(1, sizeof plan);
    if (!r->computation->plan)
        return pm_fail_memory(err, "a ledger");
    *r->computation->plan = plan;
    return PM_OK;
}

static pm_status read_value(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    int64_t field, is_exact, is_estimated;
    if (!r->computation || !read_small(&rest, PM_COMPLEX, &field)
        || !read_small(&rest, 1, &is_exact) || !read_small(&rest, 1, &is_estimated) || rest
        || is_exact != (field <= PM_INTEGER))
        return refuse(s, "'value' and three numbers after a computation", err);
    pm_value *v = &r->computation->value;
    pm_value_set_si(v, 0);
    v->field = (pm_field)field;
    v->is_estimated = is_estimated;
    r->computation->has_value = true;
    return PM_OK;
}

static pm_status read_digits(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    int64_t length = rest ? (int64_t)strlen(rest) : 0;
    if (!length)
        return refuse(s, "'digits' and digits", err);
    if (PM_GROW(r->digits, r->cap_digits, r->digits_length + length + 1))
        return pm_fail_memory(err, "the digits of a value");
    memcpy(r->digits + r->digits_length, rest, (size_t)length + 1);
    r->digits_length += length;
    return PM_OK;
}

static pm_status read_integer(pm_ledger_reader *r, const pm_source *s, bool is_denominator,
                              pm_error *err)
{
    pm_ledger_computation *c = r->computation;
    if (!c || !c->has_value || !r->digits_length)
        return refuse(s, "digits of a value", err);
    mpq_t *exact = &c->value.exact;
    bool is_read =
        mpz_set_str(is_denominator ? mpq_denref(*exact) : mpq_numref(*exact), r->digits, 16) == 0;
    r->digits_length = 0;
    if (!is_read || (is_denominator && mpz_sgn(mpq_denref(*exact)) <= 0))
        return refuse(s, "hexadecimal digits", err);
    if (is_denominator)
        mpq_canonicalize(*exact);
    return PM_OK;
}

static pm_status read_numerator(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    return rest ? refuse(s, "'numerator' alone", err) : read_integer(r, s, false, err);
}

static pm_status read_denominator(pm_ledger_reader *r, const pm_source *s, char *rest,
                                  pm_error *err)
{
    return rest ? refuse(s, "'denominator' alone", err) : read_integer(r, s, true, err);
}

static bool read_double(char **at, double *out)
{
    char *word = next_word(at), *end;
    if (!word)
        return false;
    *out = strtod(word, &end);
    return !*end && end != word;
}

static bool read_exponent(char **at, int64_t *out)
{
    char *word = next_word(at), *end;
    if (!word)
        return false;
    errno = 0;
    *out = strtoll(word, &end, 10);
    return !*end && end != word && errno == 0;
}

static pm_status read_xreal(const pm_source *s, char *rest, pm_xreal *out, pm_error *err)
{
    double hi, lo;
    int64_t exponent;
    if (!out || !read_double(&rest, &hi) || !read_double(&rest, &lo)
        || !read_exponent(&rest, &exponent) || rest || isinf(hi) || !isfinite(lo))
        return refuse(s, "two numbers and an exponent", err);
    *out = isnan(hi) ? (pm_xreal){NAN, 0, 0} : pm_xreal_make(hi, lo, exponent);
    return PM_OK;
}

static pm_value *inexact_value(const pm_ledger_reader *r)
{
    pm_ledger_computation *c = r->computation;
    return c && c->has_value && c->value.field > PM_INTEGER ? &c->value : NULL;
}

static pm_status read_re(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    pm_value *v = inexact_value(r);
    return read_xreal(s, rest, v ? &v->re : NULL, err);
}

static pm_status read_im(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    pm_value *v = inexact_value(r);
    return read_xreal(s, rest, v ? &v->im : NULL, err);
}

static pm_status read_error(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    pm_value *v = inexact_value(r);
    return read_xreal(s, rest, v ? &v->error : NULL, err);
}

/* ---- tasks ---- */

static bool same_shape(const pm_ledger_shape *a, const pm_ledger_shape *b)
{
    return a->count == b->count && a->grain == b->grain && a->words == b->words
           && a->carries == b->carries && a->reals == b->reals && a->largest == b->largest
           && strcmp(a->what, b->what) == 0;
}

static pm_status add_task(pm_ledger_reader *r, const pm_source *s, const pm_ledger_record *like,
                          pm_error *err)
{
    pm_ledger_record *task = pm_ledger_find_task(r->ledger, &like->key);
    r->task = task;
    if (task)
        return same_shape(&task->shape, &like->shape)
                   ? PM_OK
                   : refuse(s, "a task like the one of this key before", err);
    task = pm_ledger_record_make(&like->shape);
    if (!task)
        return pm_fail_memory(err, "a task");
    task->key = like->key;
    task->scope = like->scope;
    if (!pm_ledger_add_task(r->ledger, task)) {
        pm_ledger_record_free(task);
        return pm_fail_memory(err, "a ledger");
    }
    r->task = task;
    return PM_OK;
}

static pm_status read_task(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    pm_ledger_record like = {.word = NULL};
    pm_ledger_shape *shape = &like.shape;
    int64_t carries, reals;
    if (!read_key(next_word(&rest), like.key.byte) || !read_key(next_word(&rest), like.scope.byte)
        || !(shape->what = next_word(&rest)) || !read_unsigned(&rest, 10, &shape->count)
        || shape->count > UINT64_C(1) << 63 || !read_unsigned(&rest, 10, &shape->grain)
        || !shape->grain || !read_small(&rest, WORDS_MOST, &shape->words)
        || !read_small(&rest, 1, &carries) || !read_small(&rest, REALS_MOST, &reals)
        || !read_small(&rest, LARGEST_MOST, &shape->largest) || rest)
        return refuse(s, "'task', two keys, a name and six numbers", err);
    shape->carries = carries;
    shape->reals = (int)reals;
    return add_task(r, s, &like, err);
}

static pm_status read_done(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    pm_ledger_record *t = r->task;
    uint64_t first, end;
    while (t && read_unsigned(&rest, 10, &first) && read_unsigned(&rest, 10, &end)) {
        bool is_aligned =
            first % t->shape.grain == 0 && (end % t->shape.grain == 0 || end == t->shape.count);
        if (first >= end || end > t->shape.count || !is_aligned)
            return refuse(s, "ranges of indices of the task", err);
        if (pm_ranges_meet(&t->done, first, end))
            return pm_source_fail(s, err, "the indices %llu to %llu are done twice",
                                  (unsigned long long)first, (unsigned long long)end - 1);
        if (!pm_ranges_add(&t->done, first, end))
            return pm_fail_memory(err, "the ranges of a task");
        if (!rest)
            return PM_OK;
    }
    return refuse(s, "'done' and pairs of numbers after a task", err);
}

/* Adds `count` words from word `first` on. */
static void add_words(pm_ledger_record *t, int64_t first, const uint64_t *word, int64_t count)
{
    unsigned __int128 carry = 0;
    for (int64_t i = first; i < t->shape.words; ++i) {
        carry += (unsigned __int128)t->word[i] + (i < first + count ? word[i - first] : 0);
        t->word[i] = (uint64_t)carry;
        carry = t->shape.carries ? carry >> 64 : 0;
    }
}

static pm_status read_words(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    enum { MOST = 64 };
    uint64_t word[MOST];
    int64_t first, count = 0;
    bool is_good = r->task && read_small(&rest, WORDS_MOST, &first);
    while (is_good && rest && count < MOST)
        is_good = read_unsigned(&rest, 16, &word[count++]);
    if (!is_good || rest || !count || count > r->task->shape.words
        || first > r->task->shape.words - count)
        return refuse(s, "'words' and numbers after a task", err);
    add_words(r->task, first, word, count);
    return PM_OK;
}

static pm_status read_real(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    int64_t i;
    pm_exact_sum x;
    const char *text;
    if (!r->task || !read_small(&rest, REALS_MOST, &i) || i >= r->task->shape.reals
        || !(text = next_word(&rest)) || rest || !pm_exact_sum_read(text, &x))
        return refuse(s, "'real', a number and a sum after a task", err);
    pm_exact_sum_merge(&r->task->real[i], &x);
    return PM_OK;
}

static pm_status read_largest(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    enum { MOST = 64 };
    pm_wide_key key[MOST];
    int64_t count = 0;
    bool is_good = r->task && r->task->shape.largest && rest;
    while (is_good && rest && count < MOST) {
        is_good =
            read_unsigned(&rest, 16, &key[count].high) && read_unsigned(&rest, 16, &key[count].low);
        ++count;
    }
    if (!is_good || rest)
        return refuse(s, "'largest' and pairs of numbers after a task with a list", err);
    return pm_largest_add(&r->task->largest, key, count) ? PM_OK : pm_fail_memory(err, "a task");
}

/* ---- lines ---- */

static pm_status read_end(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err)
{
    unsigned char found[PM_SHA256_BYTES], digest[PM_SHA256_BYTES];
    if (!read_key(next_word(&rest), found) || rest)
        return refuse(s, "'end' and a checksum", err);
    pm_sha256_end(&r->hash, digest);
    r->has_ended = true;
    return memcmp(found, digest, sizeof digest) == 0 ? PM_OK : refuse(s, "another checksum", err);
}

static const struct {
    const char *word;
    pm_status (*read)(pm_ledger_reader *r, const pm_source *s, char *rest, pm_error *err);
} lines[] = {
    {"item", read_item},
    {"computation", read_computation},
    {"plan", read_plan},
    {"value", read_value},
    {"digits", read_digits},
    {"numerator", read_numerator},
    {"denominator", read_denominator},
    {"re", read_re},
    {"im", read_im},
    {"error", read_error},
    {"task", read_task},
    {"done", read_done},
    {"words", read_words},
    {"real", read_real},
    {"largest", read_largest},
    {"end", read_end},
};

pm_status pm_ledger_reader_line(pm_ledger_reader *r, const pm_source *s, char *line, int64_t length,
                                pm_error *err)
{
    if (r->has_ended || (int64_t)strlen(line) != length)
        return refuse(s, "nothing after 'end'", err);
    if (strncmp(line, "end ", 4) != 0)
        pm_ledger_reader_pass(r, line, length);
    char *rest = line;
    const char *word = next_word(&rest);
    for (size_t k = 0; word && k < sizeof lines / sizeof *lines; ++k)
        if (strcmp(word, lines[k].word) == 0)
            return lines[k].read(r, s, rest, err);
    return refuse(s, "a line of pm-checkpoint(5)", err);
}

pm_status pm_ledger_reader_end(pm_ledger_reader *r, const pm_source *s, pm_error *err)
{
    bool has_ended = r->has_ended;
    free(r->digits);
    *r = (pm_ledger_reader){0};
    return has_ended ? PM_OK : refuse(s, "a line 'end'", err);
}
