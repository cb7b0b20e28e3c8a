/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/ledger_records.h"
#include "ledger/ledger_text.h"
#include "pm/alloc.h"

enum { LINE = 4096, DIGITS = 2048, WORDS = 16, RANGES = 8, KEYS = 16 };

pm_ledger_writer pm_ledger_writer_begin(FILE *to, const char *prefix)
{
    pm_ledger_writer w = {.to = to, .prefix = prefix};
    pm_sha256_begin(&w.hash);
    return w;
}

static void put(pm_ledger_writer *w, const char *text)
{
    pm_sha256_add(&w->hash, text, strlen(text));
    fputs(text, w->to);
}

void pm_ledger_writer_text(pm_ledger_writer *w, const char *word, const char *text)
{
    fputs(w->prefix, w->to);
    put(w, word);
    put(w, text);
    put(w, "\n");
}

void pm_ledger_writer_line(pm_ledger_writer *w, const char *fmt, ...)
{
    char line[LINE];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    pm_ledger_writer_text(w, line, "");
}

typedef char key_text[2 * PM_SHA256_BYTES + 1];

static const char *hexadecimal(const unsigned char *byte, key_text out)
{
    for (int i = 0; i < PM_SHA256_BYTES; ++i)
        snprintf(out + 2 * i, 3, "%02x", byte[i]);
    return out;
}

void pm_ledger_writer_end(pm_ledger_writer *w)
{
    unsigned char digest[PM_SHA256_BYTES];
    key_text text;
    pm_sha256_end(&w->hash, digest);
    fprintf(w->to, "%send %s\n", w->prefix, hexadecimal(digest, text));
}

/* ---- values ---- */

/* An integer of any length, in lines. */
static pm_status put_integer(pm_ledger_writer *w, const mpz_t z, pm_error *err)
{
    size_t room = mpz_sizeinbase(z, 16) + 2;
    char *text = pm_alloc_array((int64_t)room, 1);
    if (!text)
        return pm_fail_memory(err, "the digits of a value");
    mpz_get_str(text, 16, z);
    size_t length = strlen(text);
    for (size_t at = 0; at < length; at += DIGITS)
        pm_ledger_writer_line(w, "digits %.*s", DIGITS, text + at);
    free(text);
    return PM_OK;
}

/* A lower part -0 is written as 0, as it will be read. */
static void put_xreal(pm_ledger_writer *w, const char *word, pm_xreal x)
{
    pm_ledger_writer_line(w, "%s %a %a %" PRId64, word, x.hi, x.lo + 0.0, x.exp);
}

static pm_status put_value(pm_ledger_writer *w, const pm_value *v, pm_error *err)
{
    bool is_exact = pm_value_is_exact(v);
    pm_ledger_writer_line(w, "value %d %d %d", (int)v->field, is_exact, v->is_estimated);
    pm_status status = PM_OK;
    if (is_exact) {
        status = put_integer(w, mpq_numref(v->exact), err);
        pm_ledger_writer_line(w, "numerator");
        if (!status)
            status = put_integer(w, mpq_denref(v->exact), err);
        pm_ledger_writer_line(w, "denominator");
    } else {
        put_xreal(w, "re", v->re);
        put_xreal(w, "im", v->im);
        put_xreal(w, "error", v->error);
    }
    return status;
}

static void put_plan(pm_ledger_writer *w, const pm_ledger_plan *p)
{
    char line[LINE];
    int used = snprintf(line, sizeof line, "plan %s", p->name);
    for (int i = 0; i < p->count; ++i)
        used += snprintf(line + used, sizeof line - (size_t)used, " %" PRId64, p->number[i]);
    pm_ledger_writer_line(w, "%s", line);
}

static pm_status put_computation(pm_ledger_writer *w, const pm_ledger_computation *c, pm_error *err)
{
    key_text key;
    pm_ledger_writer_line(w, "computation %s %s", hexadecimal(c->key.byte, key), c->method);
    if (c->plan && !c->has_value)
        put_plan(w, c->plan);
    return c->has_value ? put_value(w, &c->value, err) : PM_OK;
}

/* ---- tasks ---- */

static void put_ranges(pm_ledger_writer *w, const pm_ranges *s)
{
    for (int64_t i = 0; i < s->count; i += RANGES) {
        char line[LINE];
        int used = snprintf(line, sizeof line, "done");
        for (int64_t k = i; k < s->count && k < i + RANGES; ++k)
            used += snprintf(line + used, sizeof line - (size_t)used, " %" PRIu64 " %" PRIu64,
                             s->range[k].first, s->range[k].end);
        pm_ledger_writer_line(w, "%s", line);
    }
}

/* count words from number i on, unless all of them are 0. */
static void put_some_words(pm_ledger_writer *w, const pm_ledger_record *r, int64_t i, int64_t count)
{
    char line[LINE];
    uint64_t any = 0;
    for (int64_t k = i; k < i + count; ++k)
        any |= r->word[k];
    if (!any)
        return;
    int used = snprintf(line, sizeof line, "words %" PRId64, i);
    for (int64_t k = i; k < i + count; ++k)
        used += snprintf(line + used, sizeof line - (size_t)used, " %" PRIx64, r->word[k]);
    pm_ledger_writer_line(w, "%s", line);
}

static void put_words(pm_ledger_writer *w, const pm_ledger_record *r)
{
    for (int64_t i = 0; i < r->shape.words; i += WORDS)
        put_some_words(w, r, i, r->shape.words - i < WORDS ? r->shape.words - i : WORDS);
}

static void put_largest(pm_ledger_writer *w, const pm_largest *l)
{
    for (int64_t i = 0; i < l->count; i += KEYS) {
        char line[LINE];
        int used = snprintf(line, sizeof line, "largest");
        for (int64_t k = i; k < l->count && k < i + KEYS; ++k)
            used += snprintf(line + used, sizeof line - (size_t)used, " %" PRIx64 " %" PRIx64,
                             l->key[k].high, l->key[k].low);
        pm_ledger_writer_line(w, "%s", line);
    }
}

static void put_task(pm_ledger_writer *w, const pm_ledger_record *r)
{
    key_text key, scope;
    const pm_ledger_shape *s = &r->shape;
    pm_ledger_writer_line(w, "task %s %s %s %" PRIu64 " %" PRIu64 " %" PRId64 " %d %d %" PRId64,
                          hexadecimal(r->key.byte, key), hexadecimal(r->scope.byte, scope), r->what,
                          s->count, s->grain, s->words, s->carries, s->reals, s->largest);
    put_ranges(w, &r->done);
    put_words(w, r);
    for (int i = 0; i < s->reals; ++i) {
        char text[PM_EXACT_TEXT];
        pm_exact_sum_text(&r->real[i], text);
        pm_ledger_writer_line(w, "real %d %s", i, text);
    }
    put_largest(w, &r->largest);
}

pm_status pm_ledger_writer_ledger(pm_ledger_writer *w, pm_ledger *l, pm_error *err)
{
    key_text key;
    pm_status status = PM_OK;
    pthread_mutex_lock(&l->lock);
    for (int64_t i = 0; i < l->items; ++i)
        pm_ledger_writer_line(w, "item %s", hexadecimal(l->item[i].byte, key));
    for (int64_t i = 0; i < l->computations && !status; ++i)
        status = put_computation(w, l->computation[i], err);
    for (int64_t i = 0; i < l->tasks; ++i)
        if (l->task[i]->done.count)
            put_task(w, l->task[i]);
    pthread_mutex_unlock(&l->lock);
    return status;
}
