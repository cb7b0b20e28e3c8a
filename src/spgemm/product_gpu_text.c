/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "spgemm/product_gpu_text.h"

#include "gpu/kernel_text.h"

/* Thread blocks on a multiprocessor: a bound for the registers of a thread, that no kernel exceeds. */
enum { BLOCKS = 6 };

pm_product_kind pm_product_kind_of(const pm_product *p, bool has_values)
{
    return (pm_product_kind){
        .semiring = p->semiring,
        .has_a = p->a->value,
        .has_b = p->b->value,
        .has_sums = has_values,
        .is_wide = p->b->ncols >= PM_PRODUCT_NARROW,
    };
}

char *pm_product_text(const pm_product_kind *kind)
{
    return pm_kernel_text_make(
        "#define PM_THREADS %d\n#define PM_BLOCKS %d\n#define "
        "PM_TERMS 0\n#define PM_SINGLE 0\n"
        "#define PM_SEMIRING %d\n#define PM_A_VALUES %d\n#define PM_B_VALUES %d\n"
        "#define PM_WITH_SUMS %d\n#define PM_WIDE %d\n%s%s%s%s%s%s%s",
        PM_PRODUCT_THREADS, BLOCKS, (int)kind->semiring, kind->has_a, kind->has_b, kind->has_sums,
        kind->is_wide, pm_text_prelude, pm_text_phases, pm_text_semiring, pm_text_spgemm_arrays,
        pm_text_spgemm_terms, pm_text_spgemm_rows, pm_text_spgemm_places);
}
