/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bounds/rounded_rows.h"

#include <omp.h>

#include "core/team.h"
#include "spmv/multiply.h"

enum { PARTS = 64, ENTRIES_OF_PART = 16384 };

static int parts_of(int64_t items)
{
    int64_t parts = items / ENTRIES_OF_PART + 1;
    return parts < PARTS ? (int)parts : PARTS;
}

int pm_rounded_threads(const pm_matrix *a, const pm_run *run)
{
    int threads = pm_run_threads(run), parts = parts_of(pm_matrix_nnz(a));
    return parts > 1 ? pm_team(run, threads < parts ? threads : parts) : 1;
}

void pm_rounded_rows(const pm_matrix *a, pm_rounded_terms *add, void *context, int threads,
                     pm_rounded_sum *s)
{
    const pm_csr rows = {a->nrows, a->ncols, a->rowptr, a->colind, NULL, NULL};
    const int parts = parts_of(pm_matrix_nnz(a));
    pm_rounded_sum part[PARTS] = {{0}};
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
    for (int p = 0; p < parts; ++p) {
        pm_csr_rows share = pm_csr_share(&rows, p, parts);
        add(context, share.from, share.to, omp_get_thread_num(), &part[p]);
    }
    for (int p = 0; p < parts; ++p)
        pm_rounded_join(s, &part[p]);
}

void pm_rounded_items(int64_t count, pm_rounded_item_terms *add, const void *context, int threads,
                      pm_rounded_sum *s)
{
    const int parts = parts_of(count);
    pm_rounded_sum part[PARTS] = {{0}};
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) if (threads > 1)
    for (int p = 0; p < parts; ++p)
        add(context, count * p / parts, count * (p + 1) / parts, &part[p]);
    for (int p = 0; p < parts; ++p)
        pm_rounded_join(s, &part[p]);
}
