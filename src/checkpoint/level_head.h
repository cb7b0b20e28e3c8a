/* SPDX-License-Identifier: GPL-3.0-or-later */
/* checkpoint/level_head.h: the text at the begin of a level file. */
#ifndef PM_LEVEL_HEAD_H
#define PM_LEVEL_HEAD_H

#include "ledger/state_store.h"

enum { PM_LEVEL_HEAD = 4096 /* bytes, at most */ };

/* program: name and version.  Returns the length. */
int pm_level_head_write(const pm_state_head *h, const char *program, char text[PM_LEVEL_HEAD]);
/* text: ends with a NUL.  Only what pm_level_head_write writes is taken.  Returns the length; 0: it is
 * something else. */
int pm_level_head_read(const char *text, const char *program, pm_state_head *h);
/* A line: the word, and the key in hexadecimal digits.  Returns the length. */
int pm_level_key_line(char *to, size_t room, const char *word, const unsigned char *key);

#endif
