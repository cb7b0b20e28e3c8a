/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/obstruction.h"
#include "core/clock.h"
#include "expression/evaluate.h"
#include "order/vertex_order.h"
#include "pm-count/tasks.h"
#include "pm/alloc.h"

/* One item while it is evaluated. */
typedef struct {
    const pm_task_context *c;
    pm_reader *reader;
    pm_evaluate_info info;
    pm_field field; /* the widest of its matrices */
    pm_block_report *block;
    int64_t nblocks, cap_blocks;
    double seconds, predicted;
} item;

/* ---- one matrix ---- */

static pm_status keep_blocks(item *it, const pm_count_report *report, pm_error *err)
{
    if (PM_GROW(it->block, it->cap_blocks, it->nblocks + report->nblocks))
        return pm_fail_memory(err, "the plan");
    if (report->nblocks)
        memcpy(it->block + it->nblocks, report->blocks,
               (size_t)report->nblocks * sizeof *report->blocks);
    it->nblocks += report->nblocks;
    it->predicted += report->seconds;
    return PM_OK;
}

/* Why the value is 0, for people. */
static pm_status explain_zero(const item *it, const pm_matrix *a, pm_error *err)
{
    pm_obstruction o = {0};
    pm_status s = pm_obstruction_find(a, &o, err);
    if (s == PM_OK && !o.exists)
        s = pm_obstruction_note(&o, a, it->c->console, pm_reader_name(it->reader), err);
    else if (s == PM_OK)
        pm_console_notef(it->c->console, 1, "%s: 0, though there are perfect matchings%s",
                         pm_reader_name(it->reader),
                         it->c->count.modulus ? "" : ": their weights cancel");
    pm_obstruction_free(&o);
    return s;
}

static pm_status leaf(void *ctx, const pm_matrix *a, const int32_t *order, int64_t order_len,
                      pm_value *out, pm_error *err)
{
    item *it = ctx;
    const pm_task_context *c = it->c;
    pm_count_options opt = c->count;
    pm_count_report report = {0};
    pm_error why;
    int32_t *natural = NULL;
    pm_status s = PM_OK;
    if (c->order_is_given && !order) {
        order_len = a->nrows + a->ncols;
        order = natural = pm_alloc_array(order_len, sizeof *natural);
        s = natural ? pm_vertex_order_natural(a, natural, &why) : pm_fail_memory(&why, "an order");
    }
    if (c->order_is_given) {
        opt.order = order;
        opt.order_len = order_len;
    }
    double started = pm_clock();
    pm_run_part first, second;
    double share = c->verify ? 0.5 : 1;
    if (s == PM_OK)
        s = pm_count(a, &opt, pm_run_part_of(&first, &c->run, 0, share), out, &report, &why);
    if (s == PM_OK && c->verify)
        s = pm_count_verify(a, &opt, pm_run_part_of(&second, &c->run, share, share), out, &why);
    it->seconds += pm_clock() - started;
    if (s == PM_OK && (c->json || opt.plan_only))
        s = keep_blocks(it, &report, &why);
    if (s == PM_OK && out->is_estimated && !pm_value_is_exact(out))
        pm_console_notef(c->console, 1, "%s: the error is an estimate, from a sample of the terms",
                         pm_reader_name(it->reader));
    if (s == PM_OK && c->console->verbosity >= 1 && pm_value_is_zero(out))
        s = explain_zero(it, a, &why);
    if (s != PM_OK)
        pm_fail(err, s, "%s:%" PRId64 ": %s", pm_reader_name(it->reader), it->info.line, why.msg);
    if (a->field > it->field)
        it->field = a->field;
    pm_count_report_free(&report);
    free(natural);
    return s;
}

/* ---- output ---- */

static void print_plan(const item *it, FILE *f)
{
    fputs("# block\tn\tnnz\talgorithm\toperations\tstates\tmemory\tseconds\tbackend\n", f);
    for (int64_t b = 0; b < it->nblocks; ++b) {
        const pm_block_report *r = &it->block[b];
        fprintf(f, "%" PRId64 "\t%" PRId64 "\t%" PRId64 "\t%s\t%.6g\t%.6g\t%.0f\t%.3g\t%s\n", b + 1,
                r->n, r->nnz, r->algorithm, r->operations, r->states, r->memory, r->seconds,
                pm_backend_name(r->backend));
    }
}

/* A value that is printed in one or two columns. */
static pm_status print_value(const pm_value *v, FILE *f, pm_error *err)
{
    char *text = pm_value_text(v), *error = pm_value_error_text(v);
    pm_status s = PM_OK;
    if (!text || !error)
        s = pm_fail_memory(err, "digits of the answer");
    else if (v->field <= PM_INTEGER)
        fputs(text, f);
    else
        fprintf(f, "%s\t%s", text, error);
    free(text);
    free(error);
    return s;
}

