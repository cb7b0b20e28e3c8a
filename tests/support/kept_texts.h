/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/kept_texts.h: the text of kernels compiled as C, each text once, and loaded as
 * often as there are devices for it.  Any thread may call. */
#ifndef PM_TEST_KEPT_TEXTS_H
#define PM_TEST_KEPT_TEXTS_H

/* Number of a text, by the compiler that CC names, or cc; -1: it does not compile. */
int kept_text(const char *text);

/* What was asked for last; NULL: nothing, or it did not compile. */
const char *kept_text_last(void);

/* Variables of its own each time, as on a device of its own; dlclose().  NULL: cannot be loaded. */
void *kept_text_load(int number);

/* Removes all that was compiled.  What is loaded stays. */
void kept_texts_end(void);

#endif
