/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dense/ryser.h: the methods of `ryser` on the CPU, whose sums those on GPUs go on with. */
#ifndef PM_RYSER_H
#define PM_RYSER_H

#include "sweep/ryser_driver.h"

extern const pm_sweep_method pm_ryser_exact, pm_ryser_inexact;

#endif
