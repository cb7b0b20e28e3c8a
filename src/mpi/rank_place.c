/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "mpi/rank_place.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pm/alloc.h"

/* ---- processors ---- */

int pm_rank_place_threads(const pm_mpi_calls *mpi, const pm_mpi_place *place)
{
    cpu_set_t own;
    CPU_ZERO(&own);
    bool is_known = sched_getaffinity(0, sizeof own, &own) == 0;
    cpu_set_t *all = pm_calloc_array(place->node_size, sizeof *all);
    if (!all)
        return 1;
    mpi->gather_on_node(&own, sizeof own, all);
    int same = 0;
    for (int i = 0; i < place->node_size; ++i)
        same += CPU_EQUAL(&own, &all[i]) != 0;
    free(all);
    int threads = is_known && same > 0 ? CPU_COUNT(&own) / same : 1;
    return threads > 0 ? threads : 1;
}

/* ---- GPUs ---- */

enum { GPUS_MOST = 64 };

/* The devices of this machine that the process may open; a container may refuse some that are there. */
static int count_nodes(void)
{
    int count = 0;
    char path[32];
    for (int i = 0; i < GPUS_MOST; ++i) {
        snprintf(path, sizeof path, "/dev/nvidia%d", i);
        int file = open(path, O_RDWR | O_CLOEXEC);
        if (file >= 0) {
            ++count;
            close(file);
        }
    }
    return count;
}

/* The names of devices, of CUDA_VISIBLE_DEVICES or 0, 1, ..., divided by commas.  NULL: memory ended. */
static char *list_devices(int *count)
{
    const char *given = getenv("CUDA_VISIBLE_DEVICES");
    char *list = given ? pm_copy_text(given) : pm_calloc_array(4 * GPUS_MOST, 1);
    *count = 0;
    if (!list)
        return NULL;
    if (given) {
        *count = *given != '\0';
        for (const char *c = list; *c; ++c)
            *count += *c == ',';
        return list;
    }
    *count = count_nodes();
    for (int i = 0, used = 0; i < *count; ++i)
        used += snprintf(list + used, 4, "%s%d", i ? "," : "", i);
    return list;
}

/* Where name `index` of the list begins. */
static char *name_at(char *list, int index)
{
    for (; index > 0 && strchr(list, ','); --index)
        list = strchr(list, ',') + 1;
    return list;
}

void pm_rank_place_gpus(const pm_mpi_place *place)
{
    int count, rank = place->node_rank, ranks = place->node_size;
    char *list = list_devices(&count);
    if (list && count > 1 && ranks > 1) {
        int first = ranks <= count ? rank * count / ranks : rank % count;
        int end = ranks <= count ? (rank + 1) * count / ranks : first + 1;
        char *from = name_at(list, first), *to = name_at(list, end);
        if (end < count)
            to[-1] = '\0';
        (void)setenv("CUDA_VISIBLE_DEVICES", from, 1); /* fails only for want of memory */
    }
    free(list);
}
