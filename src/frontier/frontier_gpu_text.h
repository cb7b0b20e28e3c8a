/* SPDX-License-Identifier: GPL-3.0-or-later */
/* frontier/frontier_gpu_text.h: the text of the frontier's kernels, which depends on the kind of value alone.
 * So the build compiles some of them ahead of time (frontier/write_frontier_gpu_text.c, src/gpu/local.mk), for
 * machines without a run-time compiler. */
#ifndef PM_FRONTIER_GPU_TEXT_H
#define PM_FRONTIER_GPU_TEXT_H

enum { PM_FLAT_THREADS = 256 }; /* of a block */

/* lanes: residues side by side, 0: numbers of so many parts (1 real, 2 complex).
 * free(); NULL: out of memory. */
char *pm_frontier_text(int lanes, int parts);

#endif
