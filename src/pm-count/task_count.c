/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/existence_text.h"
#include "cli/tutte_text.h"
#include "core/clock.h"
#include "expression/evaluate.h"
#include "matrix/symmetric.h"
#include "order/vertex_order.h"
#include "pm-count/tasks.h"
#include "pm/alloc.h"

/* One item while it is evaluated. */
typedef struct {
    const pm_task_context *c;
    const char *input;
    pm_evaluate_info info;
    pm_field field;              /* the widest of its matrices */
    bool has_hafnian, has_loops; /* a matrix that is a general graph; one with loops */
    pm_block_report *block;
    int64_t nblocks, cap_blocks;
    double seconds, predicted;
    bool has_begun;
    pm_console_named named;
    pm_run run;    /* its deadline is that of the item; its notes begin with the input */
    pm_run powers; /* also that of the whole run, which powers do not notice otherwise */
} item;

static double earlier(double deadline, double other)
{
    return deadline > 0 && (other <= 0 || deadline < other) ? deadline : other;
}

static bool has_peers(const pm_task_context *c)
{
    return pm_ledger_has_peers(c->count.ledger);
}

/* Called for the first matrix: the time until it has been read is not that of the item. */
static void begin(item *it)
{
    if (it->has_begun)
        return;
    it->has_begun = true;
    const double seconds = it->c->seconds_each;
    const pm_run named = pm_console_name_notes(it->c->run, it->c->console, it->input, &it->named);
    if (has_peers(it->c)) {
        it->run = named;
        pm_ledger_set_deadline(it->c->count.ledger, seconds > 0 ? pm_clock() + seconds : 0);
        return;
    }
    it->run = pm_run_within(&named, seconds);
    it->powers.deadline = earlier(it->run.deadline, it->c->ends);
}

/* Ranks stop at the time limit of the item in a task, all of them with one status. */
static bool have_stopped_together(const item *it)
{
    return has_peers(it->c) && it->c->seconds_each > 0 && !(it->c->run->stop && *it->c->run->stop);
}

/* ---- one matrix ---- */

/* Adds the blocks of one matrix to those of the item. */
static pm_status add_blocks(item *it, const pm_count_report *report, pm_error *err)
{
    if (PM_GROW(it->block, it->cap_blocks, it->nblocks + report->nblocks))
        return pm_fail_memory(err, "the plan");
    if (report->nblocks)
        memcpy(it->block + it->nblocks, report->blocks,
               (size_t)report->nblocks * sizeof *report->blocks);
    it->nblocks += report->nblocks;
    it->predicted += report->seconds;
    for (int64_t i = 0; i < report->nblocks; ++i)
        it->predicted += report->blocks[i].planning_seconds;
    return PM_OK;
}

/* Notes why the value is 0. */
static pm_status explain_zero(const item *it, const pm_matrix *a, const pm_count_options *opt,
                              pm_error *err)
{
    bool exists = false;
    const char *input = it->input;
    pm_matrix copies = {0};
    pm_status status = PM_OK;
    if (opt->general && opt->row_times)
        status = pm_matrix_repeat_vertices(a, opt->row_times, NULL, &copies, err);
    else if (opt->row_times || opt->col_times)
        status = pm_matrix_repeat(a, opt->row_times, opt->col_times, &copies, err);
    else if (opt->period)
        status = pm_period_write_out(a, opt->period, &copies, err);
    if (status == PM_UNABLE
        || status == PM_ESTOPPED) /* too large to be written out, or too late: no explanation */
        return PM_OK;
    const pm_matrix *whole = copies.rowptr ? &copies : a;
    if (!status && opt->general)
        status = pm_note_tutte(whole, &it->run, it->c->console, input, &exists, err);
    else if (!status)
        status = pm_note_violator(whole, opt->kind, it->c->console, input, &exists, err);
    pm_matrix_free(&copies);
    if (!status && exists)
        pm_console_notef(it->c->console, 1, "%s: 0, although there are such matchings%s", input,
                         it->c->count.modulus ? "" : ": their weights cancel");
    return status;
}

