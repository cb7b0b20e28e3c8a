/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "process/signals.h"
#include "process/write_failure.h"

static const struct {
    int status;
    const char *meaning;
} meanings[] = {
    {0, "done"},
    {64, "wrong usage"},
    {65, "an input breaks its format"},
    {66, "an input cannot be opened"},
    {69, "refused: beyond the method, the memory or the limits set"},
    {70, "internal error"},
    {71, "out of memory, or of threads that a library needs"},
    {74, "reading or writing failed"},
    {75, "stopped at a time limit"},
    {76, "an estimate is unreliable"},
};

const char *pm_exit_meaning(int status)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; ++i)
        if (meanings[i].status == status)
            return meanings[i].meaning;
    return NULL;
}

int pm_exit(const pm_command *command, int status)
{
    int failed = ferror(stdout), why = failed ? pm_write_failure(stdout) : 0;
    errno = 0;
    pm_signals_hold_limit();
    if (fclose(stdout) != 0 || failed) {
        why = errno ? errno : why;
        /* No second message for an error that was reported before, and none for a write that a signal
         * interrupted, by which the program ends. */
        if (status != pm_exit_status(PM_EIO) && !pm_signals_will_raise())
            fprintf(stderr, "%s: standard output: %s\n", command->name,
                    why ? strerror(why) : "writing failed");
        if (status <= 1)
            status = pm_exit_status(PM_EIO);
    }
    pm_signals_raise();
    return status;
}
