/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tests/support/readings.h: examples of inputs, and what is read from them, as text. */
#ifndef PM_READINGS_H
#define PM_READINGS_H

#include "support/testing.h"

#include "pm/io.h"

/* The file that the functions below read. */
extern char reading_path[];
/* Make and remove it: the setup and the teardown of a group of tests. */
int reading_begin(void **state);
int reading_end(void **state);
void reading_write(const char *bytes, size_t count);
/* out: the text as gzip data, at most `room` bytes.  Returns how many. */
size_t reading_gzipped(const char *text, size_t count, unsigned char *out, size_t room);

typedef struct {
    const char *from;  /* format or NULL */
    const char *flags; /* p pattern, g graph, s sum, i ignore */
    const char *text;
    const char *want; /* answer, or message after the path when it starts with ':' */
} reading;

pm_read_options reading_options(const reading *x);
/* Reads the file.  text: all graphs, "; " between them, each as "integer 2x2 1:2=3 2:1=-4" with rows and
 * columns by their labels; may be NULL. */
pm_status reading_text(const pm_read_options *opt, char *text, size_t room, pm_error *err);
/* The message is the path followed by want. */
void assert_reading_message(const pm_error *err, const char *want);
/* What is read from the file, with these options, is `want` as above. */
void check_file(const pm_read_options *opt, const char *want);
/* Writes x->text and compares. */
void check_reading(const reading *x);
/* The same two while one allocation after another fails. */
void check_file_memory(const pm_read_options *opt, const char *want);
void check_reading_memory(const reading *x);

#define CHECK_READINGS(readings)                                                                   \
    for (size_t k = 0; k < sizeof(readings) / sizeof *(readings); ++k)                             \
    check_reading(&(readings)[k])

#endif
