/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head is 6 bytes "\x93NUMPY", the version in 2 bytes, the length of a text in 2 bytes (version 1) or
 * 4, and this text: a Python dict as
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
 * padded with blanks.  Only this much of Python is parsed, and nothing is evaluated. */
#include "config.h"

#include "arrays/npy_head.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"
#include "text/number.h"

/* ---- bytes ---- */

static pm_status read_source(void *context, void *to, int64_t want, int64_t *got, pm_error *err)
{
    return pm_source_read(context, to, want, got, err);
}

static int64_t most_left(const void *context)
{
    return pm_source_most_left(context);
}

pm_byte_source pm_byte_source_of(pm_source *s)
{
    return (pm_byte_source){read_source, s, pm_source_name(s), most_left};
}

/* ---- bytes ---- */

pm_status pm_npy_bytes(const pm_byte_source *in, int64_t size, const char *what,
                       unsigned char **out, pm_error *err)
{
    enum { FIRST = 1 << 20 };
    unsigned char *bytes = NULL;
    int64_t have = 0, cap = 0, got = 1;
    pm_status status = PM_OK;
    do {
        int64_t want = have < FIRST ? FIRST : 2 * have;
        want = want < size ? want : size;
        if (PM_GROW(bytes, cap, want > 0 ? want : 1))
            status = pm_fail_memory(err, what);
        if (!status)
            status = in->read(in->context, bytes + have, want - have, &got, err);
        have += status ? 0 : got;
    } while (!status && have < size && got > 0);
    if (!status && have < size)
        status = pm_fail(err, PM_EDATA,
                         "%s: the input ends after %" PRId64 " bytes of %s, expected %" PRId64,
                         in->name, have, what, size);
    if (status)
        free(bytes);
    else
        *out = bytes;
    return status;
}

pm_status pm_npy_end(const pm_byte_source *in, pm_error *err)
{
    char byte;
    int64_t got;
    pm_status status = in->read(in->context, &byte, 1, &got, err);
    if (!status && got)
        status = pm_fail(err, PM_EDATA,
                         "%s: expected the end of the input after the elements of the array, found "
                         "more bytes",
                         in->name);
    return status;
}

/* ---- the dict ---- */

typedef struct {
    const char *p, *end;
    const char *name;
    pm_npy_head *to;
    bool has_descr, has_order, has_shape;
} dict;

static pm_status fail_at(const dict *d, const char *expected, pm_error *err)
{
    char quote[PM_QUOTE];
    return pm_fail(err, PM_EDATA, "%s: damaged header of a NumPy array: expected %s, not %s",
                   d->name, expected, pm_quote(d->p, d->end - d->p, quote));
}

static void skip_blanks(dict *d)
{
    while (d->p < d->end && (*d->p == ' ' || *d->p == '\n' || *d->p == '\t'))
        ++d->p;
}

/* Skips the text when it comes next. */
static bool take(dict *d, const char *text)
{
    int64_t n = (int64_t)strlen(text);
    skip_blanks(d);
    if (d->end - d->p < n || memcmp(d->p, text, (size_t)n) != 0)
        return false;
    d->p += n;
    return true;
}

/* A string without escapes.  *length: -1 when there is none. */
static const char *take_string(dict *d, int64_t *length)
{
    *length = -1;
    skip_blanks(d);
    if (d->p == d->end || (*d->p != '\'' && *d->p != '"'))
        return NULL;
    const char *text = d->p + 1;
    const char *close = memchr(text, *d->p, (size_t)(d->end - text));
    if (!close || memchr(text, '\\', (size_t)(close - text)))
        return NULL;
    *length = close - text;
    d->p = close + 1;
    return text;
}

/* ---- the type of the elements ---- */

static bool is_big_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static bool is_known_size(char kind, int64_t size)
{
    switch (kind) {
    case 'b': return size == 1;
    case 'i':
    case 'u': return size == 1 || size == 2 || size == 4 || size == 8;
    case 'f': return size == 2 || size == 4 || size == 8;
    case 'c': return size == 8 || size == 16;
    case 'S': return size <= INT32_MAX;
    case 'U': return size <= INT32_MAX / 4;
    default: return false;
    }
}

