/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/fake_gpu.h: the door to CUDA (gpu/gpu.h) with devices that are none: kernels are compiled
 * as C, arrays lie in memory.  A program that includes this takes these functions instead of the
 * library's, so that what drives devices is tested where there are none. */
#ifndef PM_TEST_FAKE_GPU_H
#define PM_TEST_FAKE_GPU_H

#include <string.h>

#include "device_text.h"

/* A launch, of the kernel of this name in the library. */
typedef void fake_launch(void *symbol, const char *kernel, int64_t blocks, void **arguments);

static struct {
    int devices;
    int64_t memory; /* bytes, free on each */
    fake_launch *launch;
    int calls_left; /* of put, get and launch, until one fails; below 0: none does */
    int sessions, launches;
    char *text; /* the last one, and what it was compiled to */
    void *library;
} fake = {.devices = 1, .memory = 1 << 30, .calls_left = -1};

struct pm_gpu_session {
    void *library;
    void *array[PM_GPU_ARRAYS];
    int64_t bytes[PM_GPU_ARRAYS];
    int narrays;
};

static inline void fake_close(void)
{
    if (fake.library)
        dlclose(fake.library);
    free(fake.text);
    fake.library = NULL;
    fake.text = NULL;
}

static pm_status fake_call(pm_error *err)
{
    if (fake.calls_left == 0)
        return pm_fail(err, PM_EINTERNAL, "a device that fails");
    fake.calls_left -= fake.calls_left > 0;
    return PM_OK;
}

pm_status pm_gpu_count(int *out, pm_error *err)
{
    *out = fake.devices;
    return fake.devices ? PM_OK : pm_fail(err, PM_ENODEV, "no device");
}

pm_status pm_gpu_look(int device, pm_gpu_info *out, pm_error *err)
{
    (void)err;
    assert_true(device >= 0 && device < fake.devices);
    *out = (pm_gpu_info){.name = "fake", .major = 9, .multiprocessors = 1, .memory = 1 << 30};
    return PM_OK;
}

pm_status pm_gpu_can_compile(int major, int minor, pm_error *err)
{
    (void)major, (void)minor, (void)err;
    return PM_OK;
}

bool pm_gpu_is_ready(const char *text)
{
    (void)text;
    return false;
}

/* The image is the text. */
pm_status pm_gpu_compile(const char *text, int major, int minor, pm_gpu_image *out, pm_error *err)
{
    (void)major, (void)minor, (void)err;
    *out = (pm_gpu_image){strdup(text), strlen(text) + 1};
    return PM_OK;
}

pm_status pm_gpu_session_open(int device, const pm_gpu_image *image, pm_gpu_session **out,
                              pm_error *err)
{
    assert_true(device >= 0 && device < fake.devices);
    if (fake_call(err) != PM_OK)
        return PM_EINTERNAL;
    if (!fake.text || strcmp(fake.text, image->data)) {
        fake_close();
        fake.text = strdup(image->data);
        fake.library = compile_as_c(fake.text);
    }
    *out = calloc(1, sizeof **out);
    (*out)->library = fake.library;
    ++fake.sessions;
    return PM_OK;
}

void pm_gpu_session_close(pm_gpu_session *s)
{
    for (int i = 0; s && i < s->narrays; ++i)
        free(s->array[i]);
    fake.sessions -= s != NULL;
    free(s);
}

pm_status pm_gpu_session_array(pm_gpu_session *s, int64_t bytes, pm_gpu_array *out, pm_error *err)
{
    (void)err;
    assert_true(bytes > 0 && s->narrays < PM_GPU_ARRAYS);
    void *p = malloc((size_t)bytes);
    memset(p, 0x5a, (size_t)bytes);
    s->bytes[s->narrays] = bytes;
    s->array[s->narrays++] = p;
    *out = (pm_gpu_array)(uintptr_t)p;
    return PM_OK;
}

static inline void fake_check(const pm_gpu_session *s, pm_gpu_array array, int64_t bytes)
{
    int i = 0;
    while (i < s->narrays && (pm_gpu_array)(uintptr_t)s->array[i] != array)
        ++i;
    assert_true(i < s->narrays && bytes >= 0 && bytes <= s->bytes[i]);
}

pm_status pm_gpu_session_put(pm_gpu_session *s, pm_gpu_array to, const void *from, int64_t bytes,
                             pm_error *err)
{
    fake_check(s, to, bytes);
    memcpy((void *)(uintptr_t)to, from, (size_t)bytes);
    return fake_call(err);
}

pm_status pm_gpu_session_get(pm_gpu_session *s, void *to, pm_gpu_array from, int64_t bytes,
                             pm_error *err)
{
    fake_check(s, from, bytes);
    memcpy(to, (const void *)(uintptr_t)from, (size_t)bytes);
    return fake_call(err);
}

pm_status pm_gpu_session_launch(pm_gpu_session *s, const char *kernel, int64_t blocks, int threads,
                                int64_t shared, void **arguments, pm_error *err)
{
    assert_true(blocks > 0 && threads > 0 && shared >= 0);
    void *symbol = dlsym(s->library, kernel);
    assert_non_null(symbol);
    ++fake.launches;
    fake.launch(symbol, kernel, blocks, arguments);
    return fake_call(err);
}

pm_status pm_gpu_session_wait(pm_gpu_session *s, pm_error *err)
{
    (void)s;
    return fake_call(err);
}

pm_status pm_gpu_free_memory(int device, int64_t *out, pm_error *err)
{
    (void)device, (void)err;
    *out = fake.memory;
    return PM_OK;
}

/* ---- doors that stay shut ---- */

pm_status pm_gpu_describe(char *text, size_t size, pm_error *err)
{
    (void)err;
    snprintf(text, size, "CUDA: none");
    return PM_OK;
}

pm_status pm_gpu_open(int device, const pm_gpu_image *image, const pm_gpu_kernel *kernel,
                      pm_gpu **out, pm_error *err)
{
    (void)device, (void)image, (void)kernel, (void)out;
    return pm_fail(err, PM_EINTERNAL, "no sweeps here");
}

void pm_gpu_close(pm_gpu *g)
{
    (void)g;
}

pm_status pm_gpu_start(pm_gpu *g, int slot, uint64_t first, int64_t count, pm_error *err)
{
    (void)g, (void)slot, (void)first, (void)count;
    return pm_fail(err, PM_EINTERNAL, "no sweeps here");
}

pm_status pm_gpu_finish(pm_gpu *g, int slot, const void **records, pm_error *err)
{
    (void)g, (void)slot, (void)records;
    return pm_fail(err, PM_EINTERNAL, "no sweeps here");
}

#endif
