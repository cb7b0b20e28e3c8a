/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/command.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "core/team.h"
#include "gpu/kernel_cache.h"
#include "process/ending.h"
#include "process/environment.h"
#include "process/sandbox.h"
#include "process/signals.h"
#include "process/terminal.h"
#include "process/wait_policy.h"

/* ---- what has to be set before anything else ---- */

enum { NEEDED_KIB = PM_TEAM_STACK >> 10 };

/* Threads get stacks of the limit that the program began with, unless the default is changed. */
static void ensure_thread_stacks(void)
{
    pthread_attr_t attributes;
    size_t size;
    if (pthread_getattr_default_np(&attributes) != 0)
        return;
    if (pthread_attr_getstacksize(&attributes, &size) == 0 && size < (size_t)NEEDED_KIB << 10
        && pthread_attr_setstacksize(&attributes, (size_t)NEEDED_KIB << 10) == 0)
        (void)pthread_setattr_default_np(&attributes); /* fails only for want of memory */
    pthread_attr_destroy(&attributes);
}

/* Raises a limit that is too low.
 * Fails: PM_ENOMEM, the limit cannot be raised. */
static pm_status ensure_stack(pm_error *err)
{
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

/* A file that is opened gets the lowest free number: without standard output or standard error, answers
 * or messages would go into it.  Closed ones become /dev/null, opened so that their use fails. */
static void fill_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; ++file)
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

#ifdef HAVE_CUDA

/* Whether a driver can find a device: nodes of devices (of Linux, of Windows below it, of Jetson), or the
 * program of the driver that makes the nodes at the first use. */
static bool may_have_gpu(void)
{
    static const char *const signs[] = {"/dev/nvidiactl", "/dev/dxg",   "/dev/nvhost-ctrl",
                                        "/dev/nvgpu",     "/dev/nvmap", "/usr/bin/nvidia-modprobe"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; ++i)
        if (access(signs[i], F_OK) == 0)
            return true;
    return false;
}

static bool may_use_gpu(const pm_command *command, const void *settings)
{
    pm_backend where = command->backend ? command->backend(settings) : PM_BACKEND_CPU;
    return where == PM_BACKEND_CUDA || (where == PM_BACKEND_AUTO && may_have_gpu());
}

#else

static bool may_use_gpu(const pm_command *command, const void *settings)
{
    (void)command, (void)settings;
    return false;
}

#endif

static void enter_sandbox(pm_invocation *program)
{
    const char *why = pm_sandbox_enter();
    if (why)
        pm_console_notef(&program->console, 2, "no sandbox for system calls: %s", why);
    program->is_in_sandbox = true;
}

/* ---- main ---- */

static pm_run run_of(const pm_command *command, const pm_common_settings *common,
                     const pm_ranks *ranks, pm_console *console)
{
    int threads = common->run.threads;
    int64_t memory = common->run.max_memory;
    if (ranks && threads == 0)
        threads = pm_ranks_threads(ranks);
    if (ranks && memory == 0)
        memory = pm_ranks_memory(ranks);
    return (pm_run){
        .threads = command->uses & PM_USES_THREADS ? threads : 1,
        .max_memory = memory,
        .max_cost = common->run.max_cost,
        .stop = pm_signals_install(),
        .progress = pm_console_progress,
        .note = pm_console_note,
        .quiet = console->verbosity > 0 ? console->verbosity + 1 : 1,
        .context = console,
    };
}

/* Of this rank: the others than rank 0 print nothing. */
static void open_console(pm_invocation *program)
{
    const pm_common_settings *common = program->common;
    bool prints = !program->ranks || pm_ranks_prints(program->ranks);
    pm_console_open(&program->console, program->command->name, prints ? common->verbosity : -1,
                    prints && common->run.progress);
}

static void tell(void *console, const char *line)
{
    pm_console_error(console, line);
}

/* ready: the failure so far, whose message is in *not_ready. */
static int run_program(const pm_command *command, const pm_option_group *groups, void *settings,
                       const pm_common_settings *common, int argc, char **argv, pm_status ready,
                       pm_error *not_ready, pm_ranks **ranks)
{
    int first;
    pm_error err;
    pm_given_options given;
    int status = pm_options_parse(command, groups, argc, argv, &first, &given);
    if (status >= 0)
        return status;
    if (command->check(settings, argc - first, &err) != PM_OK)
        return pm_misuse(command, "%s", err.msg);
    pm_invocation program = {
        .command = command,
        .common = common,
        .output = *ranks && !pm_ranks_prints(*ranks) ? NULL : common->output,
        .argv = argv,
        .operand = argv + first,
        .operand_count = argc - first,
        .groups = groups,
        .given = &given,
        .ranks = *ranks,
    };
    open_console(&program);
    if (ready != PM_OK) {
        pm_console_error(&program.console, not_ready->msg);
        return pm_exit(command, pm_exit_status(ready));
    }
    if (common->run.max_memory > 0)
        pm_environment_limit_memory(common->run.max_memory);
    program.run = run_of(command, common, *ranks, &program.console);
    if (common->run.time_limit > 0)
        pm_signals_set_limit(common->run.time_limit);
    const int missing = command->uses & PM_USES_RANKS ? pm_ranks_missing() : 0;
    if (missing)
        pm_console_notef(
            &program.console, 0,
            "started as one of %d ranks, but built without MPI: each of them answers alone; "
            "./configure --with-mpi",
            missing);
    if (*ranks)
        pm_console_notef(&program.console, 2,
                         "%d ranks of MPI, %d threads here; no sandbox: MPI needs sockets",
                         pm_ranks_count(*ranks), program.run.threads);
    else if (!may_use_gpu(command, settings))
        enter_sandbox(&program);
    int end = command->run(settings, &program);
    if (pm_kernel_cache_trouble())
        pm_console_notef(&program.console, 1, "compiled kernels are not kept: %s",
                         pm_kernel_cache_trouble());
    end = pm_ranks_end(ranks, end, tell, &program.console);
    end = pm_exit(command, end);
    if (command->finish)
        command->finish(settings, end);
    return end;
}

static int run_command(const pm_command *command, const pm_option_group *groups, void *settings,
                       const pm_common_settings *common, int argc, char **argv)
{
    fill_standard_files();
    pm_signals_ignore_file_size();
    pm_environment_start(command->name);
    pm_error not_ready;
    pm_status ready = command->uses & PM_USES_KERNELS ? ensure_stack(&not_ready) : PM_OK;
    if (command->uses & PM_USES_THREADS) {
        pm_wait_policy_set(argv);
        ensure_thread_stacks();
    }
    pm_ranks *ranks = NULL;
    if (!ready && command->uses & PM_USES_RANKS)
        ready = pm_ranks_start(&ranks, &not_ready);
    if (!ready)
        ready = pm_terminal_guard(&not_ready);
    int status =
        run_program(command, groups, settings, common, argc, argv, ready, &not_ready, &ranks);
    pm_console console;
    pm_console_open(&console, command->name, 0, false);
    return pm_ranks_end(&ranks, status, tell, &console);
}

int pm_command_main(const pm_command *command, const pm_option_group *groups, void *settings,
                    const pm_common_settings *common, int argc, char **argv)
{
    int status = run_command(command, groups, settings, common, argc, argv);
    pm_ending_expect();
    return status;
}
