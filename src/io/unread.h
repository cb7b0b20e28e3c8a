/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/unread.h: text that people have, but no format here reads.  As an edge list it would give
 * strange edges, or a message that does not help. */
#ifndef PM_UNREAD_H
#define PM_UNREAD_H

#include <stdint.h>

/* What the first bytes look like and what to do, as "UTF-16: ..."; NULL: nothing that is known.
 * Comment lines (# and %) and blanks before are skipped. */
const char *pm_unread_name(const char *bytes, int64_t got);

#endif
