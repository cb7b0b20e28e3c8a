/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/kernel_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cache_folder.h"
#include "core/sha256.h"
#include "core/whole_step.h"
#include "pm/alloc.h"

static const char magic[] = "pmkit kernel 2\n";
enum { MAGIC = sizeof magic - 1 };

#define CODE_MAX (UINT64_C(1) << 28) /* bytes; kernels are far smaller */

enum { FILES_MOST = 1200, FILES_KEPT = 1000 };

typedef struct {
    uint64_t key, code;
    unsigned char digest[PM_SHA256_BYTES];
} head;

enum { NAME = sizeof "kernel-" + 2 * PM_SHA256_BYTES, TEMPORARY = NAME + 8 };

/* ---- trouble ---- */

static char trouble[512];

static void note_trouble(const char *folder, const char *why)
{
#pragma omp critical(pm_kernel_cache_trouble)
    if (!*trouble)
        snprintf(trouble, sizeof trouble, "%.380s: %.100s", folder, why);
}

const char *pm_kernel_cache_trouble(void)
{
    return *trouble ? trouble : NULL;
}

/* ---- names and digests ---- */

static void make_name(const char *key, char name[NAME])
{
    unsigned char digest[PM_SHA256_BYTES];
    pm_sha256 s;
    pm_sha256_begin(&s);
    pm_sha256_add(&s, key, strlen(key));
    pm_sha256_end(&s, digest);
    memcpy(name, "kernel-", sizeof "kernel-");
    for (int i = 0; i < PM_SHA256_BYTES; ++i)
        snprintf(name + strlen(name), 3, "%02x", digest[i]);
}

static head head_of(const char *key, const pm_gpu_image *image)
{
    head h;
    pm_sha256 s;
    memset(&h, 0, sizeof h);
    h.key = strlen(key);
    h.code = image->size;
    pm_sha256_begin(&s);
    pm_sha256_add(&s, key, h.key);
    pm_sha256_add(&s, image->data, image->size);
    pm_sha256_end(&s, h.digest);
    return h;
}

/* ---- whom files belong to ---- */

static bool is_own(const struct stat *s, mode_t type)
{
    return (s->st_mode & S_IFMT) == type && s->st_uid == geteuid()
           && !(s->st_mode & (S_IWGRP | S_IWOTH));
}

/* The folder, open, or -1 when there is none that may be used. */
static int open_folder(const char *path)
{
    struct stat s;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) {
        if (errno != ENOENT)
            note_trouble(path, strerror(errno));
        return -1;
    }
    if (fstat(folder, &s) == 0 && is_own(&s, S_IFDIR))
        return folder;
    note_trouble(path, "not used, as the folder belongs to another user or others may write to it");
    close(folder);
    return -1;
}

static int open_configured(char path[PM_PATH_MAX])
{
    return pm_cache_folder(path) ? open_folder(path) : -1;
}

/* The file, open, or -1. */
static int open_file(int folder, const char *path, const char *key)
{
    char name[NAME];
    struct stat s;
    make_name(key, name);
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || (fstat(file, &s) == 0 && is_own(&s, S_IFREG)))
        return file;
    note_trouble(path,
                 "a file is not used, as it belongs to another user or others may write to it");
    close(file);
    return -1;
}

static int open_kernel(const char *key)
{
    char path[PM_PATH_MAX];
    int folder = open_configured(path);
    int file = folder < 0 ? -1 : open_file(folder, path, key);
    if (folder >= 0)
        close(folder);
    return file;
}

/* ---- reading ---- */

static bool read_bytes(FILE *f, void *to, size_t size)
{
    return fread(to, 1, size, f) == size;
}

/* True if the next bytes of the file are this key. */
static bool has_key(FILE *f, const char *key)
{
    char part[4096];
    for (size_t left = strlen(key); left > 0;) {
        size_t size = left < sizeof part ? left : sizeof part;
        if (!read_bytes(f, part, size) || memcmp(part, key, size) != 0)
            return false;
        key += size;
        left -= size;
    }
    return true;
}

