/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "layers/sweep_states.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "core/team.h"
#include "layers/mod_sum.h"
#include "pm/alloc.h"

enum { WORTH_THREADS = 1 << 15 /* states of a level */ };

void pm_state_vector_free(pm_state_vector *v)
{
    free(v->value);
    free(v->multiplier);
    free(v->now);
    free(v->next);
    *v = (pm_state_vector){0};
}

pm_status pm_state_vector_make(const pm_layered *g, const pm_transfer *t, uint64_t m,
                               pm_state_vector *out, pm_error *err)
{
    pm_state_vector v = {.t = t, .m = m};
    v.value = pm_alloc_array(g->nvalues, sizeof *v.value);
    v.multiplier = pm_alloc_array(g->nvalues, sizeof *v.multiplier);
    v.now = pm_calloc_array(t->widest, sizeof *v.now);
    v.next = pm_calloc_array(t->widest, sizeof *v.next);
    if (!v.value || !v.multiplier || !v.now || !v.next) {
        pm_state_vector_free(&v);
        return pm_fail_memory(err, "states of layers");
    }
    for (int k = 0; k < g->nvalues; ++k) {
        v.value[k] = pm_dyadic_mod(&g->value[k], m);
        v.multiplier[k] = pm_shoup_prepare(v.value[k], m);
    }
    *out = v;
    return PM_OK;
}

static uint64_t multiply(const pm_state_vector *v, int32_t entry, uint64_t x)
{
    if (entry < 0)
        return x;
    x = pm_shoup_mul(v->value[entry], v->multiplier[entry], x, v->m);
    return x >= v->m ? x - v->m : x;
}

static void run_step(const pm_state_vector *v, const pm_transfer_step *s, int64_t from, int64_t to)
{
    for (int64_t d = from; d < to; ++d) {
        uint64_t sum = 0;
        for (int64_t k = s->start[d]; k < s->start[d + 1]; ++k) {
            uint64_t x = v->now[s->source[k]];
            sum = pm_mod_add(sum, s->entry ? multiply(v, s->entry[k], x) : x, v->m);
        }
        v->next[d] = sum;
    }
}

static void swap(pm_state_vector *v)
{
    uint64_t *now = v->now;
    v->now = v->next;
    v->next = now;
}

void pm_state_vector_run(pm_state_vector *v, int first, int count, const pm_run *run)
{
    for (int k = first; k < first + count; ++k) {
        const pm_transfer_step *s = &v->t->step[k];
        if (run && s->to >= WORTH_THREADS) {
            const int threads = pm_team(run, pm_run_threads(run));
#pragma omp parallel num_threads(threads)
            {
                const int64_t me = omp_get_thread_num(), all = omp_get_num_threads();
                run_step(v, s, s->to * me / all, s->to * (me + 1) / all);
            }
        } else {
            run_step(v, s, 0, s->to);
        }
        swap(v);
    }
}

void pm_state_vector_run_back(pm_state_vector *v, int first, int count)
{
    for (int k = first + count - 1; k >= first; --k) {
        const pm_transfer_step *s = &v->t->step[k];
        memset(v->next, 0, (size_t)s->from * sizeof *v->next);
        for (int64_t d = 0; d < s->to; ++d)
            for (int64_t e = s->start[d]; e < s->start[d + 1]; ++e) {
                const uint64_t x = s->entry ? multiply(v, s->entry[e], v->now[d]) : v->now[d];
                v->next[s->source[e]] = pm_mod_add(v->next[s->source[e]], x, v->m);
            }
        swap(v);
    }
}
