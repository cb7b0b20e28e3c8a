/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/device_works.h: work for the devices of host_gpu.h, and what is reported of it. */
#ifndef PM_TEST_DEVICE_WORKS_H
#define PM_TEST_DEVICE_WORKS_H

#include <signal.h>
#include <stdint.h>

#include "algorithm/rates.h"
#include "pm/count.h"

typedef struct {
    int notes;       /* that everybody sees */
    char note[1024]; /* the last of them */
    volatile sig_atomic_t stop;
} listener;

/* pm_run.note; context: a listener */
void listen_to_notes(void *context, int level, const char *line);

/* Rates at which the CPU would take ten seconds or more, so that a GPU is asked. */
void slow_rates(const pm_matrix *a, const pm_count_options *like, pm_rates *out);

/* Of full or sparse matrices, what a device counts. */
typedef struct {
    const char *algorithm;
    pm_field field;
    int n;
    double density;
} work;

enum { WORKS = 10 };
extern const work works[WORKS];

/* A random matrix whose permanent is not 0.  *rng is advanced. */
void make_matrix(uint64_t *rng, const work *w, pm_matrix *a);
/* Its algorithm there, without reductions. */
pm_count_options options_of(const work *w, pm_backend backend);
/* The same answer as the CPU's. */
void assert_right(const pm_matrix *a, const pm_value *v);
/* Two blocks, n = 12 each, all but the diagonal: no twins. */
void make_two_blocks(pm_matrix *a);

#endif
