/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-gen/request.h"

#include <inttypes.h>
#include <stdlib.h>

#include "core/text_stream.h"
#include "process/signals.h"

/* The random sequence of the weights; families use sequence 0. */
enum { WEIGHT_SEQUENCE = 1 };

static bool is_random(const pm_request *r, const pm_family *family)
{
    return family->is_random || r->weights.kind == PM_WEIGHTS_INTEGER
           || r->weights.kind == PM_WEIGHTS_REAL;
}

static pm_status check(const pm_request *r, const pm_family *family, pm_error *err)
{
    if (!family)
        return pm_fail(err, PM_EUSAGE, "there is no family '%s' (see --list)", r->word[0]);
    if (r->seed.is_given && !is_random(r, family))
        return pm_fail(err, PM_EUSAGE, "--seed is only for random graphs and weights");
    if (r->nonsingular && !family->is_random)
        return pm_fail(err, PM_EUSAGE, "--nonsingular: %s is not random", family->name);
    return PM_OK;
}

/* The command that writes the same graph again; the caller frees it.  NULL when memory ends. */
static char *command_text(const pm_request *r, const pm_family *family, uint64_t seed)
{
    pm_text_stream *s = pm_text_stream_open();
    if (!s)
        return NULL;
    FILE *f = pm_text_stream_file(s);
    fputs("pm-gen", f);
    for (int i = 0; i < r->count; ++i)
        fprintf(f, " %s", r->word[i]);
    if (r->nonsingular)
        fputs(" --nonsingular", f);
    if (r->weights.option)
        fprintf(f, " %s", r->weights.option);
    if (r->weights.arg)
        fprintf(f, "=%s", r->weights.arg);
    if (is_random(r, family))
        fprintf(f, " --seed=%" PRIu64, seed);
    return pm_text_stream_close(s);
}

static void describe(const pm_family *family, const pm_matrix *a, int draws, pm_console *console)
{
    pm_console_notef(console, 1, "%s: %" PRId64 " + %" PRId64 " vertices, %" PRId64 " edges%s",
                     family->name, a->nrows, a->ncols, pm_matrix_nnz(a),
                     a->nrows == a->ncols ? "" : "; unequal sides: no perfect matching");
    if (draws > 1)
        pm_console_notef(console, 1, "%s: %d draws until there was a perfect matching",
                         family->name, draws);
}

pm_status pm_request_write(const pm_request *r, const pm_run *run, FILE *f, pm_console *console,
                           pm_error *err)
{
    const pm_family *family = pm_family_find(r->word[0]);
    uint64_t seed = r->seed.value;
    pm_status status = check(r, family, err);
    if (!status && !r->seed.is_given && is_random(r, family))
        status = pm_seed_from_system(&seed, err);
    if (status)
        return status;

    pm_random graph_draws = {.seed = seed},
              weight_draws = {.seed = seed, .sequence = WEIGHT_SEQUENCE};
    const pm_family_args args = {family, r->word + 1, r->count - 1, &graph_draws, run};
    pm_matrix a = {0};
    int draws;
    char *command = command_text(r, family, seed);
    status = command ? pm_family_generate(&args, r->nonsingular, &a, &draws, err)
                     : pm_fail_memory(err, "comment");
    if (!status)
        status = pm_weights_apply(&r->weights, &weight_draws, &a, err);
    if (!status && pm_run_stopped(run))
        status = pm_fail(err, PM_ESTOPPED, "stopped");
    if (!status) {
        pm_signals_clear_limit();
        describe(family, &a, draws, console);
        const char *const comments[] = {"made by pm-gen " PACKAGE_VERSION, command, NULL};
        status = r->write(f, &a, comments + (r->no_version ? 1 : 0), err);
    }
    pm_matrix_free(&a);
    free(command);
    return status;
}
