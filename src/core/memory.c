/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread adds up its requests and takes them from the common allowance in steps, so that threads seldom
 * write to the same cache line.  When the allowance is used up, the memory in use is measured, and half of
 * what is left is the next allowance.  One thread at a time does so: an allowance from an earlier measurement
 * would be memory that others have taken since.  Without a bound a request costs one comparison. */
#include "config.h"

#include "pm/memory.h"

#include <malloc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "pm/alloc.h"

enum { STEP = 1 << 16 }; /* bytes that a thread takes from the allowance at once */

static atomic_int_fast64_t limit; /* 0: none */
static atomic_int_fast64_t allowance;
static _Thread_local int64_t pending; /* requests that were not taken from the allowance */

#ifdef HAVE_MALLINFO2

static int64_t allocated(void)
{
    struct mallinfo2 m = mallinfo2();
    return (int64_t)(m.uordblks + m.hblkhd);
}

#else

/* Pages of data and stacks, the sixth number of the line. */
static int64_t allocated(void)
{
    long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*d %*d %*d %*d %*d %lld", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return (int64_t)pages * sysconf(_SC_PAGESIZE);
}

#endif

void pm_memory_set_limit(int64_t bytes)
{
    atomic_store(&limit, bytes);
    atomic_store(&allowance, 0);
}

int64_t pm_memory_limit(void)
{
    return atomic_load_explicit(&limit, memory_order_relaxed);
}

/* Measures, and renews the allowance. */
static bool renew(size_t bytes, int64_t reserve)
{
    int64_t most = pm_memory_limit(), left = most + reserve - allocated();
    if (most == 0)
        return true; /* taken away meanwhile */
    if (left < 0 || bytes > (size_t)left)
        return false;
    int64_t next = (left - reserve - (int64_t)bytes) / 2;
    atomic_store_explicit(&allowance, next > 0 ? next : 0, memory_order_relaxed);
    return true;
}

static bool fits(size_t bytes, int64_t reserve)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&one_at_a_time);
    bool is_allowed = renew(bytes, reserve);
    pthread_mutex_unlock(&one_at_a_time);
    return is_allowed;
}

static bool allows(size_t bytes, int64_t reserve)
{
    if (bytes < STEP) {
        pending += (int64_t)bytes;
        if (pending < STEP)
            return true;
        bytes = (size_t)pending;
    }
    pending = 0;
    if (bytes > (size_t)INT64_MAX)
        return false;
    int64_t had = atomic_fetch_sub_explicit(&allowance, (int64_t)bytes, memory_order_relaxed);
    return had >= (int64_t)bytes || fits(bytes, reserve);
}

bool pm_memory_allows(size_t bytes)
{
    return pm_memory_limit() == 0 || allows(bytes, 0);
}

bool pm_memory_allows_last(size_t bytes)
{
    int64_t most = pm_memory_limit();
    return most == 0 || allows(bytes, most / 16 + (INT64_C(4) << 20));
}

int64_t pm_memory_left(void)
{
    int64_t available = pm_available_memory();
    int64_t most = pm_memory_limit();
    if (most == 0)
        return available;
    int64_t left = most - allocated();
    left = left > 0 ? left : 0;
    return left < available ? left : available;
}

void pm_memory_give_back(void)
{
#ifdef HAVE_MALLOC_TRIM
    malloc_trim(0);
#endif
}
