/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/sandbox.h: what a program gives up before it reads an input. */
#ifndef PM_SANDBOX_H
#define PM_SANDBOX_H

/* From now on this process, its threads and the helper programs that it starts cannot make sockets
 * (but pairs that are connected with each other), look into other processes by system calls, or change
 * the system: the calls for that fail with EPERM.  (A filter of system calls of Linux, seccomp(2);
 * x86-64 and AArch64.)  It cannot be undone.  Not for
 * processes that use a GPU: what its driver calls is not known.
 * Returns NULL, or why there is no such filter here. */
const char *pm_sandbox_enter(void);

/* NULL where the kernel has such filters, or why not.  Changes nothing. */
const char *pm_sandbox_missing(void);

#endif
