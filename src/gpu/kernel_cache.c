/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/kernel_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cache_folder.h"
#include "pm/alloc.h"

static const char magic[] = "pmkit kernel 1\n";
enum { MAGIC = sizeof magic - 1 };

#define CODE_MAX (UINT64_C(1) << 28) /* bytes; kernels are far smaller */

enum { FILES_MOST = 1200, FILES_KEPT = 1000 };

typedef struct {
    uint64_t key, code, checksum;
} lengths;

/* FNV-1a */
static uint64_t hash(const void *data, size_t size)
{
    const unsigned char *p = data;
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; ++i)
        h = (h ^ p[i]) * UINT64_C(0x100000001b3);
    return h;
}

static bool path_of(const char *folder, const char *key, char path[PM_PATH_MAX])
{
    int length = snprintf(path, PM_PATH_MAX, "%s/kernel-%016llx", folder,
                          (unsigned long long)hash(key, strlen(key)));
    return length > 0 && length < PM_PATH_MAX - 16;
}

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
    lengths l;
    if (!read_bytes(f, start, MAGIC) || memcmp(start, magic, MAGIC) != 0
        || !read_bytes(f, &l, sizeof l) || l.key != strlen(key) || l.code == 0 || l.code > CODE_MAX
        || !has_key(f, key))
        return false;
    void *code = pm_alloc_array((int64_t)l.code, 1);
    if (code && read_bytes(f, code, l.code) && hash(code, l.code) == l.checksum) {
        *out = (pm_gpu_image){code, l.code};
        return true;
    }
    free(code);
    return false;
}

bool pm_kernel_cache_has(const char *key)
{
    char folder[PM_PATH_MAX], path[PM_PATH_MAX];
    return pm_cache_folder(folder) && path_of(folder, key, path) && access(path, R_OK) == 0;
}

bool pm_kernel_cache_read(const char *key, pm_gpu_image *out)
{
    char folder[PM_PATH_MAX], path[PM_PATH_MAX];
    if (!pm_cache_folder(folder) || !path_of(folder, key, path))
        return false;
    FILE *f = pm_cache_open(path);
    if (!f)
        return false;
    bool found = read_file(f, key, out);
    if (found)
        (void)futimens(fileno(f), NULL); /* on failure the file is removed too early */
    fclose(f);
    return found;
}

static bool write_file(FILE *f, const char *key, const pm_gpu_image *image)
{
    lengths l = {strlen(key), image->size, hash(image->data, image->size)};
    return fwrite(magic, 1, MAGIC, f) == MAGIC && fwrite(&l, sizeof l, 1, f) == 1
           && fwrite(key, 1, l.key, f) == l.key && fwrite(image->data, 1, l.code, f) == l.code;
}

void pm_kernel_cache_write(const char *key, const pm_gpu_image *image)
{
    char folder[PM_PATH_MAX], path[PM_PATH_MAX], temporary[PM_PATH_MAX + 16];
    if (!pm_cache_folder(folder) || !path_of(folder, key, path) || pm_cache_make(folder))
        return;
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int file = mkstemp(temporary);
    if (file < 0)
        return;
    FILE *f = fdopen(file, "wb");
    if (!f) {
        close(file);
        unlink(temporary);
        return;
    }
    bool is_whole = write_file(f, key, image);
    is_whole &= fclose(f) == 0;
    if (!is_whole || rename(temporary, path) != 0)
        unlink(temporary);
    else
        pm_cache_trim(folder, "kernel-", FILES_MOST, FILES_KEPT);
}
