/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "process/sandbox.h"

#include <errno.h>
#include <string.h>

#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* Calls by other tables of numbers (x32) begin here. */
#define OTHER_NUMBERS 0x40000000u

static const unsigned refused[] = {
    /* sockets, but no pairs of them, which the helper program is given; also io_uring, which can
     * make sockets */
    SYS_socket, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_io_uring_setup,
    SYS_io_uring_enter, SYS_io_uring_register,
/* other processes; the leak checker of the sanitizers needs the first one */
#ifndef __SANITIZE_ADDRESS__
    SYS_ptrace,
#endif
    SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_open, SYS_pidfd_send_signal,
    /* the system */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff};

/* The kernel runs the filter for each of its calls when it is installed.  So it is a binary search, of
 * REFUSED leaves, which compare, and REFUSED - 1 nodes; 60 us instead of 80 with comparisons
 * one after another. */
enum {
    REFUSED = sizeof refused / sizeof *refused,
    BEFORE = 5,
    TREE = 2 * REFUSED - 1,
    LENGTH = BEFORE + TREE + 2
};

static int compare(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return x < y ? -1 : x > y;
}

/* The search among number[0..count), as 2 count - 1 steps.  rest: the steps that follow them, before the two
 * last ones: allow, refuse. */
static void put_search(struct sock_filter *step, const unsigned *number, int count, int rest)
{
    if (count == 1) {
        *step = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, *number,
                                             (unsigned char)(rest + 1), (unsigned char)rest);
        return;
    }
    int low = count / 2, high = count - low, low_steps = 2 * low - 1, high_steps = 2 * high - 1;
    *step = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, number[low],
                                         (unsigned char)low_steps, 0);
    put_search(step + 1, number, low, rest + high_steps);
    put_search(step + 1 + low_steps, number + low, high, rest);
}

const char *pm_sandbox_enter(void)
{
    unsigned sorted[REFUSED];
    /* the last two steps: allow, refuse */
    struct sock_filter step[LENGTH] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JA, LENGTH - 4, 0, 0),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_NUMBERS, LENGTH - 6, 0),
    };
    memcpy(sorted, refused, sizeof sorted);
    qsort(sorted, REFUSED, sizeof *sorted, compare);
    put_search(step + BEFORE, sorted, REFUSED, 0);
    step[LENGTH - 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    step[LENGTH - 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    const struct sock_fprog program = {LENGTH, step};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0)
        return strerror(errno);
    return NULL;
}

const char *pm_sandbox_missing(void)
{
    return prctl(PR_GET_SECCOMP) >= 0 ? NULL : "the kernel has no filters of system calls";
}

#else

const char *pm_sandbox_missing(void)
{
    return "only for Linux on x86-64 and AArch64";
}

const char *pm_sandbox_enter(void)
{
    return "only for Linux on x86-64 and AArch64";
}

#endif
