/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ledgers as text.  A checksum that the bytes lack would hide the lines from the target, so it is made here:
 * lines that are accepted are written and read again, and then nothing changes. */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check_reader.h"
#include "core/text_stream.h"
#include "ledger/ledger_text.h"
#include "pm/alloc.h"

static pm_ledger *new_ledger(void)
{
    pm_ledger *l = NULL;
    assert(pm_ledger_make(&l, NULL) == PM_OK);
    return l;
}

/* The lines of the source, with a checksum of their own unless they end with one. */
static pm_status read_lines(pm_source *s, pm_ledger *l, pm_error *err)
{
    char *line;
    int64_t length;
    pm_ledger_reader r = pm_ledger_reader_begin(l);
    pm_status status;
    while (!(status = pm_source_line(s, &line, &length, err)) && line) {
        status = pm_ledger_reader_line(&r, s, line, length, err);
        if (status)
            break;
    }
    (void)pm_ledger_reader_end(&r, s, NULL);
    return status;
}

static pm_status read_bytes(const void *bytes, size_t size, pm_ledger *l, pm_error *err)
{
    pm_source *s = NULL;
    FILE *f = tmpfile();
    assert(f && fwrite(bytes, 1, size, f) == size && fflush(f) == 0);
    rewind(f);
    pm_status status = pm_source_open_fd(fileno(f), "ledger", &s, err);
    if (!status)
        status = read_lines(s, l, err);
    pm_source_close(&s);
    fclose(f);
    return status;
}

static char *text_of(pm_ledger *l)
{
    pm_text_stream *s = pm_text_stream_open();
    assert(s);
    pm_ledger_writer w = pm_ledger_writer_begin(pm_text_stream_file(s), "");
    assert(pm_ledger_writer_ledger(&w, l, NULL) == PM_OK);
    pm_ledger_writer_end(&w);
    return pm_text_stream_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    pm_error err = {.msg = ""};
    pm_ledger *l = new_ledger(), *again = new_ledger();
    pm_status status = read_bytes(bytes, size, l, &err);
    assert(status == PM_OK || (strncmp(err.msg, "ledger:", 7) == 0 && !strchr(err.msg, '\n')));
    if (!status) {
        char *text = text_of(l), *second;
        assert(text && read_bytes(text, strlen(text), again, &err) == PM_OK);
        second = text_of(again);
        assert(second && strcmp(text, second) == 0);
        free(text);
        free(second);
    }
    pm_ledger_free(l);
    pm_ledger_free(again);
    return 0;
}
