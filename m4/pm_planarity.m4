dnl SPDX-License-Identifier: GPL-3.0-or-later
dnl PM_ARG_PLANARITY
dnl ----------------
dnl --with-planarity    yes | no | auto (default)
dnl Sets PLANARITY_LIBS and the conditional HAVE_PLANARITY.  libplanarity draws graphs in the plane,
dnl METIS orders their elimination; the algorithm `planar' needs both.
AC_DEFUN([PM_ARG_PLANARITY], [
AC_ARG_WITH([planarity],
  [AS_HELP_STRING([--with-planarity], [count planar graphs by determinants; needs libplanarity and METIS (default: auto)])],
  [], [with_planarity=auto])
have_planarity=no
PLANARITY_LIBS=
AS_IF([test "$with_planarity" != no], [
  pm_save_LIBS=$LIBS
  AC_CHECK_HEADERS([planarity/graph.h metis.h])
  AC_SEARCH_LIBS([gp_Embed], [planarity])
  AC_SEARCH_LIBS([METIS_NodeND], [metis])
  LIBS=$pm_save_LIBS
  AS_IF([test "$ac_cv_header_planarity_graph_h" = yes && test "$ac_cv_header_metis_h" = yes dnl
         && test "$ac_cv_search_gp_Embed" != no && test "$ac_cv_search_METIS_NodeND" != no],
    [have_planarity=yes
     PLANARITY_LIBS="-lplanarity -lmetis"
     dnl only programs that count are to load them
     LIBS="-Wl,--as-needed $PLANARITY_LIBS -Wl,--no-as-needed $LIBS"
     AC_MSG_CHECKING([whether the linker takes --as-needed])
     AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
       [PLANARITY_LIBS="-Wl,--as-needed $PLANARITY_LIBS -Wl,--no-as-needed"
        AC_MSG_RESULT([yes])],
       [AC_MSG_RESULT([no])])
     LIBS=$pm_save_LIBS],
    [AS_IF([test "$with_planarity" != auto],
       [AC_MSG_ERROR([--with-planarity was given, but libplanarity or METIS was not found])])])
])
AS_IF([test $have_planarity = yes],
  [AC_DEFINE([HAVE_PLANARITY], [1], [Define to 1 if libplanarity and METIS are linked.])])
AC_SUBST([PLANARITY_LIBS])
AM_CONDITIONAL([HAVE_PLANARITY], [test $have_planarity = yes])
])
