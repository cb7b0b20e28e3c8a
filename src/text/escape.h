/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/escape.h: escapes in labels and names of a pm stream.
 *   \\ backslash   \s space   \xHH any byte but 0   \e nothing: the empty label
 * A label that ends with a single backslash continues in the next line. */
#ifndef PM_ESCAPE_H
#define PM_ESCAPE_H

#include <stdint.h>

/* Writes the escaped form of byte c to out; c is not 0.  Returns its length, 1 to 4. */
int pm_escape_byte(unsigned char c, char out[4]);

/* Escapes a whole text (TEXT of the grammar): spaces inside it stay as they are.
 * Returns a string that the caller frees with free(), or NULL when memory ends. */
char *pm_escape_text(const char *text);

typedef enum {
    PM_UNESCAPE_DONE,
    PM_UNESCAPE_GOES_ON, /* the text ended with a single backslash, which is removed */
    PM_UNESCAPE_BAD      /* an escape that the grammar does not have */
} pm_unescape_end;

/* Decodes text[0 .. *length-1] in place.  *length becomes the length of the result.  No NUL is
 * written after it. */
pm_unescape_end pm_unescape(char *text, int64_t *length);

#endif
