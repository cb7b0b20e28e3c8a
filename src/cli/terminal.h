/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/terminal.h: what standard output is. */
#ifndef PM_TERMINAL_H
#define PM_TERMINAL_H

enum { PM_TERMINAL_WIDTH = 80 }; /* where nothing is known */

/* Characters in a line of the terminal that standard output is; 80 where it is none. */
int pm_terminal_width(void);

#endif