/* The numbers of rows and columns of the matrix of a node, with their copies. */
static void count_lines(const pm_node *node, int64_t *nrows, int64_t *ncols)
{
    int64_t nnz;
    *nrows = node->matrix.nrows;
    *ncols = node->matrix.ncols;
    if (node->row_times || node->col_times)
        pm_matrix_repeat_size(&node->matrix, node->row_times,
                              node->general ? node->row_times : node->col_times, nrows, ncols,
                              &nnz);
    if (node->period)
        pm_period_size(&node->matrix, node->period, nrows, ncols, &nnz);
}

/* The order from the input, or else that of the rows and columns; *natural: allocated for the
 * latter, the caller frees it. */
static pm_status use_given_order(const pm_matrix *a, const int32_t *order, int64_t order_len,
                                 int32_t **natural, pm_count_options *opt, pm_error *err)
{
    pm_status status = PM_OK;
    if (!order) {
        order_len = opt->general ? a->nrows : a->nrows + a->ncols;
        order = *natural = pm_alloc_array(order_len, sizeof **natural);
        if (!*natural)
            status = pm_fail_memory(err, "an order");
        else if (!opt->general)
            status = pm_vertex_order_natural(a, *natural, err);
        for (int32_t v = 0; v < order_len && opt->general && !status; ++v)
            (*natural)[v] = v;
    }
    opt->order = order;
    opt->order_len = order_len;
    return status;
}

/* The matrix of the node, or with a given order the one with its copies; *copies: the latter, the
 * caller frees it.  Sets the multiplicities of *opt. */
static pm_status matrix_of(const pm_node *node, bool order_is_given, pm_matrix *copies,
                           const pm_matrix **out, pm_count_options *opt, pm_error *err)
{
    *out = &node->matrix;
    opt->row_times = node->row_times;
    opt->col_times = node->col_times;
    opt->loops = node->loops.rowptr ? &node->loops : NULL;
    opt->period = node->period;
    if (!order_is_given || (!node->row_times && !node->col_times && !node->period))
        return PM_OK;
    if (node->period) {
        opt->period = NULL;
        *out = copies;
        return pm_period_write_out(&node->matrix, node->period, copies, err);
    }
    *out = copies;
    opt->row_times = opt->col_times = NULL;
    opt->loops = NULL;
    if (node->general)
        return pm_matrix_repeat_vertices(&node->matrix, node->row_times,
                                         node->loops.rowptr ? &node->loops : NULL, copies, err);
    return pm_matrix_repeat(&node->matrix, node->row_times, node->col_times, copies, err);
}

/* The second count.  first: PM_PARTIAL when there is no value to compare with. */
static pm_status verify(pm_status first, const pm_matrix *a, const pm_count_options *opt,
                        const pm_run *run, const pm_value *value, pm_error *err)
{
    if (!first)
        return pm_count_verify(a, opt, run, value, err);
    pm_count_options other = *opt;
    pm_value again;
    other.independent = true;
    pm_value_init(&again);
    pm_status status = pm_count(a, &other, run, &again, NULL, err);
    pm_value_clear(&again);
    return status ? status : first;
}

/* Counts once, or twice with --verify. */
static pm_status count_matrix(item *it, const pm_matrix *a, const pm_count_options *opt,
                              pm_value *out, pm_count_report *report, pm_error *err)
{
    const pm_task_context *c = it->c;
    pm_run_part first, second;
    double share = c->verify ? 0.5 : 1, started = pm_clock();
    pm_status status =
        pm_count(a, opt, pm_run_part_of(&first, &it->run, 0, share), out, report, err);
    if ((!status || status == PM_PARTIAL) && c->verify)
        status = verify(status, a, opt, pm_run_part_of(&second, &it->run, share, share), out, err);
    it->seconds += pm_clock() - started;
    if (status == PM_ESTOPPED && have_stopped_together(it))
        it->run.deadline = it->powers.deadline = started; /* it has passed for all of them */
    if (status == PM_ESTOPPED && pm_run_is_late(&it->run))
        return pm_fail(err, status, "no answer within %g seconds (--time-limit-each)",
                       c->seconds_each);
    return status;
}

