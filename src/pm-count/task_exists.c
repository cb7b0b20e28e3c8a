/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Existence is the count in the Boolean semiring: products become "and", sums "or". */
#include "config.h"

#include <stdlib.h>

#include "cli/obstruction.h"
#include "pm-count/tasks.h"
#include "pm/alloc.h"

/* An open group. */
typedef struct {
    bool is_product, value;
    bool factor_is_zero, times_is_zero;
    char *name;
} frame;

typedef struct {
    frame *at;
    int64_t depth, cap;
} stack;

static bool factor_is_zero(const pm_event *e)
{
    return mpq_sgn(e->factor.re) == 0 && mpq_sgn(e->factor.im) == 0;
}

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

/* A node with this value, its factor and its repetitions is done: into the group around it, or
 * out as an answer. */
static pm_status finish(const pm_task_context *c, stack *s, frame node, const char *name,
                        pm_answers *out, pm_error *err)
{
    frame *group = s->depth ? &s->at[s->depth - 1] : NULL;
    bool value = node.value && !node.factor_is_zero;
    if (node.times_is_zero)
        value = !group || group->is_product; /* a power 0 is 1, a multiple 0 is 0 */
    if (!group)
        return answer(c, out, name, value, err);
    group->value = group->is_product ? group->value && value : group->value || value;
    return PM_OK;
}

static pm_status leaf(const pm_task_context *c, const char *input, const pm_event *e, frame *node,
                      pm_error *err)
{
    pm_obstruction o = {0};
    pm_status s = pm_obstruction_find(&e->matrix, &o, err);
    if (s == PM_OK && !o.exists && c->console->verbosity >= 1)
        s = pm_obstruction_note(&o, &e->matrix, c->console, input, err);
    node->value = o.exists;
    pm_obstruction_free(&o);
    return s;
}

static pm_status step(const pm_task_context *c, pm_reader *r, stack *s, pm_event *e,
                      pm_answers *out, pm_error *err)
{
    frame node = {
        .is_product = e->kind == PM_EV_PRODUCT,
        .value = e->kind == PM_EV_PRODUCT || e->kind == PM_EV_FACTOR,
        .factor_is_zero = factor_is_zero(e),
        .times_is_zero = mpz_sgn(e->times) == 0,
    };
    pm_status status = PM_OK;
    switch (e->kind) {
    case PM_EV_PRODUCT:
    case PM_EV_SUM:
        if (PM_GROW(s->at, s->cap, s->depth + 1))
            return pm_fail_memory(err, "nested groups");
        node.name = e->name;
        e->name = NULL;
        s->at[s->depth++] = node;
        return PM_OK;
    case PM_EV_CLOSE:
        node = s->at[--s->depth];
        status = finish(c, s, node, node.name, out, err);
        free(node.name);
        return status;
    case PM_EV_MATRIX: status = leaf(c, pm_reader_name(r), e, &node, err); break;
    case PM_EV_FACTOR:
    case PM_EV_EOF: break;
    }
    return status == PM_OK ? finish(c, s, node, e->name, out, err) : status;
}

pm_status pm_task_exists(const pm_task_context *c, pm_reader *r, pm_answers *out, pm_error *err)
{
    stack s = {0};
    pm_event e;
    pm_event_init(&e);
    pm_status status;
    while ((status = pm_reader_next(r, &e, err)) == PM_OK && e.kind != PM_EV_EOF) {
        status = pm_run_stopped(&c->run) ? PM_ESTOPPED : step(c, r, &s, &e, out, err);
        if (status != PM_OK)
            break;
    }
    pm_event_clear(&e);
    while (s.depth)
        free(s.at[--s.depth].name);
    free(s.at);
    return status;
}
