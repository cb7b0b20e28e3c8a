/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm-gen/request.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "pm-gen/strips.h"
#include "pm/alloc.h"
#include "process/signals.h"

/* The random sequence of the weights; families use sequence 0. */
enum { WEIGHT_SEQUENCE = 1 };

typedef pm_status graph_writer(FILE *f, const pm_matrix *a, const char *const *comments,
                               pm_error *err);

/* Edge lists have no complex weights but roots of unity. */
static graph_writer *writer_of(pm_graph_format format, bool one_set, const pm_matrix *a)
{
    if (format == PM_GRAPH_MTX
        || (format == PM_GRAPH_DEFAULT && a->field == PM_COMPLEX && !pm_matrix_has_roots(a)))
        return one_set ? pm_write_graph_mtx : pm_write_mtx;
    return one_set ? pm_write_graph_edges : pm_write_edges;
}

static bool has_random_weights(const pm_request *r)
{
    return r->weights.kind >= PM_WEIGHTS_INTEGER;
}

static bool is_random(const pm_request *r, const pm_family *family)
{
    return family->is_random || has_random_weights(r);
}

static pm_status check(const pm_request *r, const pm_family *family, pm_error *err)
{
    if (r->length)
        return pm_fail(err, PM_EUSAGE, "--length is only for a strip or a ring");
    if (!family)
        return pm_fail(err, PM_EUSAGE, "there is no family '%s' (see --list)", r->word[0]);
    if (r->seed.is_given && !is_random(r, family))
        return pm_fail(err, PM_EUSAGE, "--seed is only for random graphs and weights");
    if (family->has_weights && r->weights.kind != PM_WEIGHTS_NONE)
        return pm_fail(err, PM_EUSAGE, "%s: %s has weights of its own", r->weights.option,
                       family->name);
    if (r->positions && !family->place)
        return pm_fail(err, PM_EUSAGE, "--positions: %s has no natural drawing", family->name);
    if (r->nonsingular && family->one_set)
        return pm_fail(err, PM_EUSAGE, "--nonsingular: only for bipartite graphs");
    if (r->nonsingular && !family->is_random)
        return pm_fail(err, PM_EUSAGE, "--nonsingular: %s is not random", family->name);
    return PM_OK;
}

/* The command that writes the same graph again; the caller frees it.  NULL when memory ends. */
static char *command_text(const pm_request *r, bool has_seed, uint64_t seed)
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
    if (r->positions)
        fputs(" --positions", f);
    if (r->weights.option)
        fprintf(f, " %s", r->weights.option);
    if (r->weights.arg)
        fprintf(f, "=%s", r->weights.arg);
    if (r->length)
        fprintf(f, " --length=%" PRIu64, r->length);
    if (has_seed)
        fprintf(f, " --seed=%" PRIu64, seed);
    return pm_text_stream_close(s);
}

static void describe(const pm_family *family, const pm_matrix *a, int draws, pm_console *console)
{
    if (family->one_set)
        pm_console_notef(console, 1, "%s: %" PRId64 " vertices of one set, %" PRId64 " edges%s",
                         family->name, a->nrows, pm_matrix_nnz(a),
                         a->nrows % 2 ? "; an odd number: no perfect matching" : "");
    else
        pm_console_notef(console, 1, "%s: %" PRId64 " + %" PRId64 " vertices, %" PRId64 " edges%s",
                         family->name, a->nrows, a->ncols, pm_matrix_nnz(a),
                         a->nrows == a->ncols ? "" : "; unequal sides: no perfect matching");
    if (draws > 1)
        pm_console_notef(console, 1, "%s: %d draws until there was a perfect matching",
                         family->name, draws);
}

/* ---- strips and rings ---- */

static pm_status check_strip(const pm_request *r, pm_error *err)
{
    if (r->format != PM_GRAPH_DEFAULT)
        return pm_fail(err, PM_EUSAGE, "--to: a %s is always written as a pm stream", r->word[0]);
    if (r->seed.is_given && !has_random_weights(r))
        return pm_fail(err, PM_EUSAGE, "--seed is only for random graphs and weights");
    if (r->nonsingular)
        return pm_fail(err, PM_EUSAGE, "--nonsingular: a %s is not random", r->word[0]);
    if (r->positions)
        return pm_fail(err, PM_EUSAGE, "--positions: the equal parts of a %s have no labels",
                       r->word[0]);
    return PM_OK;
}

/* The weights of a part are repeated with it. */
static pm_status weigh_part(const pm_request *r, uint64_t seed, pm_node *e, pm_error *err)
{
    pm_random draws = {.seed = seed, .sequence = WEIGHT_SEQUENCE};
    pm_status status = pm_weights_apply(&r->weights, &draws, &e->matrix, err);
    if (!status)
        status = pm_weights_apply(&r->weights, &draws, &e->period->next, err);
    if (!status)
        status = pm_weights_apply(&r->weights, &draws, &e->period->before, err);
    return status;
}

