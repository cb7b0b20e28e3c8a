/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_body.h: the kernels of hafnian_kernel.h for the vector unit of core/lanes.h. */
#ifndef PM_HAFNIAN_BODY_H
#define PM_HAFNIAN_BODY_H

#include "hafnian/hafnian_complex.h"
#include "hafnian/hafnian_ranked.h"
#include "hafnian/hafnian_real.h"
#include "hafnian/hafnian_residue.h"
#include "hafnian/hafnian_size.h"
#include "hafnian/hafnian_small_float.h"

#define PM_HAFNIAN_KERNEL(kind) paths_##kind, sum_##kind, sum_low_##kind, begin_##kind
#define PM_HAFNIAN_KERNELS(name)                                                                   \
    const pm_hafnian_kernels name = {                                                              \
        .residue = {sizeof(uint32_t), PM_HAFNIAN_KERNEL(residue), transform, multiply},            \
        .real = {2 * sizeof(double), PM_HAFNIAN_KERNEL(real), NULL, NULL},                         \
        .complex = {4 * sizeof(double), PM_HAFNIAN_KERNEL(complex), NULL, NULL},                   \
        .size = {sizeof(double), PM_HAFNIAN_KERNEL(size), NULL, NULL},                             \
        .few_real = few_real,                                                                      \
        .few_complex = few_complex,                                                                \
        .few_size = few_size}

#endif
