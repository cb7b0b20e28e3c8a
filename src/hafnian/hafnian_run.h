/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_run.h: the hafnian of a matrix modulo primes, or real or complex with its error. */
#ifndef PM_HAFNIAN_RUN_H
#define PM_HAFNIAN_RUN_H

#include "hafnian/hafnian_entries.h"
#include "hafnian/hafnian_levels.h"
#include "ledger/ledger.h"
#include "pm/reduce.h"

/* Modulo m, odd, 1 < m < 2^31.  room: for these pairs and sheets, and numbers of 4 bytes.
 * Fails: PM_ESTOPPED, PM_ENOMEM. */
pm_status pm_hafnian_modulo(const pm_hafnian_entries *e, const pm_hafnian_room *room, uint64_t m,
                            const pm_run *run, uint64_t *residue, pm_error *err);
/* A general block with a real or complex field.  scope: as for pm_hafnian_outer_run.  out: initialised by the caller.
 * Fails: as above; as pm_hafnian_outer_run. */
pm_status pm_hafnian_float_block(const pm_block *b, const pm_ledger_scope *scope, const pm_run *run,
                                 pm_value *out, pm_error *err);

#endif
