/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small integers, the labels of a typical edge list, index an array.  All other labels are in a
 * hash table by their text: open addressing, at most half full. */
#include "config.h"

#include "edges/label_map.h"

#include <stdlib.h>
#include <string.h>

#include "core/integer_text.h"
#include "core/keyed_hash.h"
#include "pm/alloc.h"

void pm_label_map_free(pm_label_map *m)
{
    pm_labels_free(&m->labels);
    free(m->slot);
    free(m->direct);
    *m = (pm_label_map){0};
}

bool pm_label_integer(const char *text, int64_t length, int64_t *value)
{
    bool negative = length > 0 && *text == '-';
    const char *p = text + negative, *end = text + length;
    if (p == end || end - p > 18 || (*p == '0' && (negative || end - p > 1)))
        return false;
    int64_t v = 0;
    for (; p < end; ++p) {
        if (*p < '0' || *p > '9')
            return false;
        v = 10 * v + (*p - '0');
    }
    *value = negative ? -v : v;
    return true;
}

/* ---- hash table ---- */

enum { ROOM = 24 };

static const char *label(const pm_label_map *m, int64_t number, char room[ROOM])
{
    return pm_label(&m->labels, number, room);
}

static uint32_t hash_of(const char *text, int64_t length)
{
    return (uint32_t)pm_keyed_hash(0, text, (size_t)length);
}

/* The slot that holds the label, or the free one where it belongs. */
static pm_label_slot *find_slot(const pm_label_map *m, uint32_t hash, const char *text,
                                int64_t length)
{
    int64_t at = hash & (m->nslots - 1);
    char room[ROOM];
    for (; m->slot[at].number; at = (at + 1) & (m->nslots - 1)) {
        if (m->slot[at].hash != hash)
            continue;
        const char *have = label(m, m->slot[at].number - 1, room);
        if (strncmp(have, text, (size_t)length) == 0 && have[length] == '\0')
            break;
    }
    return &m->slot[at];
}

static pm_status grow_slots(pm_label_map *m, pm_error *err)
{
    if (2 * (m->nhashed + 1) <= m->nslots)
        return PM_OK;
    int64_t nslots = m->nslots ? 2 * m->nslots : 64;
    pm_label_slot *slot = pm_calloc_array(nslots, sizeof *slot);
    if (!slot)
        return pm_fail_memory(err, "labels");
    for (int64_t k = 0; k < m->nslots; ++k)
        if (m->slot[k].number) {
            int64_t at = m->slot[k].hash & (nslots - 1);
            while (slot[at].number)
                at = (at + 1) & (nslots - 1);
            slot[at] = m->slot[k];
        }
    free(m->slot);
    m->slot = slot;
    m->nslots = nslots;
    return PM_OK;
}

/* ---- small integers ---- */

/* Makes room for the integer v in the array.  Integers that now fit are copied from the hash table;
 * they stay there too, but are not looked up there again. */
static pm_status grow_direct(pm_label_map *m, int64_t v, pm_error *err)
{
    if (PM_GROW(m->direct, m->cap_direct, v + 1))
        return pm_fail_memory(err, "labels");
    memset(m->direct + m->ndirect, 0, (size_t)(m->cap_direct - m->ndirect) * sizeof *m->direct);
    for (int64_t k = 0; k < m->nslots; ++k) {
        if (!m->slot[k].number)
            continue;
        char room[ROOM];
        const char *text = label(m, m->slot[k].number - 1, room);
        int64_t old;
        if (pm_label_integer(text, (int64_t)strlen(text), &old) && old >= m->ndirect
            && old < m->cap_direct)
            m->direct[old] = m->slot[k].number;
    }
    m->ndirect = m->cap_direct;
    return PM_OK;
}

/* ---- numbers ---- */

static pm_status check_count(const pm_label_map *m, pm_error *err)
{
    if (m->labels.count == INT32_MAX)
        return pm_fail(err, PM_UNABLE, "expected at most %d vertices on a side, found more",
                       INT32_MAX);
    return PM_OK;
}

/* *number: that of the new label, + 1. */
static pm_status add(pm_label_map *m, const char *text, int64_t length, int32_t *number,
                     pm_error *err)
{
    pm_status status = check_count(m, err);
    if (!status)
        status = pm_labels_append(&m->labels, text, length, err);
    if (!status)
        *number = (int32_t)m->labels.count;
    return status;
}

static pm_status add_integer(pm_label_map *m, int32_t value, int32_t *number, pm_error *err)
{
    pm_status status = check_count(m, err);
    if (!status)
        status = pm_labels_append_integer(&m->labels, value, err);
    if (!status)
        *number = (int32_t)m->labels.count;
    return status;
}

