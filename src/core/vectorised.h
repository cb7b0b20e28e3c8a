/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/vectorised.h: compile a function once for each generation of vector unit and choose when
 * the program is loaded.  Results never depend on the choice: no contraction, no reassociation. */
#ifndef PM_VECTORISED_H
#define PM_VECTORISED_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)      \
    && !defined(__SANITIZE_ADDRESS__)
#define PM_VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PM_VECTORISED
#endif

#endif
