/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/run.h"

#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

int pm_run_threads(const pm_run *run)
{
    return run && run->threads > 0 ? run->threads : omp_get_max_threads();
}

static int64_t available_memory(void)
{
    long long kib;
    char line[128];
    FILE *f = fopen("/proc/meminfo", "r");
    int64_t bytes = 0;
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "MemAvailable: %lld kB", &kib) == 1)
            bytes = (int64_t)kib * 1024;
    if (f)
        fclose(f);
    if (!bytes) /* not Linux, or /proc is not mounted */
        bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    return bytes;
}

int64_t pm_run_memory(const pm_run *run)
{
    return run && run->max_memory > 0 ? run->max_memory : available_memory() / 4 * 3;
}

void pm_run_note(const pm_run *run, int level, const char *fmt, ...)
{
    if (!run || !run->note)
        return;
    char line[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    run->note(run->context, level, line);
}

void pm_run_progress(const pm_run *run, double fraction, const char *what)
{
    if (run && run->progress)
        run->progress(run->context, fraction, what);
}
