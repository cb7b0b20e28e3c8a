/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/ledger_texts.h: ledgers as texts. */
#ifndef PM_LEDGER_TEXTS_H
#define PM_LEDGER_TEXTS_H

#include "ledger/ledger.h"

/* The ledger with the checksum at its end.  The caller frees it. */
char *ledger_text(pm_ledger *l);

/* Adds to the ledger what such a text has; frees the text. */
void ledger_add_text(char *text, pm_ledger *l);

#endif
