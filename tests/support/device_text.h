/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/device_text.h: the text of kernels without a device: compiled as C, and by the
 * run-time compiler for every kind of device. */
#ifndef PM_TEST_DEVICE_TEXT_H
#define PM_TEST_DEVICE_TEXT_H

#include <stdbool.h>

/* Of C: the value of CC after make_folder(); NULL: there is none. */
extern const char *compiler;

/* Set-up and tear-down of a group: a folder for what is compiled. */
int make_folder(void **state);
int remove_folder(void **state);

/* ---- a C compiler in place of a device ---- */

/* The text as a shared object; each has a name of its own, by which dlopen knows what is open.
 * level: 0 compiles faster, 1 runs faster. */
void *compile_as_c(const char *text, int level);

/* ---- the run-time compiler ---- */

/* NVRTC can be opened, and PM_TEST_DEVICES is not "none" (it takes minutes under valgrind). */
bool has_run_time_compiler(void);

/* PM_TEST_DEVICES=all: every family of texts for every device ("make check-kernels"). */
bool is_every_device(void);

/* Text `number`, from 0 on, of the `texts` texts of a family is compiled for one device, beginning with device
 * `first` (any number) for text 0; with PM_TEST_DEVICES=all for so many that the texts see every device together.
 * False when there is no compiler, or with PM_TEST_DEVICES=none. */
bool text_compiles(const char *text, int first, int number, int texts);

#endif
