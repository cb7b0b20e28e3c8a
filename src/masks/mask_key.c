/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "masks/mask_key.h"

static void add_source(pm_sha256 *s, const pm_mask_source *t)
{
    pm_sha256_add_number(s, (int64_t)t->mask);
    pm_sha256_add_number(s, (int64_t)t->value);
    pm_sha256_add_number(s, (int64_t)t->flip);
    pm_sha256_add_number(s, t->weight);
    pm_sha256_add_number(s, t->parity);
}

static void add_step(pm_sha256 *s, const pm_mask_step *t)
{
    pm_sha256_add_number(s, (int64_t)t->varying);
    pm_sha256_add_number(s, (int64_t)t->fixed);
    pm_sha256_add_number(s, (int64_t)t->live);
    pm_sha256_add_number(s, t->is_exchange);
    pm_sha256_add_number(s, t->keeps);
    pm_sha256_add_number(s, t->nsources);
    for (int32_t k = 0; k < t->nsources; ++k)
        add_source(s, &t->sources[k]);
    pm_sha256_add_number(s, t->npairs);
    for (int32_t k = 0; k < t->npairs; ++k) {
        pm_sha256_add_number(s, t->low[k]);
        pm_sha256_add_number(s, t->high[k]);
    }
    pm_sha256_add_number(s, (int64_t)t->counted);
    pm_sha256_add_number(s, (int64_t)t->base);
    pm_sha256_add_number(s, t->count);
    pm_sha256_add_number(s, (int64_t)t->turned);
    pm_sha256_add_number(s, t->odd);
}

pm_ledger_key pm_mask_key(const pm_mask_program *p)
{
    pm_sha256 s;
    pm_ledger_key key;
    pm_sha256_begin(&s);
    pm_sha256_add_number(&s, p->nsteps);
    pm_sha256_add_number(&s, p->last);
    for (int32_t i = 0; i < p->nsteps; ++i)
        add_step(&s, &p->steps[i]);
    pm_sha256_end(&s, key.byte);
    return key;
}
