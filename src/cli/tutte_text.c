/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/tutte_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "cli/label_sets.h"
#include "core/text_stream.h"
#include "matrix/symmetric.h"

/* The most that are printed; < 0: no limit. */
typedef struct {
    int64_t names, components;
} limits;

static const limits no_limits = {-1, -1};

static void print_components(const pm_gallai_edmonds *g, const pm_tutte_berge *w,
                             const pm_labels *labels, const limits *most, FILE *f)
{
    const int64_t count = g->ncomponents;
    const bool has_all = most->components < 0 || count <= most->components;
    for (int64_t c = 0; c < (has_all ? count : most->components); ++c) {
        const char *before = c == 0 ? "" : has_all && c == count - 1 ? " and " : ", ";
        fputs(before, f);
        pm_label_set_print(w->d + w->start[c], w->start[c + 1] - w->start[c], labels, most->names,
                           f);
    }
    if (!has_all)
        fputs(", ...", f);
}

static void print_witness(const pm_gallai_edmonds *g, const pm_tutte_berge *w, const pm_matrix *a,
                          const limits *most, FILE *f)
{
    const pm_labels *labels = &a->row_labels;
    const bool has_loops = pm_matrix_has_diagonal(a);
    const int64_t left_out = pm_gallai_edmonds_left_out(g), count = g->ncomponents;
    fputs("no perfect matching: ", f);
    if (g->na) {
        fprintf(f, "without the %s ", g->na == 1 ? "vertex" : "vertices");
        pm_label_set_print(w->a, g->na, labels, most->names, f);
        putc(' ', f);
    }
    fprintf(f, "there %s %" PRId64 " component%s with an odd number of vertices%s, ",
            count == 1 ? "is" : "are", count, count == 1 ? "" : "s",
            has_loops ? " and without a loop" : "");
    print_components(g, w, labels, most, f);
    fprintf(f, "; every matching leaves out at least %" PRId64 " %s%s", left_out,
            left_out == 1 ? "vertex" : "vertices", has_loops ? " without a loop" : "");
}

static void put_witness(const pm_gallai_edmonds *g, const pm_tutte_berge *w,
                        const pm_labels *labels, pm_json *j)
{
    pm_json_begin(j, "tutte_berge", '{');
    pm_label_set_put(w->a, g->na, labels, "removed", j);
    pm_json_begin(j, "odd_components", '[');
    for (int64_t c = 0; c < g->ncomponents; ++c)
        pm_label_set_put(w->d + w->start[c], w->start[c + 1] - w->start[c], labels, NULL, j);
    pm_json_end(j, ']');
    pm_json_int(j, "left_out", pm_gallai_edmonds_left_out(g));
    pm_json_end(j, '}');
}

pm_status pm_emit_tutte(pm_emitter *e, const pm_gallai_edmonds *g, const pm_matrix *a,
                        pm_error *err)
{
    pm_tutte_berge w = {0};
    pm_status status = pm_tutte_berge_list(g, &w, err);
    if (!status && e->is_json)
        put_witness(g, &w, &a->row_labels, &e->json);
    else if (!status)
        print_witness(g, &w, a, &no_limits, e->f);
    pm_tutte_berge_free(&w);
    return status;
}

static pm_status note(const pm_gallai_edmonds *g, const pm_matrix *a, pm_console *console,
                      const char *where, pm_error *err)
{
    static const limits most = {20, 10};
    pm_tutte_berge w = {0};
    pm_status status = pm_tutte_berge_list(g, &w, err);
    if (status)
        return status;
    pm_text_stream *s = pm_text_stream_open();
    if (s)
        print_witness(g, &w, a, &most, pm_text_stream_file(s));
    char *text = pm_text_stream_close(s);
    pm_tutte_berge_free(&w);
    if (!text)
        return pm_fail_memory(err, "a note");
    pm_console_notef(console, 1, "%s: %s", where, text);
    free(text);
    return PM_OK;
}

pm_status pm_emit_no_matching(pm_emitter *e, const char *key, const pm_matrix *a,
                              pm_matching_kind kind, const pm_existence *bipartite,
                              const pm_gallai_edmonds *general, pm_error *err)
{
    pm_status status = PM_OK;
    if (e->is_json)
        pm_json_string(&e->json, key, NULL);
    else
        fputs("# ", e->f);
    if (general)
        status = pm_emit_tutte(e, general, a, err);
    else
        pm_emit_violator(e, bipartite, a, kind);
    if (!e->is_json)
        putc('\n', e->f);
    return status;
}

pm_status pm_note_tutte(const pm_matrix *a, const pm_run *run, pm_console *console,
                        const char *where, bool *exists, pm_error *err)
{
    pm_gallai_edmonds g = {0};
    pm_status status = pm_gallai_edmonds_find_with_loops(a, run, &g, err);
    *exists = !status && pm_gallai_edmonds_left_out(&g) == 0;
    if (!status && !*exists && console->verbosity >= 1)
        status = note(&g, a, console, where, err);
    pm_gallai_edmonds_free(&g);
    return status;
}
