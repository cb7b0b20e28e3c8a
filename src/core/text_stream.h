/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/text_stream.h: a text that is written by the functions of stdio.
 *
 * As open_memstream, whose writes and whose fclose do not report that memory ended. */
#ifndef PM_TEXT_STREAM_H
#define PM_TEXT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct pm_text_stream pm_text_stream;

/* Takes a text away.  Returns false where it could not. */
typedef bool pm_text_mover(void *context, const char *text, size_t length);

/* An empty text.  NULL when memory ends. */
pm_text_stream *pm_text_stream_open(void);

/* Where to write; ends with *s. */
FILE *pm_text_stream_file(pm_text_stream *s);

/* From here on a text that would become longer than `most` bytes is given to `move` first, and empty after it.  Where that fails it stays,
 * and `move` is not called again. */
void pm_text_stream_limit(pm_text_stream *s, size_t most, pm_text_mover *move, void *context);

/* All that was written and was not moved, which stays the stream's and is valid until the next write, and a NUL.
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
