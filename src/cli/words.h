/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cli/words.h: arguments of options that are one of a few words. */
#ifndef PM_WORDS_H
#define PM_WORDS_H

#include "pm/status.h"

/* Word k; NULL after the last one. */
typedef const char *pm_word_at(int k);

/* *out: the number of arg among the words.  Fails: PM_EUSAGE, with the list of all words. */
pm_status pm_word_find(const char *arg, pm_word_at *word, int *out, pm_error *err);

/* The same for an array of words that ends with NULL. */
pm_status pm_word_among(const char *arg, const char *const *words, int *out, pm_error *err);

#endif