static pm_status refuse_type(const dict *d, const char *text, int64_t length, pm_error *err)
{
    char quote[PM_QUOTE];
    if (length > 0 && text[length - 1] == 'O')
        return pm_fail(err, PM_EDATA,
                       "%s: expected an array of numbers, found one of Python objects: save it "
                       "with dtype=int, dtype=float or dtype=complex",
                       d->name);
    bool is_long =
        length >= 3 && (memcmp(text + 1, "f16", 3) == 0 || memcmp(text + 1, "f12", 3) == 0);
    bool is_long_complex =
        length >= 3 && (memcmp(text + 1, "c32", 3) == 0 || memcmp(text + 1, "c24", 3) == 0);
    if (length == 4 && (is_long || is_long_complex))
        return pm_fail(err, PM_EDATA,
                       "%s: expected an array of numbers of up to 64 bits, found %s (%s): save it "
                       "with dtype=%s",
                       d->name, is_long ? "longdouble" : "clongdouble",
                       is_long          ? text[3] == '6' ? "float128" : "float96"
                       : text[2] == '3' ? "complex256"
                                        : "complex192",
                       is_long ? "float" : "complex");
    return pm_fail(err, PM_EDATA,
                   "%s: expected an array of bool, integers up to 64 bits, float16 to float64, "
                   "complex64 or complex128, not of the type %s",
                   d->name, pm_quote(text, length, quote));
}

/* '<f8': byte order, kind and bytes of an element (of text: characters). */
static pm_status read_descr(dict *d, pm_error *err)
{
    int64_t length;
    skip_blanks(d);
    if (d->p < d->end && *d->p == '[')
        return pm_fail(
            err, PM_EDATA,
            "%s: expected an array of numbers, found a structured array: save one of its fields",
            d->name);
    const char *text = take_string(d, &length);
    if (!text)
        return fail_at(d, "a type as '<f8'", err);
    char order = length > 0 && strchr("<>|=", *text) ? *text : '=';
    int64_t at = length > 0 && strchr("<>|=", *text);
    pm_npy_head *to = d->to;
    to->kind = at < length ? text[at] : '?';
    if (!pm_size_parse(text + at + 1, length - at - 1, &to->size)
        || !is_known_size(to->kind, to->size))
        return refuse_type(d, text, length, err);
    if (to->kind == 'U')
        to->size *= 4;
    to->is_swapped = order == (is_big_endian() ? '<' : '>');
    d->has_descr = true;
    return PM_OK;
}

/* ---- order and shape ---- */

static pm_status read_order(dict *d, pm_error *err)
{
    d->to->is_fortran = take(d, "True");
    if (!d->to->is_fortran && !take(d, "False"))
        return fail_at(d, "True or False", err);
    d->has_order = true;
    return PM_OK;
}

static pm_status read_length(dict *d, pm_error *err)
{
    const char *first = d->p;
    int64_t length;
    while (d->p < d->end && *d->p >= '0' && *d->p <= '9')
        ++d->p;
    if (!pm_size_parse(first, d->p - first, &length)) {
        d->p = first;
        return fail_at(d, "a length from 0 to 2^63 - 1", err);
    }
    take(d, "L"); /* of Python 2 */
    if (d->to->ndim == PM_NPY_DIMENSIONS)
        return pm_fail(err, PM_EDATA,
                       "%s: expected a matrix (2 dimensions) or a batch of matrices (3), not an "
                       "array of more than %d dimensions",
                       d->name, PM_NPY_DIMENSIONS);
    d->to->shape[d->to->ndim++] = length;
    return PM_OK;
}

static pm_status read_shape(dict *d, pm_error *err)
{
    if (!take(d, "("))
        return fail_at(d, "a shape as (3, 4)", err);
    d->to->ndim = 0;
    while (!take(d, ")")) {
        pm_status status = read_length(d, err);
        if (status)
            return status;
        if (!take(d, ",") && !(d->p < d->end && *d->p == ')'))
            return fail_at(d, "',' or ')'", err);
    }
    d->has_shape = true;
    return PM_OK;
}

