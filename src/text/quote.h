/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/quote.h: parts of an input in messages. */
#ifndef PM_QUOTE_H
#define PM_QUOTE_H

#include <stdint.h>

/* Quotes text for a message: at most 40 bytes of it, control bytes as '?'.  Returns out. */
enum { PM_QUOTE = 48 };
const char *pm_quote(const char *text, int64_t length, char out[PM_QUOTE]);

#endif