static pm_status leaf(void *ctx, const pm_node *node, bool is_item, pm_value *out, pm_error *err)
{
    item *it = ctx;
    const pm_matrix *a;
    pm_matrix copies = {0};
    const pm_task_context *c = it->c;
    pm_count_options opt = c->count;
    pm_count_report report = {0};
    pm_error why;
    int32_t *natural = NULL;
    char place[PM_PLACE];
    int64_t nrows, ncols;
    pm_status status = PM_OK;
    begin(it);
    count_lines(node, &nrows, &ncols);
    opt.kind = pm_node_matchings(node, is_item, c->count.kind);
    opt.general = node->general;
    if (!pm_warn_of_sides(c->console, it->input, opt.kind, nrows, ncols, node->one_set, is_item))
        return pm_fail(err, PM_UNABLE, "the sides differ: to be answered by the main thread");
    status = pm_node_check_kind(node, opt.kind, it->input, err);
    if (status)
        return status;
    status = matrix_of(node, c->order_is_given, &copies, &a, &opt, &why);
    if (!status && c->order_is_given)
        status = use_given_order(a, node->order, node->order_len, &natural, &opt, &why);
    if (!status)
        status = count_matrix(it, a, &opt, out, c->lists_blocks ? &report : NULL, &why);
    if (status == PM_PARTIAL && pm_ledger_is_part(opt.ledger)) {
        /* a value that no product or sum is short with */
        pm_value_set_one(out);
        status = PM_OK;
    }
    if (!status && c->lists_blocks)
        status = add_blocks(it, &report, &why);
    if (!status && out->is_estimated && !pm_value_is_exact(out))
        pm_console_notef(c->console, 1, "%s: the error is an estimate, from a sample of the terms",
                         it->input);
    if (!status && c->console->verbosity >= 1 && pm_value_is_zero(out)
        && !(node->general && node->row_times && pm_matrix_has_diagonal(&node->matrix)))
        status = explain_zero(it, a, &opt, &why);
    if (status)
        pm_fail_after(&why, err, status, "%s: %s", pm_node_place(it->input, it->info.line, place),
                      why.msg);
    it->has_hafnian |= node->general;
    it->has_loops |=
        node->general
        && (node->row_times ? node->loops.rowptr != NULL : pm_matrix_has_diagonal(&node->matrix));
    if (pm_node_field(node) > it->field)
        it->field = pm_node_field(node);
    pm_matrix_free(&copies);
    pm_count_report_free(&report);
    free(natural);
    return status;
}

/* ---- the answer ---- */

const char *const pm_count_columns[] = {"name",
                                        "value",
                                        "value_imaginary",
                                        "error",
                                        "error_is_bound",
                                        "log10",
                                        "count",
                                        "modulus",
                                        "field",
                                        "n",
                                        "nnz",
                                        "hafnian",
                                        "loops",
                                        "seed",
                                        "matrices",
                                        "algorithm",
                                        "backend",
                                        "seconds",
                                        "predicted_seconds",
                                        NULL};

static bool is_exact_count(const item *it)
{
    return it->c->count.precision == PM_EXACT;
}

/* The form in which an exact value is printed: two parts if the numbers were complex; with other roots only those that are not 0. */
static void set_form(const item *it, pm_value *v)
{
    if (is_exact_count(it) && pm_value_is_exact(v))
        pm_value_show_imaginary(v, it->info.numbers == PM_NUMBERS_COMPLEX);
}

/* Whether an exact value is printed as a decimal number and a bound of its error. */
static bool is_printed_rounded(const item *it, const pm_value *v)
{
    return it->c->digits > 0 && !it->c->count.modulus
           && (it->c->rounds_integers || it->info.numbers || v->has_exact_im || v->roots
               || mpz_cmp_ui(mpq_denref(v->exact), 1) != 0);
}

