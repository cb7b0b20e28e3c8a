/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/unit/device_text.h: the text of kernels without a device: compiled as C, and by the run-time
 * compiler for every kind of device. */
#ifndef PM_TEST_DEVICE_TEXT_H
#define PM_TEST_DEVICE_TEXT_H

#include <dlfcn.h>

#include "as_c.h"
#include "gpu/gpu.h"
#include "testing.h"

static char folder[] = "/tmp/pm-kernel-XXXXXX";
static const char *compiler; /* of C */

static inline int make_folder(void **state)
{
    (void)state;
    compiler = getenv("CC");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* ---- a C compiler in place of a device ---- */

/* The text as a shared object; each has a name of its own, by which dlopen knows what is open. */
static inline void *compile_as_c(const char *text)
{
    static int count;
    char object[64];
    snprintf(object, sizeof object, "%s/kernel%d.so", folder, count++);
    assert_true(compile_object(compiler, text, folder, object));
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    unlink(object);
    return library;
}

/* ---- the run-time compiler ---- */

static const int devices[][2] = {{7, 5}, {8, 0}, {8, 6}, {8, 9}, {9, 0}, {10, 0}, {12, 0}};
enum { DEVICES = sizeof devices / sizeof *devices };

static inline bool has_run_time_compiler(void)
{
    return pm_gpu_can_compile(9, 0, NULL) == PM_OK;
}

/* False when there is no compiler. */
static inline bool text_compiles(const char *text, int major, int minor)
{
    pm_gpu_image image = {0};
    pm_error err;
    pm_status rc = pm_gpu_compile(text, major, minor, &image, &err);
    if (rc == PM_ENODEV)
        return false;
    if (rc)
        print_error("%d.%d: %s\n", major, minor, err.msg);
    assert_int_equal(rc, PM_OK);
    assert_true(image.size > 1000);
    free(image.data);
    return true;
}

#endif
