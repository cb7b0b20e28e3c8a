/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "support/testing.h"

#include <stdlib.h>
#include <string.h>

#include "core/text_stream.h"
#include "ledger/ledger_text.h"
#include "support/ledger_texts.h"

char *ledger_text(pm_ledger *l)
{
    pm_text_stream *s = pm_text_stream_open();
    assert_non_null(s);
    pm_ledger_writer w = pm_ledger_writer_begin(pm_text_stream_file(s), "");
    assert_int_equal(pm_ledger_writer_ledger(&w, l, NULL), PM_OK);
    pm_ledger_writer_end(&w);
    char *text = pm_text_stream_close(s);
    assert_non_null(text);
    return text;
}

void ledger_add_text(char *text, pm_ledger *l)
{
    pm_ledger_reader reader = pm_ledger_reader_begin(l);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_int_equal(pm_ledger_reader_line(&reader, NULL, line, (int64_t)strlen(line), NULL),
                         PM_OK);
    assert_int_equal(pm_ledger_reader_end(&reader, NULL, NULL), PM_OK);
    free(text);
}
