dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl PM_ARG_BUGURL
dnl -------------
dnl --with-bugurl=ADDRESS    for those who package pmkit: where its users report bugs
dnl Sets BUG_REPORT, how a sentence "Report bugs ..." goes on: with the address, or with the place in
dnl README.md that says what to send.
AC_DEFUN([PM_ARG_BUGURL], [
AC_ARG_WITH([bugurl],
  [AS_HELP_STRING([--with-bugurl=ADDRESS], [where users report bugs, printed by --help and the manual (default: a section of README.md)])],
  [], [with_bugurl=no])
AS_CASE([$with_bugurl],
  [yes | ''], [AC_MSG_ERROR([--with-bugurl needs an address])],
  [no], [BUG_REPORT='as README.md says (Reporting a bug)'],
  [*@<:@!a-zA-Z0-9.:/@%+=?~_-@:>@*], [AC_MSG_ERROR([--with-bugurl: expected a URL or a mail address])],
  [BUG_REPORT="to $with_bugurl"])
AC_SUBST([BUG_REPORT])
AC_DEFINE_UNQUOTED([PM_BUG_REPORT], ["$BUG_REPORT"], [How a sentence "Report bugs ..." goes on.])
])
