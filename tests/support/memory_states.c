/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/memory_states.h"

#include <stdlib.h>
#include <string.h>

#include "support/testing.h"

static bool happens(memory_states *m, uint32_t one_in)
{
    return one_in > 0 && pm_rng_below(m->rng, one_in) == 0;
}

/* Several threads ask. */
static bool is_due(void *context, double seconds, double bytes, bool stops)
{
    memory_states *m = context;
    bool is;
    assert_true(seconds >= 0 && bytes > 0);
#pragma omp critical(memory_states)
    {
        ++m->asked;
        m->last_puts += stops;
        is = stops || happens(m, m->one_in);
        if (m->stop && !stops && happens(m, m->ends_one_in)) {
            *m->stop = 1;
            ++m->ends;
        }
    }
    return is;
}

static pm_status put(void *context, int slot, const pm_state_head *head, pm_state_copy *copy,
                     void *engine, pm_error *err)
{
    memory_states *m = context;
    pm_status status = PM_OK;
    bool ends_before, ends_after;
    assert_true(slot >= 0 && slot < MEMORY_SLOTS && head->step > 0 && head->step < head->steps);
#pragma omp critical(memory_states)
    {
        ++m->puts;
        m->narrow_puts += head->bits == 32;
        bool ends = !m->stop && happens(m, m->ends_one_in);
        ends_before = ends && happens(m, 2);
        ends_after = ends && !ends_before;
        m->ends += ends;
    }
    if (ends_before)
        return pm_fail(err, PM_ESTOPPED, "ended");
    char *bytes = malloc(head->bytes);
    assert_non_null(bytes);
    for (uint64_t at = 0, n; at < head->bytes && !status; at += n) { /* pieces of whole words */
        n = head->bytes - at < 1 << 12 ? head->bytes - at : 1 << 12;
        status = copy(engine, at, bytes + at, (size_t)n, err);
    }
    if (status) {
        free(bytes);
        return status;
    }
    free(m->bytes[slot]);
    m->bytes[slot] = bytes;
    m->head[slot] = *head;
    return ends_after ? pm_fail(err, PM_ESTOPPED, "ended") : PM_OK;
}

static bool head(void *context, int slot, pm_state_head *out)
{
    memory_states *m = context;
    if (m->bytes[slot])
        *out = m->head[slot];
    return m->bytes[slot];
}

static void drop(memory_states *m, int slot)
{
    free(m->bytes[slot]);
    m->bytes[slot] = NULL;
}

static pm_status get(void *context, int slot, pm_state_copy *copy, void *engine, pm_error *err)
{
    memory_states *m = context;
    pm_status status = PM_OK;
    const uint64_t size = m->head[slot].bytes;
    bool is_damaged;
    assert_non_null(m->bytes[slot]);
#pragma omp critical(memory_states)
    {
        ++m->gets;
        m->narrow_gets += m->head[slot].bits == 32;
        is_damaged = happens(m, m->damages_one_in);
        m->damaged += is_damaged;
    }
    if (is_damaged)
        memset(m->bytes[slot], 0x5b, size / 2);
    for (uint64_t at = 0, n; at < size && !status; at += n) {
        n = size - at < 1 << 12 ? size - at : 1 << 12;
        status = copy(engine, at, m->bytes[slot] + at, (size_t)n, err);
    }
    if (!is_damaged || status)
        return status;
    drop(m, slot);
    return pm_fail(err, PM_EDATA, "damaged");
}

static void refuse(void *context, int slot, const char *why)
{
    memory_states *m = context;
    assert_non_null(why);
#pragma omp critical(memory_states)
    ++m->refused;
    drop(m, slot);
}

void memory_states_init(memory_states *m, uint64_t *rng)
{
    *m = (memory_states){.rng = rng, .one_in = 3};
    m->store = (pm_state_store){.context = m,
                                .slots = MEMORY_SLOTS,
                                .is_due = is_due,
                                .put = put,
                                .head = head,
                                .get = get,
                                .refuse = refuse};
}

void memory_states_free(memory_states *m)
{
    for (int k = 0; k < MEMORY_SLOTS; ++k)
        free(m->bytes[k]);
    *m = (memory_states){.rng = NULL};
}
