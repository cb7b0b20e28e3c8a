/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a process can do no more in the sandbox, and what it still can. */
#include "config.h"

#include "support/testing.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/sandbox.h"

enum { NO_SANDBOX = 77 };

/* The exit status of a process in the sandbox that runs work. */
static int in_sandbox(int (*work)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const char *why = pm_sandbox_enter();
        if (why)
            fprintf(stderr, "# no sandbox: %s\n", why);
        _exit(why ? NO_SANDBOX : work());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == NO_SANDBOX)
        skip();
    return WEXITSTATUS(status);
}

static int refused(long result)
{
    return result == -1 && errno == EPERM;
}

static int try_what_is_refused(void)
{
    static const int families[] = {AF_UNIX, AF_INET, AF_INET6, AF_NETLINK};
    for (int i = 0; i < 4; ++i)
        if (!refused(socket(families[i], SOCK_STREAM, 0)))
            return 1;
    if (!refused(syscall(SYS_io_uring_setup, 1, NULL)))
        return 3;
    if (!refused(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0)))
        return 4;
    if (!refused(syscall(SYS_unshare, 0)) || !refused(syscall(SYS_chroot, "/")))
        return 5;
#ifndef __SANITIZE_ADDRESS__
    if (!refused(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)))
        return 6;
#endif
#ifdef __x86_64__
    /* x32; valgrind answers calls that it does not know itself */
    const char *preload = getenv("LD_PRELOAD");
    bool has_kernel = !preload || !strstr(preload, "vgpreload");
    if (has_kernel && !refused(syscall(0x40000000 + SYS_getpid)))
        return 7;
#endif
    return 0;
}

static int try_what_is_allowed(void)
{
    int ends[2];
    char text[8] = "";
    if (pipe(ends) != 0 || write(ends[1], "pipe", 4) != 4 || read(ends[0], text, 4) != 4)
        return 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) /* for the helper program */
        return 5;
    FILE *f = tmpfile();
    if (!f || fputs("file", f) < 0 || fclose(f) != 0)
        return 2;
    double sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < 1000; ++i)
        sum += i;
    if (sum != 499500)
        return 3;
    return system("exit 5") == 5 << 8 ? 0 : 4; /* another program */
}

static void what_is_refused(void **state)
{
    (void)state;
    assert_int_equal(in_sandbox(try_what_is_refused), 0);
}

static void what_is_allowed(void **state)
{
    (void)state;
    assert_int_equal(in_sandbox(try_what_is_allowed), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(what_is_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
