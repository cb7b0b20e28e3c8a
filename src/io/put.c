/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "io/put.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/formats.h"
#include "pm/alloc.h"
#include "text/escape.h"

pm_status pm_put_check(FILE *f, pm_error *err)
{
    int why = errno;
    return ferror(f) ? pm_fail(err, PM_EIO, "cannot write: %s", strerror(why)) : PM_OK;
}

pm_status pm_put_flush(FILE *f, pm_error *err)
{
    return fflush(f) ? pm_fail(err, PM_EIO, "cannot write: %s", strerror(errno))
                     : pm_put_check(f, err);
}

/* ---- numbers ---- */

enum { SHORT_EXPONENT = 64 };

void pm_put_size(FILE *f, int64_t v)
{
    char text[20], *p = text + sizeof text;
    do
        *--p = (char)('0' + v % 10);
    while (v /= 10);
    fwrite(p, 1, (size_t)(text + sizeof text - p), f);
}

void pm_put_hex(FILE *f, const mpq_t q, int64_t exponent)
{
    mp_bitcnt_t twos = mpz_scan1(mpq_denref(q), 0);
    mp_bitcnt_t above = mpq_sgn(q) ? mpz_scan1(mpq_numref(q), 0) : 0;
    mpz_t z;
    mpz_init(z);
    mpz_abs(z, mpq_numref(q));
    mpz_tdiv_q_2exp(z, z, above);
    fputs(mpq_sgn(q) < 0 ? "-0x" : "0x", f);
    mpz_out_str(f, 16, z);
    fprintf(f, "p%" PRId64, (int64_t)above - (int64_t)twos + exponent);
    mpz_tdiv_q_2exp(z, mpq_denref(q), twos);
    if (mpz_cmp_ui(z, 1) != 0) {
        putc('/', f);
        mpz_out_str(f, 10, z);
    }
    mpz_clear(z);
}

static pm_status put_itself(FILE *f, const pm_dyadic *v, pm_error *err)
{
    mpq_t q;
    int64_t e;
    if (v->kind == PM_DYADIC_ROOTS) {
        char *text = pm_dyadic_text(v, false);
        if (!text)
            return pm_fail_memory(err, "a number");
        fputs(text, f);
        free(text);
        return PM_OK;
    }
    mpq_init(q);
    pm_dyadic_get_mpq_2exp(q, &e, v);
    pm_put_hex(f, q, e);
    mpq_clear(q);
    return PM_OK;
}

/* In decimal; the exponent of v is short. */
static void put_quotient(FILE *f, const pm_dyadic *v)
{
    mpq_t q;
    int64_t e;
    mpq_init(q);
    pm_dyadic_get_mpq_2exp(q, &e, v);
    if (e >= 0)
        mpq_mul_2exp(q, q, (mp_bitcnt_t)e);
    else
        mpq_div_2exp(q, q, (mp_bitcnt_t)-e);
    mpq_out_str(f, 10, q);
    mpq_clear(q);
}

pm_status pm_put_value(FILE *f, const pm_dyadic *v, pm_put_style style, pm_error *err)
{
    if (style == PM_PUT_EXACT && v->kind != PM_DYADIC_ROOTS && llabs(v->exp) <= SHORT_EXPONENT) {
        put_quotient(f, v);
        return PM_OK;
    }
    if (style == PM_PUT_ITSELF || style == PM_PUT_EXACT)
        return put_itself(f, v, err);
    if (style != PM_PUT_REAL && v->kind == PM_DYADIC_SMALL && v->exp == 0 && v->m.small >= 0) {
        pm_put_size(f, v->m.small);
        return PM_OK;
    }
    char *text = pm_dyadic_text(v, style == PM_PUT_INTEGER);
    if (!text)
        return pm_fail_memory(err, "a number");
    fputs(text, f);
    if (style == PM_PUT_REAL && !text[strcspn(text, ".ex")])
        fputs(".0", f);
    free(text);
    return PM_OK;
}

/* ---- comments ---- */

pm_status pm_put_comments(FILE *f, const char *mark, const char *const *comments, pm_error *err)
{
    for (; comments && *comments; ++comments) {
        char *text = pm_escape_text(*comments);
        if (!text)
            return pm_fail_memory(err, "a comment");
        const char *p = text;
        do {
            int length = (int)strnlen(p, 990);
            fprintf(f, "%s %.*s\n", mark, length, p);
            p += length;
        } while (*p);
        free(text);
    }
    return PM_OK;
}

/* ---- words in "%pm:" lines ---- */

/* A line that is being written; used: the bytes in it, 0 before a line begins. */
typedef struct {
    FILE *f;
    const char *key;
    int used;
} word_line;

enum { ROOM = PM_STREAM_LINE_MAX - 1 }; /* one byte is left for a backslash */

static void line_end(word_line *l)
{
    if (l->used)
        putc('\n', l->f);
    l->used = 0;
}

static void line_begin(word_line *l)
{
    line_end(l);
    l->used = fprintf(l->f, "%%pm: %s ", l->key);
}

/* Before a word of the given length: writes a blank, or begins a new line when the word does not
 * fit. */
static void line_word(word_line *l, int64_t length)
{
    if (!l->used || l->used + 1 + length > ROOM) {
        line_begin(l);
    } else {
        putc(' ', l->f);
        ++l->used;
    }
}

static void put_label(word_line *l, const char *text)
{
    char piece[4];
    int64_t length = *text ? 0 : 2;
    for (const char *s = text; *s; ++s)
        length += pm_escape_byte((unsigned char)*s, piece);
    line_word(l, length);
    for (const char *s = text; *s; ++s) {
        int bytes = pm_escape_byte((unsigned char)*s, piece);
        if (l->used + bytes > ROOM) {
            putc('\\', l->f);
            line_begin(l);
        }
        fwrite(piece, 1, (size_t)bytes, l->f);
        l->used += bytes;
    }
    if (!*text) {
        fputs("\\e", l->f);
        l->used += 2;
    }
}

void pm_put_labels(FILE *f, const char *key, const pm_labels *l)
{
    word_line line = {.f = f, .key = key};
    char number[24];
    for (int64_t i = 0; i < l->count; ++i)
        put_label(&line, pm_label(l, i, number));
    line_end(&line);
}

void pm_put_order(FILE *f, const int32_t *order, int64_t length, int64_t nrows)
{
    word_line line = {.f = f, .key = "order"};
    for (int64_t k = 0; k < length; ++k) {
        bool is_row = order[k] < nrows;
        char word[24];
        int bytes = snprintf(word, sizeof word, "%c%d", is_row ? 'r' : 'c',
                             (int)(is_row ? order[k] : order[k] - nrows) + 1);
        line_word(&line, bytes);
        fputs(word, f);
        line.used += bytes;
    }
    line_end(&line);
}
