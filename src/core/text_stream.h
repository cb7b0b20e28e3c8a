/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/text_stream.h: a text that is written by the functions of stdio.
 *
 * As open_memstream, whose writes and whose fclose do not report that memory ended. */
#ifndef PM_TEXT_STREAM_H
#define PM_TEXT_STREAM_H

#include <stddef.h>
#include <stdio.h>

typedef struct pm_text_stream pm_text_stream;

/* An empty text.  NULL when memory ends. */
pm_text_stream *pm_text_stream_open(void);

/* Where to write; ends with *s. */
FILE *pm_text_stream_file(pm_text_stream *s);

/* All that was written, which stays the stream's and is valid until the next write, and a NUL.
 * length: without the NUL; may be NULL.
 * Returns NULL when memory ended since the stream was opened or made empty. */
const char *pm_text_stream_text(pm_text_stream *s, size_t *length);

/* Makes the text empty; its memory is used again. */
void pm_text_stream_empty(pm_text_stream *s);

/* Closes the stream and returns the text, freed by the caller.  NULL when memory ended, and when s is
 * NULL. */
char *pm_text_stream_close(pm_text_stream *s);

/* Closes the stream; s may be NULL. */
void pm_text_stream_free(pm_text_stream *s);

#endif
