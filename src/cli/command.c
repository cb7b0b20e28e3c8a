/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/environment.h"
#include "cli/sandbox.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "gpu/kernel_cache.h"

/* ---- what has to be set before anything else ---- */

/* The kernels keep tiles on the stack.  Raises a limit that is too low.
 * Fails: PM_ENOMEM, the limit cannot be raised. */
static pm_status ensure_stack(pm_error *err)
{
    enum { NEEDED_KIB = 1024 }; /* several times what the deepest call chain takes */
    const rlim_t needed = (rlim_t)NEEDED_KIB << 10;
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= needed)
        return PM_OK;
    rlim_t found = limit.rlim_cur;
    limit.rlim_cur = needed;
    if (setrlimit(RLIMIT_STACK, &limit) == 0)
        return PM_OK;
    return pm_fail(
        err, PM_ENOMEM,
        "the limit of the stack is %llu KiB, but %d KiB are needed: raise it with ulimit -s",
        (unsigned long long)found >> 10, NEEDED_KIB);
}

/* By default, OpenMP threads that wait do so in a busy loop, on a processor that another thread may
 * need when other programs run too: a count of 0.3 s took 11 to 17 s beside two busy processes, and
 * 1.3 s with threads that sleep.  The OpenMP library reads OMP_WAIT_POLICY before main; so the
 * program sets the variable, unless the user did, and executes itself again, which takes half a
 * millisecond.  When that is not possible, the program goes on with the default. */
static void let_threads_sleep(char **argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT"))
        return;
    /* the path instead of the link, so that the process keeps its name */
    char self[PM_ENVIRONMENT_PATH_MAX];
    if (pm_environment_own_path(self) && setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
        execv(self, argv);
}

static bool may_use_gpu(const pm_command *command, const void *settings)
{
#ifdef HAVE_CUDA
    return command->may_use_gpu && command->may_use_gpu(settings);
#else
    (void)command, (void)settings;
    return false;
#endif
}

static void enter_sandbox(pm_console *console)
{
    const char *why = pm_sandbox_enter();
    if (why)
        pm_console_notef(console, 2, "no sandbox: %s", why);
}

/* ---- main ---- */

/* A command that prints as it goes needs no signal handler, unless it writes a file: a signal must
 * not leave an incomplete one, or has a time limit. */
static pm_run run_of(const pm_command *command, const pm_common_settings *common,
                     pm_console *console)
{
    bool may_stop = command->uses & PM_USES_SIGNALS || common->output || common->run.time_limit > 0;
    if (!may_stop)
        pm_signals_install_report();
    return (pm_run){
        .threads = common->run.threads,
        .max_memory = common->run.max_memory,
        .max_cost = common->run.max_cost,
        .stop = may_stop ? pm_signals_install() : NULL,
        .progress = pm_console_progress,
        .note = pm_console_note,
        .quiet = console->verbosity > 0 ? console->verbosity + 1 : 1,
        .context = console,
    };
}

int pm_command_main(const pm_command *command, const pm_option_group *groups, void *settings,
                    const pm_common_settings *common, int argc, char **argv)
{
    pm_environment_start(command->name);
    pm_error not_ready, err;
    pm_status ready = command->uses & PM_USES_KERNELS ? ensure_stack(&not_ready) : PM_OK;
    if (command->uses & PM_USES_THREADS)
        let_threads_sleep(argv);
    if (!ready)
        ready = pm_terminal_guard(&not_ready);
    int first;
    int status = pm_options_parse(command, groups, argc, argv, &first);
    if (status >= 0)
        return status;
    if (command->check(settings, argc - first, &err) != PM_OK)
        return pm_misuse(command, "%s", err.msg);
    pm_invocation program = {
        .command = command,
        .common = common,
        .argv = argv,
        .operand = argv + first,
        .operand_count = argc - first,
    };
    pm_console_open(&program.console, command->name, common->verbosity, common->run.progress);
    if (ready != PM_OK) {
        pm_console_error(&program.console, not_ready.msg);
        return pm_exit(command, pm_exit_status(ready));
    }
    program.run = run_of(command, common, &program.console);
    if (common->run.time_limit > 0)
        pm_signals_set_limit(common->run.time_limit);
    if (!may_use_gpu(command, settings))
        enter_sandbox(&program.console);
    int end = command->run(settings, &program);
    if (pm_kernel_cache_trouble())
        pm_console_notef(&program.console, 1, "compiled kernels are not kept: %s",
                         pm_kernel_cache_trouble());
    return pm_exit(command, end);
}
