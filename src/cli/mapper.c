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
    pm_writer *writer; /* open from the first event on */
    bool is_cut;
} mapping;

/* One input on its way. */
typedef struct {
    mapping *x;
    const pm_batch_input *in;
    int64_t depth;   /* of open groups */
    int64_t nodes;   /* outside any group */
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

static pm_status give_name(const passage *p, pm_event *e, pm_error *err)
{
    e->name = numbered(p->in->path, !pm_reader_is_one_graph(p->in->reader), p->nodes);
    return e->name ? PM_OK : pm_fail_memory(err, "a name");
}

static pm_status put_matrix(const passage *p, pm_event *e, pm_error *err)
{
    const pm_mapper *m = p->x->mapper;
    char *where = numbered(pm_reader_name(p->in->reader), e->line > 1, e->line);
    if (!where)
        return pm_fail_memory(err, "a name");
    pm_map_site site = {p->x->writer, p->depth, where};
    pm_status s = m->map(m->context, e, &site, err);
    free(where);
    return s;
}

static pm_status put_node(passage *p, pm_event *e, pm_error *err)
{
    bool names = p->in->several || p->x->mapper->names;
    if (e->kind == PM_EV_CLOSE) {
        --p->depth;
        return pm_writer_put(p->x->writer, e, err);
    }
    if (p->depth == 0)
        ++p->nodes;
    if (p->depth == 0 && names && !e->name) {
        pm_status s = give_name(p, e, err);
        if (s != PM_OK)
            return s;
    }
    p->is_written = true;
    if (e->kind == PM_EV_MATRIX)
        return put_matrix(p, e, err);
    pm_status s = pm_writer_put(p->x->writer, e, err);
    if (e->kind == PM_EV_PRODUCT || e->kind == PM_EV_SUM)
        ++p->depth;
    return s;
}

static pm_status open_writer(mapping *x, FILE *to, pm_error *err)
{
    return x->writer ? PM_OK : pm_writer_open(to, x->made_by, &x->writer, err);
}

static pm_status read_input(void *context, pm_batch_input *in, pm_error *err)
{
    mapping *x = context;
    passage p = {.x = x, .in = in};
    pm_event e;
    pm_event_init(&e);
    pm_status s;
    do {
        s = pm_reader_next(in->reader, &e, err);
        if (s == PM_OK && pm_run_stopped(x->run))
            s = PM_ESTOPPED;
        if (s == PM_OK)
            s = open_writer(x, in->to, err);
        if (s == PM_OK && e.kind != PM_EV_EOF)
            s = put_node(&p, &e, err);
    } while (s == PM_OK && e.kind != PM_EV_EOF);
    pm_event_clear(&e);
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
