/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/device_text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gpu/gpu.h"
#include "support/as_c.h"
#include "support/testing.h"

/* Compute capabilities, major and minor. */
enum { DEVICES = 7 };
static const int devices[DEVICES][2] = {{7, 5}, {8, 0}, {8, 6}, {8, 9}, {9, 0}, {10, 0}, {12, 0}};

static char folder[] = "/tmp/pm-kernel-XXXXXX";
const char *compiler;

int make_folder(void **state)
{
    (void)state;
    compiler = getenv("CC");
    return mkdtemp(folder) ? 0 : -1;
}

int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

void *compile_as_c(const char *text, int level)
{
    static int count;
    char object[64];
    snprintf(object, sizeof object, "%s/kernel%d.so", folder, count++);
    assert_true(compile_object(compiler, level, text, folder, object));
    void *library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    unlink(object);
    return library;
}

static bool devices_are(const char *which)
{
    const char *given = getenv("PM_TEST_DEVICES");
    return given && strcmp(given, which) == 0;
}

bool has_run_time_compiler(void)
{
    return !devices_are("none") && pm_gpu_can_compile(9, 0, NULL) == PM_OK;
}

static bool compiles_for(const char *text, int major, int minor)
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

bool is_every_device(void)
{
    return devices_are("all");
}

bool text_compiles(const char *text, int turn)
{
    bool has_compiler = !devices_are("none");
    int count = is_every_device() ? DEVICES : 1;
    for (int i = 0; i < count && has_compiler; ++i) {
        const int *device = devices[(turn + i) % DEVICES];
        has_compiler = compiles_for(text, device[0], device[1]);
    }
    return has_compiler;
}
