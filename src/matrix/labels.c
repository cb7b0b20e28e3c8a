/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/matrix.h"

#include <stdlib.h>
#include <string.h>

#include "core/integer_text.h"
#include "pm/alloc.h"

void pm_labels_free(pm_labels *l)
{
    free(l->value);
    free(l->pool);
    free(l->offset);
    *l = (pm_labels){0};
}

/* ---- appending ---- */

/* The integer whose decimal digits these are; -1: there is none. */
static int32_t integer_of(const char *text, int64_t length)
{
    int64_t value = 0;
    if (length < 1 || length > 10 || (*text == '0' && length > 1))
        return -1;
    for (int64_t k = 0; k < length; ++k) {
        if (text[k] < '0' || text[k] > '9')
            return -1;
        value = 10 * value + (text[k] - '0');
    }
    return value <= INT32_MAX ? (int32_t)value : -1;
}

static pm_status append_text(pm_labels *l, const char *text, int64_t length, pm_error *err)
{
    if (PM_GROW(l->pool, l->cap_pool, l->bytes + length + 1)
        || PM_GROW(l->offset, l->cap_offset, l->count + 1))
        return pm_fail_memory(err, "labels");
    memcpy(l->pool + l->bytes, text, (size_t)length);
    l->pool[l->bytes + length] = '\0';
    l->offset[l->count++] = l->bytes;
    l->bytes += length + 1;
    return PM_OK;
}

/* Integers so far become text. */
static pm_status make_text(pm_labels *l, pm_error *err)
{
    pm_labels text = {0};
    char number[PM_DECIMAL_ROOM];
    for (int64_t i = 0; i < l->count; ++i) {
        const char *label = pm_decimal(l->value[i], number);
        pm_status status = append_text(&text, label, (int64_t)strlen(label), err);
        if (status) {
            pm_labels_free(&text);
            return status;
        }
    }
    pm_labels_free(l);
    *l = text;
    return PM_OK;
}

pm_status pm_labels_append(pm_labels *l, const char *text, int64_t length, pm_error *err)
{
    const int32_t value = l->offset ? -1 : integer_of(text, length);
    if (value >= 0)
        return pm_labels_append_integer(l, value, err);
    pm_status status = l->value ? make_text(l, err) : PM_OK;
    return status ? status : append_text(l, text, length, err);
}

pm_status pm_labels_append_integer(pm_labels *l, int32_t value, pm_error *err)
{
    char number[PM_DECIMAL_ROOM];
    if (l->offset) {
        const char *text = pm_decimal(value, number);
        return append_text(l, text, (int64_t)strlen(text), err);
    }
    if (PM_GROW(l->value, l->cap_value, l->count + 1))
        return pm_fail_memory(err, "labels");
    l->value[l->count++] = value;
    return PM_OK;
}

/* ---- reading ---- */

const char *pm_label(const pm_labels *l, int64_t i, char number[24])
{
    if (l->offset)
        return l->pool + l->offset[i];
    return pm_decimal(l->value ? l->value[i] : i + 1, number);
}

/* ---- some of them ---- */

static pm_status select_integers(const pm_labels *l, const int32_t *p, int64_t n, pm_labels *out,
                                 pm_error *err)
{
    pm_labels b = {.count = n, .cap_value = n, .value = pm_alloc_array(n, sizeof *b.value)};
    if (!b.value)
        return pm_fail_memory(err, "labels");
    for (int64_t k = 0; k < n; ++k)
        b.value[k] = l->value[p ? p[k] : k];
    *out = b;
    return PM_OK;
}

static pm_status select_text(const pm_labels *l, const int32_t *p, int64_t n, pm_labels *out,
                             pm_error *err)
{
    pm_labels b = {.count = n, .cap_offset = n};
    for (int64_t k = 0; k < n; ++k)
        b.cap_pool += (int64_t)strlen(l->pool + l->offset[p ? p[k] : k]) + 1;
    b.pool = pm_alloc_array(b.cap_pool, 1);
    b.offset = pm_alloc_array(n, sizeof *b.offset);
    if (!b.pool || !b.offset) {
        pm_labels_free(&b);
        return pm_fail_memory(err, "labels");
    }
    for (int64_t k = 0; k < n; ++k) {
        const char *text = l->pool + l->offset[p ? p[k] : k];
        const size_t size = strlen(text) + 1;
        memcpy(b.pool + b.bytes, text, size);
        b.offset[k] = b.bytes;
        b.bytes += (int64_t)size;
    }
    *out = b;
    return PM_OK;
}

pm_status pm_labels_select(const pm_labels *l, const int32_t *p, int64_t n, pm_labels *out,
                           pm_error *err)
{
    if (l->value)
        return select_integers(l, p, n, out, err);
    if (l->offset)
        return select_text(l, p, n, out, err);
    *out = (pm_labels){0};
    return PM_OK;
}

/* True when p[k] = k for all k. */
static bool are_own_numbers(const int32_t *p, int64_t n)
{
    for (int64_t k = 0; k < n; ++k)
        if (p[k] != k)
            return false;
    return true;
}

pm_status pm_labels_select_or_number(const pm_labels *l, const int32_t *p, int64_t n,
                                     pm_labels *out, pm_error *err)
{
    pm_labels numbers = {.count = n, .cap_value = n};
    if (pm_labels_exist(l) || are_own_numbers(p, n))
        return pm_labels_select(l, p, n, out, err);
    numbers.value = pm_alloc_array(n, sizeof *numbers.value);
    if (!numbers.value)
        return pm_fail_memory(err, "labels");
    for (int64_t k = 0; k < n; ++k)
        numbers.value[k] = p[k] + 1;
    *out = numbers;
    return PM_OK;
}
