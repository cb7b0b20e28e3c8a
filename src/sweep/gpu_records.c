/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "sweep/gpu_records.h"

/* re, im: double-doubles; size, sampled, absolute, spread */
void pm_gpu_fold_terms(const double *record, int64_t count, double spread, pm_sum *sum)
{
    double found = 0;
    for (; count > 0; --count, record += 8) {
        pm_dd_add(sum->re, record);
        pm_dd_add(sum->im, record + 2);
        sum->absolute += record[4];
        found += record[7];
    }
    sum->spread += spread * found;
}

void pm_gpu_fold_residues(const int64_t *record, int64_t count, int terms, const uint64_t *prime,
                          int nprimes, pm_sum *sum)
{
    for (int k = 0; k < nprimes; ++k) {
        int term = terms > 1 ? k : 0;
        __int128 high = 0, low = 0;
        for (int64_t i = 0; i < count; ++i) {
            high += record[2 * terms * i + term];
            low += record[2 * terms * i + terms + term];
        }
        pm_sum_add_residue(sum, k, high % (__int128)prime[k] * (INT64_C(1) << 32) + low, prime[k]);
    }
}
