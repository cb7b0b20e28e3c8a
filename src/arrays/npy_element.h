/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arrays/npy_element.h: one element of an array, as an exact number. */
#ifndef PM_NPY_ELEMENT_H
#define PM_NPY_ELEMENT_H

#include "arrays/npy_head.h"
#include "text/scalar.h"

/* Decodes the element at `at`, head->size bytes of any alignment.  *out: zeroed before.
 * Returns NULL, or what the element is instead of a number: "nan", "inf", "-inf" or "a byte above 1".
 * The kind is not text. */
const char *pm_npy_element(const pm_npy_head *head, const unsigned char *at, pm_scalar *out);

/* True when the kind is bool or an integer; then *out is the element.  False also for a bool above 1
 * and for an integer of 2^63 or more. */
bool pm_npy_integer(const pm_npy_head *head, const unsigned char *at, int64_t *out);

/* The same as pm_npy_element for an index.  Returns false when it is negative, above 2^31 - 1, or no integer. */
bool pm_npy_index(const pm_npy_head *head, const unsigned char *at, int32_t *out);

/* Writes an integer element in decimal.  Returns false when it is no integer. */
bool pm_npy_index_text(const pm_npy_head *head, const unsigned char *at, char *to, size_t room);

#endif