static pm_status value_json(const pm_value *v, pm_json *j, pm_error *err)
{
    char *text = pm_value_text(v), *error = pm_value_error_text(v);
    pm_status s = PM_OK;
    if (!text || !error) {
        s = pm_fail_memory(err, "digits of the answer");
    } else {
        char *imaginary = strchr(text, '\t');
        if (imaginary)
            *imaginary++ = '\0';
        pm_json_string(j, "value", text);
        if (imaginary)
            pm_json_string(j, "value_imaginary", imaginary);
        pm_json_string(j, "error", v->field <= PM_INTEGER ? "0" : error);
        pm_json_bool(j, "error_is_bound", v->field <= PM_INTEGER || !v->is_estimated);
    }
    free(text);
    free(error);
    return s;
}

static void plan_json(const item *it, pm_json *j)
{
    pm_json_begin(j, "plan", '[');
    for (int64_t b = 0; b < it->nblocks; ++b) {
        const pm_block_report *r = &it->block[b];
        char hash[20];
        snprintf(hash, sizeof hash, "%016" PRIx64, r->order_hash);
        pm_json_begin(j, NULL, '{');
        pm_json_int(j, "n", r->n);
        pm_json_int(j, "nnz", r->nnz);
        pm_json_string(j, "algorithm", r->algorithm);
        pm_json_string(j, "backend", pm_backend_name(r->backend));
        pm_json_double(j, "operations", r->operations);
        pm_json_double(j, "states", r->states);
        pm_json_int(j, "splits", r->splits);
        pm_json_int(j, "residues", r->residues);
        pm_json_double(j, "memory", ceil(r->memory));
        pm_json_double(j, "seconds", r->seconds);
        pm_json_double(j, "device_seconds", r->device_seconds);
        pm_json_string(j, "order", hash);
        pm_json_end(j, '}');
    }
    pm_json_end(j, ']');
}

/* The algorithm of all blocks, "several", or null where the reductions left nothing to count. */
static const char *algorithm_of(const item *it)
{
    for (int64_t b = 1; b < it->nblocks; ++b)
        if (strcmp(it->block[b].algorithm, it->block[0].algorithm) != 0)
            return "several";
    return it->nblocks ? it->block[0].algorithm : NULL;
}

/* Where all blocks are counted, or "several". */
static const char *backend_of(const item *it)
{
    for (int64_t b = 1; b < it->nblocks; ++b)
        if (it->block[b].backend != it->block[0].backend)
            return "several";
    return pm_backend_name(it->nblocks ? it->block[0].backend : PM_BACKEND_CPU);
}

static pm_field field_of(const item *it, const pm_value *v)
{
    if (v->field > PM_INTEGER)
        return v->field;
    return it->info.is_one_matrix ? it->field : PM_INTEGER;
}

static pm_status item_json(const item *it, const pm_value *v, FILE *f, pm_error *err)
{
    const pm_count_options *opt = &it->c->count;
    char number[24];
    pm_json j = {.f = f};
    if (!opt->plan_only) {
        pm_status s = value_json(v, &j, err);
        if (s != PM_OK)
            return s;
    }
    if (opt->modulus) {
        snprintf(number, sizeof number, "%" PRIu64, opt->modulus);
        pm_json_string(&j, "modulus", number);
    }
    pm_json_string(&j, "field", pm_field_name(field_of(it, v)));
    pm_json_int(&j, "matrices", it->info.matrices);
    pm_json_int(&j, "n", it->info.n);
    pm_json_int(&j, "nnz", it->info.nnz);
    pm_json_string(&j, "algorithm", algorithm_of(it));
    pm_json_string(&j, "backend", backend_of(it));
    snprintf(number, sizeof number, "%" PRIu64, opt->seed);
    pm_json_string(&j, "seed", number);
    if (!opt->plan_only)
        pm_json_double(&j, "seconds", round(it->seconds * 1e6) * 1e-6);
    pm_json_double(&j, "predicted_seconds", it->predicted);
    plan_json(it, &j);
    return PM_OK;
}

static pm_status answer(const item *it, const pm_value *v, pm_answers *out, pm_error *err)
{
    FILE *f = pm_answers_begin(out);
    pm_status s = PM_OK;
    if (!f)
        return pm_fail_memory(err, "an answer");
    if (it->c->json)
        s = item_json(it, v, f, err);
    else if (it->c->count.plan_only)
        print_plan(it, f);
    else
        s = print_value(v, f, err);
    bool is_none = !it->c->count.plan_only && pm_value_is_zero(v);
    return s == PM_OK ? pm_answers_end(out, it->info.name, is_none, err) : s;
}

pm_status pm_task_count(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err)
{
    const pm_node_source source = pm_reader_source(r);
    pm_status s;
    bool got;
    pm_run powers = c->run;
    powers.deadline = c->ends;
    do {
        item it = {.c = c, .reader = r};
        const pm_evaluate_options opt = {leaf, &it, c->count.modulus, &powers};
        pm_value v;
        pm_value_init(&v);
        s = pm_evaluate_next(&source, &opt, &v, &it.info, &got, err);
        if (s == PM_OK && got) {
            s = answer(&it, &v, out, err);
        } else if (got) { /* this item alone failed */
            pm_console_error(c->console, err->msg);
            s = pm_answers_skip(out, s, err);
        }
        pm_value_clear(&v);
        pm_evaluate_info_free(&it.info);
        free(it.block);
    } while (s == PM_OK && got);
    return s;
}
