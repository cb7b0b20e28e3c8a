/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/kernel_cache.h: compiled kernels in files of the cache folder.
 *
 * The key of a kernel is its text and what it was compiled with.  The name of the file is made of a
 * hash of the key.  The file holds
 *
 *   "pmkit kernel 1\n"; the lengths of key and code and a checksum of the code (uint64_t each);
 *   the key; the code
 *
 * so that a file with another key, a cut file or a damaged one is recognised and not used.  About a
 * thousand files are kept, the most recently used ones. */
#ifndef PM_KERNEL_CACHE_H
#define PM_KERNEL_CACHE_H

#include <stdbool.h>

#include "gpu/gpu.h"

/* Whether there is a file for this key; it is not read. */
bool pm_kernel_cache_has(const char *key);

/* *out: the code, owned by the caller.  False if there is no file with this key or it is
 * damaged. */
bool pm_kernel_cache_read(const char *key, pm_gpu_image *out);

/* Writes a temporary file and renames it.  A failure to write is ignored: the kernel is compiled
 * again next time. */
void pm_kernel_cache_write(const char *key, const pm_gpu_image *image);

#endif
