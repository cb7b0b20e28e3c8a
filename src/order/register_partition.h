/* SPDX-License-Identifier: GPL-3.0-or-later */
/* order/register_partition.h: which row sums a thread of a generated GPU kernel keeps in registers.
 *
 * A row sum takes two registers of 32 bits.  The first k row sums are kept in registers, the others
 * in global memory, such that the first c columns, which flip in all but 2^-c of the terms, touch
 * those in registers alone.  More of them mean fewer threads at a time. */
#ifndef PM_REGISTER_PARTITION_H
#define PM_REGISTER_PARTITION_H

#include <stdint.h>

#include "order/pattern.h"

typedef struct {
    int32_t k; /* row sums in registers; 0: the first column alone has too many */
    int32_t c; /* columns that touch no others */
} pm_register_partition;

/* a: rows and columns in their order.
 * Source: Elbek and Kaya 2025, algorithm 4 (Partitioning), with a global access as dear as 16 of
 * registers.  Threads are counted as on the multiprocessor of an A100: 65536 registers, at most
 * 2048 threads, in blocks of 128; a thread takes PM_PARTITION_OTHER_REGISTERS registers besides, at most 255
 * in all, a multiple of 8. */
pm_register_partition pm_register_partition_choose(const pm_pattern *a);

/* Ours: the thread counts of their table III leave 17 to 32. */
enum { PM_PARTITION_OTHER_REGISTERS = 24 };

#endif
