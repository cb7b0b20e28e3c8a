/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sweep/kernel_text.h: the files of cuda/ as strings, made by build-aux/embed.sh. */
#ifndef PM_KERNEL_TEXT_H
#define PM_KERNEL_TEXT_H

extern const char pm_text_prelude[], pm_text_block[], pm_text_dense[];

#endif
