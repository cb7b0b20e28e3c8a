/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_handover.h: one thread waits until another one has handed something over, or
 * has failed. */
#ifndef PM_FRONTIER_HANDOVER_H
#define PM_FRONTIER_HANDOVER_H

#include <pthread.h>
#include <stdbool.h>

#include "pm/status.h"

typedef struct {
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    bool is_done;
    pm_status failure;
    pm_error why;
} pm_handover;

void pm_handover_init(pm_handover *h);
void pm_handover_free(pm_handover *h);

/* Ends the wait; the first call decides, later ones have no effect.
 * failure, why: PM_OK and NULL, or why nothing was handed over; why may be NULL. */
void pm_handover_end(pm_handover *h, pm_status failure, const pm_error *why);
/* Waits for the end.  Returns that failure with its message. */
pm_status pm_handover_wait(pm_handover *h, pm_error *err);

#endif
