/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text/printable.h: which bytes of a file name or a label a terminal may get. */
#ifndef PM_PRINTABLE_H
#define PM_PRINTABLE_H

#include <stdint.h>
#include <stdio.h>

/* Length of the UTF-8 character at s, which ends with a zero byte; 0 if it is none: no overlong
 * forms, no surrogates, nothing above U+10FFFF (Unicode 15, table 3-7). */
int pm_utf8_length(const char *s);

/* The code point of the UTF-8 character of this length, which is not 0, at s. */
uint32_t pm_utf8_code(const char *s, int length);

/* As pm_utf8_length, but 0 also for characters that steer a terminal instead of being shown: control
 * characters (C0, also TAB and newline; DEL; C1, which are U+0080 to U+009F), ends of lines and
 * paragraphs (U+2028, U+2029), and those that change the direction of text (U+061C, U+200E, U+200F,
 * U+202A to U+202E, U+2066 to U+2069), with which a name can look like another one. */
int pm_printable_length(const char *s);

/* Prints text.  Each byte that is not part of such a character is printed as \xHH. */
void pm_put_printable(FILE *f, const char *text);

#endif
