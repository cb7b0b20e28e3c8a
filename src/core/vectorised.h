/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/vectorised.h: an attribute that compiles a function for several vector units; the version is
 * chosen when the program is loaded.  Results do not depend on the choice:
 * multiplications and additions are not fused (-ffp-contract=off), and sums are not reordered. */
#ifndef PM_VECTORISED_H
#define PM_VECTORISED_H

#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)      \
    && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PM_VECTORISED __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define PM_VECTORISED
#endif

#endif
