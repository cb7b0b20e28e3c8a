/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file is a title, "pmkit VERSION rates of WHAT", and a line "NAME <TAB> VALUE" for each rate. */
#include "config.h"

#include "calibration/rate_cache.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "calibration/calibrate.h"
#include "core/cache_folder.h"
#include "core/isa.h"
#include "core/whole_step.h"
#include "gpu/gpu.h"

enum { LINE = 256 };

/* ---- titles ---- */

static void make_title(const char *what, char text[LINE])
{
    snprintf(text, LINE, "pmkit %s rates of %.200s\n", PACKAGE_VERSION, what);
}

/* "PROCESSOR, VECTOR UNIT" */
static void describe_processor(char text[LINE])
{
    char line[LINE], model[LINE] = "unknown processor";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %200[^\n]", model) == 1)
            break;
    if (f)
        fclose(f);
    snprintf(text, LINE, "%.150s, %s", model, pm_isa_name(pm_isa_best()));
}

/* ---- tables ---- */

typedef struct {
    int count;
    const char *(*name)(int r);
    double *value; /* above 0 and below `limit` */
    double limit;
} rate_table;

static const char *cpu_name(int r)
{
    return pm_rate_name((pm_rate)r);
}

static const char *gpu_name(int r)
{
    return pm_gpu_rate_name((pm_gpu_rate)r);
}

static rate_table cpu_table(pm_rates *rates)
{
    return (rate_table){PM_RATES, cpu_name, rates->seconds, 1};
}

static rate_table gpu_table(pm_rates *rates)
{
    return (rate_table){PM_GPU_RATES, gpu_name, rates->gpu, 1e9};
}

/* -1 when no rate has this name. */
static int rate_named(const rate_table *t, const char *name)
{
    for (int r = 0; r < t->count; ++r)
        if (strcmp(t->name(r), name) == 0)
            return r;
    return -1;
}

/* True when the rest of the file has every rate, and nothing else. */
static bool read_table(FILE *f, const rate_table *t)
{
    char line[LINE], name[64];
    uint64_t known = 0;
    double value;
    while (fgets(line, sizeof line, f)) {
        int r = sscanf(line, "%63[^\t]\t%lg", name, &value) == 2 ? rate_named(t, name) : -1;
        if (r < 0 || !(value > 0 && value < t->limit))
            return false;
        t->value[r] = value;
        known |= UINT64_C(1) << r;
    }
    return known == (UINT64_C(1) << t->count) - 1;
}

/* ---- files ---- */

static FILE *open_file(const char *folder, const char *name)
{
    char path[PM_PATH_MAX + 16];
    if (!folder)
        return NULL;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return pm_cache_open(path);
}

static void print_table(FILE *f, const char *what, const rate_table *t)
{
    char title[LINE];
    make_title(what, title);
    fputs(title, f);
    for (int r = 0; r < t->count; ++r)
        fprintf(f, "%s\t%.6g\n", t->name(r), t->value[r]);
}

/* Replaces the file at once: a reader sees the old one or the new one.  Returns 0, or errno. */
static int replace_file(const char *path, const char *what, const rate_table *t)
{
    char temporary[PM_PATH_MAX + 32];
    snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
    int file = mkstemp(temporary);
    if (file < 0)
        return errno;
    FILE *f = fdopen(file, "w");
    int why = f ? 0 : errno;
    if (f) {
        print_table(f, what, t);
        why = ferror(f) ? EIO : 0;
        if (fclose(f) != 0)
            why = errno;
    } else {
        close(file);
    }
    if (!why && rename(temporary, path) != 0)
        why = errno;
    if (why)
        unlink(temporary);
    return why;
}

/* The same; no temporary file stays when a signal comes. */
static int write_file(const char *path, const char *what, const rate_table *t)
{
    pm_whole_step_begin();
    int why = replace_file(path, what, t);
    pm_whole_step_end();
    return why;
}

static void store(const char *folder, const char *name, const char *what, const rate_table *t,
                  const pm_run *run)
{
    char path[PM_PATH_MAX + 16];
    if (!folder)
        return;
    int why = pm_cache_make(folder);
    if (why) {
        pm_run_note(run, 0, "%s: cannot write: %s; the measured rates are not kept", folder,
                    strerror(why));
        return;
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    why = write_file(path, what, t);
    if (why)
        pm_run_note(run, 0, "%s: cannot write: %s; the measured rates are not kept", path,
                    strerror(why));
}

/* ---- the CPU ---- */

static bool load_cpu(const char *folder, pm_rates *out)
{
    char line[LINE], title[LINE], what[LINE];
    rate_table t = cpu_table(out);
    FILE *f = open_file(folder, "rates");
    if (!f)
        return false;
    describe_processor(what);
    make_title(what, title);
    bool found = fgets(line, sizeof line, f) && strcmp(line, title) == 0 && read_table(f, &t);
    fclose(f);
    return found;
}

static pm_status get_cpu(const char *folder, bool again, const pm_run *run, pm_rates *out,
                         pm_error *err)
{
    char what[LINE];
    if (!again && load_cpu(folder, out))
        return PM_OK;
    pm_run_note(run, 1, "measuring the speed of this machine");
    pm_status status = pm_rates_measure(run, out, err);
    if (status)
        return status;
    rate_table t = cpu_table(out);
    describe_processor(what);
    store(folder, "rates", what, &t, run);
    return PM_OK;
}

/* ---- the GPU ---- */

static bool load_gpu(const char *folder, pm_rates *out)
{
    char line[LINE], start[LINE];
    pm_rates found = *out;
    rate_table t = gpu_table(&found);
    FILE *f = open_file(folder, "gpu-rates");
    if (!f)
        return false;
    make_title("", start);
    start[strlen(start) - 1] = '\0';
    size_t length = strlen(start);
    bool is_good = fgets(line, sizeof line, f) && strncmp(line, start, length) == 0
                   && strcspn(line + length, "\n") < PM_GPU_NAME && read_table(f, &t);
    fclose(f);
    if (is_good) {
        *out = found;
        snprintf(out->gpu_name, sizeof out->gpu_name, "%.*s", (int)strcspn(line + length, "\n"),
                 line + length);
    }
    return is_good;
}

static pm_status get_gpu(const char *folder, bool again, const pm_run *run, pm_rates *out,
                         pm_error *err)
{
    int devices;
    pm_error why;
    if ((!again && load_gpu(folder, out)) || pm_gpu_count(&devices, NULL) != PM_OK)
        return PM_OK;
    pm_run_note(run, 1, "measuring the speed of the GPU");
    pm_status status = pm_rates_measure_gpu(run, out, &why);
    rate_table t = gpu_table(out);
    if (!status)
        store(folder, "gpu-rates", out->gpu_name, &t, run);
    else if (status == PM_ENODEV)
        pm_run_note(run, 0, "%s; nominal rates are used for the GPU", why.msg);
    else if (err)
        *err = why;
    return status == PM_ENODEV ? PM_OK : status;
}

pm_status pm_rate_cache_get(const char *folder, bool again, bool with_gpu, const pm_run *run,
                            pm_rates *out, pm_error *err)
{
    *out = *pm_rates_nominal_of(pm_isa_best()); /* a file of rates names the vector unit */
    pm_status status = get_cpu(folder, again, run, out, err);
    return !status && with_gpu ? get_gpu(folder, again, run, out, err) : status;
}
