/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ledger/state_store.h: where an engine keeps its state in the midst of a long piece of a task.
 *
 * A ledger has what is done.  A piece that takes hours, as a pass of the frontier method over levels that
 * fill the memory, would be lost with all its work.  So its engine asks between two steps whether its
 * state may be stored, and gives its bytes; and before it begins, whether a state is there from which it
 * can go on.  Who has a ledger says where states are stored (checkpoint/level_file.h).
 *
 * A store has slots, each of which holds one state, the latest that was put there.  Engines on several devices
 * use several slots, from several threads. */
#ifndef PM_STATE_STORE_H
#define PM_STATE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ledger/ledger.h"

enum { PM_STATE_MODULI = 32 };

/* What the bytes of a state are. */
typedef struct {
    pm_ledger_key scope;  /* of the computation */
    pm_ledger_key engine; /* what else the bytes depend on, but for what follows */
    int64_t step, steps;  /* so many steps are done, of all; 0 < step < steps */
    int bits;             /* of a residue; 0: inexact numbers */
    /* The residues side by side in a value, and how many of them, from the first one, are wanted: others
     * fill a value up. */
    int lanes, wanted;
    uint64_t modulus[PM_STATE_MODULI];
    uint64_t bytes;
} pm_state_head;

/* Copies `count` bytes from number `at` on between a state and a buffer, one after another. */
typedef pm_status pm_state_copy(void *engine, uint64_t at, void *buffer, size_t count,
                                pm_error *err);

typedef struct pm_state_store {
    void *context;
    int slots;
    /* Whether a state of so many bytes is worth storing, which saves so many seconds of work.
     * stops: the run ends, so that this is the last one; then it is. */
    bool (*is_due)(void *context, double seconds, double bytes, bool stops);
    /* Replaces the state of the slot by the one that `copy` reads.  If it cannot be stored, a message has
     * been printed, and the older state stays.  Fails: as copy. */
    pm_status (*put)(void *context, int slot, const pm_state_head *head, pm_state_copy *copy,
                     void *engine, pm_error *err);
    /* Returns false when the slot is empty. */
    bool (*head)(void *context, int slot, pm_state_head *out);
    /* The copy writes the state.  Fails: PM_EDATA it is damaged or cannot be read; a message has been
     * printed, and what was written is not valid; as copy. */
    pm_status (*get)(void *context, int slot, pm_state_copy *copy, void *engine, pm_error *err);
    /* The state of the slot is for this computation, and cannot be used: prints why. */
    void (*refuse)(void *context, int slot, const char *why);
} pm_state_store;

/* store: borrowed, or NULL: none, as at first. */
void pm_ledger_set_store(pm_ledger *l, const pm_state_store *store);
/* Of the scope's ledger; NULL: there is none. */
const pm_state_store *pm_ledger_store(const pm_ledger_scope *s);
/* The next state that is stored for the scope, from slot *slot on: *slot becomes the slot after it.  Returns false when
 * there is none. */
bool pm_ledger_next_state(const pm_ledger_scope *s, int *slot, pm_state_head *out);

#endif
