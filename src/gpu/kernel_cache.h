/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/kernel_cache.h: compiled kernels in files of the cache folder.
 *
 * The key of a kernel is its text and what it was compiled with.  The name of the file is made of
 * the SHA-256 of the key.  The file holds
 *
 *   "pmkit kernel 2\n"; the lengths of key and code (uint64_t each); the SHA-256 of key and code;
 *   the key; the code
 *
 * so that a file with another key, a cut file or a damaged one is recognised and not used.  Machine
 * code is loaded into the driver; so a file is used only if it and the folder belong to the
 * effective user, cannot be written by others, and are not symbolic links.  About a thousand files
 * are kept, the most recently used ones. */
#ifndef PM_KERNEL_CACHE_H
#define PM_KERNEL_CACHE_H

#include <stdbool.h>

#include "gpu/gpu.h"

/* Whether there is a file for this key that may be used; its contents are not read. */
bool pm_kernel_cache_has(const char *key);

/* *out: the code, owned by the caller.  False if there is no file with this key, it is damaged, or
 * it must not be used. */
bool pm_kernel_cache_read(const char *key, pm_gpu_image *out);

/* Writes a new file and renames it, so that processes that write the same kernel at once do no
 * harm.  After a failure the kernel is compiled again next time. */
void pm_kernel_cache_write(const char *key, const pm_gpu_image *image);

/* Why the cache could not be used in this process, of the first time; NULL: it could.  To be called
 * when no other thread uses the cache. */
const char *pm_kernel_cache_trouble(void);

#endif
