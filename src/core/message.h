/* SPDX-License-Identifier: GPL-3.0-or-later */
/* core/message.h: one-line messages of a limited length. */
#ifndef PM_MESSAGE_H
#define PM_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>

/* Writes a printf-style text of less than room bytes, and a zero byte, to out.  Of a longer text the
 * first quarter and the end are kept, with " ... " between them: paths and labels are long, and the
 * reason follows them.  No UTF-8 character is cut.  When memory ends, only the beginning is kept.
 * room: at least 64. */
void pm_message_write(char *out, size_t room, const char *fmt, va_list ap);

#endif
