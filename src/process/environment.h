/* SPDX-License-Identifier: GPL-3.0-or-later */
/* process/environment.h: the settings of the library (pm/settings.h) from environment variables. */
#ifndef PM_ENVIRONMENT_H
#define PM_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

enum { PM_ENVIRONMENT_PATH_MAX = 4096 };

/* The path of the program that runs.  Returns false when the system does not tell it, or it is too
 * long. */
bool pm_environment_own_path(char path[PM_ENVIRONMENT_PATH_MAX]);

/* Sets PM_ISA, PM_GPU_INTEGERS, PM_NVRTC, PM_LIBEXEC, and the cache folder: $XDG_CACHE_HOME/pmkit,
 * else ~/.cache/pmkit, else none.  Without PM_LIBEXEC, helper programs that are not in the
 * configured folder are looked for beside the program.  The seed of hash tables is random.  Refusals
 * name the options of the programs (--max-memory, ...).  Not thread-safe. */
void pm_environment_read(void);

/* Calls pm_environment_read, and makes GMP end the program with exit status 71 and one line on
 * standard error that starts with program when memory ends (GMP itself would abort).  For the first
 * line of main. */
void pm_environment_start(const char *program);

/* Bounds the memory that the process allocates (pm/memory.h) to about so many bytes and 16 MiB for what a
 * program without any input takes.  Called before the first input. */
void pm_environment_limit_memory(int64_t bytes);
/* Adds the option to the message of a failure PM_ENOMEM where there is such a bound. */
void pm_environment_name_limit(pm_status status, pm_error *err);

#endif
