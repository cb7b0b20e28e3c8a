/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PM_LOG_FACTORIAL_H
#define PM_LOG_FACTORIAL_H

/* ln(n!) for n >= 0.  Thread-safe, which lgamma of the C library is not: it writes a global sign. */
double pm_log_factorial(double n);

#endif
