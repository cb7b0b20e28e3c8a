/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "reference/textbook.h"
#include "support/positive.h"

#include <string.h>

void positive_matrix(uint64_t *rng, pm_field field, int n, double p, bool any, pm_matrix *a,
                     pm_xreal *exact)
{
    pm_cnum permanent = {0};
    for (;;) {
        random_matrix(rng, field, n, n, p, a);
        for (int64_t k = 0; a->re && k < pm_matrix_nnz(a); ++k) {
            if (field == PM_INTEGER)
                pm_dyadic_set_si(&a->re[k], 1 + (int64_t)pm_dyadic_mod(&a->re[k], 9));
            pm_dyadic_abs(&a->re[k]);
        }
        textbook_transfer_matrix(a, &permanent);
        *exact = pm_xreal_from_dyadic(&permanent.re);
        pm_cnum_clear(&permanent);
        if (any || exact->hi != 0)
            return;
        pm_matrix_free(a);
    }
}

double xreal_log10(pm_xreal x)
{
    return log10(x.hi) + (double)x.exp * (M_LN2 / M_LN10);
}

double weight_ratio(pm_weight w, pm_xreal x)
{
    return w.m == 0 ? 0 : ldexp(w.m / x.hi, (int)(w.e - x.exp));
}

void *scratch_of(const pm_sampler *s)
{
    size_t bytes = (s->scratch / 64 + 1) * 64;
    void *p = aligned_alloc(64, bytes);
    memset(p, 0x5a, bytes);
    return p;
}

static pm_status make_one(const pm_sampler_method *method, const pm_matrix *a, int64_t states,
                          uint64_t seed, pm_sampler *s)
{
    const pm_sampler_options o = {.states = states};
    const pm_run run = {.threads = 1};
    *s = (pm_sampler){.method = method, .a = a, .seed = seed};
    return s->method->make(s, &o, &run, NULL);
}

pm_status make_beam(const pm_matrix *a, int64_t states, uint64_t seed, pm_sampler *s)
{
    return make_one(&pm_sampler_beam, a, states, seed, s);
}

pm_status make_graph_beam(const pm_matrix *a, int64_t states, uint64_t seed, pm_sampler *s)
{
    return make_one(pm_sampler_beam.of_general, a, states, seed, s);
}
