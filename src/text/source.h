/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/source.h: reads the text lines, or the bytes, of a file or of standard input, gzip or plain. */
#ifndef PM_SOURCE_H
#define PM_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "pm/run.h"
#include "pm/status.h"
#include "text/quote.h"

#define PM_LINE_MAX (INT64_C(64) << 20) /* bytes; a longer line is an error */

#define PM_ZERO_BYTE                                                                               \
    "expected text, found a zero byte: the input is not a text file, or it is UTF-16 (iconv -f "   \
    "UTF-16 -t UTF-8)"

typedef struct pm_source pm_source;

/* path: NULL or "-" is standard input.  *out: closed by the caller with pm_source_close.
 * Fails: PM_ENOINPUT, PM_ENOMEM. */
pm_status pm_source_open(const char *path, pm_source **out, pm_error *err);
/* Reads from an open file descriptor, which the caller closes.  name: for messages; copied. */
pm_status pm_source_open_fd(int fd, const char *name, pm_source **out, pm_error *err);
void pm_source_close(pm_source **s);
/* From now on, reads and lines fail with PM_ESTOPPED when *run->stop is not 0, and run->progress is
 * called at each read with the part of the file that was read; 0 when its size is unknown.  run:
 * stays valid while the source is open, or NULL. */
void pm_source_set_run(pm_source *s, const pm_run *run);
/* Whether decimals and p/q mean themselves (text/number.h); at first they do not.  For the functions that parse numbers of the
 * lines. */
void pm_source_set_exact(pm_source *s, bool exact);
bool pm_source_is_exact(const pm_source *s);
/* Fails: PM_ESTOPPED *run->stop is not 0.  For work between two lines. */
pm_status pm_source_check_stop(const pm_source *s, pm_error *err);

/* The next line, without its "\n" or "\r\n", NUL-terminated.  It is valid until the next call and
 * may be modified.  *line is NULL at the end of the input.
 * Fails: PM_EDATA a NUL byte in the line, more than PM_LINE_MAX bytes, damaged gzip data; PM_EIO,
 * PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_source_line(pm_source *s, char **line, int64_t *length, pm_error *err);

/* The same for formats in which each line stands for itself, comments too.
 * Fails also: PM_EDATA a carriage return inside the line, which would end it for the program that wrote it. */
pm_status pm_source_text_line(pm_source *s, char **line, int64_t *length, pm_error *err);
/* Fails when text, a part of the last line that was read, holds a carriage return: PM_EDATA. */
pm_status pm_source_check_returns(const pm_source *s, const char *text, pm_error *err);

/* The lines that follow, as they are, whole ones each with its "\n": what is in the buffer, or the next
 * part of the input where no whole line is.  *length is 0 at the end, before a last line without "\n", before a very
 * long line, and while lines that were kept are returned.  They stay in the input, and are valid until the next call of another function.
 * A line may have NUL bytes.  Fails: PM_EIO, PM_ENOMEM, PM_ESTOPPED; PM_EDATA damaged gzip data. */
pm_status pm_source_whole_lines(pm_source *s, const char **text, int64_t *length, pm_error *err);
/* Takes the first `lines` of these lines, of `bytes` bytes, out of the input. */
void pm_source_take_lines(pm_source *s, int64_t bytes, int64_t lines);

/* The first `want` bytes of the uncompressed input.  They stay in the input.  Call it only before
 * the first pm_source_line.  *got < want when the input is shorter.  A UTF-8 byte order mark is
 * skipped. */
pm_status pm_source_peek(pm_source *s, const char **bytes, int64_t want, int64_t *got,
                         pm_error *err);

/* Copies the next `want` bytes of the uncompressed input to `to`; *got < want only at its end.
 * Not after pm_source_unread.  Fails: PM_EDATA damaged gzip data; PM_EIO, PM_ENOMEM, PM_ESTOPPED. */
pm_status pm_source_read(pm_source *s, void *to, int64_t want, int64_t *got, pm_error *err);

/* The next pm_source_line returns the last line again. */
void pm_source_unread(pm_source *s);

/* Keeps a copy of the last line, with its number, as it is now.  Fails: PM_ENOMEM. */
pm_status pm_source_keep(pm_source *s, pm_error *err);
/* The next calls of pm_source_line return the lines that were kept, in their order, and then the rest of
 * the input.  No line may be kept before they have all been returned. */
void pm_source_give_back(pm_source *s);

/* The descriptor of a plain regular file, and which of its bytes have not been returned as lines; -1 where it is none, or before the
 * first bytes were read. */
int pm_source_file(const pm_source *s, int64_t *from, int64_t *to);
/* The part of the file that was read, gzip data or plain; 0: its size is unknown. */
double pm_source_part_read(const pm_source *s);
/* At most so many bytes of uncompressed text are still to be returned; INT64_MAX: unknown. */
int64_t pm_source_most_left(const pm_source *s);

const char *pm_source_name(const pm_source *s);
int64_t pm_source_line_number(const pm_source *s); /* of the last line, from 1 */

/* The end of a message that more was expected: a hint that the input may be cut, if its last line, which has been read, has
 * no line feed at its end; otherwise "". */
const char *pm_source_cut_hint(const pm_source *s);

/* Stores the message "name:line: ..." and returns PM_EDATA. */
pm_status pm_source_fail(const pm_source *s, pm_error *err, const char *fmt, ...) PM_PRINTF(3, 4);

#endif
