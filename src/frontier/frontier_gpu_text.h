/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_gpu_text.h: the text of the frontier's kernels, which depends only on the kind
 * of value.  So the build compiles some kernels ahead of time (frontier/write_frontier_gpu_text.c,
 * src/gpu/local.mk), for machines without a run-time compiler. */
#ifndef PM_FRONTIER_GPU_TEXT_H
#define PM_FRONTIER_GPU_TEXT_H

enum { PM_FLAT_THREADS = 256 }; /* of a thread block */

/* lanes: number of residues, or 0 for numbers.  parts: of a number, 1 real, 2 complex; ignored
 * unless lanes is 0.  bits: of a residue, 64 or 32; ignored if lanes is 0.  The caller frees the
 * text.  Returns NULL when memory runs out. */
char *pm_frontier_text(int lanes, int parts, int bits);

#endif
