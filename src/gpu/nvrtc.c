/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/nvrtc.h"

#include <dlfcn.h>
#include <nvrtc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/cuda_driver.h"
#include "pm/alloc.h"
#include "pm/settings.h"

#define NVRTC_CALLS(X)                                                                             \
    X(nvrtcVersion)                                                                                \
    X(nvrtcGetNumSupportedArchs)                                                                   \
    X(nvrtcGetSupportedArchs)                                                                      \
    X(nvrtcGetErrorString)                                                                         \
    X(nvrtcCreateProgram)                                                                          \
    X(nvrtcDestroyProgram)                                                                         \
    X(nvrtcCompileProgram)                                                                         \
    X(nvrtcGetCUBINSize)                                                                           \
    X(nvrtcGetCUBIN)                                                                               \
    X(nvrtcGetPTXSize)                                                                             \
    X(nvrtcGetPTX)                                                                                 \
    X(nvrtcGetProgramLogSize)                                                                      \
    X(nvrtcGetProgramLog)

/* Filled once. */
static struct {
#define MEMBER(call) __typeof__(&call) call;
    NVRTC_CALLS(MEMBER)
#undef MEMBER
} rt;

static const struct {
    const char *symbol;
    void *slot;
} calls[] = {
#define CALL(call) {#call, &rt.call},
    NVRTC_CALLS(CALL)
#undef CALL
};

/* ---- opening ---- */

