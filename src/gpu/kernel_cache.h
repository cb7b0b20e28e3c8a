/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpu/kernel_cache.h: compiled kernels in files of the cache folder.
 *
 * A file is called by a hash of its key, the text and what it was compiled with, and holds
 *
 *   "pmkit kernel 1\n", the lengths of key and code and a checksum of the code (uint64_t each),
 *   the key, the code
 *
 * so that a file of another key, a cut one or a damaged one is known and not used.  Some thousand files
 * are kept, those that were written or read last. */
#ifndef PM_KERNEL_CACHE_H
#define PM_KERNEL_CACHE_H

#include <stdbool.h>

#include "gpu/gpu.h"

/* False: there is none, or it cannot be trusted. */
bool pm_kernel_cache_read(const char *key, pm_gpu_image *out);

/* Written beside and renamed.  A file that cannot be written is no failure: it is compiled again
 * next time. */
void pm_kernel_cache_write(const char *key, const pm_gpu_image *image);

#endif