/* The same as pm_label_number for a label that is not in the array. */
static pm_status number_of_text(pm_label_map *m, const char *text, int64_t length, int32_t *number,
                                pm_error *err)
{
    pm_status status = grow_slots(m, err);
    if (status)
        return status;
    uint32_t hash = hash_of(text, length);
    pm_label_slot *slot = find_slot(m, hash, text, length);
    if (!slot->number) {
        status = add(m, text, length, &slot->number, err);
        if (status)
            return status;
        slot->hash = hash;
        ++m->nhashed;
    }
    *number = slot->number - 1;
    return PM_OK;
}

pm_status pm_label_number(pm_label_map *m, const char *text, int64_t length, int32_t *number,
                          pm_error *err)
{
    int64_t v;
    bool is_integer = pm_label_integer(text, length, &v), is_small = is_integer && v >= 0;
    pm_status status = PM_OK;
    if (is_small && v >= m->ndirect && v < 65536 + 8 * m->labels.count)
        status = grow_direct(m, v, err);
    if (status)
        return status;
    if (!is_small || v >= m->ndirect) {
        status = number_of_text(m, text, length, number, err);
        m->has_names = m->has_names || (!status && !is_integer);
        return status;
    }
    if (!m->direct[v])
        status = add(m, text, length, &m->direct[v], err);
    *number = m->direct[v] - 1;
    return status;
}

pm_status pm_label_number_of_integer(pm_label_map *m, int32_t value, int32_t *number, pm_error *err)
{
    char room[ROOM];
    pm_status status = PM_OK;
    if (value >= m->ndirect) {
        const char *text = pm_decimal(value, room);
        return pm_label_number(m, text, (int64_t)strlen(text), number, err);
    }
    if (!m->direct[value])
        status = add_integer(m, value, &m->direct[value], err);
    *number = m->direct[value] - 1;
    return status;
}

int32_t pm_label_find(const pm_label_map *m, const char *text, int64_t length)
{
    int64_t v;
    if (pm_label_integer(text, length, &v) && v >= 0 && v < m->ndirect)
        return m->direct[v] - 1;
    return m->nslots ? find_slot(m, hash_of(text, length), text, length)->number - 1 : -1;
}

int32_t pm_label_find_same(const pm_label_map *m, const pm_labels *labels, int64_t k)
{
    char room[ROOM];
    if (labels->value && labels->value[k] < m->ndirect)
        return m->direct[labels->value[k]] - 1;
    const char *text = pm_label(labels, k, room);
    return pm_label_find(m, text, (int64_t)strlen(text));
}

/* ---- values ---- */

int64_t pm_label_value(const pm_labels *labels, int64_t k)
{
    int64_t value = 0;
    if (labels->value)
        return labels->value[k];
    const char *text = labels->pool + labels->offset[k];
    pm_label_integer(text, (int64_t)strlen(text), &value);
    return value;
}

void pm_label_values(const pm_label_map *m, int64_t *value)
{
    for (int64_t k = 0; k < m->labels.count; ++k)
        value[k] = pm_label_value(&m->labels, k);
}

/* ---- ascending order ---- */

typedef struct {
    int64_t value;
    int32_t number;
} keyed;

static int by_value(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static pm_status sort_numbers(const pm_label_map *m, int32_t *order, pm_error *err)
{
    int64_t n = m->labels.count;
    keyed *key = pm_alloc_array(n, sizeof *key);
    int64_t *value = pm_alloc_array(n, sizeof *value);
    if (!key || !value) {
        free(key);
        free(value);
        return pm_fail_memory(err, "labels");
    }
    pm_label_values(m, value);
    for (int64_t k = 0; k < n; ++k)
        key[k] = (keyed){value[k], (int32_t)k};
    qsort(key, (size_t)n, sizeof *key, by_value);
    for (int64_t k = 0; k < n; ++k)
        order[k] = key[k].number;
    free(key);
    free(value);
    return PM_OK;
}

bool pm_labels_are_counted(const pm_label_map *m)
{
    bool are_counted = !m->has_names;
    for (int64_t v = 1; v <= m->labels.count && are_counted; ++v) {
        char room[ROOM];
        if (v < m->ndirect) {
            are_counted = m->direct[v] != 0;
            continue;
        }
        const char *text = pm_decimal(v, room);
        are_counted = pm_label_find(m, text, (int64_t)strlen(text)) >= 0;
    }
    return are_counted;
}

pm_status pm_label_order(const pm_label_map *m, int32_t *order, pm_error *err)
{
    int64_t n = m->labels.count, k = 0;
    if (m->has_names) {
        for (; k < n; ++k)
            order[k] = (int32_t)k;
        return PM_OK;
    }
    /* the array is in order already; sort only when there are other integers */
    for (int64_t v = 0; v < m->ndirect; ++v)
        if (m->direct[v])
            order[k++] = m->direct[v] - 1;
    return k == n ? PM_OK : sort_numbers(m, order, err);
}
