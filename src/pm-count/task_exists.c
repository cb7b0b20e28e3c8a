/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Existence is the count in the Boolean semiring: a product is "and", a sum is "or". */
#include "config.h"

#include <stdlib.h>

#include "cli/existence_text.h"
#include "cli/tutte_text.h"
#include "pm-count/tasks.h"

/* What is known of a node; of an open group so far. */
typedef struct {
    bool is_product, value;
    bool factor_is_zero, times_is_zero;
} truth;

typedef struct {
    const pm_task_context *c;
    const char *input;
    char *name; /* of the item, or NULL */
    pm_answers *out;
} exists_query;

static pm_status answer(const exists_query *q, bool exists, pm_error *err)
{
    const pm_cell cell = pm_cell_bool("exists", exists);
    pm_emitter *e = pm_answers_begin(q->out, err);
    if (!e)
        return PM_ENOMEM;
    pm_emit_record(e, &cell, 1);
    return pm_answers_end(q->out, q->name, !exists, err);
}

static truth begin(const pm_node *node)
{
    return (truth){
        .is_product = node->kind == PM_NODE_PRODUCT,
        .value = node->kind == PM_NODE_PRODUCT || node->kind == PM_NODE_NUMBER,
        .factor_is_zero = pm_fraction_is_zero(&node->factor),
        .times_is_zero = mpz_sgn(node->times) == 0,
    };
}

/* Called at the end of a node: adds it to the group around it, or answers when there is none. */
static pm_status finish(const exists_query *q, const truth *node, truth *group, pm_error *err)
{
    bool value = node->value && !node->factor_is_zero;
    if (node->times_is_zero)
        value = !group || group->is_product; /* a power 0 is 1, a multiple 0 is 0 */
    if (!group)
        return answer(q, value, err);
    group->value = group->is_product ? group->value && value : group->value || value;
    return PM_OK;
}

static pm_status begin_item(void *context, pm_node *first, pm_error *err)
{
    exists_query *q = context;
    (void)err;
    free(q->name);
    q->name = first->name;
    first->name = NULL;
    return PM_OK;
}

static pm_status enter(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    truth *group = at->frame;
    (void)context;
    (void)err;
    *group = begin(node);
    return PM_OK;
}

static pm_status find(const exists_query *q, const pm_node *node, pm_matching_kind kind,
                      bool *exists, pm_error *err)
{
    if (!node->general)
        return pm_note_violator(&node->matrix, kind, q->c->console, q->input, exists, err);
    *exists = true;
    return kind == PM_MATCHING_MAXIMUM
               ? PM_OK
               : pm_note_tutte(&node->matrix, q->c->run, q->c->console, q->input, exists, err);
}

static pm_status leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    const exists_query *q = context;
    truth own = begin(node);
    pm_matching_kind kind = pm_node_matchings(node, at->depth == 0, q->c->count.kind);
    pm_status status = pm_node_check_sides(node, kind, q->input, err);
    if (!status && node->kind == PM_NODE_MATRIX)
        status = find(q, node, kind, &own.value, err);
    return !status ? finish(q, &own, at->outer, err) : status;
}

static pm_status leave(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    (void)node;
    return finish(context, at->frame, at->outer, err);
}

pm_status pm_task_exists(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err)
{
    static const pm_visitor visitor = {.frame_size = sizeof(truth),
                                       .begin_item = begin_item,
                                       .enter = enter,
                                       .leaf = leaf,
                                       .leave = leave};
    pm_given_times given = {c->given, true, pm_reader_source(r)};
    const pm_node_source source = pm_given_times_source(&given);
    exists_query q = {.c = c, .input = source.name, .out = out};
    pm_status status = pm_walk_all(&source, &visitor, &q, c->run, err);
    free(q.name);
    return status;
}
