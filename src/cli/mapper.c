/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/mapper.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/graph_limit.h"
#include "cli/inputs.h"
#include "pm/alloc.h"
#include "process/signals.h"

typedef struct {
    const pm_mapper *mapper;
    pm_invocation *program;
    char *made_by;     /* the provenance line, or NULL */
    pm_writer *writer; /* open from the first node on */
    int64_t left_out;  /* graphs that reached their limit of time */
    int64_t ready;     /* bytes up to the end of the last whole item; 0: none, or not known */
    bool is_cut;
} map_state;

/* The current input. */
typedef struct {
    map_state *x;
    pm_filter_input *in;
    int64_t items;   /* begun so far */
    bool is_written; /* the stream has a part of it */
} input_state;

static pm_status open_writer(map_state *x, FILE *to, pm_error *err)
{
    if (x->writer)
        return PM_OK;
    pm_status status = pm_writer_open(to, x->made_by, &x->writer, err);
    if (!status && x->mapper->exact)
        pm_writer_set_exact(x->writer);
    return status;
}

static pm_status begin_item(void *context, pm_node *first, pm_error *err)
{
    input_state *p = context;
    bool names = p->in->several || p->x->program->common->answer.names;
    pm_status status = open_writer(p->x, p->in->to, err);
    if (status)
        return status;
    ++p->items;
    if (names && !first->name) {
        first->name =
            pm_input_item_name(p->in->path, !pm_reader_is_one_graph(p->in->reader), p->items);
        if (!first->name)
            return pm_fail_memory(err, "a name");
    }
    p->is_written = true;
    return PM_OK;
}

static pm_status put_node(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const input_state *p = context;
    (void)at;
    return pm_writer_put(p->x->writer, node, err);
}

static pm_status map_node(const input_state *p, pm_node *node, const pm_map_target *to,
                          pm_error *err)
{
    const pm_mapper *m = p->x->mapper;
    if (pm_run_stopped(to->run))
        return pm_fail(err, PM_ESTOPPED, "stopped");
    return m->map(m->context, node, to, err);
}

/* A graph that reached its limit of time is left out, if that is possible. */
static pm_status leave_out(input_state *p, int64_t depth, int64_t written, const pm_error *why)
{
    map_state *x = p->x;
    pm_console_error(&x->program->console, why->msg);
    if (depth > 0 || pm_writer_count(x->writer) > written)
        return PM_ESTOPPED;
    if (p->in->failed == PM_OK)
        p->in->failed = PM_ESTOPPED;
    ++p->in->failures;
    ++x->left_out;
    return PM_OK;
}

static pm_status put_leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    input_state *p = context;
    map_state *x = p->x;
    if (node->kind == PM_NODE_NUMBER)
        return put_node(context, at, node, err);
    const char *name = pm_reader_name(p->in->reader);
    int64_t written = pm_writer_count(x->writer), line = node->line;
    pm_graph_limit limit =
        pm_graph_limit_begin(&x->program->run, x->program->common->run.time_limit_each);
    char *where = pm_input_item_name(name, line > 1, line);
    if (!where)
        return pm_fail_memory(err, "a name");
    const pm_map_target target = {x->writer, at->depth, where, &limit.run, x->mapper->exact};
    pm_status status = map_node(p, node, &target, err);
    free(where);
    if (pm_graph_limit_passed(&limit, status, name, line, err))
        return leave_out(p, at->depth, written, err);
    return status;
}

static pm_status end_item(void *context, pm_error *err)
{
    const input_state *p = context;
    int64_t at = ftello(p->in->to);
    (void)err;
    if (at > 0 && pm_writer_count(p->x->writer) > 0)
        p->x->ready = at;
    if (p->x->ready > 0 && p->in->to != stdout)
        pm_signals_keep_answers(true);
    return PM_OK;
}

static pm_status read_input(void *context, pm_filter_input *in, pm_error *err)
{
    static const pm_visitor visitor = {.begin_item = begin_item,
                                       .enter = put_node,
                                       .leaf = put_leaf,
                                       .leave = put_node,
                                       .end_item = end_item};
    map_state *x = context;
    input_state p = {.x = x, .in = in};
    const pm_node_source source = pm_reader_source(in->reader);
    pm_status status = pm_walk_all(&source, &visitor, &p, &x->program->run, err);
    if (!status)
        status = open_writer(x, in->to, err); /* for an input without items */
    in->graphs = p.items;
    x->is_cut = in->end_here = status && p.is_written;
    return status;
}

/* Without any input an empty stream is written. */
static pm_status end_stream(void *context, FILE *to, pm_status first_failure, bool *is_complete,
                            pm_error *err)
{
    map_state *x = context;
    *is_complete = !x->is_cut && !pm_run_stopped(&x->program->run)
                   && (x->writer || first_failure == PM_OK)
                   && (x->left_out == 0 || pm_writer_count(x->writer) > 0);
    if (!*is_complete) {
        pm_writer_drop(&x->writer);
        return PM_OK;
    }
    pm_status status = open_writer(x, to, err);
    return !status ? pm_writer_close(&x->writer, err) : status;
}

/* The whole items are a stream of their own. */
static bool make_partial(void *context, FILE *to)
{
    const map_state *x = context;
    return x->ready > 0 && fflush(to) == 0 && ftruncate(fileno(to), x->ready) == 0
           && fseeko(to, x->ready, SEEK_SET) == 0 && pm_writer_put_end(to);
}

/* "pm-x VERSION OPTION..."; NULL when memory ends. */
static char *words_of(const pm_command *command, char **argv, int count)
{
    size_t room = strlen(command->name) + 1 + strlen(PACKAGE_VERSION) + 1;
    for (int i = 1; i < count; ++i)
        room += 1 + strlen(argv[i]);
    char *text = pm_alloc_array((int64_t)room, 1);
    if (!text)
        return NULL;
    strcpy(text, command->name);
    strcat(text, " ");
    strcat(text, PACKAGE_VERSION);
    for (int i = 1; i < count; ++i) {
        strcat(text, " ");
        strcat(text, argv[i]);
    }
    return text;
}

int pm_map(pm_invocation *program, const pm_mapper *m)
{
    map_state x = {.mapper = m, .program = program};
    const pm_filter filter = {
        .context = &x, .read = read_input, .end = end_stream, .make_partial = make_partial};
    if (!program->common->no_version) {
        x.made_by =
            words_of(program->command, program->argv, (int)(program->operand - program->argv));
        if (!x.made_by) {
            pm_console_error(&program->console, "out of memory: the command line");
            return pm_exit_status(PM_ENOMEM);
        }
    }
    int status = pm_filter_run(program, &filter);
    free(x.made_by);
    return status;
}
