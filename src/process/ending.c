/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "process/ending.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pm/status.h"
#include "process/signals.h"

static volatile sig_atomic_t is_expected;

void pm_ending_expect(void)
{
    is_expected = 1;
}

/* Standard error has no buffer of ours, and a failure to write to it cannot be told. */
static void put(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written;
}

static void on_exit_call(void)
{
    if (is_expected)
        return;
    pm_signals_end_if_stopped();
    put(program_invocation_short_name);
    put(": out of memory or threads: a library has ended the program\n");
    pm_signals_end(pm_exit_status(PM_ENOMEM));
}

static void watch(void)
{
    atexit(on_exit_call); /* has room for 32 functions without memory */
}

/* The OpenMP library allocates memory before main; the functions of this section run earlier. */
__attribute__((section(".preinit_array"), used)) static void (*const watch_early)(void) = watch;