static bool read_file(FILE *f, const char *key, pm_gpu_image *out)
{
    char start[MAGIC];
    head h;
    if (!read_bytes(f, start, MAGIC) || memcmp(start, magic, MAGIC) != 0
        || !read_bytes(f, &h, sizeof h) || h.key != strlen(key) || h.code == 0 || h.code > CODE_MAX
        || !has_key(f, key))
        return false;
    pm_gpu_image image = {pm_alloc_array((int64_t)h.code, 1), h.code};
    if (image.data && read_bytes(f, image.data, image.size)) {
        head want = head_of(key, &image);
        if (memcmp(want.digest, h.digest, sizeof h.digest) == 0) {
            *out = image;
            return true;
        }
    }
    free(image.data);
    return false;
}

bool pm_kernel_cache_has(const char *key)
{
    int file = open_kernel(key);
    if (file >= 0)
        close(file);
    return file >= 0;
}

bool pm_kernel_cache_read(const char *key, pm_gpu_image *out)
{
    int file = open_kernel(key);
    FILE *f = file < 0 ? NULL : fdopen(file, "rb");
    if (!f) {
        if (file >= 0)
            close(file);
        return false;
    }
    bool found = read_file(f, key, out);
    if (found)
        (void)futimens(fileno(f), NULL); /* on failure the file is removed too early */
    fclose(f);
    return found;
}

/* ---- writing ---- */

static bool write_file(FILE *f, const char *key, const pm_gpu_image *image)
{
    head h = head_of(key, image);
    return fwrite(magic, 1, MAGIC, f) == MAGIC && fwrite(&h, sizeof h, 1, f) == 1
           && fwrite(key, 1, h.key, f) == h.key && fwrite(image->data, 1, h.code, f) == h.code;
}

/* Opens a file that did not exist. */
static FILE *open_new(int folder, const char *name, char temporary[TEMPORARY])
{
    enum { ATTEMPTS = 100 };
    int file = -1;
    for (unsigned k = 0; k < ATTEMPTS && file < 0; ++k) {
        snprintf(temporary, TEMPORARY, "%s.%06x", name,
                 ((unsigned)getpid() + k * 0x9e3779u) & 0xffffffu);
        file =
            openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0 && errno != EEXIST)
            return NULL;
    }
    FILE *f = file < 0 ? NULL : fdopen(file, "wb");
    if (!f && file >= 0) {
        close(file);
        unlinkat(folder, temporary, 0);
    }
    return f;
}

static bool replace(int folder, const char *key, const pm_gpu_image *image)
{
    char name[NAME], temporary[TEMPORARY];
    make_name(key, name);
    FILE *f = open_new(folder, name, temporary);
    if (!f)
        return false;
    bool is_whole = write_file(f, key, image);
    is_whole &= fclose(f) == 0;
    if (is_whole && renameat(folder, temporary, folder, name) == 0)
        return true;
    int why = errno;
    unlinkat(folder, temporary, 0);
    errno = why;
    return false;
}

void pm_kernel_cache_write(const char *key, const pm_gpu_image *image)
{
    char path[PM_PATH_MAX];
    if (!pm_cache_folder(path))
        return;
    int why = pm_cache_make(path);
    if (why)
        note_trouble(path, strerror(why));
    int folder = why ? -1 : open_folder(path);
    if (folder < 0)
        return;
    errno = 0;
    pm_whole_step_begin(); /* no temporary file stays when a signal comes */
    bool is_written = replace(folder, key, image);
    why = errno;
    pm_whole_step_end();
    if (is_written)
        pm_cache_trim(path, "kernel-", FILES_MOST, FILES_KEPT);
    else
        note_trouble(path, why ? strerror(why) : "writing failed");
    close(folder);
}
