// SPDX-License-Identifier: GPL-3.0-or-later
// degree_thread.cuh: one sample of rasmussen, rasmussen+, look+ or hub+ by one thread, with the
// text that the CPU compiles too.  It follows cuda/degree_masks.h and is followed by
// cuda/thread_samples.cuh.
//
// Given: PM_IN_SEQUENCE, PM_FORCES, PM_UNIFORM: members of pm_degree_masks.
// Digits: those of the CPU.
PM_FN pm_wide_product pm_dev_sample(const pm_thread_launch *p, const uint64_t *row,
                                    const uint64_t *column, const uint32_t *table,
                                    pm_sample_sequence *s)
{
    pm_degree_masks g;
    g.row = row;
    g.fixed = p->row;
    g.column = column;
    g.table = table;
    g.n = PM_N;
    g.in_sequence = PM_IN_SEQUENCE;
    g.forces = PM_FORCES;
    g.is_uniform = PM_UNIFORM;
    return pm_degree_masks_draw(&g, s);
}
