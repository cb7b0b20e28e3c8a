/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/matrix.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/integer_text.h"
#include "pm/alloc.h"

void pm_labels_free(pm_labels *l)
{
    free(l->pool);
    free(l->offset);
    *l = (pm_labels){0};
}

/* The used bytes of the pool.  The labels are in the pool in their order. */
static int64_t pool_bytes(const pm_labels *l)
{
    if (l->count == 0)
        return 0;
    int64_t last = l->offset[l->count - 1];
    return last + (int64_t)strlen(l->pool + last) + 1;
}

pm_status pm_labels_append(pm_labels *l, const char *text, int64_t length, int64_t *cap_pool,
                           int64_t *cap_offset, pm_error *err)
{
    int64_t start = pool_bytes(l);
    if (PM_GROW(l->pool, *cap_pool, start + length + 1)
        || PM_GROW(l->offset, *cap_offset, l->count + 1))
        return pm_fail_memory(err, "labels");
    memcpy(l->pool + start, text, (size_t)length);
    l->pool[start + length] = '\0';
    l->offset[l->count++] = start;
    return PM_OK;
}

const char *pm_label(const pm_labels *l, int64_t i, char number[24])
{
    if (l->offset)
        return l->pool + l->offset[i];
    return pm_decimal(i + 1, number);
}

pm_status pm_labels_select(const pm_labels *l, const int32_t *p, int64_t n, pm_labels *out,
                           pm_error *err)
{
    pm_labels b = {0};
    if (!l->offset) {
        *out = b;
        return PM_OK;
    }
    int64_t bytes = 0;
    for (int64_t k = 0; k < n; ++k)
        bytes += (int64_t)strlen(l->pool + l->offset[p ? p[k] : k]) + 1;
    b.pool = pm_alloc_array(bytes, 1);
    b.offset = pm_alloc_array(n, sizeof *b.offset);
    if (!b.pool || !b.offset) {
        pm_labels_free(&b);
        return pm_fail_memory(err, "labels");
    }
    int64_t at = 0;
    for (int64_t k = 0; k < n; ++k) {
        const char *text = l->pool + l->offset[p ? p[k] : k];
        size_t size = strlen(text) + 1;
        memcpy(b.pool + at, text, size);
        b.offset[k] = at;
        at += (int64_t)size;
    }
    b.count = n;
    *out = b;
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
    pm_labels numbers = {0};
    int64_t cap_pool = 0, cap_offset = 0;
    if (l->offset || are_own_numbers(p, n))
        return pm_labels_select(l, p, n, out, err);
    for (int64_t k = 0; k < n; ++k) {
        char number[24];
        int length = snprintf(number, sizeof number, "%" PRId64, (int64_t)p[k] + 1);
        pm_status status = pm_labels_append(&numbers, number, length, &cap_pool, &cap_offset, err);
        if (status) {
            pm_labels_free(&numbers);
            return status;
        }
    }
    *out = numbers;
    return PM_OK;
}
