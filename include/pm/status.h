/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pm/status.h: the status that a function of the library returns, and its message. */
#ifndef PM_STATUS_H
#define PM_STATUS_H

#include <stdbool.h>

typedef enum {
    PM_OK = 0,
    PM_EUSAGE,    /* the arguments make no sense together                  exit 64 */
    PM_EDATA,     /* the input breaks its format                           exit 65 */
    PM_ENOINPUT,  /* the input cannot be opened                            exit 66 */
    PM_UNABLE,    /* refused: beyond the method, the memory or the budget  exit 69 */
    PM_ENODEV,    /* no GPU, a GPU that fails, or built without CUDA       exit 69 */
    PM_EINTERNAL, /* a self-check failed                                   exit 70 */
    PM_ENOMEM,    /* out of memory                                         exit 71 */
    PM_EIO,       /* reading or writing failed                             exit 74 */
    PM_ESTOPPED,  /* stopped early: run->stop is set, or the deadline      exit 75 */
    PM_PARTIAL    /* done, but for what other parts of the run do; no exit status */
} pm_status;

/* The message of a failure.  The function that first notices the failure writes it; its callers
 * pass it on.  It is one line without a newline. */
typedef struct {
    char msg[1024];
    double predicted_seconds; /* of what was refused, for its time or its memory; 0: not known */
} pm_error;

#ifdef __GNUC__
#define PM_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define PM_PRINTF(fmt, args)
#endif

/* Writes a printf-style message into *err.  A message that is too long loses its middle: file names
 * stand at its beginning, the reason at its end.  err may be NULL.  Returns code. */
pm_status pm_fail(pm_error *err, pm_status code, const char *fmt, ...) PM_PRINTF(3, 4);

/* The same for a failure that was noticed before, which *why tells: its prediction is kept.  why is
 * not err. */
pm_status pm_fail_after(const pm_error *why, pm_error *err, pm_status code, const char *fmt, ...)
    PM_PRINTF(4, 5);

/* The same for a refusal of what is predicted to take so many seconds.  Returns PM_UNABLE. */
pm_status pm_fail_cost(pm_error *err, double seconds, const char *fmt, ...) PM_PRINTF(3, 4);

/* The same for a self-check that failed; the message ends with a request to report it.  Returns
 * PM_EINTERNAL. */
pm_status pm_fail_internal(pm_error *err, const char *fmt, ...) PM_PRINTF(2, 3);

/* Writes "out of memory: " and what (what was to be allocated).  Returns PM_ENOMEM. */
pm_status pm_fail_memory(pm_error *err, const char *what);

/* One word for the kind of a failure: "usage", "data", "input", "unable", "device", "internal",
 * "memory", "io", "time"; "none" for PM_OK. */
const char *pm_status_name(pm_status status);

/* True for PM_UNABLE, PM_EUSAGE and PM_ENODEV: the input is good, but the request is refused. */
bool pm_is_refusal(pm_status status);

/* The exit status, as in sysexits.h, of a program that ends with this status. */
int pm_exit_status(pm_status status);

#endif
