/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/message.h"

static void write_message(pm_error *err, double seconds, const char *fmt, va_list ap)
{
    if (!err)
        return;
    pm_message_write(err->msg, sizeof err->msg, fmt, ap);
    err->predicted_seconds = seconds;
}

pm_status pm_fail(pm_error *err, pm_status code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    write_message(err, 0, fmt, ap);
    va_end(ap);
    return code;
}

pm_status pm_fail_after(const pm_error *why, pm_error *err, pm_status code, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    write_message(err, why->predicted_seconds, fmt, ap);
    va_end(ap);
    return code;
}

pm_status pm_fail_cost(pm_error *err, double seconds, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    write_message(err, seconds, fmt, ap);
    va_end(ap);
    return PM_UNABLE;
}

pm_status pm_fail_internal(pm_error *err, const char *fmt, ...)
{
    static const char request[] = "; this is a defect of the program: please report it, with the "
                                  "command and the input, " PM_BUG_REPORT;
    char what[sizeof err->msg - sizeof request];
    va_list ap;
    va_start(ap, fmt);
    pm_message_write(what, sizeof what, fmt, ap);
    va_end(ap);
    return pm_fail(err, PM_EINTERNAL, "%s%s", what, request);
}

pm_status pm_fail_memory(pm_error *err, const char *what)
{
    return pm_fail(err, PM_ENOMEM, "out of memory: %s", what);
}

const char *pm_status_name(pm_status status)
{
    static const char *const names[] = {
        [PM_OK] = "none",
        [PM_EUSAGE] = "usage",
        [PM_EDATA] = "data",
        [PM_ENOINPUT] = "input",
        [PM_UNABLE] = "unable",
        [PM_ENODEV] = "device",
        [PM_EINTERNAL] = "internal",
        [PM_ENOMEM] = "memory",
        [PM_EIO] = "io",
        [PM_ESTOPPED] = "time",
        [PM_PARTIAL] = "part",
    };
    return names[status];
}

int pm_exit_status(pm_status s)
{
    switch (s) {
    case PM_OK: return 0;
    case PM_EUSAGE: return 64;
    case PM_EDATA: return 65;
    case PM_ENOINPUT: return 66;
    case PM_UNABLE:
    case PM_ENODEV: return 69;
    case PM_EINTERNAL: return 70;
    case PM_ENOMEM: return 71;
    case PM_EIO: return 74;
    case PM_ESTOPPED: return 75;
    case PM_PARTIAL: break;
    }
    return 70;
}

bool pm_is_refusal(pm_status s)
{
    return s == PM_UNABLE || s == PM_EUSAGE || s == PM_ENODEV;
}
