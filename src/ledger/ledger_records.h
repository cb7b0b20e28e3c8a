/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger/ledger_records.h: what a ledger holds; for the files of this room. */
#ifndef PM_LEDGER_RECORDS_H
#define PM_LEDGER_RECORDS_H

#include <pthread.h>

#include "ledger/ledger.h"

/* A computation that was begun, and its value once that is known. */
typedef struct pm_ledger_computation {
    pm_ledger_key key;
    char method[PM_LEDGER_METHOD];
    pm_ledger_plan *plan; /* NULL: none */
    bool has_value;
    pm_value value;
} pm_ledger_computation;

struct pm_ledger {
    pthread_mutex_t lock;
    int part, parts; /* 0: all of the work */
    bool is_sealed;
    const pm_ledger_peers *peers; /* NULL: none */
    double deadline;              /* with peers; 0: none */
    double least;
    const struct pm_state_store *store; /* NULL: none */
    pm_ledger_key *item;
    int64_t items, cap_items;
    int64_t next_item; /* of this run */
    bool is_foreign;   /* an input of this run was not the one of the ledger */
    pm_ledger_computation **computation;
    int64_t computations, cap_computations;
    pm_ledger_record **task;
    int64_t tasks, cap_tasks;
};

/* What follows is called with the lock held, or by the only thread. */

bool pm_ledger_key_equal(const pm_ledger_key *a, const pm_ledger_key *b);
/* NULL when there is none. */
pm_ledger_record *pm_ledger_find_task(const pm_ledger *l, const pm_ledger_key *key);
pm_ledger_computation *pm_ledger_find_computation(const pm_ledger *l, const pm_ledger_key *key);

/* A new record, which nothing is known of; NULL when out of memory. */
pm_ledger_record *pm_ledger_record_make(const pm_ledger_shape *shape);
void pm_ledger_record_free(pm_ledger_record *r);
/* Adds it to the ledger, which owns it then.  Returns false when out of memory. */
bool pm_ledger_add_task(pm_ledger *l, pm_ledger_record *r);
/* The computation of this key; added if there is none.  NULL when out of memory. */
pm_ledger_computation *pm_ledger_add_computation(pm_ledger *l, const pm_ledger_key *key);
void pm_ledger_computation_free(pm_ledger_computation *c);
/* Nothing happens if there is none. */
void pm_ledger_remove_computation(pm_ledger *l, const pm_ledger_key *key);
bool pm_ledger_append_item(pm_ledger *l, const pm_ledger_key *key);

#endif
