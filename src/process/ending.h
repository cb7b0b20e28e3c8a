/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/ending.h: the end of a program is the return of its main, or a signal.
 *
 * Libraries call exit() when threads or memory end; the OpenMP library does so with status 1, which
 * would say that an answer is zero.  An exit that pm_ending_expect has not announced, even one before
 * main, becomes status 71 with a line on standard error, or the end by a signal or by the time limit that has
 * come before; the unfinished file is removed, and what standard output still holds is not written. */
#ifndef PM_ENDING_H
#define PM_ENDING_H

/* For main, before it returns. */
void pm_ending_expect(void);

#endif
