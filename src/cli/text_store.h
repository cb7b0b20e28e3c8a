/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/text_store.h: texts that are freed together.  Short ones share blocks of memory, so that many
 * texts take few allocations; a text keeps its place until the store is freed. */
#ifndef PM_TEXT_STORE_H
#define PM_TEXT_STORE_H

#include <stddef.h>

typedef struct pm_text_block pm_text_block;

/* Zeroed, it is empty. */
typedef struct {
    pm_text_block *block; /* a list; the first one may have room */
} pm_text_store;

/* A copy of `length` bytes and a NUL.  Returns NULL when memory ends. */
char *pm_text_store_put(pm_text_store *s, const char *text, size_t length);
/* Stores a text from malloc without copying it.  Returns -1 when memory ends; then the text is still
 * the caller's. */
int pm_text_store_take(pm_text_store *s, char *text);
/* Moves all texts of `from`, without copying them; *from becomes empty. */
void pm_text_store_move(pm_text_store *s, pm_text_store *from);
/* Leaves an empty store. */
void pm_text_store_free(pm_text_store *s);

#endif