static void *open_first(const char *const *names)
{
    void *library = NULL;
    while (*names && !library)
        library = dlopen(*names++, RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* Tries the library of pm_settings.nvrtc, then those of the system, then the toolkit that configure
 * found.  A driver does not load code made by a compiler of a later major version, so with an old
 * driver later versions are tried last. */
static void *open_library(void)
{
    static const char *const later[] = {"libnvrtc.so.13", CUDA_LIBDIR "/libnvrtc.so.13", NULL};
    static const char *const earlier[] = {"libnvrtc.so.12", CUDA_LIBDIR "/libnvrtc.so.12", NULL};
    const char *const named[] = {pm_settings_get()->nvrtc, NULL}, *const any[] = {"libnvrtc.so",
                                                                                  NULL};
    int driver = pm_cuda_driver_version();
    bool is_old = driver > 0 && driver < 13000;
    const char *const *const lists[] = {named, is_old ? earlier : later, is_old ? later : earlier,
                                        any};
    void *library = NULL;
    for (int i = 0; i < 4 && !library; ++i)
        library = open_first(lists[i]);
    return library;
}

static pm_status load(pm_error *err)
{
    static void *library;
    if (library)
        return PM_OK;
    void *found = open_library();
    if (!found)
        return pm_fail(err, PM_ENODEV,
                       "GPU: the run-time compiler of CUDA (libnvrtc.so) is not installed");
    for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i) {
        void *symbol = dlsym(found, calls[i].symbol);
        if (!symbol) {
            dlclose(found);
            return pm_fail(err, PM_ENODEV, "GPU: libnvrtc.so is too old, it has no %s",
                           calls[i].symbol);
        }
        memcpy(calls[i].slot, &symbol, sizeof symbol); /* as POSIX allows */
    }
    library = found;
    return PM_OK;
}

static pm_status check(nvrtcResult e, pm_error *err)
{
    if (e == NVRTC_SUCCESS)
        return PM_OK;
    return pm_fail(err, e == NVRTC_ERROR_OUT_OF_MEMORY ? PM_ENOMEM : PM_EINTERNAL, "NVRTC: %s",
                   rt.nvrtcGetErrorString(e));
}

pm_status pm_nvrtc_version(int *major, int *minor, pm_error *err)
{
    pm_status status = load(err);
    return status ? status : check(rt.nvrtcVersion(major, minor), err);
}

/* ---- targets ---- */

/* Code for the capabilities of Jetson boards runs on no other device. */
static bool can_serve(int known, int device)
{
    bool is_of_board = known == 72 || known == 87 || known == 101;
    return known == device || (known < device && !is_of_board);
}

pm_status pm_nvrtc_target_for(int major, int minor, pm_nvrtc_target *out, pm_error *err)
{
    int count = 0, best = 0, device = 10 * major + minor;
    pm_status status = load(err);
    if (!status)
        status = check(rt.nvrtcGetNumSupportedArchs(&count), err);
    if (status)
        return status;
    int *known = pm_calloc_array(count, sizeof *known);
    if (!known)
        return pm_fail_memory(err, "list of devices");
    status = check(rt.nvrtcGetSupportedArchs(known), err);
    for (int i = 0; i < count; ++i)
        if (can_serve(known[i], device) && known[i] > best)
            best = known[i];
    free(known);
    if (!status && !best)
        status = pm_fail(err, PM_EINTERNAL, "NVRTC: does not know devices of capability %d.%d",
                         major, minor);
    out->is_ptx = best / 10 != major;
    snprintf(out->option, sizeof out->option, "--gpu-architecture=%s_%d",
             out->is_ptx ? "compute" : "sm", best);
    return status;
}

/* ---- compiling ---- */

/* The first line of the compiler's log with the word "error" becomes the message. */
static pm_status complain(nvrtcProgram program, nvrtcResult e, pm_error *err)
{
    size_t size = 0;
    char *log = NULL, *line = NULL;
    pm_status status = check(e, err);
    if (rt.nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS && size > 1)
        log = pm_alloc_array((int64_t)size, 1);
    if (log && rt.nvrtcGetProgramLog(program, log) == NVRTC_SUCCESS)
        line = strstr(log, "error");
    if (line) {
        line[strcspn(line, "\n")] = '\0';
        pm_fail(err, status, "NVRTC: %s", line);
    }
    free(log);
    return status;
}

static pm_status take_code(nvrtcProgram program, bool is_ptx, pm_gpu_image *out, pm_error *err)
{
    pm_gpu_image image = {0};
    pm_status status = check(is_ptx ? rt.nvrtcGetPTXSize(program, &image.size)
                                    : rt.nvrtcGetCUBINSize(program, &image.size),
                             err);
    if (status)
        return status;
    image.data = pm_alloc_array((int64_t)image.size, 1);
    if (!image.data)
        return pm_fail_memory(err, "machine code");
    status = check(
        is_ptx ? rt.nvrtcGetPTX(program, image.data) : rt.nvrtcGetCUBIN(program, image.data), err);
    if (status)
        free(image.data);
    else
        *out = image;
    return status;
}

/* The compiler of CUDA 12 does not know PM_NVRTC_QUICK. */
static nvrtcResult compile_program(nvrtcProgram program, const pm_nvrtc_target *target,
                                   bool is_quick)
{
    const char *options[] = {target->option, PM_NVRTC_STANDARD, PM_NVRTC_NO_FMAD, PM_NVRTC_QUICK,
                             PM_NVRTC_QUICK_ASSEMBLER};
    nvrtcResult e = NVRTC_ERROR_INVALID_OPTION;
    if (is_quick)
        e = rt.nvrtcCompileProgram(program, 5, options);
    if (e == NVRTC_ERROR_INVALID_OPTION)
        e = rt.nvrtcCompileProgram(program, 3, options);
    return e;
}

pm_status pm_nvrtc_compile(const char *text, const pm_nvrtc_target *target, pm_gpu_image *out,
                           pm_error *err)
{
    nvrtcProgram program = NULL;
    pm_status status = load(err);
    if (!status)
        status = check(rt.nvrtcCreateProgram(&program, text, "kernel.cu", 0, NULL, NULL), err);
    if (status)
        return status;
    nvrtcResult e = compile_program(program, target, strstr(text, PM_GPU_QUICK) != NULL);
    status = e ? complain(program, e, err) : take_code(program, target->is_ptx, out, err);
    rt.nvrtcDestroyProgram(&program);
    return status;
}
