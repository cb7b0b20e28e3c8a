/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/memory_states.h: a double of checkpoint/level_file.h: states are kept in memory, stored at random
 * steps, and a run can be ended where one is stored. */
#ifndef PM_TEST_MEMORY_STATES_H
#define PM_TEST_MEMORY_STATES_H

#include <signal.h>

#include "core/rng.h"
#include "ledger/state_store.h"

enum { MEMORY_SLOTS = 128 };

typedef struct {
    pm_state_store store;
    uint64_t *rng;
    /* One in so many states that are asked for is stored; one in so many that are stored ends the run
     * (PM_ESTOPPED), before or after that; one in so many that are got is damaged; 0: none. */
    uint32_t one_in, ends_one_in, damages_one_in;
    volatile sig_atomic_t *
        stop; /* not NULL: set in place of such an end, one in so many times that a state is asked for */
    pm_state_head head[MEMORY_SLOTS];
    char *bytes[MEMORY_SLOTS];
    int asked, puts, ends, gets, damaged, refused;
    int last_puts;                /* as the run stops */
    int narrow_puts, narrow_gets; /* with words of 32 bits */
} memory_states;

void memory_states_init(memory_states *m, uint64_t *rng);
void memory_states_free(memory_states *m);

#endif
