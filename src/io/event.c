/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "pm/io.h"

#include <stdlib.h>

void pm_factor_init(pm_factor *f)
{
    f->field = PM_INTEGER;
    mpq_init(f->re);
    mpq_set_ui(f->re, 1, 1);
    mpq_init(f->im);
}

void pm_factor_clear(pm_factor *f)
{
    mpq_clear(f->re);
    mpq_clear(f->im);
}

void pm_event_init(pm_event *e)
{
    *e = (pm_event){.kind = PM_EV_EOF};
    pm_factor_init(&e->factor);
    mpz_init_set_ui(e->times, 1);
}

void pm_event_clear(pm_event *e)
{
    pm_factor_clear(&e->factor);
    mpz_clear(e->times);
    pm_matrix_free(&e->matrix);
    free(e->order);
    free(e->name);
    *e = (pm_event){.kind = PM_EV_EOF};
}

void pm_event_reset(pm_event *e)
{
    pm_event_clear(e);
    pm_event_init(e);
}
