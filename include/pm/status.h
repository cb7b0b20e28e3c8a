/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/status.h: what a library call returns, and the message that goes with it. */
#ifndef PM_STATUS_H
#define PM_STATUS_H

#include <stdbool.h>

typedef enum {
    PM_OK = 0,
    PM_EUSAGE,    /* the caller asked for something meaningless            exit 64 */
    PM_EDATA,     /* the input breaks its format                           exit 65 */
    PM_ENOINPUT,  /* the input cannot be opened                            exit 66 */
    PM_UNABLE,    /* refused: beyond the method, the memory or the budget  exit 69 */
    PM_ENODEV,    /* no GPU, one that fails, or built without CUDA         exit 69 */
    PM_EINTERNAL, /* a self-check failed                                   exit 70 */
    PM_ENOMEM,    /* memory exhausted                                      exit 71 */
    PM_EIO,       /* reading or writing failed; errno text in the message  exit 74 */
    PM_ESTOPPED   /* stopped by a signal or a time limit                   exit 75 */
} pm_status;

/* Filled by the function that first notices the failure; callers only pass it on. */
typedef struct {
    char msg[1024];
} pm_error;

#ifdef __GNUC__
#define PM_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PM_PRINTF(fmt, args)
#endif

/* Store a printf-style message in *err (when err is not NULL); return code. */
pm_status pm_fail(pm_error *err, pm_status code, const char *fmt, ...) PM_PRINTF(3, 4);

/* pm_fail for an allocation that failed; what: the thing that did not fit. */
pm_status pm_fail_memory(pm_error *err, const char *what);

/* PM_UNABLE, PM_EUSAGE, PM_ENODEV: what was asked for is refused, the input is good. */
bool pm_is_refusal(pm_status s);

/* The exit status, in the manner of sysexits.h, of a program that ends with s. */
int pm_exit_status(pm_status s);

#endif
