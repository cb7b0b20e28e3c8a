/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "pm/alloc.h"
#include "product_tree/tree_gpu_writer.h"

/* ---- where cells are stored ---- */

static void use(pm_tree_writer *w, int32_t cell, pm_tree_home where)
{
    if (w->home[cell] < where)
        w->home[cell] = where;
}

static void use_action(pm_tree_writer *w, const pm_tree_action *a, pm_tree_home where)
{
    const pm_tree_program *p = w->p;
    for (int32_t k = a->first_update; k < a->end_update; ++k)
        use(w, p->update[k].cell, where);
    for (int32_t s = a->first_step; s < a->end_step; ++s) {
        for (int32_t k = p->step[s].first; k < p->step[s].end; ++k)
            use(w, p->operand[k], where);
        if (s < a->end_step - p->nterms)
            use(w, p->step[s].out, where);
    }
}

void pm_tree_find_homes(pm_tree_writer *w)
{
    for (int32_t j = 0; j < w->shape->flips; ++j)
        use_action(w, &w->p->action[j], j < w->shape->inner ? PM_TREE_REGISTER : PM_TREE_SHARED);
    int32_t room = w->shape->shared_cells / (w->is_complex ? 2 : 1);
    for (int32_t c = 0; c < w->p->ncells; ++c) {
        if (w->home[c] == PM_TREE_SHARED && w->nshared == room)
            w->home[c] = PM_TREE_REGISTER;
        if (w->home[c] == PM_TREE_SHARED)
            w->slot[c] = w->nshared++;
    }
}

/* ---- names and numbers ---- */

pm_tree_name pm_tree_cell_name(const pm_tree_writer *w, int32_t cell, int part)
{
    pm_tree_name n;
    int32_t parts = w->is_complex ? 2 : 1;
    if (w->sizes)
        snprintf(n.s, sizeof n.s, "m%d", (int)cell);
    else if (w->home[cell] == PM_TREE_SHARED)
        snprintf(n.s, sizeof n.s, "shared[%d * PM_THREADS]", (int)(w->slot[cell] * parts + part));
    else
        snprintf(n.s, sizeof n.s, "%c%d", part ? 'i' : 'c', (int)cell);
    return n;
}

static int64_t intern(pm_tree_writer *w, double v)
{
    for (int64_t i = 0; i < w->nvalues; ++i)
        if (w->value[i] == v)
            return i;
    if (PM_GROW(w->value, w->cap, w->nvalues + 1)) {
        w->failed = true;
        return 0;
    }
    w->value[w->nvalues] = v;
    return w->nvalues++;
}

/* True for numbers of at most 20 bits, which can be part of an instruction. */
static bool is_short(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (bits & UINT32_MAX) == 0;
}

pm_tree_name pm_tree_interned(pm_tree_writer *w, double v)
{
    pm_tree_name n;
    snprintf(n.s, sizeof n.s, "pm_value[%lld]", (long long)intern(w, v));
    return n;
}

pm_tree_name pm_tree_number(pm_tree_writer *w, double v)
{
    pm_tree_name n;
    if (w->in_words)
        snprintf(n.s, sizeof n.s, "%.0f", v);
    else if (is_short(v))
        snprintf(n.s, sizeof n.s, "%a", v);
    else
        n = pm_tree_interned(w, v);
    return n;
}

const char *pm_tree_type_of(const pm_tree_writer *w)
{
    return w->in_words ? "int" : "double";
}
