/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "checkpoint/checkpoint.h"
#include "checkpoint/checkpoint_file.h"
#include "checkpoint/level_file.h"

/* Two digits after the point; of a long run as many as show that something is done, or not all. */
static void print_share(FILE *to, double done, double count)
{
    const double share = count > 0 ? 100 * done / count : 100;
    if (done > 0 && share < 0.01)
        fprintf(to, "%.2g %%", share);
    else
        fprintf(to, "%.2f %%", done < count ? fmin(share, 99.99) : share);
}

static void print_line(void *context, const pm_ledger_line *line)
{
    FILE *to = context;
    if (line->is_done) {
        fprintf(to, "%s\tdone\t\n", line->method);
        return;
    }
    fprintf(to, "%s\t%s\t", line->method, line->what);
    print_share(to, (double)line->done, (double)line->count);
    putc('\n', to);
}

/* The levels of passes that are not done. */
static pm_status print_levels(const char *path, const pm_ledger_head *head, pm_console *console,
                              FILE *to, pm_error *err)
{
    pm_level_files *levels;
    pm_status status = pm_level_files_open(path, head->program, 0, console, &levels, err);
    if (status)
        return status;
    pm_level_files_report(levels, to);
    pm_level_files_close(levels, false);
    return PM_OK;
}

pm_status pm_checkpoint_report(const char *path, pm_console *console, FILE *to, pm_error *err)
{
    pm_ledger *ledger = NULL;
    pm_ledger_head head = {0};
    bool is_there;
    pm_status status = pm_ledger_make(&ledger, err);
    if (!status)
        status = pm_checkpoint_read(path, &head, ledger, &is_there, err);
    if (!status && !is_there)
        status = pm_fail(err, PM_ENOINPUT, "%s: there is no checkpoint", path);
    if (!status) {
        fprintf(to, "# %s %s\n", head.program, head.options);
        fprintf(to, "# graphs and groups read: %" PRId64 "\n", pm_ledger_items(ledger));
        fputs("# method\ttask\tdone\n", to);
        pm_ledger_list(ledger, print_line, to);
        status = print_levels(path, &head, console, to, err);
    }
    pm_ledger_head_free(&head);
    pm_ledger_free(ledger);
    return status;
}
