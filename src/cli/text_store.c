/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/text_store.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

enum { LEAST_BLOCK = 512, MOST_BLOCK = 1 << 16 }; /* bytes */

struct pm_text_block {
    pm_text_block *next;
    size_t used, size;
    char *other; /* a text that was taken, or NULL */
    char bytes[];
};

static pm_text_block *make_block(size_t size)
{
    pm_text_block *b = pm_alloc_array((int64_t)(sizeof *b + size), 1);
    if (b)
        *b = (pm_text_block){.size = size};
    return b;
}

/* Behind the first block, which may have more room. */
static void insert(pm_text_store *s, pm_text_block *first, pm_text_block *last)
{
    pm_text_block **at = s->block ? &s->block->next : &s->block;
    last->next = *at;
    *at = first;
}

static size_t size_of_next(const pm_text_store *s)
{
    size_t size = s->block ? 2 * s->block->size : LEAST_BLOCK;
    return size < LEAST_BLOCK ? LEAST_BLOCK : size > MOST_BLOCK ? MOST_BLOCK : size;
}

char *pm_text_store_put(pm_text_store *s, const char *text, size_t length)
{
    pm_text_block *b = s->block;
    if (length >= PTRDIFF_MAX / 2)
        return NULL;
    if (!b || b->size - b->used <= length) {
        size_t size = size_of_next(s);
        b = make_block(size > length ? size : length + 1);
        if (!b)
            return NULL;
        b->next = s->block;
        s->block = b;
    }
    char *copy = b->bytes + b->used;
    memcpy(copy, text, length);
    copy[length] = '\0';
    b->used += length + 1;
    return copy;
}

int pm_text_store_take(pm_text_store *s, char *text)
{
    pm_text_block *b = make_block(0);
    if (!b)
        return -1;
    b->other = text;
    insert(s, b, b);
    return 0;
}

void pm_text_store_move(pm_text_store *s, pm_text_store *from)
{
    pm_text_block *last = from->block;
    if (!last)
        return;
    while (last->next)
        last = last->next;
    insert(s, from->block, last);
    from->block = NULL;
}

void pm_text_store_free(pm_text_store *s)
{
    for (pm_text_block *b = s->block, *next; b; b = next) {
        next = b->next;
        free(b->other);
        free(b);
    }
    s->block = NULL;
}
