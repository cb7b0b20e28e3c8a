/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-count/calibration.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "core/cache_folder.h"
#include "core/isa.h"
#include "gpu/gpu.h"

enum { LINE = 256 };

/* ---- whose figures ---- */

/* "pmkit VERSION rates of WHAT": figures with another first line are not ours. */
static void title(const char *what, char text[LINE])
{
    snprintf(text, LINE, "pmkit %s rates of %.200s\n", PACKAGE_VERSION, what);
}

/* "PROCESSOR, VECTOR UNIT" */
static void processor(char text[LINE])
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

/* ---- tables of them ---- */

typedef struct {
    int count;
    const char *(*name)(int r);
    double *value; /* positive, below `most` */
    double most;
} table;

static const char *cpu_name(int r)
{
    return pm_rate_name((pm_rate)r);
}

static const char *gpu_name(int r)
{
    return pm_gpu_rate_name((pm_gpu_rate)r);
}

static table cpu_table(pm_rates *rates)
{
    return (table){PM_RATES, cpu_name, rates->seconds, 1};
}

static table gpu_table(pm_rates *rates)
{
    return (table){PM_GPU_RATES, gpu_name, rates->gpu, 1e9};
}

static int row_called(const table *t, const char *name)
{
    for (int r = 0; r < t->count; ++r)
        if (strcmp(t->name(r), name) == 0)
            return r;
    return -1;
}

/* False unless the rest of the file is whole. */
static bool read_table(FILE *f, const table *t)
{
    char line[LINE], name[64];
    uint64_t known = 0;
    double value;
    while (fgets(line, sizeof line, f)) {
        int r = sscanf(line, "%63[^\t]\t%lg", name, &value) == 2 ? row_called(t, name) : -1;
        if (r < 0 || !(value > 0 && value < t->most))
            return false;
        t->value[r] = value;
        known |= UINT64_C(1) << r;
    }
    return known == (UINT64_C(1) << t->count) - 1;
}

/* ---- files ---- */

typedef struct {
    bool exists; /* a folder for them */
    char folder[PM_PATH_MAX], path[PM_PATH_MAX + 16];
} place;

static place place_of(const char *name)
{
    place p;
    p.exists = pm_cache_folder(p.folder);
    if (p.exists)
        snprintf(p.path, sizeof p.path, "%s/%s", p.folder, name);
    return p;
}

static pm_status write_table(const char *path, const char *what, const table *t, pm_error *err)
{
    char first[LINE];
    pm_output out = {0};
    pm_status s = pm_output_open(&out, path, err);
    if (s != PM_OK)
        return s;
    title(what, first);
    fputs(first, out.stream);
    for (int r = 0; r < t->count; ++r)
        fprintf(out.stream, "%s\t%.6g\n", t->name(r), t->value[r]);
    s = pm_output_commit(&out, err);
    pm_output_discard(&out);
    return s;
}

static void keep(const place *p, const char *what, const table *t, pm_console *console)
{
    pm_error err;
    if (!p->exists)
        return;
    int why = pm_cache_make(p->folder);
    if (why)
        pm_console_notef(console, 0, "%s: %s; the rates are not kept", p->folder, strerror(why));
    else if (write_table(p->path, what, t, &err) != PM_OK)
        pm_console_notef(console, 0, "%s; the rates are not kept", err.msg);
}

/* ---- the processor's ---- */

static bool read_cpu(const place *p, pm_rates *out)
{
    char line[LINE], mine[LINE], what[LINE];
    table t = cpu_table(out);
    FILE *f = p->exists ? fopen(p->path, "r") : NULL;
    if (!f)
        return false;
    processor(what);
    title(what, mine);
    bool found = fgets(line, sizeof line, f) && strcmp(line, mine) == 0 && read_table(f, &t);
    fclose(f);
    return found;
}

static pm_status get_cpu(pm_calibrate how, const pm_run *run, pm_console *console, pm_rates *out,
                         pm_error *err)
{
    char what[LINE];
    place p = place_of("rates");
    if (how == PM_CALIBRATE_ONCE && read_cpu(&p, out))
        return PM_OK;
    pm_console_notef(console, 1, "measuring this machine");
    pm_status s = pm_rates_measure(run, out, err);
    if (s != PM_OK)
        return s;
    table t = cpu_table(out);
    processor(what);
    keep(&p, what, &t, console);
    return PM_OK;
}

/* ---- the GPU's ---- */

/* Of whichever GPU it names: the planner compares that with the one it finds, so that none is
 * started for it here. */
static bool read_gpu(const place *p, pm_rates *out)
{
    char line[LINE], start[LINE];
    pm_rates found = *out;
    table t = gpu_table(&found);
    FILE *f = p->exists ? fopen(p->path, "r") : NULL;
    if (!f)
        return false;
    title("", start);
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

/* No GPU, or one that fails, is no failure: there is nothing to measure. */
static pm_status get_gpu(pm_calibrate how, const pm_run *run, pm_console *console, pm_rates *out,
                         pm_error *err)
{
    int devices;
    pm_error why;
    place p = place_of("gpu-rates");
    if ((how == PM_CALIBRATE_ONCE && read_gpu(&p, out)) || pm_gpu_count(&devices, NULL) != PM_OK)
        return PM_OK;
    pm_console_notef(console, 1, "measuring the GPU");
    pm_status s = pm_rates_measure_gpu(run, out, &why);
    table t = gpu_table(out);
    if (s == PM_OK)
        keep(&p, out->gpu_name, &t, console);
    else if (s == PM_ENODEV)
        pm_console_notef(console, 0, "%s; its rates are nominal", why.msg);
    else if (err)
        *err = why;
    return s == PM_ENODEV ? PM_OK : s;
}

pm_status pm_calibration_get(pm_calibrate how, bool with_gpu, const pm_run *run,
                             pm_console *console, pm_rates *out, pm_error *err)
{
    *out = pm_rates_nominal;
    pm_status s = get_cpu(how, run, console, out, err);
    return s == PM_OK && with_gpu ? get_gpu(how, run, console, out, err) : s;
}
