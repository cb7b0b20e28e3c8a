/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/run.h"

#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/clock.h"
#include "core/message.h"
#include "pm/alloc.h"

static bool is_stop_requested(const pm_run *run)
{
    return run && run->stop && *run->stop;
}

static bool has_passed_deadline(const pm_run *run)
{
    return run && run->deadline > 0 && pm_clock() >= run->deadline;
}

bool pm_run_stopped(const pm_run *run)
{
    return is_stop_requested(run) || has_passed_deadline(run);
}

bool pm_run_is_late(const pm_run *run)
{
    return has_passed_deadline(run) && !is_stop_requested(run);
}

pm_run pm_run_within(const pm_run *run, double seconds)
{
    pm_run within = *run;
    if (seconds > 0) {
        double end = pm_clock() + seconds;
        within.deadline = run->deadline > 0 ? fmin(run->deadline, end) : end;
    }
    return within;
}

int pm_run_threads(const pm_run *run)
{
    return run && run->threads > 0 ? run->threads : omp_get_max_threads();
}

int64_t pm_run_memory(const pm_run *run)
{
    return run && run->max_memory > 0 ? run->max_memory : pm_available_memory() / 4 * 3;
}

bool pm_run_wants_note(const pm_run *run, int level)
{
    return run && run->note && (run->quiet == 0 || level < run->quiet);
}

void pm_run_note(const pm_run *run, int level, const char *fmt, ...)
{
    if (!pm_run_wants_note(run, level))
        return;
    char line[1024];
    va_list ap;
    va_start(ap, fmt);
    pm_message_write(line, sizeof line, fmt, ap);
    va_end(ap);
    run->note(run->context, level, line);
}

void pm_run_progress(const pm_run *run, double fraction, const char *text)
{
    if (run && run->progress)
        run->progress(run->context, fraction, text);
}

static void part_progress(void *context, double fraction, const char *text)
{
    const pm_run_part *p = context;
    pm_run_progress(p->whole, p->before + p->share * fraction, text);
}

static void part_note(void *context, int level, const char *line)
{
    const pm_run_part *p = context;
    if (p->whole->note)
        p->whole->note(p->whole->context, level, line);
}

const pm_run *pm_run_part_of(pm_run_part *part, const pm_run *whole, double before, double share)
{
    if (!whole)
        return NULL;
    *part = (pm_run_part){*whole, whole, before, share};
    part->run.progress = part_progress;
    part->run.note = part_note;
    part->run.context = part;
    return &part->run;
}
