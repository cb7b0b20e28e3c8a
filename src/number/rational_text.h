/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number/rational_text.h: fractions and decimal numbers with any number of digits. */
#ifndef PM_RATIONAL_TEXT_H
#define PM_RATIONAL_TEXT_H

#include <gmp.h>
#include <stdint.h>

/* q *= 10^e; q is canonical before and after. */
void pm_rational_scale_by_ten(mpq_t q, int64_t e);
/* q rounded to `digits` significant digits, 1 or more, to nearest with ties to even, in the notation of pm_xreal_text.
 * residue: initialised by the caller; set to |q - the number in the text|.
 * Returns a string that the caller frees, or NULL when out of memory. */
char *pm_rational_text(const mpq_t q, int64_t digits, mpq_t residue);

#endif
