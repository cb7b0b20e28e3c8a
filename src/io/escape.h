/* SPDX-License-Identifier: GPL-3.0-or-later */
/* io/escape.h: labels and names in the lines of a pm stream.
 *   \\ backslash   \s space   \xHH any byte but 0   \e nothing: the empty label
 * A label that ends with a lone backslash goes on in the next line. */
#ifndef PM_ESCAPE_H
#define PM_ESCAPE_H

#include <stdint.h>

/* The escaped form of byte c, which is not 0: 1 to 4 bytes in out.  Returns their number. */
int pm_escape_byte(unsigned char c, char out[4]);

/* The whole text, blanks inside it kept when they need no escape (TEXT of the grammar).
 * Returns a string for free(), or NULL when memory ends. */
char *pm_escape_text(const char *text);

typedef enum {
    PM_UNESCAPE_DONE,
    PM_UNESCAPE_GOES_ON, /* ends with a lone backslash, which is dropped */
    PM_UNESCAPE_BAD      /* an escape that the grammar does not have */
} pm_unescape_end;

/* Decode text[0 .. *length-1] in place; *length becomes the length of the result, which is not
 * terminated. */
pm_unescape_end pm_unescape(char *text, int64_t *length);

#endif
