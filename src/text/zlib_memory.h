/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/zlib_memory.h: makes zlib allocate as the rest of the library does (pm/alloc.h). */
#ifndef PM_ZLIB_MEMORY_H
#define PM_ZLIB_MEMORY_H

#include <zlib.h>

/* Called before inflateInit2. */
void pm_zlib_use_memory(z_stream *z);

#endif
