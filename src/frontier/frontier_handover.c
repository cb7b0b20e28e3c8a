/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "frontier/frontier_handover.h"

void pm_handover_init(pm_handover *h)
{
    *h = (pm_handover){0};
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->changed, NULL);
}

void pm_handover_free(pm_handover *h)
{
    pthread_cond_destroy(&h->changed);
    pthread_mutex_destroy(&h->lock);
}

void pm_handover_end(pm_handover *h, pm_status failure, const pm_error *why)
{
    pthread_mutex_lock(&h->lock);
    if (!h->is_done) {
        h->is_done = true;
        h->failure = failure;
        if (why)
            h->why = *why;
    }
    pthread_cond_broadcast(&h->changed);
    pthread_mutex_unlock(&h->lock);
}

pm_status pm_handover_wait(pm_handover *h, pm_error *err)
{
    pthread_mutex_lock(&h->lock);
    while (!h->is_done)
        pthread_cond_wait(&h->changed, &h->lock);
    pm_status status = h->failure;
    if (status && err)
        *err = h->why;
    pthread_mutex_unlock(&h->lock);
    return status;
}
