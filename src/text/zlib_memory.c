/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "text/zlib_memory.h"

#include <stdlib.h>

#include "pm/alloc.h"

static voidpf allocate(voidpf context, uInt items, uInt size)
{
    (void)context;
    return pm_alloc_array(items, size);
}

static void release(voidpf context, voidpf p)
{
    (void)context;
    free(p);
}

void pm_zlib_use_memory(z_stream *z)
{
    z->zalloc = allocate;
    z->zfree = release;
}
