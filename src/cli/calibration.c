/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/calibration.h"

#include <stdio.h>
#include <string.h>

#include "cli/output.h"
#include "core/cache_folder.h"
#include "core/isa.h"

enum { LINE = 256 };

/* ---- whose figures ---- */

/* "pmkit VERSION rates of PROCESSOR, VECTOR UNIT": figures with another first line are not ours. */
static void identity(char text[LINE])
{
    char line[LINE], model[LINE] = "unknown processor";
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name : %200[^\n]", model) == 1)
            break;
    if (f)
        fclose(f);
    snprintf(text, LINE, "pmkit %s rates of %.150s, %s\n", PACKAGE_VERSION, model,
             pm_isa_name(pm_isa_best()));
}

/* ---- the file ---- */

static int rate_called(const char *name)
{
    for (int r = 0; r < PM_RATES; ++r)
        if (strcmp(pm_rate_name((pm_rate)r), name) == 0)
            return r;
    return -1;
}

/* False unless the file is whole. */
static bool read_rates(FILE *f, pm_rates *out)
{
    char line[LINE], mine[LINE], name[64];
    uint64_t known = 0;
    double seconds;
    identity(mine);
    if (!fgets(line, sizeof line, f) || strcmp(line, mine) != 0)
        return false;
    while (fgets(line, sizeof line, f)) {
        int r = sscanf(line, "%63[^\t]\t%lg", name, &seconds) == 2 ? rate_called(name) : -1;
        if (r < 0 || !(seconds > 0 && seconds < 1))
            return false;
        out->seconds[r] = seconds;
        known |= UINT64_C(1) << r;
    }
    return known == (UINT64_C(1) << PM_RATES) - 1;
}

static pm_status write_rates(const char *path, const pm_rates *rates, pm_error *err)
{
    char mine[LINE];
    pm_output out = {0};
    pm_status s = pm_output_open(&out, path, err);
    if (s != PM_OK)
        return s;
    identity(mine);
    fputs(mine, out.stream);
    for (int r = 0; r < PM_RATES; ++r)
        fprintf(out.stream, "%s\t%.6g\n", pm_rate_name((pm_rate)r), rates->seconds[r]);
    s = pm_output_commit(&out, err);
    pm_output_discard(&out);
    return s;
}

static void keep(const char *folder, const char *path, const pm_rates *rates, pm_console *console)
{
    pm_error err;
    int why = pm_cache_make(folder);
    if (why)
        pm_console_notef(console, 0, "%s: %s; the rates are not kept", folder, strerror(why));
    else if (write_rates(path, rates, &err) != PM_OK)
        pm_console_notef(console, 0, "%s; the rates are not kept", err.msg);
}

pm_status pm_calibration_get(pm_calibrate how, const pm_run *run, pm_console *console,
                             pm_rates *out, pm_error *err)
{
    char folder[PM_PATH_MAX], path[PM_PATH_MAX + 8];
    bool has_folder = pm_cache_folder(folder), found = false;
    if (has_folder)
        snprintf(path, sizeof path, "%s/rates", folder);
    if (has_folder && how == PM_CALIBRATE_ONCE) {
        FILE *f = fopen(path, "r");
        found = f && read_rates(f, out);
        if (f)
            fclose(f);
    }
    if (found)
        return PM_OK;
    pm_console_notef(console, 1, "measuring this machine");
    pm_status s = pm_rates_measure(run, out, err);
    if (s == PM_OK && has_folder)
        keep(folder, path, out, console);
    return s;
}
