/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hafnian/hafnian_gpu_kernel.h: the text of the kernels of a hafnian modulo m. */
#ifndef PM_HAFNIAN_GPU_KERNEL_H
#define PM_HAFNIAN_GPU_KERNEL_H

enum { PM_HAFNIAN_THREADS = 128 /* of a thread block */ };

/* pairs: of the graph without the last one, at least 1.  The caller frees the text.  Returns NULL when memory runs out. */
char *pm_hafnian_text(int pairs);

#endif
