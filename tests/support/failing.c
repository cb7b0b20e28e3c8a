/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For LD_PRELOAD: lets a program fail from outside, in any of its libraries.
 *   PM_FAIL_AT=K       the K-th allocation of memory fails: malloc, calloc, realloc and the aligned ones
 *   PM_FAIL_ALL=1      and all later ones
 *   PM_FAIL_PROGRAM=P  only in the program of this name; else in every one
 *   PM_FAIL_COUNT=F    the number of allocations is written to the file F at the end
 *   PM_FAIL_THREADS=N  no thread starts after the first N
 *   PM_FAIL_TERM=1     and the first that does not start sends SIGTERM and calls exit(1)
 *   PM_ABORT_RENAME=1  renameat ends the program by SIGABRT
 *   PM_NO_TMPFILE=1    there are no files without names (O_TMPFILE) */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_long requests;
static long fail_at;
static int fails_all, is_ready, is_counted;

/* Environment variables are read at the first request, when the C library is ready for it. */
static void get_ready(void)
{
    const char *at = getenv("PM_FAIL_AT"), *program = getenv("PM_FAIL_PROGRAM");
    is_ready = 1;
    is_counted = !program || strcmp(program, program_invocation_short_name) == 0;
    fail_at = at && is_counted ? atol(at) : 0;
    fails_all = getenv("PM_FAIL_ALL") != NULL;
}

static int must_fail(void)
{
    if (!is_ready)
        get_ready();
    long now = atomic_fetch_add(&requests, 1) + 1;
    if (fail_at == 0 || now < fail_at || (now > fail_at && !fails_all))
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return must_fail() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return must_fail() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return must_fail() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return must_fail() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    void *p = memalign(alignment, size);
    if (!p)
        return ENOMEM;
    *out = p;
    return 0;
}

extern void *dlsym(void *, const char *);
static void *next_of(const char *name)
{
    return dlsym((void *)-1L /* RTLD_NEXT */, name);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *),
                   void *context)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static atomic_int started;
    const char *most = getenv("PM_FAIL_THREADS");
    if (most && atomic_fetch_add(&started, 1) >= atoi(most)) {
        if (!getenv("PM_FAIL_TERM"))
            return EAGAIN;
        raise(SIGTERM);
        exit(1);
    }
    if (!real)
        *(void **)&real = next_of("pthread_create");
    return real(thread, attributes, work, context);
}

int renameat(int from, const char *old, int to, const char *new)
{
    static int (*real)(int, const char *, int, const char *);
    if (getenv("PM_ABORT_RENAME"))
        abort();
    if (!real)
        *(void **)&real = next_of("renameat");
    return real(from, old, to, new);
}

static int file_of(int folder, const char *path, int flags, va_list ap)
{
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("PM_NO_TMPFILE")) {
        errno = EOPNOTSUPP;
        return -1;
    }
    static int (*real)(int, const char *, int, ...);
    if (!real)
        *(void **)&real = next_of("openat64");
    return real(folder, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    int file = file_of(folder, path, flags, ap);
    va_end(ap);
    return file;
}

int openat64(int folder, const char *path, int flags, ...)
{
    va_list ap;
    va_start(ap, flags);
    int file = file_of(folder, path, flags, ap);
    va_end(ap);
    return file;
}

/* Opened at the start of the first program, under a number of its own: it may give up its files later, for
 * itself and for the programs that it starts. */
enum { COUNT_FILE = 100 };

__attribute__((constructor)) static void open_count(void)
{
    const char *path = getenv("PM_FAIL_COUNT");
    if (!is_ready)
        get_ready();
    if (!path || fcntl(COUNT_FILE, F_GETFD) >= 0)
        return;
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0 || dup2(file, COUNT_FILE) < 0)
        abort();
    close(file);
}

__attribute__((destructor)) static void tell(void)
{
    char text[32];
    if (!getenv("PM_FAIL_COUNT") || !is_counted)
        return;
    int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&requests));
    if (ftruncate(COUNT_FILE, 0) != 0 || pwrite(COUNT_FILE, text, (size_t)length, 0) != length)
        abort();
}
