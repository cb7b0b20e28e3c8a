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

static pm_status compile_for(const char *text, const int device[2])
{
    pm_gpu_image image = {0};
    pm_error err;
    pm_status rc = pm_gpu_compile(text, device[0], device[1], &image, &err);
    if (rc && rc != PM_ENODEV)
        print_error("%d.%d: %s\n", device[0], device[1], err.msg);
    if (!rc && image.size <= 1000) {
        print_error("%d.%d: %lld bytes\n", device[0], device[1], (long long)image.size);
        rc = PM_EINTERNAL;
    }
    free(image.data);
    return rc;
}

bool is_every_device(void)
{
    return devices_are("all");
}

bool text_compiles(const char *text, int first, int number, int texts)
{
    if (devices_are("none"))
        return false;
    pm_status rc = compile_for(text, devices[(first + number) % DEVICES]);
    for (int k = number + texts; is_every_device() && k < DEVICES && !rc; k += texts)
        rc = compile_for(text, devices[(first + k) % DEVICES]);
    assert_true(rc == PM_OK || rc == PM_ENODEV);
    return rc == PM_OK;
}
