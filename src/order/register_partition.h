/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/register_partition.h: how many row sums a thread of a generated GPU kernel keeps in
 * registers.
 *
 * A row sum takes two 32-bit registers.  The first k row sums are kept in registers, the rest in
 * global memory.  k is chosen such that the first c columns, which flip in all but 2^-c of the
 * terms, have entries in the first k rows only.  A larger k lets fewer threads run at a time. */
#ifndef PM_REGISTER_PARTITION_H
#define PM_REGISTER_PARTITION_H

#include <stdint.h>

#include "order/pattern.h"

typedef struct {
    int32_t k; /* row sums in registers; 0: the first column alone needs too many registers */
    int32_t c; /* columns whose entries are in the first k rows */
} pm_register_partition;

/* a: rows and columns in their order.
 * Source: Elbek and Kaya 2025, algorithm 4 (Partitioning), where a global access counts as 16
 * register accesses.  The number of threads is that of a multiprocessor of an A100: 65536
 * registers, at most 2048 threads, in thread blocks of 128; a thread uses
 * PM_PARTITION_OTHER_REGISTERS besides the row sums, at most 255 in all, a multiple of 8. */
pm_register_partition pm_register_partition_choose(const pm_pattern *a);

/* Our choice: the thread counts of table III of the source leave 17 to 32. */
enum { PM_PARTITION_OTHER_REGISTERS = 24 };

#endif
