/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "order/register_partition.h"

#include <math.h>

enum {
    REGISTERS = 65536, /* of a multiprocessor */
    THREADS = 2048,    /* at a time, at most */
    BLOCK = 128,
    MOST = 255, /* registers of a thread, at most */
    UNIT = 8,   /* registers are allocated in multiples of this */
    GLOBAL = 16 /* cost of a global access, in register accesses */
};

static int32_t threads_with(int32_t registers)
{
    int64_t each = registers + PM_PARTITION_OTHER_REGISTERS;
    each = (each + UNIT - 1) / UNIT * UNIT;
    int64_t blocks = REGISTERS / (each * BLOCK);
    return (int32_t)(blocks * BLOCK < THREADS ? blocks * BLOCK : THREADS);
}

pm_register_partition pm_register_partition_choose(const pm_pattern *a)
{
    pm_register_partition best = {0};
    double best_score = 0;
    int32_t rows = 0; /* the first j + 1 columns have no entries beyond these */
    for (int32_t j = 0; j < a->n; ++j) {
        if (pm_pattern_degree(a, j) > 0 && a->rowind[a->colptr[j + 1] - 1] >= rows)
            rows = a->rowind[a->colptr[j + 1] - 1] + 1;
        if (rows > (MOST - PM_PARTITION_OTHER_REGISTERS) / 2)
            break;
        double seldom = ldexp(1, -j - 1);
        double cost = 2.0 * rows * (1 - seldom) + (double)(a->n - rows) * seldom * GLOBAL;
        double score = threads_with(2 * rows) / cost;
        if (score > best_score || rows == best.k) {
            best_score = score;
            best = (pm_register_partition){rows, j + 1};
        }
    }
    return best;
}
