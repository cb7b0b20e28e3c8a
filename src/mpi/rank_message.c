/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mpi/rank_message.h"

#include <string.h>

#include "pm/alloc.h"

static int64_t size_of(const pm_rank_head *h)
{
    return (int64_t)sizeof *h + h->ranges * (int64_t)sizeof(pm_range)
           + h->words * (int64_t)sizeof(uint64_t) + h->reals * (int64_t)sizeof(pm_exact_sum)
           + h->keys * (int64_t)sizeof(pm_wide_key) + h->bytes;
}

static char *put(char *at, const void *array, int64_t count, size_t size)
{
    if (count > 0)
        memcpy(at, array, (size_t)count * size);
    return at + (size_t)count * size;
}

pm_status pm_rank_message_pack(const pm_rank_message *m, char **data, int64_t *size, pm_error *err)
{
    const pm_rank_head *h = &m->head;
    *size = size_of(h);
    *data = pm_alloc_array(*size, 1);
    if (!*data)
        return pm_fail_memory(err, "a message to another rank");
    char *at = put(*data, h, 1, sizeof *h);
    at = put(at, m->range, h->ranges, sizeof *m->range);
    at = put(at, m->word, h->words, sizeof *m->word);
    at = put(at, m->real, h->reals, sizeof *m->real);
    at = put(at, m->key, h->keys, sizeof *m->key);
    put(at, m->bytes, h->bytes, 1);
    return PM_OK;
}

bool pm_rank_message_unpack(char *data, int64_t size, pm_rank_message *out)
{
    if (size < (int64_t)sizeof out->head)
        return false;
    memcpy(&out->head, data, sizeof out->head);
    const pm_rank_head *h = &out->head;
    if (h->ranges < 0 || h->words < 0 || h->reals < 0 || h->keys < 0 || h->bytes < 0
        || size_of(h) != size)
        return false;
    char *at =
        data + sizeof out->head; /* a multiple of 8 bytes, as are the arrays before the last */
    out->range = (const pm_range *)(void *)at;
    at += h->ranges * (int64_t)sizeof *out->range;
    out->word = (const uint64_t *)(void *)at;
    at += h->words * (int64_t)sizeof *out->word;
    out->real = (pm_exact_sum *)(void *)at;
    at += h->reals * (int64_t)sizeof *out->real;
    out->key = (const pm_wide_key *)(void *)at;
    out->bytes = at + h->keys * (int64_t)sizeof *out->key;
    return true;
}

void pm_rank_message_add_sum(pm_rank_message *m, const pm_ledger_record *r)
{
    m->head.words = r->shape.words;
    m->head.reals = r->shape.reals;
    m->head.keys = r->largest.count;
    m->word = r->word;
    m->real = r->real;
    m->key = r->largest.key;
}

void pm_rank_message_add_done(pm_rank_message *m, const pm_ledger_record *r)
{
    if (!r->done.count)
        return;
    m->head.ranges = r->done.count;
    m->range = r->done.range;
    pm_rank_message_add_sum(m, r);
}

bool pm_rank_message_get_sum(const pm_rank_message *m, const pm_ledger_shape *shape,
                             pm_ledger_sum *out)
{
    *out = (pm_ledger_sum){.word = m->word, .real = m->real, .key = m->key, .keys = m->head.keys};
    return m->head.words == shape->words && m->head.reals == shape->reals
           && m->head.keys <= shape->largest;
}