static pm_status read_pair(dict *d, pm_error *err)
{
    static const struct {
        const char *key;
        pm_status (*read)(dict *d, pm_error *err);
    } pairs[] = {{"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};
    int64_t length;
    const char *key = take_string(d, &length);
    for (size_t k = 0; key && k < sizeof pairs / sizeof *pairs; ++k)
        if (length == (int64_t)strlen(pairs[k].key)
            && memcmp(key, pairs[k].key, (size_t)length) == 0)
            return take(d, ":") ? pairs[k].read(d, err) : fail_at(d, "':'", err);
    return fail_at(d, "'descr', 'fortran_order' or 'shape'", err);
}

static pm_status read_dict(dict *d, pm_error *err)
{
    if (!take(d, "{"))
        return fail_at(d, "'{'", err);
    while (!take(d, "}")) {
        pm_status status = read_pair(d, err);
        if (status)
            return status;
        if (!take(d, ",") && !(d->p < d->end && *d->p == '}'))
            return fail_at(d, "',' or '}'", err);
    }
    skip_blanks(d);
    if (d->p != d->end)
        return fail_at(d, "nothing after '}'", err);
    if (!d->has_descr || !d->has_order || !d->has_shape)
        return fail_at(d, "'descr', 'fortran_order' and 'shape'", err);
    return PM_OK;
}

/* ---- the whole ---- */

static pm_status count_elements(const char *name, pm_npy_head *head, pm_error *err)
{
    int64_t bytes = 0;
    bool is_empty = false, overflows = false;
    head->count = 1;
    for (int k = 0; k < head->ndim; ++k)
        is_empty = is_empty || head->shape[k] == 0;
    for (int k = 0; k < head->ndim && !is_empty; ++k)
        overflows = overflows || __builtin_mul_overflow(head->count, head->shape[k], &head->count);
    if (is_empty)
        head->count = 0;
    if (overflows || __builtin_mul_overflow(head->count, head->size, &bytes))
        return pm_fail(err, PM_EDATA,
                       "%s: expected an array of less than 2^63 bytes, but its shape says more",
                       name);
    return PM_OK;
}

static pm_status text_length(const pm_byte_source *in, int64_t *out, pm_error *err)
{
    unsigned char *bytes = NULL;
    pm_status status = pm_npy_bytes(in, 8, "the head of an array", &bytes, err);
    if (status)
        return status;
    bool is_npy = memcmp(bytes, "\x93NUMPY", 6) == 0;
    int major = bytes[6], minor = bytes[7], width = major == 1 ? 2 : 4;
    free(bytes);
    if (!is_npy)
        return pm_fail(err, PM_EDATA, "%s: expected a NumPy array, which begins with \\x93NUMPY",
                       in->name);
    if (major < 1 || major > 3 || minor != 0)
        return pm_fail(err, PM_EDATA, "%s: expected version 1.0, 2.0 or 3.0 of NPY, not %d.%d",
                       in->name, major, minor);
    status = pm_npy_bytes(in, width, "the head of an array", &bytes, err);
    if (status)
        return status;
    *out = 0;
    for (int k = width - 1; k >= 0; --k)
        *out = 256 * *out + bytes[k];
    free(bytes);
    if (*out > PM_NPY_TEXT_MAX)
        return pm_fail(err, PM_EDATA, "%s: expected a header of at most %d bytes, not %" PRId64,
                       in->name, PM_NPY_TEXT_MAX, *out);
    return PM_OK;
}

pm_status pm_npy_head_read(const pm_byte_source *in, pm_npy_head *out, pm_error *err)
{
    int64_t length = 0;
    unsigned char *bytes = NULL;
    pm_status status = text_length(in, &length, err);
    if (!status)
        status = pm_npy_bytes(in, length, "the head of an array", &bytes, err);
    if (status)
        return status;
    *out = (pm_npy_head){0};
    const char *text = (const char *)bytes;
    dict d = {.p = text, .end = text + length, .name = in->name, .to = out};
    status = read_dict(&d, err);
    if (!status)
        status = count_elements(in->name, out, err);
    free(bytes);
    return status;
}

pm_field pm_npy_field(const pm_npy_head *head)
{
    switch (head->kind) {
    case 'b': return PM_PATTERN;
    case 'f': return PM_REAL;
    case 'c': return PM_COMPLEX;
    default: return PM_INTEGER;
    }
}
