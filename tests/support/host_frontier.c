/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/host_frontier.h"

#include <string.h>

/* A kernel takes what it is given on a device, then blocks and shared memory. */
void host_frontier(void *symbol, const char *kernel, int64_t blocks, void *shared, void **arguments)
{
    void (*go)(const void *step, const void *items, const void *tables, void *scratch,
               const void *constants, const void *old, void *out, int64_t first, int64_t past,
               int64_t blocks, void *cells);
    void *pointer[7];
    int64_t first, past;
    (void)kernel;
    memcpy(&go, &symbol, sizeof symbol);
    for (int i = 0; i < 7; ++i)
        memcpy(&pointer[i], arguments[i], sizeof pointer[i]);
    memcpy(&first, arguments[7], sizeof first);
    memcpy(&past, arguments[8], sizeof past);
    go(pointer[0], pointer[1], pointer[2], pointer[3], pointer[4], pointer[5], pointer[6], first,
       past, blocks, shared);
}
