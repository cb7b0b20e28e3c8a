/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Existence is the count in the Boolean semiring: products become "and", sums "or". */
#include "config.h"

#include <stdlib.h>

#include "cli/obstruction.h"
#include "pm-count/tasks.h"

/* A node; of an open group as far as it is known. */
typedef struct {
    bool is_product, value;
    bool factor_is_zero, times_is_zero;
} truth;

typedef struct {
    const pm_task_context *c;
    const char *input;
    char *name; /* of the item, or NULL */
    pm_answers *out;
} asking;

static pm_status answer(const pm_task_context *c, pm_answers *out, const char *name, bool exists,
                        pm_error *err)
{
    FILE *f = pm_answers_begin(out);
    if (!f)
        return pm_fail_memory(err, "an answer");
    if (c->json) {
        pm_json j = {.f = f};
        pm_json_bool(&j, "exists", exists);
    } else {
        fputs(exists ? "yes" : "no", f);
    }
    return pm_answers_end(out, name, !exists, err);
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

/* A node is complete: it goes into the group around it, or out as an answer. */
static pm_status finish(asking *x, const truth *node, truth *group, pm_error *err)
{
    bool value = node->value && !node->factor_is_zero;
    if (node->times_is_zero)
        value = !group || group->is_product; /* a power 0 is 1, a multiple 0 is 0 */
    if (!group)
        return answer(x->c, x->out, x->name, value, err);
    group->value = group->is_product ? group->value && value : group->value || value;
    return PM_OK;
}

static pm_status look_for_matching(const asking *x, const pm_matrix *a, bool *exists, pm_error *err)
{
    pm_obstruction o = {0};
    pm_status s = pm_obstruction_find(a, &o, err);
    if (s == PM_OK && !o.exists && x->c->console->verbosity >= 1)
        s = pm_obstruction_note(&o, a, x->c->console, x->input, err);
    *exists = o.exists;
    pm_obstruction_free(&o);
    return s;
}

static pm_status begin_item(void *context, pm_node *first, pm_error *err)
{
    asking *x = context;
    (void)err;
    free(x->name);
    x->name = first->name;
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

static pm_status leaf(void *context, const pm_position *at, pm_node *node, pm_error *err)
{
    truth own = begin(node);
    pm_status s = PM_OK;
    if (node->kind == PM_NODE_MATRIX)
        s = look_for_matching(context, &node->matrix, &own.value, err);
    return s == PM_OK ? finish(context, &own, at->outer, err) : s;
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
    const pm_node_source source = pm_reader_source(r);
    asking x = {.c = c, .input = source.name, .out = out};
    pm_status s = pm_walk_all(&source, &visitor, &x, &c->run, err);
    free(x.name);
    return s;
}
