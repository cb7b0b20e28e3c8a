/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cuda/hafnian_task.h: what a launch of hafnian.cuh is given.  The text is C for the CPU and CUDA C++ for kernels. */
#ifndef PM_HAFNIAN_TASK_H
#define PM_HAFNIAN_TASK_H

/* Addresses are those of device memory; all numbers there are residues in words of 32 bits. */
typedef struct {
    unsigned long long modulus; /* m, odd, below 2^31 */
    unsigned long long inverse; /* -1/m modulo 2^32 */
    unsigned long long
        step; /* [v][w], v, w < 2 PM_PAIRS + 2: from end w to end v of a path, times 2^32 */
    unsigned long long close; /* [w]: from end w to the other vertex of the anchor, times 2^64 */
    unsigned long long
        ends; /* [2 anchor][2^(anchor-1)]: paths by their end and their set without its pair */
    unsigned long long
        ranks; /* [2][anchor + 1][2^anchor]: two functions by ranks, in the place of `ends` */
    unsigned long long cycles; /* [2^anchor], times 2^32 */
    unsigned long long counts; /* [2^(anchor+1)] */
    unsigned long long parts;  /* [count]: parts of the last sum */
    int anchor;                /* pairs below it */
    int layer;                 /* paths: pairs of the sets */
    int low, bits; /* transforms: the bits low .. low + bits - 1; bits <= PM_HAFNIAN_BITS */
    int count;     /* the last sum: parts */
} pm_hafnian_task;

enum { PM_HAFNIAN_BITS = 4 };

#endif
