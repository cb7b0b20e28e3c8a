/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "gpu/gpu_code.h"

#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

/* Of the process. */
static struct {
    int major, minor;
    char *text;
    pm_gpu_image image;
    pm_status failure;
    pm_error why;
} code;

void pm_gpu_code_forget(void)
{
    free(code.text);
    free(code.image.data);
    memset(&code, 0, sizeof code);
}

static bool is_there(const char *text, const pm_gpu_info *of)
{
    return code.text && code.major == of->major && code.minor == of->minor
           && strcmp(code.text, text) == 0;
}

static pm_status compile(const char *text, const pm_gpu_info *of, pm_error *err)
{
    pm_gpu_code_forget();
    code.text = pm_copy_text(text);
    if (!code.text)
        return pm_fail_memory(err, "text of a kernel");
    code.major = of->major;
    code.minor = of->minor;
    code.failure = pm_gpu_compile(text, of->major, of->minor, &code.image, &code.why);
    return PM_OK;
}

static pm_status take(pm_gpu_image *out, pm_error *err)
{
    if (code.failure)
        return pm_fail(err, code.failure, "%s", code.why.msg);
    void *data = pm_copy(code.image.data, code.image.size);
    if (!data)
        return pm_fail_memory(err, "machine code");
    *out = (pm_gpu_image){data, code.image.size};
    return PM_OK;
}

pm_status pm_gpu_code(const char *text, const pm_gpu_info *of, pm_gpu_image *out, pm_error *err)
{
    pm_status rc = PM_OK;
#pragma omp critical(pm_gpu_code)
    {
        if (!is_there(text, of))
            rc = compile(text, of, err);
        if (!rc)
            rc = take(out, err);
        if (code.failure == PM_ENOMEM) /* may pass */
            pm_gpu_code_forget();
    }
    return rc;
}
