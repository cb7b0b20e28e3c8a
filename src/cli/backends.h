/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/backends.h: arguments of --backend and --gpus. */
#ifndef PM_BACKENDS_H
#define PM_BACKENDS_H

#include "pm/count.h"

/* A pm_backend: auto, cpu or cuda. */
pm_status pm_set_backend(void *field, const char *arg, pm_error *err);
/* An int: 1 to 64, or -1: all. */
pm_status pm_set_gpus(void *field, const char *arg, pm_error *err);

#endif
