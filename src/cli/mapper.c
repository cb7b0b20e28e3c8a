/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "cli/mapper.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pm/alloc.h"

typedef struct {
    const pm_mapper *mapper;
    const pm_run *run;
    char *made_by;     /* the provenance line, or NULL */
    pm_writer *writer; /* open from the first node on */
    bool is_cut;
} mapping;

/* One input on its way. */
typedef struct {
    mapping *x;
    const pm_batch_input *in;
    int64_t items;   /* that have begun */
    bool is_written; /* something of it stands in the stream */
} passage;

/* "text" or "text:number"; NULL when memory ends. */
static char *numbered(const char *text, bool with_number, int64_t number)
{
    size_t room = strlen(text) + 24;
    char *out = pm_alloc_array((int64_t)room, 1);
    if (out && with_number)
        snprintf(out, room, "%s:%" PRId64, text, number);
    else if (out)
        strcpy(out, text);
    return out;
}

static pm_status open_writer(mapping *x, FILE *to, pm_error *err)
{
    return x->writer ? PM_OK : pm_writer_open(to, x->made_by, &x->writer, err);
}

static pm_status begin_item(void *context, pm_node *first, pm_error *err)
{
    passage *p = context;
    bool names = p->in->several || p->x->mapper->names;
    pm_status s = open_writer(p->x, p->in->to, err);
    if (s != PM_OK)
        return s;
    ++p->items;
    if (names && !first->name) {
        first->name = numbered(p->in->path, !pm_reader_is_one_graph(p->in->reader), p->items);
        if (!first->name)
            return pm_fail_memory(err, "a name");
    }
    p->is_written = true;
    return PM_OK;
}

static pm_status put_node(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const passage *p = context;
    (void)at;
    return pm_writer_put(p->x->writer, node, err);
}

static pm_status put_leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const passage *p = context;
    const pm_mapper *m = p->x->mapper;
    if (node->kind == PM_NODE_NUMBER)
        return put_node(context, at, node, err);
    char *where = numbered(pm_reader_name(p->in->reader), node->line > 1, node->line);
    if (!where)
        return pm_fail_memory(err, "a name");
    pm_map_site site = {p->x->writer, at->depth, where};
    pm_status s = m->map(m->context, node, &site, err);
    free(where);
    return s;
}

static pm_status read_input(void *context, pm_batch_input *in, pm_error *err)
{
    static const pm_visitor visitor = {
        .begin_item = begin_item, .enter = put_node, .leaf = put_leaf, .leave = put_node};
    mapping *x = context;
    passage p = {.x = x, .in = in};
    const pm_node_source source = pm_reader_source(in->reader);
    pm_status s = pm_walk_all(&source, &visitor, &p, x->run, err);
    if (s == PM_OK)
        s = open_writer(x, in->to, err); /* for an input without items */
    x->is_cut = in->end_here = s != PM_OK && p.is_written;
    return s;
}

/* Without any input the stream is an empty one. */
static pm_status end_stream(void *context, FILE *to, pm_status first_failure, bool *is_complete,
                            pm_error *err)
{
    mapping *x = context;
    *is_complete = !x->is_cut && !pm_run_stopped(x->run) && (x->writer || first_failure == PM_OK);
    if (!*is_complete) {
        pm_writer_drop(&x->writer);
        return PM_OK;
    }
    pm_status s = open_writer(x, to, err);
    return s == PM_OK ? pm_writer_close(&x->writer, err) : s;
}

/* "pm-x VERSION OPTION..."; NULL when memory ends. */
static char *words_of(const pm_command *program, char **argv, int count)
{
    size_t room = strlen(program->name) + 1 + strlen(PACKAGE_VERSION) + 1;
    for (int i = 1; i < count; ++i)
        room += 1 + strlen(argv[i]);
    char *text = pm_alloc_array((int64_t)room, 1);
    if (!text)
        return NULL;
    strcpy(text, program->name);
    strcat(text, " ");
    strcat(text, PACKAGE_VERSION);
    for (int i = 1; i < count; ++i) {
        strcat(text, " ");
        strcat(text, argv[i]);
    }
    return text;
}

int pm_map(const pm_batch *b, const pm_mapper *m)
{
    mapping x = {.mapper = m, .run = b->run};
    const pm_batch_work work = {&x, read_input, NULL, end_stream};
    if (m->argv) {
        x.made_by = words_of(b->program, m->argv, (int)(b->operand - m->argv));
        if (!x.made_by) {
            pm_console_error(b->console, "out of memory: the words of the command");
            return pm_exit_status(PM_ENOMEM);
        }
    }
    int status = pm_batch_run(b, &work);
    free(x.made_by);
    return status;
}