static pm_status put_strip(const pm_request *r, uint64_t seed, const pm_node *e, FILE *f,
                           pm_error *err)
{
    pm_writer *writer = NULL;
    char *command = command_text(r, has_random_weights(r), seed), *made_by = NULL;
    pm_text_stream *s = command ? pm_text_stream_open() : NULL;
    pm_status status = PM_OK;
    if (s) {
        fprintf(pm_text_stream_file(s), "pm-gen%s%s", r->no_version ? "" : " " PACKAGE_VERSION,
                command + strlen("pm-gen"));
        made_by = pm_text_stream_close(s);
    }
    status = made_by ? pm_writer_open(f, made_by, &writer, err) : pm_fail_memory(err, "comment");
    if (!status)
        status = pm_writer_put(writer, e, err);
    if (!status)
        status = pm_writer_close(&writer, err);
    pm_writer_drop(&writer);
    free(made_by);
    free(command);
    return status;
}

/* A strip that ends in half a part becomes one graph. */
static pm_status cut_strip(const pm_request *r, pm_node *e, const int64_t half[2], pm_error *err)
{
    pm_matrix whole = {0};
    pm_status status = pm_strips_cut(&e->matrix, e->period, half, &whole, err);
    if (status == PM_UNABLE)
        return pm_fail(err, status,
                       "strip %s: here two layers are a part, so a strip of an odd length has no "
                       "equal parts and is written as one graph, for which length %" PRIu64
                       " is too large; %s",
                       r->word[1], r->length,
                       half[0] == half[1] ? "give an even length"
                                          : "such a strip has an odd number of vertices, and so no "
                                            "perfect matching");
    if (status)
        return status;
    pm_matrix_free(&e->matrix);
    pm_period_free(e->period);
    free(e->period);
    e->period = NULL;
    e->matrix = whole;
    return PM_OK;
}

static void size_of(const pm_node *e, int64_t *nrows, int64_t *ncols, int64_t *nnz)
{
    *nrows = e->matrix.nrows;
    *ncols = e->matrix.ncols;
    *nnz = pm_matrix_nnz(&e->matrix);
    if (e->period)
        pm_period_size(&e->matrix, e->period, nrows, ncols, nnz);
}

static pm_status write_strip(const pm_request *r, const pm_run *run, FILE *f, pm_console *console,
                             pm_error *err)
{
    const pm_strip_request strip = {r->word, r->count, (int64_t)r->length};
    uint64_t seed = r->seed.value;
    int64_t nrows, ncols, nnz, half[2];
    pm_node e;
    pm_node_init(&e);
    e.kind = PM_NODE_MATRIX;
    e.period = pm_calloc_array(1, sizeof *e.period);
    pm_status status = e.period ? check_strip(r, err) : pm_fail_memory(err, "a part");
    if (!status && !r->seed.is_given && has_random_weights(r))
        status = pm_seed_from_system(&seed, err);
    if (!status)
        status = pm_strips_make(&strip, &e.matrix, e.period, half, err);
    if (!status)
        status = weigh_part(r, seed, &e, err);
    if (!status && half[0] + half[1] > 0)
        status = cut_strip(r, &e, half, err);
    if (!status && pm_run_stopped(run))
        status = pm_fail(err, PM_ESTOPPED, "stopped");
    if (!status) {
        pm_signals_clear_limit();
        size_of(&e, &nrows, &ncols, &nnz);
        pm_console_notef(console, 1, "%s %s: %" PRId64 " + %" PRId64 " vertices, %" PRId64 " edges",
                         r->word[0], r->word[1], nrows, ncols, nnz);
        status = put_strip(r, seed, &e, f, err);
    }
    pm_node_clear(&e);
    return status;
}

/* ---- the whole ---- */

static pm_status label_by_places(const pm_family_args *args, pm_matrix *a, pm_error *err)
{
    pm_labels labels[2] = {{0}, {0}};
    pm_status status = args->family->place(args, labels, err);
    if (!status && args->family->one_set)
        status = pm_labels_select(&labels[0], NULL, labels[0].count, &labels[1], err);
    if (status) {
        pm_labels_free(&labels[0]);
        pm_labels_free(&labels[1]);
        return status;
    }
    assert(labels[0].count == a->nrows && labels[1].count == a->ncols);
    a->row_labels = labels[0];
    a->col_labels = labels[1];
    return PM_OK;
}

pm_status pm_request_write(const pm_request *r, const pm_run *run, FILE *f, pm_console *console,
                           pm_error *err)
{
    if (pm_strips_are(r->word[0]))
        return write_strip(r, run, f, console, err);
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
    char *command = command_text(r, is_random(r, family), seed);
    status = command ? pm_family_generate(&args, r->nonsingular, &a, &draws, err)
                     : pm_fail_memory(err, "comment");
    if (!status)
        status = pm_weights_apply(&r->weights, &weight_draws, &a, err);
    if (!status && r->positions)
        status = label_by_places(&args, &a, err);
    if (!status && r->format == PM_GRAPH_MTX && pm_matrix_has_roots(&a))
        status = pm_fail(err, PM_EUSAGE, "--to: a Matrix Market file has no roots of unity");
    if (!status && pm_run_stopped(run))
        status = pm_fail(err, PM_ESTOPPED, "stopped");
    if (!status) {
        pm_signals_clear_limit();
        describe(family, &a, draws, console);
        const char *const comments[] = {"made by pm-gen " PACKAGE_VERSION, command, NULL};
        status = writer_of(r->format, family->one_set, &a)(f, &a,
                                                           comments + (r->no_version ? 1 : 0), err);
    }
    pm_matrix_free(&a);
    free(command);
    return status;
}
