/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of the program pm-igraph-read.  The igraph library may crash, or report an error of the input,
 * when an allocation fails; so the first one that fails ends the program with status 71. */
#define _GNU_SOURCE
#include "config.h"

#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

#include "pm/status.h"

#ifndef __SANITIZE_ADDRESS__ /* its allocator ends the program too */

/* The declarations of stdlib.h carry attributes of the allocator that is replaced. */
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);

/* The function of this name that would be used without those below. */
static void *next(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

static void *checked(void *p)
{
    static const char message[] = "out of memory\n";
    if (p)
        return p;
    ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
    _exit(written < 0 ? pm_exit_status(PM_EIO) : pm_exit_status(PM_ENOMEM));
}

void *malloc(size_t size)
{
    static void *(*real)(size_t);
    if (!real)
        *(void **)&real = next("malloc");
    return checked(real(size ? size : 1));
}

void *calloc(size_t count, size_t size)
{
    static void *(*real)(size_t, size_t);
    if (!real)
        *(void **)&real = next("calloc");
    return checked(real(count ? count : 1, size ? size : 1));
}

void *realloc(void *old, size_t size)
{
    static void *(*real)(void *, size_t);
    if (!real)
        *(void **)&real = next("realloc");
    return checked(real(old, size ? size : 1));
}

#endif
