/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/threads.h: how OpenMP's threads wait for each other. */
#ifndef PM_THREADS_H
#define PM_THREADS_H

/* Call first in main.  Threads of OpenMP that wait spin by default, on the processor that the
 * thread they wait for needs when other programs run too: a count of 0.3 s took 11 to 17 s beside
 * two busy processes, and 1.3 s with threads that sleep.  The library reads OMP_WAIT_POLICY before
 * main, so the program sets it, unless the user did, and starts itself again (half a millisecond).
 * Where that fails it goes on as it is. */
void pm_threads_sleep(char **argv);

#endif