/* The text of v is split at the TAB between the real and the imaginary part. */
static pm_status put_value(const item *it, const pm_value *v, pm_emitter *e, pm_error *err)
{
    const bool is_exact = pm_value_is_exact(v), is_rounded = is_exact && is_printed_rounded(it, v);
    char *text, *error;
    if (!(is_rounded ? pm_value_digits(v, it->c->digits, &text, &error)
                     : pm_value_texts(v, &text, &error)))
        return pm_fail_memory(err, "digits of the answer");
    char *imaginary = strchr(text, '\t');
    pm_cell cells[4];
    int count = 0;
    if (imaginary)
        *imaginary++ = '\0';
    cells[count++] = pm_cell_text("value", text);
    if (imaginary)
        cells[count++] = pm_cell_text("value_imaginary", imaginary);
    cells[count++] = is_exact && !is_rounded ? pm_only_json(pm_cell_text("error", "0"))
                                             : pm_cell_text("error", error);
    cells[count++] = pm_only_json(pm_cell_bool("error_is_bound", is_exact || !v->is_estimated));
    pm_emit_record(e, cells, count);
    free(text);
    free(error);
    return PM_OK;
}

enum { PLAN_CELLS = 17 };

static void list_plan_cells(int64_t number, const pm_block_report *r, char order[20],
                            pm_cell out[PLAN_CELLS])
{
    const char *backend = pm_backend_name(r->backend);
    snprintf(order, 20, "%016" PRIx64, r->order_hash);
    const pm_cell cells[PLAN_CELLS] = {
        pm_only_text(pm_cell_int("block", number)),
        pm_cell_int("n", r->n),
        pm_cell_int("nnz", r->nnz),
        pm_cell_text("algorithm", r->algorithm),
        pm_only_json(pm_cell_text("backend", backend)),
        pm_only_json(pm_cell_bool("hafnian", r->is_general)),
        pm_cell_significant("operations", r->operations, 6),
        pm_cell_significant("states", r->states, 6),
        pm_only_json(pm_cell_int("splits", r->splits)),
        pm_only_json(pm_cell_int("residues", r->residues)),
        pm_only_text(pm_cell_decimal("memory", r->memory, 0)),
        pm_only_json(pm_cell_number("memory", ceil(r->memory))),
        pm_cell_significant("seconds", r->seconds, 3),
        pm_only_json(pm_cell_number("device_seconds", r->device_seconds)),
        pm_only_json(pm_cell_text("order", order)),
        pm_only_text(pm_cell_text("backend", backend)),
        pm_cell_int("bits", r->bits),
    };
    memcpy(out, cells, sizeof cells);
}

static void put_plan(const item *it, pm_emitter *e)
{
    char order[20];
    pm_cell cells[PLAN_CELLS];
    list_plan_cells(0, &(pm_block_report){0}, order, cells);
    pm_emit_table(e, "plan", cells, PLAN_CELLS);
    for (int64_t b = 0; b < it->nblocks; ++b) {
        list_plan_cells(b + 1, &it->block[b], order, cells);
        pm_emit_row(e, cells, PLAN_CELLS);
    }
    pm_emit_table_end(e);
}

/* The algorithm of all blocks, "several", or NULL when the reductions left no block. */
static const char *algorithm_of(const item *it)
{
    for (int64_t b = 1; b < it->nblocks; ++b)
        if (strcmp(it->block[b].algorithm, it->block[0].algorithm) != 0)
            return "several";
    return it->nblocks ? it->block[0].algorithm : NULL;
}

/* The backend of all blocks, or "several". */
static const char *backend_of(const item *it)
{
    for (int64_t b = 1; b < it->nblocks; ++b)
        if (it->block[b].backend != it->block[0].backend)
            return "several";
    return pm_backend_name(it->nblocks ? it->block[0].backend : PM_BACKEND_CPU);
}

static pm_field field_of(const item *it, const pm_value *v)
{
    static const pm_field of_numbers[] = {PM_INTEGER, PM_REAL, PM_COMPLEX, PM_COMPLEX};
    if (is_exact_count(it) && it->info.numbers)
        return of_numbers[it->info.numbers];
    if (v->field > PM_INTEGER)
        return v->field;
    return it->info.is_one_matrix ? it->field : PM_INTEGER;
}

