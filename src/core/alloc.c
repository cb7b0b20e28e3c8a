/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/alloc.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/clock.h"
#include "pm/memory.h"

static atomic_int_fast64_t requests, fail_at; /* for tests: see pm_alloc_fail_at */

#define HUGE_PAGE ((size_t)1 << 21)
#define LARGE     ((size_t)1 << 28) /* bytes: larger requests are compared with the available memory */

int64_t pm_alloc_fail_at(int64_t k)
{
    int64_t before = atomic_exchange(&requests, 0);
    atomic_store(&fail_at, k);
    return before;
}

static int must_fail(void)
{
    int64_t k = atomic_load_explicit(&fail_at, memory_order_relaxed);
    return k && atomic_fetch_add(&requests, 1) + 1 == k;
}

static int64_t read_available(void)
{
    long long kib;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    int64_t bytes = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lld kB", &kib) == 1)
            bytes = (int64_t)kib * 1024;
    if (f)
        fclose(f);
    if (!bytes) /* not Linux, or /proc is not mounted */
        bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    return bytes;
}

/* Reading takes ten microseconds, which is a tenth of planning a small block. */
int64_t pm_available_memory(void)
{
    enum { KEPT_NANOSECONDS = 10000000 };
    static atomic_int_fast64_t bytes, until; /* bytes: valid where until is not 0 */
    const int64_t now = (int64_t)(pm_clock() * 1e9);
    if (now >= atomic_load_explicit(&until, memory_order_acquire)) {
        atomic_store_explicit(&bytes, read_available(), memory_order_relaxed);
        atomic_store_explicit(&until, now + KEPT_NANOSECONDS, memory_order_release);
    }
    return atomic_load_explicit(&bytes, memory_order_relaxed);
}

/* *bytes = count * size, at least 1; so many bytes are there already.  Returns false when the request
 * must fail. */
static bool is_allowed(int64_t count, size_t size, size_t have, size_t *bytes)
{
    if (count < 0 || __builtin_mul_overflow((size_t)count, size, bytes) || must_fail())
        return false;
    if (*bytes == 0)
        *bytes = 1;
    return (*bytes < LARGE || *bytes < (size_t)pm_available_memory())
           && pm_memory_allows(*bytes - have);
}

void *pm_alloc_array(int64_t count, size_t size)
{
    size_t bytes;
    return is_allowed(count, size, 0, &bytes) ? malloc(bytes) : NULL;
}

void *pm_calloc_array(int64_t count, size_t size)
{
    size_t bytes;
    return is_allowed(count, size, 0, &bytes) ? calloc(1, bytes) : NULL;
}

void *pm_copy(const void *from, size_t size)
{
    void *copy = pm_alloc_array((int64_t)size, 1);
    return copy ? memcpy(copy, from, size) : NULL;
}

char *pm_copy_text(const char *text)
{
    return pm_copy(text, strlen(text) + 1);
}

void *pm_alloc_huge(int64_t count, size_t size)
{
    size_t bytes;
    if (!is_allowed(count, size, 0, &bytes))
        return NULL;
    if (bytes < 4 * HUGE_PAGE)
        return malloc(bytes);
    void *p = aligned_alloc(HUGE_PAGE, (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
#ifdef MADV_HUGEPAGE
    if (p)
        (void)madvise(p, bytes, MADV_HUGEPAGE); /* a failure does no harm */
#endif
    return p;
}

int pm_grow_array(void **array, int64_t *cap, int64_t want, size_t size)
{
    if (want <= *cap)
        return 0;
    int64_t bigger = *cap > INT64_MAX / 2 ? want : 2 * *cap;
    if (bigger < want)
        bigger = want;
    if (bigger < 16)
        bigger = 16;
    size_t bytes;
    if (!is_allowed(bigger, size, (size_t)*cap * size, &bytes))
        return -1;
    void *p = realloc(*array, bytes);
    if (!p)
        return -1;
    *array = p;
    *cap = bigger;
    return 0;
}

void pm_shrink_array(void **array, int64_t *cap, int64_t count, size_t size)
{
    void *p = count < *cap ? realloc(*array, (size_t)count * size) : NULL;
    if (!p)
        return;
    *array = p;
    *cap = count;
}
