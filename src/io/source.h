/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/source.h: lines of a file or standard input, gzip or plain, with their numbers. */
#ifndef PM_SOURCE_H
#define PM_SOURCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "pm/status.h"

#define PM_LINE_MAX (INT64_C(64) << 20) /* bytes; a longer line is an error */

typedef struct pm_source pm_source;

/* path NULL or "-": standard input. */
pm_status pm_source_open(const char *path, pm_source **out, pm_error *err);
/* Read an open file descriptor, which stays the caller's.  name: for messages, copied. */
pm_status pm_source_open_fd(int fd, const char *name, pm_source **out, pm_error *err);
void pm_source_close(pm_source **s);
/* Reads that a signal interrupts when *stop is not 0 fail with PM_ESTOPPED.  NULL: never. */
void pm_source_heed(pm_source *s, const volatile sig_atomic_t *stop);

/* The next line without its "\n" or "\r\n", NUL-terminated, valid until the next call, may be
 * modified.  *line = NULL at the end.  A NUL byte inside, a line beyond PM_LINE_MAX and a broken
 * gzip stream are PM_EDATA. */
pm_status pm_source_line(pm_source *s, char **line, int64_t *length, pm_error *err);

/* The first bytes of the (uncompressed) input, at most want, without consuming them; only before
 * the first pm_source_line.  *got < want at the end of a short input.  A UTF-8 byte order mark is
 * skipped. */
pm_status pm_source_peek(pm_source *s, const char **bytes, int64_t want, int64_t *got,
                         pm_error *err);

/* Give the last line back: the next pm_source_line returns it again. */
void pm_source_unread(pm_source *s);

const char *pm_source_name(const pm_source *s);
int64_t pm_source_line_number(const pm_source *s); /* of the last line, from 1 */

/* "name:line: message" as PM_EDATA. */
pm_status pm_source_fail(const pm_source *s, pm_error *err, const char *fmt, ...) PM_PRINTF(3, 4);

/* text as it can stand in a message: at most 40 bytes, control bytes as '?', in quotes. */
enum { PM_QUOTE = 48 };
const char *pm_quote(const char *text, int64_t length, char out[PM_QUOTE]);

#endif
