dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl PM_ARG_IGRAPH
dnl -------------
dnl --with-igraph    yes | no | auto (default)
dnl Sets IGRAPH_CFLAGS, IGRAPH_LIBS and the conditional HAVE_IGRAPH.  Only the helper program
dnl pm-igraph-read is linked to it; the filters run that program and start fast.
AC_DEFUN([PM_ARG_IGRAPH], [
AC_ARG_WITH([igraph],
  [AS_HELP_STRING([--with-igraph], [build the reader of GraphML, GML, Pajek, NCOL and LGL (default: auto)])],
  [], [with_igraph=auto])
have_igraph=no
pm_igraph_summary=no
AS_IF([test "$with_igraph" != no], [
  PKG_CHECK_MODULES([IGRAPH], [igraph >= 0.10],
    [have_igraph=yes; pm_igraph_summary=`$PKG_CONFIG --modversion igraph`],
    [AS_IF([test "$with_igraph" != auto],
       [AC_MSG_ERROR([--with-igraph was given, but igraph 0.10 or newer was not found])])])
])
AS_IF([test $have_igraph = yes],
  [AC_DEFINE([HAVE_IGRAPH], [1], [Define to 1 if the igraph helper program is built.])
   pm_igraph_libdir=`$PKG_CONFIG --variable=libdir igraph`
   AS_IF([test -n "$pm_igraph_libdir"],
     [AC_DEFINE_UNQUOTED([PM_IGRAPH_LIBDIR], ["$pm_igraph_libdir"], [The folder of the library igraph.])])])
AM_CONDITIONAL([HAVE_IGRAPH], [test $have_igraph = yes])
])