static void put_details(const item *it, const pm_value *v, pm_emitter *e)
{
    const pm_count_options *opt = &it->c->count;
    pm_cell cells[14];
    int count = 0;
    if (opt->kind)
        cells[count++] = pm_cell_text("count", pm_matching_kind_name(opt->kind));
    if (opt->modulus)
        cells[count++] = pm_cell_uint("modulus", opt->modulus);
    cells[count++] = pm_cell_text("field", pm_field_name(field_of(it, v)));
    if (!opt->plan_only)
        cells[count++] = pm_cell_precise("log10", opt->modulus ? NAN : pm_value_log10_abs(v));
    cells[count++] = pm_cell_int("matrices", it->info.matrices);
    cells[count++] = pm_cell_int("n", it->info.n);
    cells[count++] = pm_cell_int("nnz", it->info.nnz);
    if (it->has_hafnian || e->columns) {
        cells[count++] = pm_cell_bool("hafnian", it->has_hafnian);
        cells[count++] = pm_cell_bool("loops", it->has_loops);
    }
    cells[count++] = pm_cell_text("algorithm", algorithm_of(it));
    cells[count++] = pm_cell_text("backend", backend_of(it));
    cells[count++] = pm_cell_uint("seed", opt->seed);
    if (!opt->plan_only)
        cells[count++] = pm_cell_number("seconds", round(it->seconds * 1e6) * 1e-6);
    cells[count++] = pm_cell_number("predicted_seconds", it->predicted);
    pm_emit_members(e, cells, count);
}

static pm_status answer(const item *it, const pm_value *v, pm_answers *out, pm_error *err)
{
    bool plan_only = it->c->count.plan_only;
    pm_emitter *e = pm_answers_begin(out, err);
    if (!e)
        return PM_ENOMEM;
    pm_status status = plan_only ? PM_OK : put_value(it, v, e, err);
    if (status)
        return status;
    if (e->is_json || e->columns)
        put_details(it, v, e);
    if (plan_only || e->is_json)
        put_plan(it, e);
    return pm_answers_end(out, it->info.name, !plan_only && pm_value_is_zero(v), err);
}

/* Evaluates the next item of the source. */
static pm_status evaluate(item *it, const pm_node_source *source, pm_value *v, bool *got,
                          pm_error *err)
{
    const pm_task_context *c = it->c;
    const pm_evaluate_options opt = {.leaf = leaf,
                                     .ctx = it,
                                     .exact = c->count.precision == PM_EXACT,
                                     .modulus = c->count.modulus,
                                     .run = &it->powers};
    pm_given_times given = {c->given, false, *source};
    pm_node_source nodes = pm_given_times_source(&given);
    if (c->recorded)
        nodes = pm_recorded_source_from(c->recorded, &nodes);
    return pm_evaluate_next(&nodes, &opt, v, &it->info, got, err);
}

static item make_item(const pm_task_context *c, const pm_node_source *source)
{
    item it = {.c = c, .input = source->name, .run = *c->run, .powers = *c->run};
    it.powers.deadline = has_peers(c) ? 0 : c->ends;
    return it;
}

static void free_item(item *it)
{
    pm_evaluate_info_free(&it->info);
    free(it->block);
}

pm_status pm_task_count(const pm_task_context *c, const pm_node_source *source, pm_answers *out,
                        bool *got, pm_error *err)
{
    item it = make_item(c, source);
    pm_value v;
    pm_value_init(&v);
    pm_status status = evaluate(&it, source, &v, got, err);
    if (!status && *got) {
        set_form(&it, &v);
        status = answer(&it, &v, out, err);
    } else if (*got) { /* only this item failed */
        pm_console_error(c->console, err->msg);
        status = pm_answers_skip(out, it.info.name, status, err);
    }
    pm_value_clear(&v);
    free_item(&it);
    return status;
}

pm_status pm_task_count_part(const void *context, const pm_node_source *source, bool *got,
                             pm_status *refused, pm_error *err)
{
    const pm_task_context *c = context;
    item it = make_item(c, source);
    pm_value v;
    pm_value_init(&v);
    pm_status status = evaluate(&it, source, &v, got, err);
    *refused = PM_OK;
    if (status && *got) {
        pm_console_error(c->console, err->msg);
        *refused = status;
        status = PM_OK;
    }
    pm_value_clear(&v);
    free_item(&it);
    return status;
}
